/** The instruments on the screen: what they measured into a place of a frame. */
#ifndef VIEW_LAB_H
#define VIEW_LAB_H

#include <stdio.h>

#include "lab.h"
#include "view.h"
#include "view_layout.h"
#include "view_lesson.h"

/** An instrument, and where in it one looks. Only what its kind says is there. */
struct view_lab {
    enum lab_kind kind;
    const struct lab_scaling *scaling;
    int width; /**< Of its readings. */
    const struct lab_masks *masks;
    int row, col; /**< The cell of its grid. */
    const struct lab_cost *cost;
    int length; /**< Of its rows. */
};

/** What stands around an instrument that has the screen for itself. */
struct view_lab_frame {
    enum lab_kind kind;
    const char *settings; /**< For the title line. */
    const char *message;
    const struct view_key *keys;
    int n_keys;
};

/** Title and foot. @return the place between them. */
struct view_place view_lab_around(struct frame *f, const struct view_lab_frame *around);

void view_lab(struct frame *f, struct view_place place, const struct view_lab *v);
/** As many of these sentences, from the first on, as there is room for whole; a sentence is never
 * cut. @return the rows used. */
int view_lab_words(struct frame *f, struct view_place place, const char *const sentences[], int n);
/** The same as lines of text. */
void view_lab_plain(FILE *out, const struct view_lab *v, bool ascii);
/** It as a part of a lesson's screen. @param v  Must live as long as the part. */
struct view_part view_lab_part(const struct view_lab *v);

/* One instrument a file. */
void view_lab_scaling(struct frame *f, struct view_place place, const struct view_lab *v);
/** The most important of it in one row. */
void view_lab_scaling_line(struct frame *f, struct view_place row, const struct view_lab *v);
void view_lab_scaling_plain(FILE *out, const struct view_lab *v, bool ascii);
void view_lab_masks(struct frame *f, struct view_place place, const struct view_lab *v);
void view_lab_masks_line(struct frame *f, struct view_place row, const struct view_lab *v);
void view_lab_masks_plain(FILE *out, const struct view_lab *v, bool ascii);
void view_lab_cost(struct frame *f, struct view_place place, const struct view_lab *v);
void view_lab_cost_line(struct frame *f, struct view_place row, const struct view_lab *v);
void view_lab_cost_plain(FILE *out, const struct view_lab *v, bool ascii);

#endif

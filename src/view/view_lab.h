/** The instruments on the screen: what they measured into a place of a frame. */
#ifndef VIEW_LAB_H
#define VIEW_LAB_H

#include "lab.h"
#include "view.h"
#include "view_layout.h"

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

/** @param at  The width that is looked at, a row of the readings. */
void view_lab_scaling(struct frame *f, struct view_place place, const struct lab_scaling *lab,
                      int at);
/** The same as lines of text: all widths. */
void view_lab_scaling_plain(FILE *out, const struct lab_scaling *lab, bool ascii);

#endif

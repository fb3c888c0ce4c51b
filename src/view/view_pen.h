/** A pen that writes wrapped text with its looks into a window of rows, or only counts them. */
#ifndef VIEW_PEN_H
#define VIEW_PEN_H

#include "lesson.h"
#include "text.h"
#include "view_layout.h"

enum { PEN_WORD_MAX = 128 };

struct pen {
    struct frame *f;
    struct view_place place;
    bool draws; /**< Else it only counts. */
    int top;    /**< The row of the text that stands in the place's first. */
    int row, col;
    int indent;   /**< Where lines begin. */
    int quote;    /**< Columns before the indent that have a bar; 0: none. */
    bool dim;     /**< Everything is written as if it were said before. */
    bool started; /**< The line has something on it. */
    /* the word that is being read */
    struct {
        struct frame_glyph glyph;
        enum frame_role role;
    } word[PEN_WORD_MAX];
    int n, width;
    bool space;            /**< A blank goes before it. */
    enum frame_role blank; /**< That blank's. */
};

/** Write text; blanks are where lines may be broken, "\n" where they are. */
void pen_put(struct pen *p, enum frame_role role, const char *text);
/** The spans of a text, each with its look. @param role  Of what has no look of its own. */
void pen_text(struct pen *p, const struct lesson_text *text, enum frame_role role);
/** End the line, if it has begun. */
void pen_end(struct pen *p);
/** End the line, and leave one empty, but never at the very beginning. */
void pen_gap(struct pen *p);
/** A line as it is, broken only where it does not fit. */
void pen_verbatim(struct pen *p, enum frame_role role, const char *text, size_t length);
/** Put something at a column of the current row, without moving on. */
void pen_at(struct pen *p, int col, enum frame_role role, enum frame_mark mark, const char *text);
/** Mark a row of the text over the width of the place. */
void pen_mark(struct pen *p, int row, int rows, enum frame_mark mark);

#endif

/** A page of a lesson as rows of text. */
#ifndef VIEW_TEXT_H
#define VIEW_TEXT_H

#include "view_lesson.h"
#include "view_pen.h"

/** Rows of the text that matter for what is in view. */
struct text_rows {
    int n;           /**< All of them. */
    int newest;      /**< Where what is new begins. */
    int at, at_rows; /**< The choice that the keys are at; at_rows 0: none. */
    bool fresh;      /**< Below it something was said since the keys came there. */
};

/** Write the page up to the stop. The pen says where, and from which row on. */
void view_text_write(struct pen *p, const struct view_lesson *v, struct text_rows *rows);

#endif

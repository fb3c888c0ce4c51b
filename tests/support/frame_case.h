/** What tests ask of a frame. */
#ifndef FRAME_CASE_H
#define FRAME_CASE_H

#include "frame.h"

/** The frame as text; the caller frees it. */
char *frame_case_text(const struct frame *f);
/** Does it show this, within one row? */
bool frame_case_shows(const struct frame *f, const char *text);

#endif

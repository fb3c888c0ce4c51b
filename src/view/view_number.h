/** Numbers in cells: one width for a tensor, whatever the step, so that no column ever moves. */
#ifndef VIEW_NUMBER_H
#define VIEW_NUMBER_H

#include "view.h"

/** The format for numbers up to max_abs in size. */
struct view_format view_format_for(float max_abs, enum attn_kind kind, enum view_zoom zoom);

/** The same without zeros that say nothing: at most so many decimals, and at least so wide. */
struct view_format view_format_fewer(struct view_format format, int decimals, int least);

/** A number in at most format.width columns; what is not zero and rounds to it is "~0". */
void view_number(char out[24], float value, struct view_format format);

#endif

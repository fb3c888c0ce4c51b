/** One matrix on the screen: its part in view, its heading, labels, cells and marks. */
#ifndef VIEW_MATRIX_H
#define VIEW_MATRIX_H

#include "view.h"
#include "view_number.h"

/** The axis of the display rows and of the display columns. */
enum attn_axis view_row_axis(const struct view_matrix *m);
enum attn_axis view_col_axis(const struct view_matrix *m);
/** Display rows and columns of the whole matrix. */
int view_rows(const struct view_walk *v, enum attn_tensor_id id, bool transposed);
int view_cols(const struct view_walk *v, enum attn_tensor_id id, bool transposed);
/** The cell at a display row and column of batch element b. */
struct attn_cell view_cell(const struct view_matrix *m, int b, int row, int col);
/** The batch element that is looked at. */
int view_batch(const struct view_walk *v);
/** Does this tensor exist in the trace? */
bool view_has(const struct view_walk *v, enum attn_tensor_id id);

/** Is this number one that a reader is asked for? */
bool view_is_hidden(const struct view_walk *v, struct attn_cell cell);
/** Is its shape asked for? Then nothing is shown of it but its name. */
bool view_shape_hidden(const struct view_walk *v, enum attn_tensor_id id);

/** The format for a tensor at a zoom, and the columns that a cell of it takes (with its separator).
 */
struct view_format view_tensor_format(const struct view_walk *v, enum attn_tensor_id id,
                                      enum view_zoom zoom);
int view_cell_width(const struct view_walk *v, enum attn_tensor_id id, enum view_zoom zoom);
/** Columns for row labels of an axis, with the mark before and a space behind. */
enum { VIEW_LABEL_AROUND = 2 };
int view_label_width(const struct frame *f, const struct view_walk *v, enum attn_axis axis);
/** A cell's columns that hold the widest token of an axis and a separator; 0: it has none. */
int view_labelled_width(const struct frame *f, const struct view_walk *v, enum attn_axis axis);
/** The label of an index, as the cell's name has it: its token, or its number. */
const char *view_label(const struct view_walk *v, enum attn_axis axis, int index, char buf[16]);

/** Its name, its shape, or what part of it is in view (heading.c). */
void view_heading(struct frame *f, const struct view_walk *v, const struct view_matrix *m);
/** The labels of its rows and columns. @param related  The cursor's are marked. */
void view_labels(struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                 bool related);

/** Columns of a row sum. */
enum { VIEW_SUM_WIDTH = 8 };

/** The shade of a heat, one column, readable without colour. */
const char *view_shade(const struct frame *f, int heat, enum attn_kind kind);
/** Draw a whole matrix pooled into m->cols columns of blocks on m->rows rows; a block is m->cell_w
 * columns wide, and as many half rows high. */
void view_picture_draw(struct frame *f, const struct view_walk *v, const struct view_matrix *m);
/** The first cell of the block at a place within the picture. */
struct attn_cell view_picture_cell(const struct view_walk *v, const struct view_matrix *m, int row,
                                   int col);

/** Draw it all. */
void view_matrix_draw(struct frame *f, const struct view_walk *v, const struct view_matrix *m);

#endif

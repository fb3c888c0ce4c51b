/** Where the matrices of a stage stand: by one table row a stage, in one of three arrangements. */
#ifndef VIEW_LAYOUT_H
#define VIEW_LAYOUT_H

#include "view.h"

struct view_place {
    int row, col, rows, cols;
};

/** A free corner of the stage's place, for its title and formula. rows = 0: none. */
struct view_stage_layout {
    struct view_place words;
};

/** Place the matrices of the current stage into map->matrices. */
void view_layout_stage(const struct frame *f, const struct view_walk *v, struct view_place place,
                       struct view_map *map, struct view_stage_layout *layout);

/** The matrix that matters most: the one that the cursor is in, else what the step writes. */
enum attn_tensor_id view_stage_main(const struct view_walk *v);
/** How many cells of a matrix are shown with their digits. */
int view_digits(const struct view_map *map, enum attn_tensor_id id);
/** The same of the matrix that matters most in the current stage, were it laid there; of a merged
 * projection at most a slice. */
int view_stage_digits(const struct frame *f, const struct view_walk *v, struct view_place place);

/** The stage in as few rows as it can do with, the operands beside the result (compact.c). */
void view_layout_compact(const struct frame *f, const struct view_walk *v, struct view_place place,
                         struct view_map *map);
/** Does it show all of them at this width? */
bool view_compact_fits(const struct frame *f, const struct view_walk *v, int cols);
/** The rows that view_layout_stage needs to show them whole, without a title. */
int view_stage_rows(const struct view_walk *v);
/** The rows that it takes at this width. */
int view_compact_rows(const struct frame *f, const struct view_walk *v, int cols);

#endif

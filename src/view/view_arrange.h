/** What the arrangements of a stage share: the rows that describe them, and windows. */
#ifndef VIEW_ARRANGE_H
#define VIEW_ARRANGE_H

#include "view_layout.h"
#include "view_matrix.h"

/**
 * CORNER: the left operand at the left, the right one above, the result where they meet.
 * SIDE: element-wise and row-wise stages, operands and result beside each other.
 * STACK: the merged projection above, its three slices below, each under its own columns.
 */
enum arrangement { CORNER, SIDE, STACK };

/** How far cells grow on a large screen: rows each, and columns beyond the digits. */
enum { VIEW_CELL_H_MAX = 3, VIEW_CELL_GROWTH = 6, VIEW_CELL_GROWTH_LARGE = 10 };

enum { GROUPS_MAX = 3, SIDE_MAX = 3, GAP = 2, TITLE_ROWS = 2 };

/** From here on all projections are shown at once; in a narrower place a screen without the code
 * beside the stage would show more of them than a wider one with it. */
enum { VIEW_GROUPS_FROM_COLS = 116 };

/** A right operand, its bias, and the result below them. */
struct group {
    enum attn_tensor_id upper, bias, result;
    bool transposed; /**< The right operand is drawn transposed: the stage multiplies by its
                        transpose. */
};

struct arrangement_row {
    enum arrangement arrangement;
    enum attn_tensor_id left[GROUPS_MAX]; /**< CORNER: of each group. */
    struct group groups[GROUPS_MAX];
    int n_groups;
    enum attn_tensor_id side[SIDE_MAX]; /**< SIDE: operands, then the result. STACK: the source. */
    int n_side;
    bool sums; /**< The result's rows are summed. */
};

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

/** Part of an axis: its first index in view, and how many. */
struct window {
    int first, n;
};

/** The page of `visible` out of `total` that holds index (-1: the first page). */
struct window view_window(int index, int visible, int total);
/** Does a mistake leave this input out, so that it is not drawn? */
bool view_left_out(const attn_trace *trace, enum attn_tensor_id id);
/** The tensor that stands where id is asked for in this trace. */
enum attn_tensor_id view_source(const struct view_walk *v, enum attn_tensor_id id);
/** Add a matrix to the map, if the trace has its tensor. */
void view_add_matrix(const struct view_walk *v, struct view_map *map, enum attn_tensor_id id,
                     struct view_matrix m);
/** The group that the cursor is in; where it is in none, the one that the step writes. */
int view_corner_group(const struct view_walk *v, const struct arrangement_row *row);
/** Place a CORNER (corner.c). */
void view_lay_corner(const struct frame *f, const struct view_walk *v,
                     const struct arrangement_row *row, struct view_place place,
                     struct view_map *map, struct view_stage_layout *layout);

/** Place operands and result beside each other (side.c). */
void view_lay_side(const struct frame *f, const struct view_walk *v,
                   const struct arrangement_row *row, struct view_place place, struct view_map *map,
                   struct view_stage_layout *layout);

/** Of these, the one that the cursor is in; where it is in none, what the step writes. */
enum attn_tensor_id view_main(const struct view_walk *v, const enum attn_tensor_id *ids, int n);

/** Operands, then the result that the cursor or the step is at. @return how many. */
int view_arranged(const struct view_walk *v, enum attn_tensor_id out[VIEW_MATRICES_MAX]);

/** Place every matrix of the stage beside the others, each as a whole (picture.c). */
void view_lay_pictures(const struct view_walk *v, struct view_place place, struct view_map *map,
                       struct view_stage_layout *layout);

#endif

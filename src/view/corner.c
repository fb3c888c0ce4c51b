/* The corner: the left operand at the left, the right one above, the result where they meet. */
#include "view_arrange.h"
#include "view_panel.h"

int view_corner_group(const struct view_walk *v, const struct arrangement_row *row)
{
    for (int g = 0; g < row->n_groups; g++) {
        const struct group *group = &row->groups[g];
        const enum attn_tensor_id id = v->cursor.tensor;
        if (id == group->upper || id == group->bias || id == group->result) {
            return g;
        }
    }
    const int current = min_int(v->step.output, row->n_groups - 1);
    if (v->cursor.tensor == view_source(v, row->left[current])) {
        return current;
    }
    for (int g = 0; g < row->n_groups; g++) { /* memory is beside the keys and values alone */
        if (v->cursor.tensor == view_source(v, row->left[g])) {
            return g;
        }
    }
    return current;
}

struct corner {
    const struct arrangement_row *row;
    enum attn_tensor_id left;
    int first, n_groups;  /**< Groups in view. */
    int T, inner, cols;   /**< Whole sizes; cols of one group. */
    int label_w, inner_w; /**< Columns for row labels, of the left operand and of the upper one. */
    enum view_zoom left_zoom, zoom; /**< Of the left operand, and of all others. */
    int left_w, result_w;           /**< A cell's columns. */
    int cell_h;
    bool bias;
};

static void corner_cells(const struct view_walk *v, struct corner *c, enum view_zoom left,
                         enum view_zoom zoom)
{
    c->left_zoom = left;
    c->zoom = zoom;
    c->left_w = left == VIEW_ZOOM_HEAT ? 2 : view_cell_width(v, c->left, left);
    c->result_w = zoom == VIEW_ZOOM_HEAT ? 2 : 0;
    for (int g = c->first; g < c->first + c->n_groups && zoom != VIEW_ZOOM_HEAT; g++) {
        const struct group *group = &c->row->groups[g];
        const enum attn_tensor_id ids[] = {group->upper, group->bias, group->result};
        for (int i = 0; i < 3; i++) {
            if (ids[i] != ATTN_NO_TENSOR) {
                c->result_w = max_int(c->result_w, view_cell_width(v, ids[i], zoom));
            }
        }
    }
}

static int corner_width(const struct corner *c)
{
    return c->label_w + c->inner * c->left_w + 1 + c->inner_w +
           c->n_groups * (c->cols * c->result_w + 1 + GAP) - GAP;
}

/** All groups beside each other in the widest cells that fit; else the current group alone, at last
 * with digits only where the cursor is. @return false if not even that fits. */
static bool corner_fit(const struct view_walk *v, struct corner *c, int cols)
{
    const enum view_zoom asked = v->zoom;
    const bool shared = c->row->n_groups == 1 || (view_source(v, ATTN_MEMORY) != ATTN_MEMORY &&
                                                  cols >= VIEW_GROUPS_FROM_COLS);
    const int current = view_corner_group(v, c->row);
    for (int all = shared ? 1 : 0; all >= 0; all--) {
        c->first = all ? 0 : current;
        c->n_groups = all ? c->row->n_groups : 1;
        for (int z = VIEW_ZOOM_DIGITS; z <= VIEW_ZOOM_SHORT; z++) {
            const bool tried = asked == VIEW_ZOOM_AUTO || (int)asked == z;
            corner_cells(v, c, (enum view_zoom)z, (enum view_zoom)z);
            if (tried && corner_width(c) <= cols) {
                return true;
            }
        }
    }
    if (asked == VIEW_ZOOM_AUTO && attn_tensors[c->left].kind == ATTN_KIND_PROBABILITY) {
        c->left_w--; /* no weight has a sign */
        if (corner_width(c) <= cols) {
            return true;
        }
    }
    const bool at_left = v->cursor.tensor == c->left;
    corner_cells(v, c, at_left ? VIEW_ZOOM_SHORT : VIEW_ZOOM_HEAT,
                 at_left ? VIEW_ZOOM_HEAT : VIEW_ZOOM_SHORT);
    if (asked == VIEW_ZOOM_AUTO && corner_width(c) <= cols) {
        return true;
    }
    const enum view_zoom zoom = asked == VIEW_ZOOM_AUTO ? VIEW_ZOOM_SHORT : asked;
    corner_cells(v, c, zoom, zoom);
    return corner_width(c) <= cols;
}

/** One slice of the merged projection at a time, q's columns, k's or v's, where there is no room
 * for all of them with all digits. */
static void corner_slice(const struct view_walk *v, struct corner *c, int cols)
{
    const bool whole = corner_fit(v, c, cols);
    const bool merged = attn_tensors[c->row->groups[c->first].result].axes[2] == ATTN_AXIS_3D;
    const bool narrow =
        v->zoom == VIEW_ZOOM_AUTO && (c->left_zoom != c->zoom || cols < VIEW_GROUPS_FROM_COLS);
    if (merged && (!whole || narrow)) {
        c->cols /= 3;
        (void)corner_fit(v, c, cols);
    }
}

/** Columns as wide as the tokens above them, where there is room. */
static void corner_widen(const struct frame *f, const struct view_walk *v, struct corner *c,
                         int cols)
{
    const struct group *const g = &c->row->groups[c->first];
    const int wanted =
        view_labelled_width(f, v, attn_tensors[g->upper].axes[g->transposed ? 1 : 2]);
    const int width = c->result_w;
    if (c->zoom != VIEW_ZOOM_HEAT && width < wanted) {
        c->result_w = wanted;
        c->result_w = corner_width(c) <= cols ? wanted : width;
    }
}

/** The rows of a title above all, where the corner is too narrow for it and there are rows enough.
 */
static int corner_title(const struct frame *f, const struct view_walk *v, const struct corner *c,
                        struct view_place place)
{
    const int upper = c->inner + (c->bias ? 1 : 0);
    const int left = c->label_w + c->inner * c->left_w + 1;
    const bool fits = view_title_rows(f, v, left) <= upper + 1;
    return !fits && place.rows >= 3 + upper + c->T + TITLE_ROWS ? TITLE_ROWS : 0;
}

static void corner_spread(const struct view_walk *v, struct corner *c, struct view_place place)
{
    c->cell_h = 1;
    if (c->zoom == VIEW_ZOOM_HEAT || c->left_zoom == VIEW_ZOOM_HEAT) {
        return;
    }
    const int body = c->inner + (c->bias ? 1 : 0) + c->T;
    while (c->cell_h < VIEW_CELL_H_MAX && 3 + body * (c->cell_h + 1) <= place.rows) {
        c->cell_h++;
    }
    const int growth = v->large                       ? VIEW_CELL_GROWTH_LARGE
                       : c->cell_h == VIEW_CELL_H_MAX ? VIEW_CELL_GROWTH
                                                      : 0;
    for (int extra = 0; extra < growth; extra++) {
        c->left_w++;
        c->result_w++;
        if (corner_width(c) > place.cols) {
            c->left_w--;
            c->result_w--;
            return;
        }
    }
}

static int cursor_index(const struct view_walk *v, enum attn_tensor_id id, int dim)
{
    return v->cursor.tensor == id ? v->cursor.at[dim] : -1;
}

static void corner_windows(const struct view_walk *v, const struct corner *c,
                           struct view_place place, struct window *t, struct window *inner,
                           struct window *cols)
{
    const struct group *g = &c->row->groups[c->first];
    const int upper_row = g->transposed ? 2 : 1;
    const int room = place.cols - c->label_w - c->inner_w - 2;
    const int rows = place.rows - 3 - (c->bias ? c->cell_h : 0);
    int n_cols = c->cols;
    int n_inner = c->inner;
    if (corner_width(c) > place.cols) {
        n_cols = max_int(
            1, min_int(c->cols, max_int(room / 2, room - c->inner * c->left_w) / c->result_w));
        n_inner = max_int(1, (room - n_cols * c->result_w) / c->left_w);
    }
    int n_t = c->T;
    n_inner = min_int(n_inner, c->inner);
    if ((c->inner + c->T) * c->cell_h > rows) { /* of the rows alone, so that more columns never
                                                  leave fewer of them */
        n_t = max_int(1, min_int(c->T, max_int(rows / 2, rows - c->inner)));
        n_inner = max_int(1, min_int(n_inner, rows - n_t));
    }
    int at_inner = cursor_index(v, c->left, 2);
    at_inner = at_inner >= 0 ? at_inner : cursor_index(v, g->upper, upper_row);
    int at_col = cursor_index(v, g->result, 2);
    at_col = at_col >= 0 ? at_col : cursor_index(v, g->upper, 3 - upper_row);
    at_col = at_col >= 0 || !c->bias ? at_col : cursor_index(v, g->bias, 2);
    int at_t = cursor_index(v, g->result, 1);
    at_t = at_t >= 0 ? at_t : cursor_index(v, c->left, 1);
    *t = view_window(at_t, n_t, c->T);
    *inner = view_window(at_inner, n_inner, c->inner);
    const int slice = at_col > 0 ? at_col / c->cols * c->cols : 0; /* q's columns, k's or v's */
    *cols = view_window(at_col - slice, n_cols, c->cols);
    cols->first += slice;
}

/** What is in view of a corner, and where its two bands of matrices begin. */
struct laid {
    const struct corner *c;
    struct window t, inner, cols;
    int upper_top, result_top;
};

/** A result, its right operand above it, and the bias below that. */
static void lay_group(const struct view_walk *v, struct view_map *map, const struct laid *at,
                      const struct group *g, int left, bool labelled)
{
    const struct corner *const c = at->c;
    struct view_matrix m = {.cell_h = c->cell_h,
                            .zoom = c->zoom,
                            .cell_w = c->result_w,
                            .left = left,
                            .col0 = at->cols.first,
                            .cols = at->cols.n};
    struct view_matrix bias = m;
    m.row0 = at->t.first;
    m.rows = at->t.n;
    m.top = at->result_top;
    view_add_matrix(v, map, g->result, m);
    m.row0 = at->inner.first;
    m.rows = at->inner.n;
    m.top = at->upper_top;
    m.transposed = g->transposed;
    m.col_labels = true;
    m.row_labels = labelled;
    m.label_w = c->inner_w;
    view_add_matrix(v, map, g->upper, m);
    bias.rows = 1;
    bias.top = at->upper_top + at->inner.n * c->cell_h;
    bias.bare = true;
    bias.row_labels = labelled;
    bias.label_w = c->inner_w;
    view_add_matrix(v, map, g->bias, bias);
}

void view_lay_corner(const struct frame *f, const struct view_walk *v,
                     const struct arrangement_row *row, struct view_place place,
                     struct view_map *map, struct view_stage_layout *layout)
{
    const int current = view_corner_group(v, row);
    struct corner c = {
        .row = row, .left = view_source(v, row->left[current]), .first = current, .n_groups = 1};
    const struct group *g = &row->groups[current];
    c.T = view_rows(v, c.left, false);
    c.inner = view_cols(v, c.left, false);
    c.cols = view_cols(v, g->result, false);
    c.bias = view_has(v, g->bias) && !view_left_out(v->trace, g->bias);
    c.label_w = view_label_width(f, v, ATTN_AXIS_T);
    const enum attn_axis inner_axis = attn_tensors[g->upper].axes[g->transposed ? 2 : 1];
    c.inner_w = view_label_width(f, v, inner_axis) + 1;
    corner_slice(v, &c, place.cols);
    corner_widen(f, v, &c, place.cols);
    const struct view_place given = place;
    const int titled = corner_title(f, v, &c, place);
    place.row += titled;
    place.rows -= titled;
    corner_spread(v, &c, place);
    struct window t, inner, cols;
    corner_windows(v, &c, place, &t, &inner, &cols);
    const int upper_top = place.row + 2;
    const int result_top = upper_top + (inner.n + (c.bias ? 1 : 0)) * c.cell_h + 1;
    const int left_end = place.col + c.label_w + inner.n * c.left_w + 1;
    const struct laid at = {.c = &c,
                            .t = t,
                            .inner = inner,
                            .cols = cols,
                            .upper_top = upper_top,
                            .result_top = result_top};
    int x = left_end + c.inner_w;
    for (int i = c.first; i < c.first + c.n_groups; i++) {
        lay_group(v, map, &at, &row->groups[i], x, i == c.first);
        x += cols.n * c.result_w + 1 + GAP;
    }
    struct view_matrix left = {.cell_h = c.cell_h, .zoom = c.left_zoom};
    left.cell_w = c.left_w;
    left.left = place.col + c.label_w;
    left.label_w = c.label_w;
    left.row_labels = true;
    left.top = result_top;
    left.row0 = t.first;
    left.rows = t.n;
    left.col0 = inner.first;
    left.cols = inner.n;
    view_add_matrix(v, map, c.left, left);
    const struct view_place free = {place.row, place.col, result_top - 2 - place.row,
                                    left_end - place.col};
    layout->words =
        titled > 0 ? (struct view_place){given.row, given.col, titled, given.cols} : free;
}

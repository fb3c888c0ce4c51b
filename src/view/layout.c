#include "view_layout.h"

#include <string.h>

#include "view_matrix.h"

/**
 * CORNER: the left operand at the left, the right one above, the result where they meet.
 * SIDE: element-wise and row-wise stages, operands and result beside each other.
 * STACK: the merged projection above, its three slices below, each under its own columns.
 */
enum arrangement { CORNER, SIDE, STACK };

enum { GROUPS_MAX = 3, SIDE_MAX = 3, GAP = 2, TITLE_ROWS = 2 };

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

static const struct arrangement_row arrangements[ATTN_N_STAGES] = {
    [ATTN_STAGE_PROJECT] = {.arrangement = CORNER,
                            .left = {ATTN_X, ATTN_MEMORY, ATTN_MEMORY},
                            .groups = {{ATTN_W_Q, ATTN_B_Q, ATTN_Q, true},
                                       {ATTN_W_K, ATTN_B_K, ATTN_K, true},
                                       {ATTN_W_V, ATTN_B_V, ATTN_V, true}},
                            .n_groups = 3},
    [ATTN_STAGE_PROJECT_MERGED] = {.arrangement = CORNER,
                                   .left = {ATTN_X},
                                   .groups = {{ATTN_W_QKV, ATTN_B_QKV, ATTN_QKV, true}},
                                   .n_groups = 1},
    [ATTN_STAGE_SPLIT] = {.arrangement = STACK, .side = {ATTN_QKV}, .n_side = 1},
    [ATTN_STAGE_SCORE] = {.arrangement = CORNER,
                          .left = {ATTN_Q},
                          .groups = {{ATTN_K, ATTN_NO_TENSOR, ATTN_SCORES, true}},
                          .n_groups = 1},
    [ATTN_STAGE_SCALE] = {.arrangement = SIDE, .side = {ATTN_SCORES, ATTN_SCALED}, .n_side = 2},
    [ATTN_STAGE_MASK] = {.arrangement = SIDE,
                         .side = {ATTN_SCALED, ATTN_MASK, ATTN_MASKED},
                         .n_side = 3},
    [ATTN_STAGE_SOFTMAX] = {.arrangement = SIDE,
                            .side = {ATTN_MASKED, ATTN_WEIGHTS},
                            .n_side = 2,
                            .sums = true},
    [ATTN_STAGE_DROP] = {.arrangement = SIDE,
                         .side = {ATTN_WEIGHTS, ATTN_KEEP, ATTN_DROPPED},
                         .n_side = 3,
                         .sums = true},
    [ATTN_STAGE_MIX] = {.arrangement = CORNER,
                        .left = {ATTN_DROPPED},
                        .groups = {{ATTN_V, ATTN_NO_TENSOR, ATTN_CONTEXT, false}},
                        .n_groups = 1},
    [ATTN_STAGE_OUTPUT] = {.arrangement = CORNER,
                           .left = {ATTN_CONTEXT},
                           .groups = {{ATTN_W_OUT, ATTN_B_OUT, ATTN_OUTPUT, true}},
                           .n_groups = 1},
};

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static enum attn_tensor_id source(const struct view_walk *v, enum attn_tensor_id id)
{
    return attn_trace_source(v->trace, id);
}

/** The group that the cursor is in; where it is in none, the one that the step writes. */
static int current_group(const struct view_walk *v, const struct arrangement_row *row)
{
    for (int g = 0; g < row->n_groups; g++) {
        const struct group *group = &row->groups[g];
        const enum attn_tensor_id id = v->cursor.tensor;
        if (id == group->upper || id == group->bias || id == group->result) {
            return g;
        }
    }
    return min_int(v->step.output, row->n_groups - 1);
}

/* ---- windows: which part of an axis is in view ---- */

struct window {
    int first, n;
};

/** The page of `visible` out of `total` that holds index. */
static struct window window_at(int index, int visible, int total)
{
    const int n = max_int(1, min_int(visible, total));
    const int page = index < 0 ? 0 : index / n * n;
    return (struct window){min_int(page, total - n), n};
}

static void add_matrix(const struct view_walk *v, struct view_map *map, enum attn_tensor_id id,
                       struct view_matrix m)
{
    if (map->n < VIEW_MATRICES_MAX && view_has(v, id)) {
        m.tensor = id;
        m.format = view_tensor_format(v, id, m.zoom);
        m.range = walk_heat_range(v->trace, id);
        map->matrices[map->n++] = m;
    }
}

/* ---- the corner ---- */

struct corner {
    const struct arrangement_row *row;
    enum attn_tensor_id left;
    int first, n_groups;  /**< Groups in view. */
    int T, inner, cols;   /**< Whole sizes; cols of one group. */
    int label_w, inner_w; /**< Columns for row labels, of the left operand and of the upper one. */
    enum view_zoom zoom;
    int left_w, result_w; /**< A cell's columns. */
    int cell_h;
    bool bias;
};

static void corner_cells(const struct view_walk *v, struct corner *c, enum view_zoom zoom)
{
    c->zoom = zoom;
    c->left_w = zoom == VIEW_ZOOM_HEAT ? 2 : view_cell_width(v, c->left, zoom);
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

/** All groups beside each other in the widest cells that fit; else the current group alone. */
static void corner_fit(const struct view_walk *v, struct corner *c, int cols)
{
    const enum view_zoom asked = v->zoom;
    const bool shared = source(v, ATTN_MEMORY) != ATTN_MEMORY || c->row->n_groups == 1;
    const int current = current_group(v, c->row);
    for (int all = shared ? 1 : 0; all >= 0; all--) {
        c->first = all ? 0 : current;
        c->n_groups = all ? c->row->n_groups : 1;
        for (int z = VIEW_ZOOM_DIGITS; z <= VIEW_ZOOM_SHORT; z++) {
            const bool tried =
                asked == VIEW_ZOOM_AUTO ? z == VIEW_ZOOM_DIGITS || !all : (int)asked == z;
            corner_cells(v, c, (enum view_zoom)z);
            if (tried && corner_width(c) <= cols) {
                return;
            }
        }
    }
    corner_cells(v, c, asked == VIEW_ZOOM_AUTO ? VIEW_ZOOM_SHORT : asked);
}

static void corner_spread(struct corner *c, struct view_place place)
{
    c->cell_h = 1;
    if (c->zoom != VIEW_ZOOM_DIGITS) {
        return;
    }
    const int body = c->inner + (c->bias ? 1 : 0) + c->T;
    while (c->cell_h < 3 && 3 + body * (c->cell_h + 1) <= place.rows) {
        c->cell_h++;
    }
    for (int extra = 0; extra < 3 && c->cell_h > 1; extra++) {
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
    const int body = (min_int(n_inner, c->inner) + c->T) * c->cell_h;
    int n_t = c->T;
    if (body > rows) {
        n_t = max_int(1, min_int(c->T, max_int(rows / 2, rows - min_int(n_inner, c->inner))));
        n_inner = max_int(1, min_int(n_inner, rows - n_t));
    }
    int at_inner = cursor_index(v, c->left, 2);
    at_inner = at_inner >= 0 ? at_inner : cursor_index(v, g->upper, upper_row);
    int at_col = cursor_index(v, g->result, 2);
    at_col = at_col >= 0 ? at_col : cursor_index(v, g->upper, 3 - upper_row);
    at_col = at_col >= 0 || !c->bias ? at_col : cursor_index(v, g->bias, 2);
    int at_t = cursor_index(v, g->result, 1);
    at_t = at_t >= 0 ? at_t : cursor_index(v, c->left, 1);
    *t = window_at(at_t, n_t, c->T);
    *inner = window_at(at_inner, n_inner, c->inner);
    *cols = window_at(at_col, n_cols, c->cols);
}

static void lay_corner(const struct frame *f, const struct view_walk *v,
                       const struct arrangement_row *row, struct view_place place,
                       struct view_map *map, struct view_stage_layout *layout)
{
    const int current = current_group(v, row);
    struct corner c = {
        .row = row, .left = source(v, row->left[current]), .first = current, .n_groups = 1};
    const struct group *g = &row->groups[current];
    c.T = view_rows(v, c.left, false);
    c.inner = view_cols(v, c.left, false);
    c.cols = view_cols(v, g->result, false);
    c.bias = view_has(v, g->bias);
    c.label_w = view_label_width(f, v, ATTN_AXIS_T);
    const enum attn_axis inner_axis = attn_tensors[g->upper].axes[g->transposed ? 2 : 1];
    c.inner_w = view_label_width(f, v, inner_axis) + 1;
    corner_fit(v, &c, place.cols);
    if (attn_tensors[g->result].axes[2] == ATTN_AXIS_3D && corner_width(&c) > place.cols) {
        c.cols /= 3; /* one slice at a time: q's columns, k's or v's */
        corner_fit(v, &c, place.cols);
    }
    corner_spread(&c, place);
    struct window t, inner, cols;
    corner_windows(v, &c, place, &t, &inner, &cols);
    const int upper_top = place.row + 2;
    const int result_top = upper_top + (inner.n + (c.bias ? 1 : 0)) * c.cell_h + 1;
    const int left_end = place.col + c.label_w + inner.n * c.left_w + 1;
    const struct view_matrix base = {.cell_h = c.cell_h, .zoom = c.zoom, .cell_w = c.result_w};
    int x = left_end + c.inner_w;
    for (int i = c.first; i < c.first + c.n_groups; i++) {
        struct view_matrix m = base;
        g = &row->groups[i];
        m.left = x;
        m.col0 = cols.first;
        m.cols = cols.n;
        m.row0 = t.first;
        m.rows = t.n;
        m.top = result_top;
        add_matrix(v, map, g->result, m);
        m.row0 = inner.first;
        m.rows = inner.n;
        m.top = upper_top;
        m.transposed = g->transposed;
        m.col_labels = true;
        m.row_labels = i == c.first;
        m.label_w = c.inner_w;
        add_matrix(v, map, g->upper, m);
        m = base;
        m.left = x;
        m.col0 = cols.first;
        m.cols = cols.n;
        m.rows = 1;
        m.top = upper_top + inner.n * c.cell_h;
        m.bare = true;
        m.row_labels = i == c.first;
        m.label_w = c.inner_w;
        add_matrix(v, map, g->bias, m);
        x += cols.n * c.result_w + 1 + GAP;
    }
    struct view_matrix left = base;
    left.cell_w = c.left_w;
    left.left = place.col + c.label_w;
    left.label_w = c.label_w;
    left.row_labels = true;
    left.top = result_top;
    left.row0 = t.first;
    left.rows = t.n;
    left.col0 = inner.first;
    left.cols = inner.n;
    add_matrix(v, map, c.left, left);
    layout->words =
        (struct view_place){place.row, place.col, result_top - 2 - place.row, left_end - place.col};
}

/* ---- side by side ---- */

struct side {
    enum attn_tensor_id ids[SIDE_MAX];
    enum view_zoom zoom[SIDE_MAX];
    int width[SIDE_MAX]; /**< A cell's columns. */
    int cols[SIDE_MAX];
    int n, label_w;
    bool sums;
};

static int side_width(const struct side *s)
{
    int width = s->label_w + (s->sums ? VIEW_SUM_WIDTH : 0) + (s->n - 1) * GAP;
    for (int i = 0; i < s->n; i++) {
        width += s->cols[i] * s->width[i] + 1;
    }
    return width;
}

static void side_cells(const struct view_walk *v, struct side *s, enum view_zoom operands,
                       enum view_zoom result)
{
    for (int i = 0; i < s->n; i++) {
        s->zoom[i] = i + 1 < s->n ? operands : result;
        s->width[i] = view_cell_width(v, s->ids[i], s->zoom[i]);
        s->width[i] = s->zoom[i] == VIEW_ZOOM_HEAT ? 2 : s->width[i];
    }
}

static void side_fit(const struct view_walk *v, struct side *s, int cols)
{
    static const enum view_zoom tries[][2] = {{VIEW_ZOOM_DIGITS, VIEW_ZOOM_DIGITS},
                                              {VIEW_ZOOM_SHORT, VIEW_ZOOM_DIGITS},
                                              {VIEW_ZOOM_SHORT, VIEW_ZOOM_SHORT}};
    if (v->zoom != VIEW_ZOOM_AUTO) {
        side_cells(v, s, v->zoom, v->zoom);
        return;
    }
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        side_cells(v, s, tries[i][0], tries[i][1]);
        if (side_width(s) <= cols) {
            return;
        }
    }
}

/** The cursor's row and column where it is in one of these. */
static void side_cursor(const struct view_walk *v, const struct side *s, int *row, int *col)
{
    *row = -1;
    *col = -1;
    for (int i = 0; i < s->n; i++) {
        if (s->ids[i] == v->cursor.tensor) {
            *row = v->cursor.at[1];
            *col = v->cursor.at[2];
        }
    }
}

static void lay_side(const struct frame *f, const struct view_walk *v,
                     const struct arrangement_row *row, struct view_place place,
                     struct view_map *map, struct view_stage_layout *layout)
{
    struct side s = {.label_w = view_label_width(f, v, ATTN_AXIS_T), .sums = row->sums};
    for (int i = 0; i < row->n_side; i++) {
        const enum attn_tensor_id id = i + 1 < row->n_side ? source(v, row->side[i]) : row->side[i];
        if (id != ATTN_NO_TENSOR && view_has(v, id)) {
            s.cols[s.n] = view_cols(v, id, false);
            s.ids[s.n++] = id;
        }
    }
    if (s.n == 0) {
        return;
    }
    s.sums = s.sums && view_has(v, row->side[row->n_side - 1]);
    side_fit(v, &s, place.cols);
    int at_row, at_col;
    side_cursor(v, &s, &at_row, &at_col);
    int visible = s.cols[0];
    while (visible > 1 && side_width(&s) > place.cols) {
        visible--;
        for (int i = 0; i < s.n; i++) {
            s.cols[i] = visible;
        }
    }
    const int rows_in_all = view_rows(v, s.ids[0], false);
    const bool titled = place.rows >= TITLE_ROWS + 2 + rows_in_all;
    const int top = place.row + 2 + (titled ? TITLE_ROWS : 0);
    const int room = place.row + place.rows - top;
    int cell_h = 1;
    const int most = s.zoom[s.n - 1] == VIEW_ZOOM_HEAT ? 1 : row->sums ? 2 : 3;
    while (cell_h < most && rows_in_all * (cell_h + 1) <= room) {
        cell_h++;
    }
    const struct window t = window_at(at_row, room / cell_h, rows_in_all);
    const struct window cols = window_at(at_col, visible, view_cols(v, s.ids[0], false));
    int x = place.col + s.label_w;
    for (int i = 0; i < s.n; i++) {
        const struct view_matrix m = {.row0 = t.first,
                                      .rows = t.n,
                                      .col0 = cols.first,
                                      .cols = cols.n,
                                      .top = top,
                                      .left = x,
                                      .cell_w = s.width[i],
                                      .cell_h = cell_h,
                                      .zoom = s.zoom[i],
                                      .row_labels = i == 0,
                                      .col_labels = true,
                                      .sums = s.sums && i + 1 == s.n,
                                      .label_w = s.label_w};
        add_matrix(v, map, s.ids[i], m);
        x += cols.n * s.width[i] + 1 + GAP;
    }
    layout->words = (struct view_place){place.row, place.col, titled ? TITLE_ROWS : 0, place.cols};
}

/* ---- the split ---- */

static void lay_stack(const struct frame *f, const struct view_walk *v,
                      const struct arrangement_row *row, struct view_place place,
                      struct view_map *map, struct view_stage_layout *layout)
{
    static const enum attn_tensor_id slices[] = {ATTN_Q, ATTN_K, ATTN_V};
    const int label_w = view_label_width(f, v, ATTN_AXIS_T);
    const int d = view_cols(v, ATTN_Q, false);
    const int T = view_rows(v, ATTN_Q, false);
    enum view_zoom zoom = v->zoom == VIEW_ZOOM_AUTO ? VIEW_ZOOM_DIGITS : v->zoom;
    int cell_w = view_cell_width(v, row->side[0], zoom);
    if (v->zoom == VIEW_ZOOM_AUTO && label_w + 3 * d * cell_w + 1 > place.cols) {
        zoom = VIEW_ZOOM_SHORT;
        cell_w = view_cell_width(v, row->side[0], zoom);
    }
    cell_w = zoom == VIEW_ZOOM_HEAT ? 2 : cell_w;
    const bool whole = label_w + 3 * d * cell_w + 1 <= place.cols;
    int current = v->step.output;
    for (int i = 0; i < 3; i++) {
        current = v->cursor.tensor == slices[i] ? i : current;
    }
    current = v->cursor.tensor == ATTN_QKV ? v->cursor.at[2] / d : current;
    const int fitting = max_int(1, (place.cols - label_w - 1) / cell_w);
    const int at = v->cursor.tensor == ATTN_QKV ? v->cursor.at[2] % d : v->cursor.at[2];
    const struct window slice = window_at(at, whole ? d : fitting, d);
    const bool titled = place.rows >= 4 + 2 * T;
    const int room = place.rows - (titled ? 4 : 3);
    const struct window t = window_at(v->cursor.at[1], room / 2, T);
    const int top = place.row + (titled ? 3 : 2);
    struct view_matrix m = {.row0 = t.first,
                            .rows = t.n,
                            .top = top,
                            .left = place.col + label_w,
                            .cell_w = cell_w,
                            .cell_h = 1,
                            .zoom = zoom,
                            .row_labels = true,
                            .col_labels = true,
                            .label_w = label_w};
    m.col0 = whole ? 0 : current * d + slice.first;
    m.cols = whole ? 3 * d : slice.n;
    const struct view_matrix upper = m;
    m.top = top + t.n + 1;
    m.col_labels = false;
    m.col0 = slice.first;
    m.cols = slice.n;
    for (int i = whole ? 0 : current; i < (whole ? 3 : current + 1); i++) {
        m.left = place.col + label_w + (whole ? i * d * cell_w : 0);
        m.row_labels = i == 0 || !whole;
        add_matrix(v, map, slices[i], m);
    }
    add_matrix(v, map, row->side[0], upper);
    layout->words = (struct view_place){place.row, place.col, titled ? 1 : 0, place.cols};
}

void view_layout_stage(const struct frame *f, const struct view_walk *v, struct view_place place,
                       struct view_map *map, struct view_stage_layout *layout)
{
    const struct arrangement_row *row = &arrangements[attn_trace_stage(v->trace, v->step.stage)];
    map->n = 0;
    *layout = (struct view_stage_layout){.words = {0}};
    switch (row->arrangement) {
    case CORNER:
        lay_corner(f, v, row, place, map, layout);
        break;
    case SIDE:
        lay_side(f, v, row, place, map, layout);
        break;
    case STACK:
        lay_stack(f, v, row, place, map, layout);
        break;
    }
}

int view_stage_tensors(const attn_trace *trace, int stage,
                       enum attn_tensor_id out[VIEW_MATRICES_MAX])
{
    const struct attn_stage_info *info = &attn_stages[attn_trace_stage(trace, stage)];
    int n = 0;
    for (int i = 0; info->outputs[i] != ATTN_NO_TENSOR; i++) {
        if (attn_trace_tensor(trace, info->outputs[i]) != NULL) {
            out[n++] = info->outputs[i];
        }
    }
    for (int i = 0; i < ATTN_STAGE_INPUTS_MAX && info->inputs[i] != ATTN_NO_TENSOR; i++) {
        const enum attn_tensor_id id = attn_trace_source(trace, info->inputs[i]);
        bool seen = id == ATTN_NO_TENSOR;
        for (int j = 0; j < n; j++) {
            seen = seen || out[j] == id;
        }
        if (!seen) {
            out[n++] = id;
        }
    }
    return n;
}

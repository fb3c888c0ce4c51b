#include "view_layout.h"

#include "view_arrange.h"

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

enum attn_tensor_id view_source(const struct view_walk *v, enum attn_tensor_id id)
{
    return attn_trace_source(v->trace, id);
}

/** The page of `visible` out of `total` that holds index. */
struct window view_window(int index, int visible, int total)
{
    const int n = max_int(1, min_int(visible, total));
    const int page = index < 0 ? 0 : index / n * n;
    return (struct window){min_int(page, total - n), n};
}

void view_add_matrix(const struct view_walk *v, struct view_map *map, enum attn_tensor_id id,
                     struct view_matrix m)
{
    if (map->n < VIEW_MATRICES_MAX && view_has(v, id)) {
        m.tensor = id;
        m.format = view_tensor_format(v, id, m.zoom);
        m.range = v->ranges[id];
        map->matrices[map->n++] = m;
    }
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

/** Where there is room, cells grow: first in height, then in width. @return rows a cell. */
static int side_spread(const struct view_walk *v, struct side *s, int rows, int room, int cols)
{
    const bool heat = s->zoom[s->n - 1] == VIEW_ZOOM_HEAT;
    int cell_h = 1;
    while (!heat && cell_h < VIEW_CELL_H_MAX && rows * (cell_h + 1) <= room) {
        cell_h++;
    }
    const int growth = v->large                    ? VIEW_CELL_GROWTH_LARGE
                       : cell_h == VIEW_CELL_H_MAX ? VIEW_CELL_GROWTH
                                                   : 0;
    for (int extra = 0; extra < growth; extra++) {
        int grown = side_width(s);
        for (int i = 0; i < s->n; i++) {
            grown += s->cols[i];
        }
        if (grown > cols) {
            break;
        }
        for (int i = 0; i < s->n; i++) {
            s->width[i]++;
        }
    }
    return cell_h;
}

static void lay_side(const struct frame *f, const struct view_walk *v,
                     const struct arrangement_row *row, struct view_place place,
                     struct view_map *map, struct view_stage_layout *layout)
{
    struct side s = {.label_w = view_label_width(f, v, ATTN_AXIS_T), .sums = row->sums};
    for (int i = 0; i < row->n_side; i++) {
        const enum attn_tensor_id id =
            i + 1 < row->n_side ? view_source(v, row->side[i]) : row->side[i];
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
    const int cell_h = side_spread(v, &s, rows_in_all, room, place.cols);
    const struct window t = view_window(at_row, room / cell_h, rows_in_all);
    const struct window cols = view_window(at_col, visible, view_cols(v, s.ids[0], false));
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
        view_add_matrix(v, map, s.ids[i], m);
        x += cols.n * s.width[i] + 1 + GAP;
    }
    layout->words = (struct view_place){place.row, place.col, titled ? TITLE_ROWS : 0, place.cols};
}

/* ---- the split ---- */

/** Rows a cell where both matrices are shown whole: as high as there is room for. */
static int stack_height(enum view_zoom zoom, int rows, int room)
{
    int height = 1;
    while (zoom != VIEW_ZOOM_HEAT && height < VIEW_CELL_H_MAX && 2 * rows * (height + 1) <= room) {
        height++;
    }
    return height;
}

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
    const struct window slice = view_window(at, whole ? d : fitting, d);
    const bool titled = place.rows >= 4 + 2 * T;
    const int room = place.rows - (titled ? 4 : 3);
    const struct window t = view_window(v->cursor.at[1], room / 2, T);
    const int cell_h = stack_height(zoom, T, room);
    const int top = place.row + (titled ? 3 : 2);
    struct view_matrix m = {.row0 = t.first,
                            .rows = t.n,
                            .top = top,
                            .left = place.col + label_w,
                            .cell_w = cell_w,
                            .cell_h = cell_h,
                            .zoom = zoom,
                            .row_labels = true,
                            .col_labels = true,
                            .label_w = label_w};
    m.col0 = whole ? 0 : current * d + slice.first;
    m.cols = whole ? 3 * d : slice.n;
    const struct view_matrix upper = m;
    m.top = top + t.n * cell_h + 1;
    m.col_labels = false;
    m.col0 = slice.first;
    m.cols = slice.n;
    for (int i = whole ? 0 : current; i < (whole ? 3 : current + 1); i++) {
        m.left = place.col + label_w + (whole ? i * d * cell_w : 0);
        m.row_labels = i == 0 || !whole;
        view_add_matrix(v, map, slices[i], m);
    }
    view_add_matrix(v, map, row->side[0], upper);
    layout->words = (struct view_place){place.row, place.col, titled ? 1 : 0, place.cols};
}

void view_layout_stage(const struct frame *f, const struct view_walk *v, struct view_place place,
                       struct view_map *map, struct view_stage_layout *layout)
{
    const struct arrangement_row *row = &arrangements[attn_trace_stage(v->trace, v->step.stage)];
    map->n = 0;
    *layout = (struct view_stage_layout){.words = {0}};
    if (v->zoom == VIEW_ZOOM_PICTURE) {
        view_lay_pictures(v, place, map, layout);
        return;
    }
    switch (row->arrangement) {
    case CORNER:
        view_lay_corner(f, v, row, place, map, layout);
        break;
    case SIDE:
        lay_side(f, v, row, place, map, layout);
        break;
    case STACK:
        lay_stack(f, v, row, place, map, layout);
        break;
    }
}

static int add_id(const struct view_walk *v, enum attn_tensor_id out[VIEW_MATRICES_MAX], int n,
                  enum attn_tensor_id id)
{
    if (id == ATTN_NO_TENSOR || !view_has(v, id) || n == VIEW_MATRICES_MAX) {
        return n;
    }
    out[n] = id;
    return n + 1;
}

int view_arranged(const struct view_walk *v, enum attn_tensor_id out[VIEW_MATRICES_MAX])
{
    static const enum attn_tensor_id slices[] = {ATTN_Q, ATTN_K, ATTN_V};
    const struct arrangement_row *const row =
        &arrangements[attn_trace_stage(v->trace, v->step.stage)];
    int n = 0;
    int g = 0;
    switch (row->arrangement) {
    case CORNER:
        g = view_corner_group(v, row);
        n = add_id(v, out, n, view_source(v, row->left[g]));
        n = add_id(v, out, n, row->groups[g].upper);
        n = add_id(v, out, n, row->groups[g].result);
        break;
    case SIDE:
        for (int i = 0; i < row->n_side; i++) {
            n = add_id(v, out, n,
                       i + 1 < row->n_side ? view_source(v, row->side[i]) : row->side[i]);
        }
        break;
    case STACK:
        for (int i = 0; i < 3; i++) {
            n = add_id(v, out, n, slices[i]);
        }
        break;
    }
    return n;
}

int view_stage_rows(const struct view_walk *v)
{
    const struct arrangement_row *const row =
        &arrangements[attn_trace_stage(v->trace, v->step.stage)];
    const int T = attn_trace_config(v->trace)->sizes.T;
    int rows = 0;
    int g = 0;
    switch (row->arrangement) {
    case CORNER:
        g = view_corner_group(v, row);
        rows = 3 + view_rows(v, row->groups[g].upper, row->groups[g].transposed) +
               (view_has(v, row->groups[g].bias) ? 1 : 0) + T;
        break;
    case SIDE:
        rows = 2 + T;
        break;
    case STACK:
        rows = 3 + 2 * T;
        break;
    }
    return rows;
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

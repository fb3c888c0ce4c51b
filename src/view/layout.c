#include "view_layout.h"

#include "attn/bugs.h"
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

/** Without the output projection its stage is a copy. */
static const struct arrangement_row copied = {
    .arrangement = SIDE, .side = {ATTN_CONTEXT, ATTN_OUTPUT}, .n_side = 2};

static const struct arrangement_row *arrangement_of(const struct view_walk *v)
{
    const enum attn_stage stage = attn_trace_stage(v->trace, v->step.stage);
    const bool copies = stage == ATTN_STAGE_OUTPUT && view_left_out(v->trace, ATTN_W_OUT);
    return copies ? &copied : &arrangements[stage];
}

bool view_left_out(const attn_trace *trace, enum attn_tensor_id id)
{
    const bool no_output = attn_trace_has_bug(trace, ATTN_BUG_NO_OUTPUT);
    bool out = (id == ATTN_MASK && attn_trace_has_bug(trace, ATTN_BUG_NO_MASK)) ||
               ((id == ATTN_W_OUT || id == ATTN_B_OUT) && no_output);
    for (int layer = 0; layer < ATTN_N_LAYERS && !out; layer++) {
        out = attn_layers[layer].bias == id && attn_trace_has_bug(trace, ATTN_BUG_NO_BIAS);
    }
    return out && id != ATTN_NO_TENSOR;
}

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
    if (map->n < VIEW_MATRICES_MAX && view_has(v, id) && !view_left_out(v->trace, id)) {
        m.tensor = id;
        m.format = view_tensor_format(v, id, m.zoom);
        if (m.zoom == VIEW_ZOOM_SHORT) {
            m.format.width = min_int(m.format.width, m.cell_w - 1);
        }
        m.range = v->ranges[id];
        map->matrices[map->n++] = m;
    }
}

/* ---- the split ---- */

enum { STACK_NAMED_ROWS = 8 };

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
    /* q's, k's and v's columns have labels of their own, where no row of numbers gives way */
    const bool named = place.rows >= STACK_NAMED_ROWS && place.rows != 3 + 2 * T;
    const bool titled = place.rows >= 5 + 2 * T;
    const int room = place.rows - 3 - (named ? 1 : 0) - (titled ? 1 : 0);
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
    m.top = top + t.n * cell_h + 1 + (named ? 1 : 0);
    m.col_labels = named;
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

/** In the arrangement of its own. */
static void lay_own(const struct frame *f, const struct view_walk *v, struct view_place place,
                    struct view_map *map, struct view_stage_layout *layout)
{
    const struct arrangement_row *row = arrangement_of(v);
    map->n = 0;
    *layout = (struct view_stage_layout){.words = {0}};
    switch (row->arrangement) {
    case CORNER:
        view_lay_corner(f, v, row, place, map, layout);
        break;
    case SIDE:
        view_lay_side(f, v, row, place, map, layout);
        break;
    case STACK:
        lay_stack(f, v, row, place, map, layout);
        break;
    }
}

enum attn_tensor_id view_main(const struct view_walk *v, const enum attn_tensor_id *ids, int n)
{
    const enum attn_stage stage = attn_trace_stage(v->trace, v->step.stage);
    enum attn_tensor_id main = attn_stages[stage].outputs[v->step.output];
    for (int i = 0; i < n; i++) {
        main = ids[i] == v->cursor.tensor ? ids[i] : main;
    }
    return main;
}

enum attn_tensor_id view_stage_main(const struct view_walk *v)
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    return view_main(v, ids, view_stage_tensors(v->trace, v->step.stage, ids));
}

int view_digits(const struct view_map *map, enum attn_tensor_id id)
{
    int cells = 0;
    for (int i = 0; i < map->n; i++) {
        const struct view_matrix *const m = &map->matrices[i];
        const bool digits = m->zoom == VIEW_ZOOM_DIGITS || m->zoom == VIEW_ZOOM_SHORT;
        cells += m->tensor == id && digits ? m->rows * m->cols : 0;
    }
    return cells;
}

void view_layout_stage(const struct frame *f, const struct view_walk *v, struct view_place place,
                       struct view_map *map, struct view_stage_layout *layout)
{
    if (v->zoom == VIEW_ZOOM_PICTURE) {
        map->n = 0;
        view_lay_pictures(v, place, map, layout);
        return;
    }
    lay_own(f, v, place, map, layout);
    const enum attn_tensor_id main = view_stage_main(v);
    if (v->zoom != VIEW_ZOOM_AUTO || !view_has(v, main) ||
        view_digits(map, main) >= view_rows(v, main, false) * view_cols(v, main, false)) {
        return;
    }
    struct view_map compact = *map;
    view_layout_compact(f, v, place, &compact);
    if (view_digits(&compact, main) > view_digits(map, main)) {
        *map = compact;
        *layout = (struct view_stage_layout){.words = {0}};
    }
}

int view_stage_digits(const struct frame *f, const struct view_walk *v, struct view_place place)
{
    struct view_map map = {.n = 0};
    struct view_stage_layout layout;
    view_layout_stage(f, v, place, &map, &layout);
    const enum attn_tensor_id main = view_stage_main(v);
    const int cells = view_digits(&map, main);
    const bool merged = attn_tensors[main].axes[2] == ATTN_AXIS_3D;
    const int slice = merged ? view_rows(v, main, false) * view_cols(v, main, false) / 3 : cells;
    return min_int(cells, slice);
}

static int add_id(const struct view_walk *v, enum attn_tensor_id out[VIEW_MATRICES_MAX], int n,
                  enum attn_tensor_id id)
{
    if (id == ATTN_NO_TENSOR || !view_has(v, id) || view_left_out(v->trace, id) ||
        n == VIEW_MATRICES_MAX) {
        return n;
    }
    out[n] = id;
    return n + 1;
}

int view_arranged(const struct view_walk *v, enum attn_tensor_id out[VIEW_MATRICES_MAX])
{
    static const enum attn_tensor_id slices[] = {ATTN_Q, ATTN_K, ATTN_V};
    const struct arrangement_row *const row = arrangement_of(v);
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
        if (v->cursor.tensor == row->side[0]) {
            n = add_id(v, out, n, row->side[0]);
        }
        for (int i = 0; i < 3; i++) {
            n = add_id(v, out, n, slices[i]);
        }
        break;
    }
    return n;
}

int view_stage_rows(const struct view_walk *v)
{
    const struct arrangement_row *const row = arrangement_of(v);
    const int T = attn_trace_config(v->trace)->sizes.T;
    int rows = 0;
    int g = 0;
    switch (row->arrangement) {
    case CORNER:
        g = view_corner_group(v, row);
        rows = 3 + view_rows(v, row->groups[g].upper, row->groups[g].transposed) +
               (view_has(v, row->groups[g].bias) && !view_left_out(v->trace, row->groups[g].bias)
                    ? 1
                    : 0) +
               T;
        break;
    case SIDE:
        rows = 2 + T;
        break;
    case STACK:
        rows = 4 + 2 * T;
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
        bool seen = id == ATTN_NO_TENSOR || view_left_out(trace, id);
        for (int j = 0; j < n; j++) {
            seen = seen || out[j] == id;
        }
        if (!seen) {
            out[n++] = id;
        }
    }
    return n;
}

/* A whole matrix in a small place: blocks of cells as half blocks of colour, or as shades. */
#include <stdlib.h>

#include "view_arrange.h"

enum {
    HEADING_ROWS = 1,
    TITLE_ROW = 1,
    HEADING_COLS = 10, /* a heading needs some columns */
    NARROWEST = 5,     /* columns of a matrix, where there are many */
    SCALE_MAX = 4      /* columns, and half rows, of a cell where there is room */
};

/** Operands first, the results at the right, as the other arrangements have them. */
static int operands_first(const struct view_walk *v, enum attn_tensor_id out[VIEW_MATRICES_MAX])
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    const int n = view_stage_tensors(v->trace, v->step.stage, ids);
    int results = 0;
    while (results < n &&
           attn_trace_writer(v->trace, ids[results]) == attn_trace_stage(v->trace, v->step.stage)) {
        results++;
    }
    for (int i = 0; i < n; i++) {
        out[i] = ids[(i + results) % n];
    }
    return n;
}

/** Of three projections beside each other: the one that is looked at. */
static int current_projection(const struct view_walk *v)
{
    const enum attn_layer layer = attn_tensors[v->cursor.tensor].layer;
    if (layer == ATTN_LAYER_Q || layer == ATTN_LAYER_K || layer == ATTN_LAYER_V) {
        return (int)layer - (int)ATTN_LAYER_Q;
    }
    return v->cursor.tensor == ATTN_Q   ? 0
           : v->cursor.tensor == ATTN_K ? 1
           : v->cursor.tensor == ATTN_V ? 2
                                        : v->step.output;
}

/** Leave out what belongs to the other projections. @return how many are left. */
static int keep_current(const struct view_walk *v, enum attn_tensor_id *ids, int n)
{
    static const enum attn_tensor_id outputs[] = {ATTN_Q, ATTN_K, ATTN_V};
    if (attn_trace_stage(v->trace, v->step.stage) != ATTN_STAGE_PROJECT) {
        return n;
    }
    const int current = current_projection(v);
    int kept = 0;
    for (int i = 0; i < n; i++) {
        bool other = false;
        for (int k = 0; k < 3; k++) {
            const bool belongs =
                ids[i] == outputs[k] || (attn_tensors[ids[i]].group == ATTN_GROUP_WEIGHT &&
                                         (int)attn_tensors[ids[i]].layer == (int)ATTN_LAYER_Q + k);
            other = other || (belongs && k != current);
        }
        if (!other) {
            ids[kept++] = ids[i];
        }
    }
    return kept;
}

/** The columns of all of them, each cell as many wide and half rows high. 0: they are too high. */
static int scaled_width(const struct view_walk *v, const enum attn_tensor_id *ids, int n, int room,
                        int scale)
{
    int width = 1 - GAP;
    for (int i = 0; i < n; i++) {
        if (view_rows(v, ids[i], false) * scale > 2 * room) {
            return 0;
        }
        width += max_int(view_cols(v, ids[i], false) * scale, HEADING_COLS) + GAP;
    }
    return width;
}

void view_lay_pictures(const struct view_walk *v, struct view_place place, struct view_map *map,
                       struct view_stage_layout *layout)
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    int n = operands_first(v, ids);
    const int top = place.row + TITLE_ROW + HEADING_ROWS;
    const int room = place.row + place.rows - top;
    if (n * (NARROWEST + GAP) > place.cols) {
        n = keep_current(v, ids, n);
    }
    int scale = 1;
    for (int next = 2; next <= SCALE_MAX; next *= 2) { /* even: whole rows */
        const int width = scaled_width(v, ids, n, room, next);
        scale = width > 0 && width <= place.cols ? next : scale;
    }
    int left_over = place.cols - 1;
    int x = place.col + 1;
    for (int i = 0; i < n && room > 0; i++) {
        const int share = left_over / (n - i) - GAP;
        const int rows = view_rows(v, ids[i], false);
        const int cols = view_cols(v, ids[i], false);
        const struct view_matrix m = {.rows = min_int((rows * scale + 1) / 2, room),
                                      .cols = max_int(1, min_int(cols, share / scale)),
                                      .top = top,
                                      .left = x,
                                      .cell_w = scale,
                                      .cell_h = 1,
                                      .zoom = VIEW_ZOOM_PICTURE};
        view_add_matrix(v, map, ids[i], m);
        const int used = max_int(m.cols * scale, min_int(HEADING_COLS, share)) + GAP;
        x += used;
        left_over -= used;
    }
    layout->words = (struct view_place){place.row, place.col, TITLE_ROW, place.cols};
}

/** How many rows of blocks there are: a row of the screen has two halves. */
static int block_rows(const struct view_walk *v, const struct view_matrix *m)
{
    return max_int(1, min_int(view_rows(v, m->tensor, false), 2 * m->rows / m->cell_w));
}

/** The first cell of a block. */
static struct attn_cell first_cell(const struct view_walk *v, const struct view_matrix *m, int r,
                                   int c)
{
    int row, col, end;
    walk_pool_bounds(view_rows(v, m->tensor, false), block_rows(v, m), r, &row, &end);
    walk_pool_bounds(view_cols(v, m->tensor, false), m->cols, c, &col, &end);
    return view_cell(m, view_batch(v), row, col);
}

struct attn_cell view_picture_cell(const struct view_walk *v, const struct view_matrix *m, int row,
                                   int col)
{
    return first_cell(v, m, min_int(2 * row / m->cell_w, block_rows(v, m) - 1), col / m->cell_w);
}

const char *view_shade(const struct frame *f, int heat, enum attn_kind kind)
{
    static const char *const blocks[] = {" ", "░", "▒", "▓", "█"};
    static const char *const ascii[] = {" ", ".", ":", "*", "#"};
    const bool probability = kind == ATTN_KIND_PROBABILITY;
    const int level = heat < 0 ? 4 : probability ? heat / 2 : heat > 4 ? heat - 4 : 4 - heat;
    return f->ascii ? ascii[level] : blocks[level];
}

/** A share of a whole, or a mask: from nothing to all, and never negative. */
static bool is_share(enum attn_tensor_id id)
{
    return attn_tensors[id].kind == ATTN_KIND_PROBABILITY ||
           attn_tensors[id].kind == ATTN_KIND_MASK;
}

static enum frame_role role_of(const struct view_matrix *m, const struct walk_pooled *block)
{
    if (block->nan) {
        return FRAME_WARN;
    }
    if (block->masked || block->heat < 0) {
        return FRAME_MASKED;
    }
    return (enum frame_role)((is_share(m->tensor) ? FRAME_PROB0 : FRAME_HEAT0) + block->heat);
}

/** Is the cursor in this block? */
static bool focused(const struct view_walk *v, const struct view_matrix *m, int r, int c)
{
    int row, row_end, col, col_end;
    walk_pool_bounds(view_rows(v, m->tensor, false), block_rows(v, m), r, &row, &row_end);
    walk_pool_bounds(view_cols(v, m->tensor, false), m->cols, c, &col, &col_end);
    return v->cursor.tensor == m->tensor && v->cursor.at[1] >= row && v->cursor.at[1] < row_end &&
           v->cursor.at[2] >= col && v->cursor.at[2] < col_end;
}

static bool computed(const struct view_walk *v, const struct view_matrix *m, int r, int c)
{
    return walk_computed(v->trace, &v->step, first_cell(v, m, r, c));
}

/** One row of the screen of one column of blocks. */
static void draw_block(struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                       const struct walk_pooled *blocks, int r, int c)
{
    const int first = 2 * r / m->cell_w;
    const int second = (2 * r + 1) / m->cell_w;
    const bool both = second < block_rows(v, m);
    const int row = m->top + r;
    const int col = m->left + c * m->cell_w;
    if (computed(v, m, first, c)) {
        const struct walk_pooled *const upper = &blocks[first * m->cols + c];
        const struct walk_pooled *const lower = &blocks[(both ? second : first) * m->cols + c];
        const char *const dot = f->ascii ? "." : "·";
        const enum attn_kind kind =
            is_share(m->tensor) ? ATTN_KIND_PROBABILITY : attn_tensors[m->tensor].kind;
        for (int k = 0; k < m->cell_w; k++) {
            frame_put_halves(f, row, col + k, role_of(m, upper),
                             both && computed(v, m, second, c) ? role_of(m, lower) : FRAME_TEXT,
                             upper->masked ? dot : view_shade(f, upper->heat, kind));
        }
    }
    const bool begins = r == 0 || (2 * r - 2) / m->cell_w != first;
    if ((focused(v, m, first, c) && begins) ||
        (both && second != first && focused(v, m, second, c))) {
        f->cursor_row = row;
        f->cursor_col = col + (m->cell_w - 1) / 2;
        frame_put(f, f->cursor_row, f->cursor_col, FRAME_TEXT, FRAME_MARK_FOCUS,
                  f->ascii ? "@" : "◆");
    }
}

void view_picture_draw(struct frame *f, const struct view_walk *v, const struct view_matrix *m)
{
    const int rows = block_rows(v, m);
    struct walk_pooled *const blocks = malloc((size_t)rows * (size_t)m->cols * sizeof *blocks);
    if (blocks == NULL) {
        return;
    }
    const int b = attn_tensors[m->tensor].axes[0] != ATTN_AXIS_NONE ? view_batch(v) : 0;
    const bool mask = attn_tensors[m->tensor].kind == ATTN_KIND_MASK; /* its peak is always 1 */
    walk_pool(v->trace, m->tensor, b, mask ? WALK_POOL_MEAN : WALK_POOL_PEAK, m->range, rows,
              m->cols, blocks);
    for (int r = 0; 2 * r < rows * m->cell_w; r++) {
        for (int c = 0; c < m->cols; c++) {
            draw_block(f, v, m, blocks, r, c);
        }
    }
    free(blocks);
}

/* A whole matrix in a small place: blocks of cells as half blocks of colour, or as shades. */
#include <stdlib.h>

#include "view_arrange.h"

enum { HEADING_ROWS = 1, TITLE_ROW = 1 };

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

void view_lay_pictures(const struct view_walk *v, struct view_place place, struct view_map *map,
                       struct view_stage_layout *layout)
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    const int n = operands_first(v, ids);
    const int top = place.row + TITLE_ROW + HEADING_ROWS;
    const int room = place.row + place.rows - top;
    int left_over = place.cols - 1;
    int x = place.col + 1;
    for (int i = 0; i < n && room > 0; i++) {
        const int share = left_over / (n - i) - GAP;
        const int rows = view_rows(v, ids[i], false);
        const int cols = view_cols(v, ids[i], false);
        const struct view_matrix m = {.rows = min_int((rows + 1) / 2, room),
                                      .cols = max_int(1, min_int(cols, share)),
                                      .top = top,
                                      .left = x,
                                      .cell_w = 1,
                                      .cell_h = 1,
                                      .zoom = VIEW_ZOOM_PICTURE};
        view_add_matrix(v, map, ids[i], m);
        const int used = max_int(m.cols, 10) + GAP; /* a heading needs some columns */
        x += used;
        left_over -= used;
    }
    layout->words = (struct view_place){place.row, place.col, TITLE_ROW, place.cols};
}

static enum frame_role role_of(const struct view_matrix *m, const struct walk_pooled *block)
{
    const bool probability = attn_tensors[m->tensor].kind == ATTN_KIND_PROBABILITY;
    if (block->nan) {
        return FRAME_WARN;
    }
    if (block->masked || block->heat < 0) {
        return FRAME_MASKED;
    }
    return (enum frame_role)((probability ? FRAME_PROB0 : FRAME_HEAT0) + block->heat);
}

/** Has the first cell of this block been computed? */
static bool computed(const struct view_walk *v, const struct view_matrix *m, int rows, int cols,
                     int r, int c)
{
    int row, col, end;
    walk_pool_bounds(view_rows(v, m->tensor, false), rows, r, &row, &end);
    walk_pool_bounds(view_cols(v, m->tensor, false), cols, c, &col, &end);
    return walk_computed(v->trace, &v->step, view_cell(m, view_batch(v), row, col));
}

/** Is the cursor in this block? */
static bool focused(const struct view_walk *v, const struct view_matrix *m, int rows, int cols,
                    int r, int c)
{
    int row, row_end, col, col_end;
    walk_pool_bounds(view_rows(v, m->tensor, false), rows, r, &row, &row_end);
    walk_pool_bounds(view_cols(v, m->tensor, false), cols, c, &col, &col_end);
    return v->cursor.tensor == m->tensor && v->cursor.at[1] >= row && v->cursor.at[1] < row_end &&
           v->cursor.at[2] >= col && v->cursor.at[2] < col_end;
}

static void draw_block(struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                       const struct walk_pooled *blocks, int rows, int r, int c)
{
    const struct walk_pooled *const upper = &blocks[(size_t)(2 * r) * (size_t)m->cols + (size_t)c];
    const bool second = 2 * r + 1 < rows;
    const int row = m->top + r;
    const int col = m->left + c;
    if (focused(v, m, rows, m->cols, 2 * r, c) ||
        (second && focused(v, m, rows, m->cols, 2 * r + 1, c))) {
        f->cursor_row = row;
        f->cursor_col = col;
        frame_put(f, row, col, FRAME_TEXT, FRAME_MARK_FOCUS, f->ascii ? "@" : "◆");
    } else if (computed(v, m, rows, m->cols, 2 * r, c)) {
        const bool lower = second && computed(v, m, rows, m->cols, 2 * r + 1, c);
        const char *const dot = f->ascii ? "." : "·";
        frame_put_halves(
            f, row, col, role_of(m, upper), lower ? role_of(m, upper + m->cols) : FRAME_TEXT,
            upper->masked ? dot : view_shade(f, upper->heat, attn_tensors[m->tensor].kind));
    }
}

void view_picture_draw(struct frame *f, const struct view_walk *v, const struct view_matrix *m)
{
    const int rows = min_int(view_rows(v, m->tensor, false), 2 * m->rows);
    struct walk_pooled *const blocks = malloc((size_t)rows * (size_t)m->cols * sizeof *blocks);
    if (blocks == NULL) {
        return;
    }
    const int b = attn_tensors[m->tensor].axes[0] != ATTN_AXIS_NONE ? view_batch(v) : 0;
    walk_pool(v->trace, m->tensor, b, WALK_POOL_PEAK, m->range, rows, m->cols, blocks);
    for (int r = 0; 2 * r < rows; r++) {
        for (int c = 0; c < m->cols; c++) {
            draw_block(f, v, m, blocks, rows, r, c);
        }
    }
    free(blocks);
}

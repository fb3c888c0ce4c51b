/* The tensors so far, small, in the order in which they were made: from x to where one is. */
#include <stdio.h>

#include "view_matrix.h"
#include "view_panel.h"

enum { SPACE = 3, HISTORY_COLS_MAX = 8 };

/** x, then every stage tensor that is no mere copy, in order. @return how many. */
static int made(const struct view_walk *v, enum attn_tensor_id out[ATTN_N_TENSORS])
{
    int n = 0;
    if (view_has(v, ATTN_X)) {
        out[n++] = ATTN_X;
    }
    if (view_has(v, ATTN_MEMORY)) {
        out[n++] = ATTN_MEMORY;
    }
    for (int id = ATTN_Q; id < ATTN_N_TENSORS; id++) {
        if (view_has(v, (enum attn_tensor_id)id)) {
            out[n++] = (enum attn_tensor_id)id;
        }
    }
    return n;
}

static struct view_matrix small_matrix(const struct view_walk *v, enum attn_tensor_id id)
{
    return (struct view_matrix){.tensor = id,
                                .rows = view_rows(v, id, false),
                                .cols = view_cols(v, id, false),
                                .cell_w = view_cell_width(v, id, VIEW_ZOOM_SHORT),
                                .cell_h = 1,
                                .zoom = VIEW_ZOOM_SHORT,
                                .format = view_tensor_format(v, id, VIEW_ZOOM_SHORT),
                                .range = v->ranges[id]};
}

int view_history(struct frame *f, const struct view_walk *v, struct view_place place, bool draw)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = made(v, ids);
    int row = place.row + 1;
    int col = place.col + 1;
    int tallest = 0;
    for (int i = 0; i < n; i++) {
        struct view_matrix m = small_matrix(v, ids[i]);
        const int width = m.cols * m.cell_w + 1;
        if (col > place.col + 1 && col + width > place.col + place.cols) {
            row += tallest + 2;
            col = place.col + 1;
            tallest = 0;
        }
        if (m.cols > HISTORY_COLS_MAX || col + width > place.col + place.cols) {
            return 0;
        }
        tallest = m.rows > tallest ? m.rows : tallest;
        m.top = row + 1;
        m.left = col;
        if (draw && walk_computed(v->trace, &v->step, view_cell(&m, view_batch(v), 0, 0))) {
            view_matrix_draw(f, v, &m);
        }
        col += width + SPACE;
    }
    if (draw) {
        frame_fill(f, place.row, place.col + 1, place.cols - 2, FRAME_DIM, FRAME_MARK_NONE, "─");
        frame_put(f, place.row, place.col + 2, FRAME_DIM, FRAME_MARK_NONE, " so far ");
    }
    return row + tallest + 1 - place.row;
}

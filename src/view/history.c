/* The tensors so far, small, in the order in which they were made: from x to where one is. */
#include <stdio.h>
#include <string.h>

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

/** Is there another computation beside, and has it what the cursor is in? */
static bool has_beside(const struct view_walk *v)
{
    return v->against != NULL && v->against->beside &&
           attn_trace_tensor(v->against->trace, v->cursor.tensor) != NULL;
}

/** What the other one computes in this stage, where that is something else; else empty. */
static const char *other_formula(const struct view_walk *v, char out[VIEW_FORMULA_MAX])
{
    char here[VIEW_FORMULA_MAX];
    const enum attn_stage stage = attn_trace_writer(v->trace, v->cursor.tensor);
    out[0] = '\0';
    if (stage != ATTN_NO_STAGE && attn_trace_changed(v->trace, stage)) {
        view_formula(v->against->trace, stage, out);
        if (strcmp(out, view_formula(v->trace, stage, here)) == 0) {
            out[0] = '\0';
        }
    }
    return out;
}

enum { BESIDE_HEAD = 4 /* its name, the formula, the matrix's heading and column labels */ };

int view_beside_rows(const struct view_walk *v)
{
    return has_beside(v) ? 1 + BESIDE_HEAD + view_rows(v, v->cursor.tensor, false) : 0;
}

void view_beside(struct frame *f, const struct view_walk *v, struct view_place place)
{
    const enum attn_tensor_id id = v->cursor.tensor;
    if (!has_beside(v)) {
        return;
    }
    struct view_walk other = *v; /* the same place in the other computation, marked likewise */
    const struct view_against back = {.trace = v->trace, .name = "here"};
    other.trace = v->against->trace;
    other.setup = v->against->setup != NULL ? v->against->setup : v->setup;
    other.against = &back;
    struct view_matrix m = small_matrix(&other, id);
    const int label_w = view_label_width(f, &other, attn_tensors[id].axes[1]);
    const int room = (place.cols - label_w - 2) / m.cell_w;
    m.cols = m.cols < room ? m.cols : room;
    m.rows = m.rows < place.rows - BESIDE_HEAD ? m.rows : place.rows - BESIDE_HEAD;
    m.left = place.col + 1 + label_w;
    m.label_w = label_w;
    m.top = place.row + BESIDE_HEAD;
    m.row_labels = true;
    m.col_labels = true;
    if (m.rows < 1 || m.cols < 1) {
        return;
    }
    frame_putf(f, place.row, place.col + 1, FRAME_HEADING, FRAME_MARK_NONE, "%s, the same numbers",
               v->against->name);
    char formula[VIEW_FORMULA_MAX];
    frame_put_fit(f, place.row + 1, place.col + 1, place.cols - 1, false, FRAME_DIM,
                  FRAME_MARK_NONE, other_formula(v, formula));
    if (walk_writer(other.trace, other.cursor, other.step.grain, &other.step)) {
        other.step = walk_last(other.trace, other.step.grain);
    }
    view_matrix_draw(f, &other, &m);
}

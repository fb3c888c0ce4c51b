#include <string.h>

#include "view.h"
#include "view_layout.h"
#include "view_matrix.h"
#include "view_panel.h"

enum {
    CODE_FROM_COLS = 116, /**< From here on the variant's code stands at the right. */
    STAGE_COLS = 80,      /**< What the stage needs at least beside it. */
    CODE_COLS_MAX = 52,
    RULES_FROM_ROWS = 18,
    ROOMY_FROM_ROWS = 30,
    STAGE_ROWS_BESIDE_HISTORY = 20, /**< What the stage keeps where the tensors so far are shown. */
    ARITHMETIC_ROWS = 2,
    WORDS_ROWS = 3
};

/** Who gets which rows; all places are as wide as the stage. */
struct screen {
    struct view_place stage, history, arithmetic, words, code, open;
    struct view_place invariants; /**< rows 0: no room. */
    int code_row;                 /**< -1: no room. */
    bool rules;
};

static struct screen divide(struct frame *f, const struct view_walk *v)
{
    struct screen s = {.rules = f->rows >= RULES_FROM_ROWS};
    const int head = s.rules ? 3 : 2;
    const int foot = s.rules ? 2 : 1;
    const bool roomy = f->rows >= ROOMY_FROM_ROWS;
    int cols = f->cols;
    if (cols >= CODE_FROM_COLS) {
        const int code =
            cols - STAGE_COLS - 2 < CODE_COLS_MAX ? cols - STAGE_COLS - 2 : CODE_COLS_MAX;
        cols -= code + 2;
        s.code = (struct view_place){head, cols + 1, f->rows - head - foot, code};
    }
    const int bottom = f->rows - foot;
    const bool small = !s.rules;
    s.invariants = (struct view_place){bottom - 1, 1, small ? 0 : 1, cols - 2};
    s.code_row = small || s.code.cols > 0 ? -1 : bottom - 2 - roomy;
    int row = s.code_row >= 0 ? s.code_row : small ? bottom : s.invariants.row - roomy;
    const int words = small ? 0 : WORDS_ROWS;
    row -= words;
    s.words = (struct view_place){row, 1, words, cols - 2};
    const int arithmetic = small ? ARITHMETIC_ROWS : roomy ? ARITHMETIC_ROWS + 1 : ARITHMETIC_ROWS;
    row -= arithmetic + roomy;
    s.arithmetic = (struct view_place){row, 1, arithmetic, cols - 2};
    s.open = (struct view_place){row, 0, bottom - row, cols};
    s.stage = (struct view_place){head, 0, row - head - roomy, cols};
    const int history = roomy ? view_history(f, v, s.stage, false) : 0;
    if (history > 0 && s.stage.rows - history - 1 >= STAGE_ROWS_BESIDE_HISTORY) {
        s.stage.rows -= history + 1;
        s.history = (struct view_place){head + s.stage.rows, 0, history, cols};
    }
    return s;
}

void view_walk(struct frame *f, const struct view_walk *v, struct view_map *map)
{
    struct view_map local;
    map = map != NULL ? map : &local;
    memset(map, 0, sizeof *map);
    frame_clear(f);
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        view_too_small(f);
        return;
    }
    const struct screen s = divide(f, v);
    view_title(f, v, 0);
    view_pipeline(f, v, 1, map);
    if (s.rules) {
        view_rule(f, 2);
        view_rule(f, f->rows - 2);
    }
    struct view_stage_layout layout;
    view_layout_stage(f, v, s.stage, map, &layout);
    view_stage_title(f, v, layout.words);
    for (int i = 0; i < map->n; i++) {
        view_matrix_draw(f, v, &map->matrices[i]);
    }
    if (s.history.rows > 0) {
        view_history(f, v, s.history, true);
    }
    if (s.code.cols > 0) {
        const int used = view_code_panel(f, v, s.code) + 1;
        struct view_place rest = s.code;
        rest.row += used;
        rest.rows -= used;
        view_beside(f, v, rest);
    }
    if (v->opened != NULL) {
        view_opened_cell(f, v, s.open);
    } else {
        view_arithmetic(f, v, s.arithmetic);
        view_words(f, v, s.words);
        if (s.code_row >= 0) {
            view_code_line(f, v, s.code_row);
        }
        if (s.invariants.rows > 0) {
            view_invariants(f, v, s.invariants);
        }
    }
    view_keys(f, f->rows - 1, v->message, v->keys, v->n_keys);
}

void view_too_small(struct frame *f)
{
    frame_clear(f);
    frame_putf(f, 0, 0, FRAME_WARN, FRAME_MARK_NONE, "window too small: need %dx%d", VIEW_MIN_COLS,
               VIEW_MIN_ROWS);
    frame_put(f, 1, 0, FRAME_TEXT, FRAME_MARK_NONE, "q quits");
}

/* ---- from the screen back to the trace ---- */

bool view_hit(const struct view_map *map, const struct view_walk *v, int row, int col,
              struct attn_cell *cell)
{
    for (int i = 0; i < map->n; i++) {
        const struct view_matrix *m = &map->matrices[i];
        const int r = row - m->top;
        const bool picture = m->zoom == VIEW_ZOOM_PICTURE;
        const int c = col - m->left - (picture || m->zoom == VIEW_ZOOM_HEAT ? 0 : 1);
        if (r >= 0 && r < m->rows * m->cell_h && c >= 0 && c < m->cols * m->cell_w) {
            *cell = picture ? view_picture_cell(v, m, r, c)
                            : view_cell(m, view_batch(v), m->row0 + r / m->cell_h,
                                        m->col0 + c / m->cell_w);
            return true;
        }
    }
    return false;
}

int view_hit_stage(const struct view_map *map, const attn_trace *trace, int row, int col)
{
    for (int i = 0; i < attn_trace_n_stages(trace) && row == map->pipeline_row; i++) {
        if (map->boxes[i].width > 0 && col >= map->boxes[i].col &&
            col < map->boxes[i].col + map->boxes[i].width) {
            return i;
        }
    }
    return -1;
}

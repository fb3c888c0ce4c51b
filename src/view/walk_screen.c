#include <string.h>

#include "view.h"
#include "view_layout.h"
#include "view_matrix.h"
#include "view_panel.h"

enum {
    CODE_FROM_COLS = 116, /**< From here on the variant's code stands at the right. */
    STAGE_COLS = 80,      /**< What the stage needs at least beside it. */
    CODE_COLS_MAX = 52,
    HEAD_ROWS = 2, /**< Title and pipeline. */
    FOOT_ROWS = 1, /**< The keys. */
    ARITHMETIC_ROWS = 2,
    WORDS_ROWS = 3,
    RULE_ROWS = 2,
    ROOMY_ROWS = 4,      /**< Air, and one row more of arithmetic. */
    STAGE_ROWS_OWN = 12, /**< What the stage may have before the rest gets more than its rows. */
    OPENED_ROWS = 7,
    SLOPES_ROWS = 9,               /**< That a list of inputs needs, to stand below the stage. */
    STAGE_ROWS_BESIDE_HISTORY = 20 /**< What the stage keeps where the tensors so far are shown. */
};

/** Who gets which rows; all places are as wide as the stage. */
struct screen {
    struct view_place stage, history, arithmetic, words, code, open;
    struct view_place slopes;     /**< rows 0: they are not asked for. */
    struct view_place invariants; /**< rows 0: no room. */
    int code_row;                 /**< -1: no room. */
    bool rules;
};

/** The walk at the start of another of its stages, the cursor on what that writes. */
static struct view_walk at_stage(const struct view_walk *v, int stage)
{
    struct view_walk at = *v;
    at.step = walk_stage_start(v->trace, stage, WALK_STAGE);
    at.cursor =
        (struct attn_cell){.tensor = attn_stages[attn_trace_stage(v->trace, stage)].outputs[0]};
    return at;
}

/** The rows that show every stage of this walk whole: asked of all, so that nothing moves from one
 * to the next. */
static int rows_of_stages(const struct view_walk *v)
{
    int rows = 0;
    for (int i = 0; i < attn_trace_n_stages(v->trace); i++) {
        const struct view_walk at = at_stage(v, i);
        const int needed = view_stage_rows(&at);
        rows = needed > rows ? needed : rows;
    }
    return rows;
}

/** Does every stage show as many numbers in the narrower of two places? */
static bool as_much(const struct frame *f, const struct view_walk *v, struct view_place wide,
                    struct view_place narrow)
{
    bool same = true;
    for (int i = 0; i < attn_trace_n_stages(v->trace) && same; i++) {
        const struct view_walk at = at_stage(v, i);
        same = view_stage_digits(f, &at, narrow) >= view_stage_digits(f, &at, wide);
    }
    return same;
}

/** What stands around the stage, in the order in which it gets its rows. */
enum extra { WORDS, INVARIANTS, CODE_LINE, RULES, ROOMY, N_EXTRAS };

static const int extra_rows[N_EXTRAS] = {[WORDS] = WORDS_ROWS,
                                         [INVARIANTS] = 1,
                                         [CODE_LINE] = 1,
                                         [RULES] = RULE_ROWS,
                                         [ROOMY] = ROOMY_ROWS};

/** Which of them there is room for beside a stage of these rows: no later one without an earlier.
 * @return the rows that are left for the stage. */
static int choose_extras(int rows, int stage, bool code_line, bool chosen[N_EXTRAS])
{
    int left = rows - HEAD_ROWS - FOOT_ROWS - ARITHMETIC_ROWS;
    bool room = true;
    for (int i = 0; i < N_EXTRAS; i++) {
        const bool wanted = i != CODE_LINE || code_line;
        room = room && (!wanted || left - extra_rows[i] >= stage);
        chosen[i] = wanted && room;
        left -= chosen[i] ? extra_rows[i] : 0;
    }
    return left;
}

/** The rows from the top of the stage to the foot. @param needed  For the stage to be whole. */
static void divide_rows(const struct frame *f, const struct view_walk *v, struct screen *s,
                        int cols, int needed)
{
    bool has[N_EXTRAS];
    const int most = f->rows / 2 > STAGE_ROWS_OWN ? f->rows / 2 : STAGE_ROWS_OWN;
    const int least = needed < most ? needed : most;
    int stage = choose_extras(f->rows, least, s->code.cols == 0, has);
    int arithmetic = ARITHMETIC_ROWS + has[ROOMY];
    if (needed > most && stage > least) { /* never fewer of its rows on a larger screen */
        arithmetic += stage - least;
        stage = least;
    }
    const int air = has[ROOMY] ? 1 : 0;
    const int head = HEAD_ROWS + (has[RULES] ? 1 : 0);
    const int bottom = f->rows - FOOT_ROWS - (has[RULES] ? 1 : 0);
    s->rules = has[RULES];
    s->stage = (struct view_place){head, 0, stage, cols};
    int row = head + stage + air;
    s->arithmetic = (struct view_place){row, 1, arithmetic, cols - 2};
    row += arithmetic + air;
    s->words = (struct view_place){row, 1, has[WORDS] ? WORDS_ROWS : 0, cols - 2};
    s->code_row = has[CODE_LINE] ? row + s->words.rows + air : -1;
    s->invariants = (struct view_place){bottom - 1, 1, has[INVARIANTS] ? 1 : 0, cols - 2};
    const int half = (f->rows - HEAD_ROWS - FOOT_ROWS) / 2;
    const int opened = OPENED_ROWS < half ? OPENED_ROWS : half;
    const int below = bottom - s->arithmetic.row;
    s->open = (struct view_place){s->arithmetic.row, 0, below, cols};
    if (v->opened != NULL && below < opened) {
        s->open = (struct view_place){bottom - opened, 0, opened, cols};
        s->stage.rows = s->open.row - head;
    }
}

/** The list of inputs: in the place of the code, of what is below the stage, or of the stage too.
 */
static void place_slopes(struct screen *s)
{
    const int bottom = s->open.row + s->open.rows;
    if (s->code.cols > 0) {
        s->slopes = s->code;
    } else if (s->open.rows >= SLOPES_ROWS) {
        s->slopes = s->open;
    } else {
        s->slopes = (struct view_place){s->stage.row, 0, bottom - s->stage.row, s->open.cols};
        s->stage.rows = 0;
    }
}

static struct screen divide(struct frame *f, const struct view_walk *v)
{
    struct screen s = {.rules = false};
    const int needed = rows_of_stages(v);
    divide_rows(f, v, &s, f->cols, needed);
    if (f->cols >= CODE_FROM_COLS) {
        const int beside = f->cols - STAGE_COLS - 2;
        struct screen narrow = {.code = {.cols = beside < CODE_COLS_MAX ? beside : CODE_COLS_MAX}};
        const int cols = f->cols - narrow.code.cols - 2;
        divide_rows(f, v, &narrow, cols, needed);
        const int head = narrow.stage.row;
        narrow.code.row = head;
        narrow.code.col = cols + 1;
        narrow.code.rows = f->rows - head - FOOT_ROWS - (narrow.rules ? 1 : 0);
        const int own = needed < STAGE_ROWS_OWN ? needed : STAGE_ROWS_OWN;
        if (narrow.stage.rows <
            own) { /* a few rows more would bring the code, and a narrower stage */
            s.stage.cols = cols > CODE_FROM_COLS - 1 ? cols : CODE_FROM_COLS - 1;
        } else if (as_much(f, v, s.stage, narrow.stage)) {
            s = narrow;
        }
    }
    if (v->slopes != NULL) {
        place_slopes(&s);
    }
    const int history = view_history(f, v, s.stage, false);
    const int keeps = needed > STAGE_ROWS_BESIDE_HISTORY ? needed : STAGE_ROWS_BESIDE_HISTORY;
    if (history > 0 && s.stage.rows - history - 1 >= keeps) {
        s.stage.rows -= history + 1;
        s.history = (struct view_place){s.stage.row + s.stage.rows, 0, history, s.stage.cols};
    }
    return s;
}

static void draw_stage(struct frame *f, const struct view_walk *v, const struct screen *s,
                       struct view_map *map)
{
    struct view_stage_layout layout;
    view_layout_stage(f, v, s->stage, map, &layout);
    view_stage_title(f, v, layout.words);
    for (int i = 0; i < map->n; i++) {
        view_matrix_draw(f, v, &map->matrices[i]);
    }
    if (s->history.rows > 0) {
        view_history(f, v, s->history, true);
    }
}

/** The code, and below it what is compared. */
static void draw_code(struct frame *f, const struct view_walk *v, struct view_place place)
{
    const int used = view_code_panel(f, v, place) + 1;
    place.row += used;
    place.rows -= used;
    view_beside(f, v, place);
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
    if (s.stage.rows > 0) {
        draw_stage(f, v, &s, map);
    }
    if (s.slopes.rows > 0) {
        view_slopes(f, v, s.slopes);
    } else if (s.code.cols > 0) {
        draw_code(f, v, s.code);
    }
    if (v->opened != NULL) {
        view_opened_cell(f, v, s.open);
    } else if (s.slopes.rows == 0 || s.code.cols > 0) {
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

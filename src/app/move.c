#include <stdlib.h>
#include <string.h>

#include "app_actions.h"

static void place_cursor(struct app *app)
{
    struct walk_region writes[WALK_REGIONS_MAX];
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    if (walk_writes(app->trace, &app->now.step, writes) > 0) {
        app->now.cursor.tensor = writes[0].tensor;
        memcpy(app->now.cursor.at, writes[0].lo, sizeof writes[0].lo);
    } else if (view_stage_tensors(app->trace, app->now.step.stage, ids) > 0) {
        app->now.cursor = (struct attn_cell){ids[0], {0, 0, 0}};
    }
    if (app->now.step.grain != WALK_STAGE) {
        app->now.batch = app->now.step.at[0];
    } else if (attn_tensors[app->now.cursor.tensor].axes[0] != ATTN_AXIS_NONE) {
        app->now.cursor.at[0] = app->now.batch;
    }
}

void app_go(struct app *app, struct walk_step step)
{
    app->now.step = step;
    app->now.open = false;
    app->now.slopes = false;
    place_cursor(app);
}

void app_next(struct app *app, struct app_key key)
{
    (void)key;
    struct walk_step step = app->now.step;
    if (app->lesson.open) {
        app_lesson_next(app);
    } else if (walk_next(app->trace, &step)) {
        app_go(app, step);
    } else {
        app_say(app,
                "This is the last step. b goes back, Enter opens a cell, i tells what moves it.");
    }
}

void app_back(struct app *app, struct app_key key)
{
    (void)key;
    struct walk_step step = app->now.step;
    if (app->lesson.open) {
        app_lesson_back(app);
    } else if (walk_prev(app->trace, &step)) {
        app_go(app, step);
    } else {
        app_say(app, "This is the first step. Space goes on.");
    }
}

static void go_stage(struct app *app, int stage)
{
    if (stage >= 0 && stage < attn_trace_n_stages(app->trace)) {
        app_go(app, walk_stage_start(app->trace, stage, app->now.step.grain));
    }
}

void app_next_stage(struct app *app, struct app_key key)
{
    (void)key;
    go_stage(app, app->now.step.stage + 1);
}

void app_prev_stage(struct app *app, struct app_key key)
{
    (void)key;
    go_stage(app, app->now.step.stage - 1);
}

void app_jump(struct app *app, struct app_key key)
{
    go_stage(app, (int)key.ch - '1');
}

/** Another grain at the same place; the cursor stays where it is if the step has it. */
static void regrain(struct app *app, int by)
{
    const int grain = ((int)app->now.step.grain + by + WALK_N_GRAINS) % WALK_N_GRAINS;
    app_go(app, walk_regrain(app->trace, &app->now.step, (enum walk_grain)grain));
    static const char *const words[WALK_N_GRAINS] = {"Step by stage.",
                                                     "Step by row: one query at a time.",
                                                     "Step by cell: one number at a time."};
    app_say(app, words[grain]);
}

void app_finer(struct app *app, struct app_key key)
{
    (void)key;
    regrain(app, 1);
}

void app_coarser(struct app *app, struct app_key key)
{
    (void)key;
    regrain(app, -1);
}

void app_first(struct app *app, struct app_key key)
{
    (void)key;
    if (app->lesson.open) {
        app_lesson_first(app);
        return;
    }
    app_go(app, walk_first(app->trace, app->now.step.grain));
}

void app_last(struct app *app, struct app_key key)
{
    (void)key;
    if (app->lesson.open) {
        app_lesson_last(app);
        return;
    }
    app_go(app, walk_last(app->trace, app->now.step.grain));
}

/* ---- the cursor ---- */

/** How the matrix under the cursor is drawn: a transposed one moves the other way. */
static const struct view_matrix *drawn_matrix(const struct app *app, enum attn_tensor_id id)
{
    for (int i = 0; i < app->map.n; i++) {
        if (app->map.matrices[i].tensor == id) {
            return &app->map.matrices[i];
        }
    }
    return NULL;
}

static void move_by(struct app *app, int rows, int cols)
{
    const struct view_matrix *m = drawn_matrix(app, app->now.cursor.tensor);
    const bool transposed = m != NULL && m->transposed;
    const attn_tensor *t = attn_trace_tensor(app->trace, app->now.cursor.tensor);
    int *at = app->now.cursor.at;
    const int row = at[1] + (transposed ? cols : rows);
    const int col = at[2] + (transposed ? rows : cols);
    if (row >= 0 && row < t->dims[1] && col >= 0 && col < t->dims[2]) {
        at[1] = row;
        at[2] = col;
    }
}

void app_up(struct app *app, struct app_key key)
{
    (void)key;
    move_by(app, -1, 0);
}

void app_down(struct app *app, struct app_key key)
{
    (void)key;
    move_by(app, 1, 0);
}

void app_left(struct app *app, struct app_key key)
{
    (void)key;
    move_by(app, 0, -1);
}

void app_right(struct app *app, struct app_key key)
{
    (void)key;
    move_by(app, 0, 1);
}

static void row_end(struct app *app, bool last)
{
    const struct view_matrix *m = drawn_matrix(app, app->now.cursor.tensor);
    const int dim = m != NULL && m->transposed ? 1 : 2;
    const attn_tensor *t = attn_trace_tensor(app->trace, app->now.cursor.tensor);
    app->now.cursor.at[dim] = last ? t->dims[dim] - 1 : 0;
}

void app_row_start(struct app *app, struct app_key key)
{
    (void)key;
    row_end(app, false);
}

void app_row_end(struct app *app, struct app_key key)
{
    (void)key;
    row_end(app, true);
}

/** To another matrix of the stage, at the same place in it as far as it goes. */
static void go_matrix(struct app *app, int by)
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    const int n = view_stage_tensors(app->trace, app->now.step.stage, ids);
    if (n == 0) {
        return;
    }
    int here = by > 0 ? -1 : 0;
    for (int i = 0; i < n; i++) {
        here = ids[i] == app->now.cursor.tensor ? i : here;
    }
    struct attn_cell *cursor = &app->now.cursor;
    cursor->tensor = ids[(here + by + n) % n];
    const attn_tensor *t = attn_trace_tensor(app->trace, cursor->tensor);
    cursor->at[0] = app->now.batch;
    for (int i = 0; i < 3; i++) {
        cursor->at[i] = cursor->at[i] < t->dims[i] ? cursor->at[i] : t->dims[i] - 1;
    }
}

void app_next_matrix(struct app *app, struct app_key key)
{
    (void)key;
    go_matrix(app, 1);
}

void app_prev_matrix(struct app *app, struct app_key key)
{
    (void)key;
    go_matrix(app, -1);
}

static void go_batch(struct app *app, int by)
{
    const int n = attn_trace_config(app->trace)->sizes.B;
    const int batch = app->now.batch + by;
    if (batch < 0 || batch >= n) {
        app_say(app,
                n == 1 ? "There is one batch element only." : "There is no further batch element.");
        return;
    }
    app->now.batch = batch;
    if (app->now.step.grain != WALK_STAGE &&
        !attn_trace_idle(app->trace, attn_trace_stage(app->trace, app->now.step.stage))) {
        app->now.step.at[0] = batch;
    }
    if (attn_tensors[app->now.cursor.tensor].axes[0] != ATTN_AXIS_NONE) {
        app->now.cursor.at[0] = batch;
    }
}

void app_next_batch(struct app *app, struct app_key key)
{
    (void)key;
    go_batch(app, 1);
}

void app_prev_batch(struct app *app, struct app_key key)
{
    (void)key;
    go_batch(app, -1);
}

void app_click(struct app *app, struct app_key key)
{
    struct view_against against;
    const struct view_walk v = app_view(app, &against);
    const int stage = view_hit_stage(&app->map, app->trace, key.row, key.col);
    struct attn_cell cell;
    if (stage >= 0) {
        go_stage(app, stage);
    } else if (view_hit(&app->map, &v, key.row, key.col, &cell) && walk_has(app->trace, cell)) {
        app->now.cursor = cell;
        app->now.open = false;
        app->now.slopes = false;
    }
}

/** Is the wheel turned over the text of a lesson? */
static bool over_text(const struct app *app, struct app_key key)
{
    const struct view_lesson_map *const m = &app->lesson.shown;
    return app->lesson.open && key.row >= m->row && key.row < m->row + m->rows &&
           key.col >= m->col && key.col < m->col + m->cols;
}

void app_wheel_up(struct app *app, struct app_key key)
{
    if (over_text(app, key)) {
        app_lesson_text_up(app, key);
    } else {
        app_up(app, key);
    }
}

void app_wheel_down(struct app *app, struct app_key key)
{
    if (over_text(app, key)) {
        app_lesson_text_down(app, key);
    } else {
        app_down(app, key);
    }
}

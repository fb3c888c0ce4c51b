/* A larger screen never shows less of a stage than a smaller one. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "app_case.h"
#include "lesson_case.h"
#include "runner.h"
#include "view_layout.h"

static const int all_rows[] = {12, 16, 17, 18, 20, 24, 30, 36, 50, 70};
static const int all_cols[] = {40, 44, 50, 60, 72, 79, 80, 100, 110, 115, 116, 140, 170, 250};

enum {
    N_ROWS = sizeof all_rows / sizeof all_rows[0],
    N_COLS = sizeof all_cols / sizeof all_cols[0],
    WHOLE_FROM_ROWS = 24,
    WHOLE_FROM_COLS = 80
};

static struct app_case *c;

static void unmake(void)
{
    if (c != NULL) {
        app_case_finish(c);
        c = NULL;
    }
}

/** Draw on a screen of this size, in place of the one before. */
static void resize(int cols, int rows)
{
    frame_destroy(c->frame);
    c->frame = frame_create(rows, cols, false);
    ck_assert_ptr_nonnull(c->frame);
    app_draw(&c->app, c->frame);
}

static bool has_digits(const struct view_matrix *m)
{
    return m->zoom == VIEW_ZOOM_DIGITS || m->zoom == VIEW_ZOOM_SHORT;
}

/** The cells of what the stage writes, with their digits. */
static int result_cells(void)
{
    const struct app *const app = &c->app;
    const enum attn_stage stage = attn_trace_stage(app->trace, app->now.step.stage);
    int cells = 0;
    for (int i = 0; i < app->map.n; i++) {
        const struct view_matrix *const m = &app->map.matrices[i];
        if (attn_trace_writer(app->trace, m->tensor) == stage && has_digits(m)) {
            cells += m->rows * m->cols;
        }
    }
    return cells;
}

/** Every matrix in view is whole, with digits; of the merged projection a slice is. */
static void assert_whole(const char *where)
{
    const struct app *const app = &c->app;
    ck_assert_msg(app->map.n > 0, "%s: nothing", where);
    for (int i = 0; i < app->map.n; i++) {
        const struct view_matrix *const m = &app->map.matrices[i];
        const attn_tensor *const t = attn_trace_tensor(app->trace, m->tensor);
        const bool merged = attn_tensors[m->tensor].axes[m->transposed ? 1 : 2] == ATTN_AXIS_3D;
        const int rows = t->dims[m->transposed ? 2 : 1];
        const int cols = t->dims[m->transposed ? 1 : 2];
        ck_assert_msg(has_digits(m) && m->rows == rows &&
                          (m->cols == cols || (merged && m->cols == cols / 3)),
                      "%s, %dx%d: %s shows %d of %d rows, %d of %d columns", where, c->frame->cols,
                      c->frame->rows, attn_tensors[m->tensor].name, m->rows, rows, m->cols, cols);
    }
}

static void start(enum attn_variant variant, const char *tokens)
{
    const bool masks = attn_variant_has(variant, ATTN_STAGE_MASK);
    const char *const options[] = {"--tokens", tokens, masks ? "--mask" : NULL, "causal", NULL};
    c = app_case_start(variant, options);
}

/** At every stage and every size: as many numbers as with fewer columns, and as with fewer rows. */
static void assert_monotone(void)
{
    for (int stage = 0; stage < attn_trace_n_stages(c->app.trace); stage++) {
        int above[N_COLS] = {0};
        app_go(&c->app, walk_stage_start(c->app.trace, stage, WALK_CELL));
        for (int r = 0; r < N_ROWS; r++) {
            int left = 0;
            for (int k = 0; k < N_COLS; k++) {
                resize(all_cols[k], all_rows[r]);
                const int cells = result_cells();
                ck_assert_msg(cells >= left && cells >= above[k],
                              "stage %d, %dx%d: %d numbers, %d with fewer columns, %d with fewer "
                              "rows",
                              stage, all_cols[k], all_rows[r], cells, left, above[k]);
                left = cells;
                above[k] = cells;
            }
        }
    }
}

START_TEST(a_larger_screen_never_shows_fewer_numbers_of_a_stage)
{
    start((enum attn_variant)_i, "the cat sat down");
    assert_monotone();
}
END_TEST

START_TEST(a_larger_screen_never_shows_fewer_numbers_of_a_larger_matrix)
{
    start(ATTN_SINGLE, "the cat sat down and it did not move");
    assert_monotone();
}
END_TEST

START_TEST(four_tokens_are_whole_from_80x24_on)
{
    start((enum attn_variant)_i, "the cat sat down");
    for (int stage = 0; stage < attn_trace_n_stages(c->app.trace); stage++) {
        app_go(&c->app, walk_stage_start(c->app.trace, stage, WALK_CELL));
        for (int i = 0; i < N_ROWS * N_COLS; i++) {
            if (all_rows[i / N_COLS] >= WHOLE_FROM_ROWS &&
                all_cols[i % N_COLS] >= WHOLE_FROM_COLS) {
                resize(all_cols[i % N_COLS], all_rows[i / N_COLS]);
                assert_whole(attn_stages[attn_trace_stage(c->app.trace, stage)].key);
            }
        }
    }
}
END_TEST

/* ---- the part of a lesson ---- */

static const char lesson[] =
    "---\ntitle: Sizes\nvariant: v3\ntokens: the cat sat down\nmask: causal\n"
    "---\n\n# A page\n\nSome text.\n\n```attn\nat: output[down]\n```\n";

START_TEST(a_lesson_shows_all_numbers_of_a_stage_from_80x24_on)
{
    c = lesson_case_text(lesson);
    for (int stage = 0; stage < attn_trace_n_stages(c->app.trace); stage++) {
        app_go(&c->app, walk_stage_start(c->app.trace, stage, WALK_CELL));
        const enum attn_tensor_id id = c->app.now.cursor.tensor;
        const attn_tensor *const t = attn_trace_tensor(c->app.trace, id);
        const bool merged = attn_tensors[id].axes[2] == ATTN_AXIS_3D;
        for (int i = 0; i < N_ROWS * N_COLS; i++) {
            if (all_rows[i / N_COLS] < WHOLE_FROM_ROWS || all_cols[i % N_COLS] < WHOLE_FROM_COLS) {
                continue;
            }
            resize(all_cols[i % N_COLS], all_rows[i / N_COLS]);
            ck_assert_msg(view_digits(&c->app.map, id) >=
                              t->dims[1] * t->dims[2] / (merged ? 3 : 1),
                          "stage %d, %dx%d: %d numbers", stage, c->frame->cols, c->frame->rows,
                          view_digits(&c->app.map, id));
        }
    }
}
END_TEST

START_TEST(every_lesson_shows_all_numbers_of_a_stage_of_four_tokens)
{
    static const int sizes[][2] = {{80, 24}, {110, 30}, {120, 40}, {200, 60}};
    for (int i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
        c = lesson_case_start(_i, sizes[i][0], sizes[i][1]);
        for (int stop = 0; stop < c->app.lesson.lesson.n_stops; stop++) {
            ck_assert(app_lesson_go(&c->app, stop, 0));
            app_draw(&c->app, c->frame);
            const enum attn_tensor_id id = c->app.now.cursor.tensor;
            const attn_tensor *const t =
                c->app.map.n > 0 ? attn_trace_tensor(c->app.trace, id) : NULL;
            const int most = c->app.trace != NULL ? attn_trace_config(c->app.trace)->sizes.T : 0;
            if (t == NULL || most > 4 || t->dims[1] > 4 || t->dims[2] > 4 ||
                app_lesson_hidden(&c->app) != NULL) {
                continue;
            }
            ck_assert_msg(view_digits(&c->app.map, id) == t->dims[1] * t->dims[2],
                          "%s, stop %d, %dx%d: %d numbers of %s", lesson_case_stem(_i), stop,
                          sizes[i][0], sizes[i][1], view_digits(&c->app.map, id),
                          attn_tensors[id].name);
        }
        unmake();
    }
}
END_TEST

Suite *suite(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    Suite *const s = suite_create("sizes");
    TCase *const t = tcase_create("walk");
    tcase_add_checked_fixture(t, NULL, unmake);
    tcase_add_loop_test(t, a_larger_screen_never_shows_fewer_numbers_of_a_stage, 0,
                        ATTN_N_VARIANTS);
    tcase_add_test(t, a_larger_screen_never_shows_fewer_numbers_of_a_larger_matrix);
    tcase_add_loop_test(t, four_tokens_are_whole_from_80x24_on, 0, ATTN_N_VARIANTS);
    tcase_add_test(t, a_lesson_shows_all_numbers_of_a_stage_from_80x24_on);
    tcase_add_loop_test(t, every_lesson_shows_all_numbers_of_a_stage_of_four_tokens, 0,
                        lesson_case_count());
    suite_add_tcase(s, t);
    return s;
}

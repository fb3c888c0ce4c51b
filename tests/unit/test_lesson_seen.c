/* What a lesson says of a number, its reader sees: in the matrices, or told below them. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lesson_case.h"
#include "runner.h"

static const struct {
    int cols, rows;
} sizes[] = {{80, 24}, {120, 40}};

enum { N_SIZES = sizeof sizes / sizeof sizes[0], CLAIMS_MAX = 64 };

/** Is the number of this cell on the screen, in a matrix or, after its name, below? */
static bool seen(struct app_case *c, const struct lesson_ref *ref, struct attn_cell cell)
{
    char text[WALK_NUMBER_MAX];
    char told[256];
    const double value = (double)walk_value(c->app.trace, cell);
    size_t n = (size_t)snprintf(told, sizeof told, "%s", ref->name);
    for (int i = 0; i < ref->n_at && n < sizeof told; i++) {
        n += (size_t)snprintf(told + n, sizeof told - n, "%c%s", i == 0 ? '[' : ',', ref->at[i]);
    }
    snprintf(told + n, sizeof told - n, "] %s",
             isfinite(value) ? walk_fixed(value, walk_decimals(c->app.trace, cell.tensor), text)
                             : walk_number(value, text));
    return view_shows(&c->app.map, cell) || app_case_shows(c, told);
}

/** Go through the steps of a stop: which of the cells that are spoken of come into view? */
static void go_through(struct app_case *c, int stop, const struct lesson_step *step,
                       bool shown[CLAIMS_MAX])
{
    size_t k = 0;
    do {
        ck_assert(app_lesson_go(&c->app, stop, k));
        app_draw(&c->app, c->frame);
        for (int i = 0; i < step->n_claims; i++) {
            const struct lesson_ref *const ref = &step->claims[i].ref;
            struct attn_cell cell;
            struct attn_error err;
            shown[i] = shown[i] || step->claims[i].is_shape ||
                       step->claims[i].measure != LESSON_CELL ||
                       lesson_cell(ref, &c->app.setup, c->app.trace, &cell, &err) != ATTN_OK ||
                       seen(c, ref, cell);
        }
        k++;
    } while (k < c->app.lesson.place.n_steps);
}

START_TEST(every_number_that_a_lesson_speaks_of_is_in_view)
{
    const int lesson = _i / N_SIZES;
    const int size = _i % N_SIZES;
    struct app_case *const c = lesson_case_start(lesson, sizes[size].cols, sizes[size].rows);
    const struct lesson *const l = &c->app.lesson.lesson;
    char missing[4000] = "";
    size_t n = 0;
    for (int stop = 0; stop < l->n_stops; stop++) {
        const struct lesson_stop *const s = &l->stops[stop];
        const struct lesson_step *const step = s->step >= 0 ? &l->steps[s->step] : NULL;
        bool shown[CLAIMS_MAX] = {false};
        if (step == NULL || step->block < s->first || step->block >= s->first + s->n ||
            lesson_lab(l, step->block) >= 0) {
            continue;
        }
        ck_assert_int_le(step->n_claims, CLAIMS_MAX);
        go_through(c, stop, step, shown);
        for (int i = 0; i < step->n_claims && n < sizeof missing; i++) {
            if (!shown[i]) {
                n += (size_t)snprintf(missing + n, sizeof missing - n, "\n  page %d, line %d: %s",
                                      s->page + 1, step->claims[i].line, step->claims[i].ref.name);
            }
        }
    }
    ck_assert_msg(missing[0] == '\0', "%s at %dx%d:%s", lesson_case_stem(lesson), sizes[size].cols,
                  sizes[size].rows, missing);
    app_case_finish(c);
}
END_TEST

Suite *suite(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    Suite *const s = suite_create("what a lesson speaks of");
    TCase *const t = tcase_create("numbers");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, every_number_that_a_lesson_speaks_of_is_in_view, 0,
                        N_SIZES * lesson_case_count());
    suite_add_tcase(s, t);
    return s;
}

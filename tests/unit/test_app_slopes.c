/* The list of inputs that move a number: opened, followed, edited, and back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_case.h"
#include "runner.h"

static const char *const causal[] = {"--tokens", "the cat sat down", "--mask", "causal", NULL};
static const char *const two[] = {"--batch", "2", "--length", "3", NULL};

static bool same_cell(struct attn_cell a, struct attn_cell b)
{
    return a.tensor == b.tensor && memcmp(a.at, b.at, sizeof a.at) == 0;
}

/** Is this cell on the screen, in a matrix of its tensor? */
static bool in_sight(const struct app *app, struct attn_cell cell)
{
    for (int i = 0; i < app->map.n; i++) {
        const struct view_matrix *const m = &app->map.matrices[i];
        const int row = cell.at[m->transposed ? 2 : 1];
        const int col = cell.at[m->transposed ? 1 : 2];
        if (m->tensor == cell.tensor && row >= m->row0 && row < m->row0 + m->rows &&
            col >= m->col0 && col < m->col0 + m->cols) {
            return true;
        }
    }
    return false;
}

START_TEST(what_moves_a_number_is_found_changed_seen_and_undone)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    const struct attn_cell output = {ATTN_OUTPUT, {0, 0, 0}};
    app_case_play(c, "9");
    ck_assert(app_case_shows(c, "i what moves it"));
    app_case_play(c, "i Down");
    ck_assert(c->app.now.slopes && app_case_shows(c, "output[the,0] = -0.1807"));
    ck_assert(app_case_shows(c, "29 of 96 inputs move it"));
    ck_assert(app_case_shows(c, "▶ output_proj.weight[0,3]   -0.1722   -0.7174"));
    ck_assert_int_eq(c->frame->cursor_row, 7);

    const struct walk_slope one = c->app.slopes.top[1];
    const float before = walk_value(c->app.trace, output);
    app_case_play(c, "Enter");
    ck_assert(!c->app.now.slopes && same_cell(c->app.now.cursor, one.cell));
    ck_assert(in_sight(&c->app, one.cell) && app_case_shows(c, "e changes it"));
    app_case_play(c, "e 2 Enter");
    const float after = walk_value(c->app.trace, output);
    const double moved = (double)(after - before);
    ck_assert(fabs(moved - one.slope * (2 - (double)one.value)) < 1e-5); /* it is a straight line */

    app_case_play(c, "Esc");
    ck_assert(c->app.now.slopes && same_cell(c->app.now.cursor, output));
    ck_assert(app_case_shows(c, "output[the,0] = -1.7390"));
    ck_assert(app_case_shows(c, "before: -0.1807"));
    app_case_play(c, "u");
    ck_assert(c->app.now.slopes && app_case_shows(c, "output[the,0] = -0.1807"));
    ck_assert(fabsf(walk_value(c->app.trace, output) - before) <= 0);
    app_case_play(c, "Esc");
    ck_assert(!c->app.now.slopes && c->app.n_trail == 0 && !c->app.quit);
    app_case_finish(c);
}
END_TEST

/** Options of a variant, and keys to a number that has inputs. */
static const char *const *options_of(enum attn_variant variant)
{
    return attn_variant_has(variant, ATTN_STAGE_MASK) ? causal : two;
}

START_TEST(enter_leads_to_every_input_of_the_list_and_escape_back)
{
    const enum attn_variant variant = (enum attn_variant)_i;
    static const char *const grains[] = {"G", "Tab G", "Tab Tab G"};
    struct app_case *const c = app_case_start(variant, options_of(variant));
    app_case_play(c, grains[_i % 3]);
    app_case_play(c, "i");
    const int n = c->app.slopes.n;
    const struct attn_cell start = c->app.now.cursor;
    ck_assert(c->app.now.slopes && n > 4);
    for (int i = 0; i < n; i++) {
        const struct attn_cell input = c->app.slopes.top[i].cell;
        ck_assert_int_eq(c->app.now.slope, i);
        app_case_play(c, "Enter");
        ck_assert_msg(same_cell(c->app.now.cursor, input) && in_sight(&c->app, input),
                      "%s: input %d, of %s", attn_variants[variant].name, i,
                      attn_tensors[input.tensor].name);
        app_case_play(c, "Esc");
        ck_assert(c->app.now.slopes && same_cell(c->app.now.cursor, start));
        app_case_play(c, "Down");
    }
    app_case_play(c, "Down");
    ck_assert_int_eq(c->app.now.slope, n - 1);
    app_case_play(c, "Esc Esc Esc");
    ck_assert(!c->app.now.slopes && !c->app.quit);
    app_case_finish(c);
}
END_TEST

static const struct {
    const char *keys, *said;
} answers[] = {
    {"1 o i", "An input itself"},
    {"Tab Tab g Right i", "not computed yet"},
    {"5 Right i", "the mask hides this key"},
    {"5 Right i Enter", "none to go to"},
    {"9 i", "of 96 inputs move it"},
    {"6 Enter i", "of 96 inputs move it"}, /* from an opened cell */
};

START_TEST(what_has_no_list_says_why)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, answers[_i].keys);
    ck_assert_msg(app_case_shows(c, answers[_i].said), "%s: %s", answers[_i].keys, c->app.message);
    app_case_play(c, "Esc Esc Esc Esc");
    ck_assert(!c->app.quit && !c->app.now.slopes);
    app_case_finish(c);
}
END_TEST

static const struct {
    const char *options[8];
    struct attn_cell cell;
    const char *why;
} unmoved[] = {
    {{"--mask", "causal"}, {ATTN_WEIGHTS, {0, 0, 1}}, "the mask hides this key"},
    {{"--train", "--dropout", "1"}, {ATTN_CONTEXT, {0, 0, 0}}, "every weight is dropped"},
    {{"--train", "--dropout", "0.999"}, {ATTN_DROPPED, {0, 0, 0}}, "dropout took this weight"},
    {{"--mask", "padding:0"}, {ATTN_CONTEXT, {0, 0, 0}}, "leaves this query no key"},
    {{"--length", "1"}, {ATTN_WEIGHTS, {0, 0, 0}}, "has one key left"},
    {{"--mask", "causal"}, {ATTN_WEIGHTS, {0, 0, 0}}, "has one key left"},
    {{"--scale", "0"}, {ATTN_WEIGHTS, {0, 0, 1}}, "the scale is 0"},
    {{"--scale", "1e6"}, {ATTN_WEIGHTS, {0, 0, 0}}, "the softmax is saturated"},
};

START_TEST(where_no_input_moves_a_cell_the_reason_is_given)
{
    struct app_case *const c = app_case_start(ATTN_V3, unmoved[_i].options);
    struct walk_slopes s;
    ck_assert_int_eq(walk_slopes(c->app.trace, unmoved[_i].cell, 5, &s, NULL), ATTN_OK);
    ck_assert_int_eq(s.n, 0);
    const char *const why = walk_slope_none(c->app.trace, unmoved[_i].cell);
    ck_assert_msg(strstr(why, unmoved[_i].why) != NULL, "%s, not %s", why, unmoved[_i].why);
    walk_slopes_finish(&s);
    app_case_finish(c);
}
END_TEST

START_TEST(the_walk_goes_on_from_the_list)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "9 i [");
    ck_assert(!c->app.now.slopes && c->app.now.step.stage == 7);
    app_case_play(c, "i Space");
    ck_assert(!c->app.now.slopes && c->app.now.step.stage == 8);
    app_case_play(c, "i v"); /* in another variant the cell may be none, or an input */
    ck_assert(!c->app.quit && app_case_shows(c, "single"));
    app_case_finish(c);
}
END_TEST

START_TEST(a_what_if_measures_the_list_anew)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "6 Down Down i");
    const double with = fabs(c->app.slopes.top[0].slope);
    app_case_play(c, "s");
    ck_assert(c->app.now.slopes && app_case_shows(c, "before: "));
    ck_assert(fabs(c->app.slopes.top[0].slope) > 1.5 * with); /* without 1/√4 */
    app_case_finish(c);
}
END_TEST

START_TEST(the_list_is_drawn_at_every_size)
{
    static const int sizes[][2] = {{12, 40}, {17, 60}, {24, 80}, {30, 100}, {40, 120}, {60, 200}};
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    frame_destroy(c->frame);
    c->frame = frame_create(sizes[_i][0], sizes[_i][1], _i % 2 == 1);
    ck_assert_ptr_nonnull(c->frame);
    app_case_play(c, "9 i");
    for (int i = 0; i < c->app.slopes.n; i++) {
        char number[WALK_NUMBER_MAX];
        ck_assert(app_case_shows(c, "slope"));
        ck_assert_msg(app_case_shows(c, walk_slope_text(c->app.slopes.top[i].slope, number)),
                      "%dx%d: %s", sizes[_i][1], sizes[_i][0], number);
        app_case_play(c, "Down");
        ck_assert(c->frame->cursor_row > 2 && c->frame->cursor_row < sizes[_i][0] - 1);
    }
    app_case_finish(c);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("what moves a number");
    TCase *const t = tcase_create("slopes");
    tcase_add_test(t, what_moves_a_number_is_found_changed_seen_and_undone);
    tcase_add_loop_test(t, enter_leads_to_every_input_of_the_list_and_escape_back, 0,
                        ATTN_N_VARIANTS);
    tcase_add_loop_test(t, what_has_no_list_says_why, 0, sizeof answers / sizeof answers[0]);
    tcase_add_loop_test(t, where_no_input_moves_a_cell_the_reason_is_given, 0,
                        (int)(sizeof unmoved / sizeof unmoved[0]));
    tcase_add_test(t, the_walk_goes_on_from_the_list);
    tcase_add_test(t, a_what_if_measures_the_list_anew);
    tcase_add_loop_test(t, the_list_is_drawn_at_every_size, 0, 6);
    suite_add_tcase(s, t);
    return s;
}

/* A number followed to where it came from, held against another variant's, and changed. */
#include <stdlib.h>
#include <string.h>

#include "app_case.h"
#include "runner.h"

static const char *const causal[] = {"--tokens", "the cat sat down", "--mask", "causal", NULL};
static const char *const plain[] = {"--tokens", "the cat sat down", NULL};

static bool same_place(const struct app_place *a, const struct app_place *b)
{
    return memcmp(&a->step, &b->step, sizeof a->step) == 0 &&
           memcmp(&a->cursor, &b->cursor, sizeof a->cursor) == 0;
}

/* ---- following ---- */

static const char *const grains[WALK_N_GRAINS] = {"", "Tab", "Tab Tab"};

START_TEST(a_number_is_followed_at_the_grain_that_was_chosen)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, grains[_i]);
    app_case_play(c, "6");
    const struct app_place start = c->app.now;
    app_case_play(c, "Enter Enter");
    ck_assert_int_eq((int)c->app.now.step.grain, _i);
    ck_assert_int_eq((int)c->app.now.cursor.tensor, ATTN_MASKED);
    ck_assert_int_eq(c->app.now.step.stage, 4);
    ck_assert(c->app.now.open);
    struct walk_region writes[WALK_REGIONS_MAX];
    const int n = walk_writes(c->app.trace, &c->app.now.step, writes);
    ck_assert(n > 0 && walk_region_has(&writes[0], c->app.now.cursor));
    if (_i == WALK_STAGE) {
        ck_assert(app_case_shows(c, "stage 5 of 9") && app_case_shows(c, "seed 42"));
        ck_assert(app_case_shows(c, "-0.0683")); /* of the last row */
    }
    app_case_play(c, "Esc Esc");
    ck_assert(same_place(&c->app.now, &start));
    app_case_finish(c);
}
END_TEST

/** Every term of a cell without a cell of its own says what it is; a computed one is no constant.
 */
START_TEST(a_term_that_no_cell_keeps_says_what_it_is)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "6 Enter G");
    ck_assert(app_case_shows(c, "▶ e^(this - max) / sum"));
    app_case_play(c, "Enter");
    ck_assert(app_case_shows(c, "this exponential, over their sum"));
    app_case_play(c, "Up Enter");
    ck_assert(app_case_shows(c, "no cell keeps the sum"));
    app_case_play(c, "g Enter");
    ck_assert_int_eq((int)c->app.now.cursor.tensor, ATTN_MASKED);
    app_case_play(c, "4 Enter Down Enter");
    ck_assert(app_case_shows(c, "A constant, from no cell"));
    app_case_finish(c);
}
END_TEST

START_TEST(the_list_of_inputs_goes_to_its_ends_and_by_pages)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    static const struct {
        const char *keys;
        int slope;
    } moves[] = {{"G", 28},   {"PgUp", 18}, {"g", 0},    {"PgDn", 10},
                 {"End", 28}, {"PgDn", 28}, {"Home", 0}, {"PgUp", 0}};
    app_case_play(c, "9 i");
    ck_assert_int_eq(c->app.slopes.n, 29);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        app_case_play(c, moves[i].keys);
        ck_assert(c->app.now.slopes);
        ck_assert_msg(c->app.now.slope == moves[i].slope, "%s: %d", moves[i].keys,
                      c->app.now.slope);
    }
    app_case_finish(c);
}
END_TEST

START_TEST(after_an_edit_the_list_is_marked_where_the_number_is_now)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "9 i Down Down Enter");
    const struct attn_cell input = c->app.now.cursor;
    app_case_play(c, "e 5 Enter Esc");
    ck_assert(c->app.now.slopes);
    const struct attn_cell marked = c->app.slopes.top[c->app.now.slope].cell;
    ck_assert(memcmp(&marked, &input, sizeof input) == 0);
    app_case_finish(c);
}
END_TEST

/* ---- comparing ---- */

START_TEST(a_stand_in_is_called_by_its_name)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "V 9");
    ck_assert(app_case_shows(c, "v2 context: 0.2484"));
    app_case_play(c, "4"); /* both have scaled scores, and the same ones */
    ck_assert(app_case_shows(c, "v2: the same"));
    app_case_play(c, "5 Right");
    ck_assert(app_case_shows(c, "v2 scaled: "));
    app_case_finish(c);
}
END_TEST

START_TEST(where_two_variants_part_is_in_a_tensor_that_is_there)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "6");
    const struct app_place start = c->app.now;
    app_case_play(c, "V");
    char *text = app_case_text(c);
    ck_assert_msg(strstr(text, "(v2: scaled)") != NULL && strstr(text, "Esc goes back") != NULL,
                  "%s", text);
    free(text);
    ck_assert_int_eq((int)c->app.now.cursor.tensor, ATTN_MASKED);
    app_case_play(c, "Esc");
    ck_assert(same_place(&c->app.now, &start));
    app_case_finish(c);
}
END_TEST

START_TEST(two_variants_that_part_nowhere_leave_the_cursor_alone)
{
    struct app_case *const c = app_case_start(ATTN_V1, plain);
    app_case_play(c, "4 Down");
    const struct app_place start = c->app.now;
    app_case_play(c, "V");
    ck_assert(app_case_shows(c, "the same numbers in every tensor"));
    ck_assert(app_case_shows(c, "v2: the same"));
    ck_assert(same_place(&c->app.now, &start) && c->app.n_trail == 0);
    app_case_finish(c);
}
END_TEST

/* ---- what the title and the words say ---- */

static const struct {
    const char *keys, *shown[3];
    int cols;
} titles[] = {
    {"", {"attn · v3   T 4  d 4   mask causal   dropout 0.1 eval   seed 42"}, 80},
    {"M M", {"mask causal", "fill 1e-20", "seed 42"}, 80},
    {"s", {"no scal", "eval", "seed 42"}, 80},
    {"s M d t", {"no scaling", "fill -1e9", "dropout 0.2 train"}, 120},
    {"s M t", {"no scal", "fill -1e9", "train"}, 80},
    {"m m m", {"mask none", "dropout 0.1 eval", "seed 42"}, 80},
    {"Tab Tab 8", {"mask causal", "eval", "seed 42"}, 80},
    {"s", {"attn · v3", "no scal", "stage 1 of 9"}, 40},
};

START_TEST(the_title_tells_every_setting_that_is_not_the_usual_one)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    frame_destroy(c->frame);
    c->frame = frame_create(24, titles[_i].cols, false);
    ck_assert_ptr_nonnull(c->frame);
    app_case_play(c, titles[_i].keys);
    for (int i = 0; i < 3 && titles[_i].shown[i] != NULL; i++) {
        char *const text = app_case_text(c);
        const char *const at = strstr(text, titles[_i].shown[i]);
        ck_assert_msg(at != NULL && at < strchr(text, '\n'), "%s: no %s in\n%.200s",
                      titles[_i].keys, titles[_i].shown[i], text);
        free(text);
    }
    app_case_finish(c);
}
END_TEST

static const struct {
    const char *keys, *said;
} origins[] = {
    {"1 o", "an input, drawn from the seed"},
    {"1 o o", "a weight, drawn from the seed"},
    {"1 o o o", "a bias, drawn from the seed"},
    {"1 o o o e 5 Enter", "a bias; changed by you (was "},
    {"1 o o e 5 Enter e 6 Enter", "a weight; changed by you (was 0.3823)"},
    {"5 o o e 0 Enter", "0 hides it; changed by you (was 1)"},
};

START_TEST(words_tell_where_an_input_comes_from)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, origins[_i].keys);
    char *const text = app_case_text(c);
    ck_assert_msg(strstr(text, origins[_i].said) != NULL, "%s\n%s", origins[_i].keys, text);
    free(text);
    app_case_finish(c);
}
END_TEST

/* ---- the zoom ---- */

START_TEST(every_zoom_but_the_last_is_seen_and_the_way_back_loses_nothing)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    static const char *const words[] = {"Zoom: short digits.", "Zoom: heat.", "Zoom: picture.",
                                        "Zoom: picture, the coarsest there is."};
    app_case_play(c, "7 6");
    char *const plain_one = app_case_picture(c);
    app_case_play(c, "+");
    ck_assert(app_case_shows(c, "Zoom: digits, the finest there is."));
    for (int i = 0; i < 4; i++) {
        char *const before = app_case_picture(c);
        app_case_play(c, "-");
        ck_assert_msg(app_case_shows(c, words[i]), "%s: %s", words[i], c->app.message);
        char *const after = app_case_picture(c);
        ck_assert_msg((strcmp(before, after) == 0) == (i == 3), "%s", words[i]);
        free(before);
        free(after);
    }
    app_case_play(c, "+ + + +");
    char *const back = app_case_picture(c);
    ck_assert_msg(strcmp(back, plain_one) == 0, "%s", back);
    free(back);
    free(plain_one);
    app_case_finish(c);
}
END_TEST

/* ---- the help ---- */

START_TEST(the_help_moves_by_pages_and_says_more_only_where_there_is_more)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "?");
    ck_assert(c->app.help_last > 20 && app_case_shows(c, "more"));
    ck_assert(!app_case_shows(c, "Instruments") && !app_case_shows(c, "in a question"));
    app_case_play(c, "Space");
    ck_assert_int_eq(c->app.help_top, 20);
    app_case_play(c, "PgUp j");
    ck_assert_int_eq(c->app.help_top, 1);
    app_case_play(c, "G");
    ck_assert_int_eq(c->app.help_top, c->app.help_last);
    ck_assert(app_case_shows(c, "holds, does not hold") && !app_case_shows(c, "Space more"));
    app_case_play(c, "g");
    ck_assert(c->app.help_top == 0 && app_case_shows(c, "Space more"));
    app_case_finish(c);
}
END_TEST

START_TEST(the_help_of_a_wide_screen_has_two_columns_and_cuts_nothing)
{
    static const int sizes[][2] = {{24, 80}, {40, 110}, {60, 200}, {12, 40}};
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    frame_destroy(c->frame);
    c->frame = frame_create(sizes[_i][0], sizes[_i][1], _i % 2 == 1);
    ck_assert_ptr_nonnull(c->frame);
    app_case_play(c, "?");
    ck_assert_int_eq(view_help_page(sizes[_i][0], sizes[_i][1]),
                     (sizes[_i][0] - 4) * (sizes[_i][1] >= 110 ? 2 : 1));
    bool seen = false;
    for (int top = -1; top != c->app.help_top;) {
        top = c->app.help_top;
        ck_assert(!app_case_shows(c, c->frame->ascii ? "~ " : "…"));
        seen = seen || app_case_shows(c, "PgDn");
        app_case_play(c, "PgDn");
    }
    ck_assert(seen && c->app.help_top == c->app.help_last);
    app_case_finish(c);
}
END_TEST

START_TEST(in_a_list_the_help_has_the_keys_of_the_list)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "9 i ?");
    ck_assert(app_case_shows(c, "in the list of inputs: ten down"));
    ck_assert(!app_case_shows(c, "in an open cell") && !app_case_shows(c, "finer steps"));
    app_case_play(c, "Esc Esc ?");
    ck_assert(app_case_shows(c, "finer steps"));
    app_case_finish(c);
}
END_TEST

static const struct {
    const char *keys, *whole, *value;
} lines[] = {
    {"6 Tab Tab M M", "weights[the,the] = e^(masked[the,the] - max) / the row's sum",
     "before: 1.0000"},
    {"9 s", "output[the,0] = context[the]", "= -0.1807"},
    {"9 Down s", "output[cat,0] = context[cat]", "before: "},
};

START_TEST(the_number_before_does_not_push_the_name_off_its_line)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    frame_destroy(c->frame);
    c->frame = frame_create(28, 80, false);
    ck_assert_ptr_nonnull(c->frame);
    app_case_play(c, lines[_i].keys);
    char *const text = app_case_text(c);
    ck_assert_msg(strstr(text, lines[_i].whole) != NULL && strstr(text, lines[_i].value) != NULL,
                  "%s\n%s", lines[_i].keys, text);
    free(text);
    app_case_finish(c);
}
END_TEST

/* ---- marks ---- */

static bool any_mark(struct app_case *c)
{
    bool found = false;
    for (int i = 0; i < c->frame->rows * c->frame->cols; i++) {
        found = found || strcmp(c->frame->cells[i].glyph, "*") == 0;
    }
    return found;
}

static const struct {
    const char *go, *key, *again;
} rounds[] = {{"5", "M", "M M M"}, {"5", "s", "s"}, {"6", "m", "m m m"}, {"7", "t", "t"}};

START_TEST(a_key_that_came_round_leaves_no_marks)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, rounds[_i].go);
    app_case_play(c, rounds[_i].key);
    ck_assert(any_mark(c) || _i == 3); /* training goes another way: a stage that was idle */
    app_case_play(c, rounds[_i].again);
    char *const text = app_case_text(c);
    ck_assert_msg(!any_mark(c), "%s\n%s", rounds[_i].key, text);
    free(text);
    app_case_finish(c);
}
END_TEST

START_TEST(a_number_that_is_typed_back_leaves_no_marks)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "8 o o e 2 Enter e 3 Enter"); /* the mask's first cell is 1 already */
    app_case_play(c, "5 o o e 0 Enter");
    ck_assert(any_mark(c));
    app_case_play(c, "e 1 Enter");
    ck_assert(!any_mark(c));
    app_case_play(c, "e 0 Enter Down e 0 Enter"); /* another number begins anew */
    ck_assert(any_mark(c));
    app_case_finish(c);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("application: follow");
    TCase *const t = tcase_create("follow");
    tcase_add_loop_test(t, a_number_is_followed_at_the_grain_that_was_chosen, 0, WALK_N_GRAINS);
    tcase_add_test(t, a_term_that_no_cell_keeps_says_what_it_is);
    tcase_add_test(t, the_list_of_inputs_goes_to_its_ends_and_by_pages);
    tcase_add_test(t, after_an_edit_the_list_is_marked_where_the_number_is_now);
    tcase_add_test(t, a_stand_in_is_called_by_its_name);
    tcase_add_test(t, where_two_variants_part_is_in_a_tensor_that_is_there);
    tcase_add_test(t, two_variants_that_part_nowhere_leave_the_cursor_alone);
    tcase_add_loop_test(t, the_title_tells_every_setting_that_is_not_the_usual_one, 0,
                        sizeof titles / sizeof titles[0]);
    tcase_add_loop_test(t, words_tell_where_an_input_comes_from, 0,
                        sizeof origins / sizeof origins[0]);
    tcase_add_test(t, every_zoom_but_the_last_is_seen_and_the_way_back_loses_nothing);
    tcase_add_test(t, the_help_moves_by_pages_and_says_more_only_where_there_is_more);
    tcase_add_loop_test(t, the_help_of_a_wide_screen_has_two_columns_and_cuts_nothing, 0, 4);
    tcase_add_test(t, in_a_list_the_help_has_the_keys_of_the_list);
    tcase_add_loop_test(t, the_number_before_does_not_push_the_name_off_its_line, 0,
                        sizeof lines / sizeof lines[0]);
    tcase_add_loop_test(t, a_key_that_came_round_leaves_no_marks, 0,
                        sizeof rounds / sizeof rounds[0]);
    tcase_add_test(t, a_number_that_is_typed_back_leaves_no_marks);
    suite_add_tcase(s, t);
    return s;
}

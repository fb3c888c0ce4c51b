/* What the walk says beside its numbers, and that it stays in its place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_case.h"
#include "attn/bugs.h"
#include "runner.h"

static const char *const plain[] = {"--tokens", "the cat sat down", NULL};
static const char *const masked[] = {"--tokens", "the cat sat down", "--mask", "causal", NULL};
static const char *const training[] = {"--mask", "causal", "--train", NULL};

/** The column of the line beside the code, or -1. */
static int border_of(const struct frame *f)
{
    for (int col = 0; col < f->cols; col++) {
        if (strcmp(frame_at(f, 3, col)->glyph, "│") == 0) {
            return col;
        }
    }
    return -1;
}

START_TEST(no_line_of_words_runs_into_the_code_beside_it)
{
    const bool mask = attn_variant_has((enum attn_variant)_i, ATTN_STAGE_MASK);
    struct app_case *const c = app_case_start((enum attn_variant)_i, mask ? masked : plain);
    struct frame *const f = frame_create(40, 120, false);
    app_case_play(c, "M M Tab Tab"); /* a fill that leaks has the longest line */
    for (int i = 0; i < 200; i++) {
        app_draw(&c->app, f);
        const int border = border_of(f);
        ck_assert_int_gt(border, 60);
        for (int row = 3; row < 38; row++) {
            ck_assert_msg(strcmp(frame_at(f, row, border)->glyph, "│") == 0, "step %d, row %d", i,
                          row);
        }
        app_case_play(c, i % 7 == 6 ? "o" : "n");
    }
    frame_destroy(f);
    app_case_finish(c);
}
END_TEST

/** Does the pipeline, in the second row, end with what says that there is more? */
static bool goes_on(const struct frame *f)
{
    int last = f->cols - 1;
    while (last > 0 && strcmp(frame_at(f, 1, last)->glyph, " ") == 0) {
        last--;
    }
    return strcmp(frame_at(f, 1, last)->glyph, "…") == 0;
}

START_TEST(the_pipeline_of_a_narrow_screen_shows_no_stage_in_part)
{
    struct app_case *const c = app_case_start(ATTN_V3, masked);
    struct frame *const f = frame_create(12, 40, false);
    const int n = attn_trace_n_stages(c->app.trace);
    for (int i = 0; i < n; i++) {
        app_draw(&c->app, f);
        const struct view_map *const map = &c->app.map;
        const int last = map->boxes[n - 1].col + map->boxes[n - 1].width;
        ck_assert_msg(goes_on(f) || (last > 0 && last <= 40), "stage %d", i);
        ck_assert_int_gt(map->boxes[i].width, 0);
        for (int k = 0; k < n; k++) {
            ck_assert_msg(map->boxes[k].col + map->boxes[k].width <= 40, "stage %d: %d", i, k);
        }
        app_case_play(c, "]");
    }
    frame_destroy(f);
    app_case_finish(c);
}
END_TEST

START_TEST(a_click_on_a_picture_puts_the_cursor_there)
{
    struct app_case *const c = app_case_start(ATTN_V1, plain);
    app_case_play(c, "2 - - - -");
    for (int row = 5; row < 13;
         row++) { /* q: four by four, each two rows high, four columns wide */
        for (int col = 1; col < 17; col++) {
            app_press(&c->app, (struct app_key){.code = APP_KEY_CLICK, .row = row, .col = col});
            app_draw(&c->app, c->frame);
            ck_assert_int_eq(c->app.now.cursor.tensor, ATTN_Q);
            ck_assert_int_eq(c->app.now.cursor.at[1], (row - 5) / 2);
            ck_assert_int_eq(c->app.now.cursor.at[2], (col - 1) / 4);
            ck_assert_int_eq((c->frame->cursor_row - 5) / 2, (row - 5) / 2);
            ck_assert_int_eq((c->frame->cursor_col - 1) / 4, (col - 1) / 4);
        }
    }
    app_case_finish(c);
}
END_TEST

START_TEST(pictures_stand_side_by_side_on_the_smallest_screen)
{
    static const char *const large[] = {"--length", "20", "--dim", "8", NULL};
    struct app_case *const c = app_case_start((enum attn_variant)_i, large);
    struct frame *const f = frame_create(12, 40, false);
    app_case_play(c, "- - - -");
    for (int i = 0; i < attn_trace_n_stages(c->app.trace); i++) {
        app_draw(&c->app, f);
        const struct view_map *const map = &c->app.map;
        ck_assert_int_ge(map->n, 1);
        for (int k = 0; k < map->n; k++) {
            const struct view_matrix *const m = &map->matrices[k];
            ck_assert_msg(m->left + m->cols * m->cell_w <= 40, "stage %d: %s", i,
                          attn_tensors[m->tensor].name);
            ck_assert_msg(k == 0 || map->matrices[k - 1].left + map->matrices[k - 1].cols < m->left,
                          "stage %d: %s", i, attn_tensors[m->tensor].name);
        }
        app_case_play(c, "]");
    }
    frame_destroy(f);
    app_case_finish(c);
}
END_TEST

START_TEST(words_speak_of_the_number_under_the_cursor)
{
    struct app_case *const c = app_case_start(ATTN_V3, masked);
    app_case_play(c, "Tab Tab / x[2,1] Enter Left");
    ck_assert(app_case_shows(c, "x[sat,0] belongs to x, the input"));
    app_case_play(c, "3 o");
    ck_assert(app_case_shows(c, "belongs to q, queries"));
    ck_assert(app_case_shows(c, "2, split; press 2"));
    app_case_play(c, "n");
    ck_assert(!app_case_shows(c, "belongs to"));
    app_case_finish(c);
}
END_TEST

START_TEST(a_mix_after_dropout_is_called_no_mean)
{
    struct app_case *const c = app_case_start(ATTN_V3, training);
    app_case_play(c, "/ mix Enter");
    ck_assert(app_case_shows(c, "weighted sum") && !app_case_shows(c, "weighted mean"));
    app_case_play(c, "t");
    ck_assert(app_case_shows(c, "weighted mean"));
    app_case_finish(c);
}
END_TEST

START_TEST(a_formula_has_a_bias_where_the_layers_have_one)
{
    const enum attn_variant variant = (enum attn_variant)_i;
    struct app_case *const c = app_case_start(variant, plain);
    char *const text = app_case_text(c);
    const bool has = strstr(text, "b_q") != NULL; /* of qkv too */
    ck_assert_msg(has == attn_variants[variant].bias, "%s", text);
    free(text);
    app_case_finish(c);
}
END_TEST

START_TEST(letters_of_any_script_are_typed_as_one)
{
    static const char *const cats[] = {"--tokens", "der 猫 saß", NULL};
    struct app_case *const c = app_case_start(ATTN_V3, cats);
    app_case_play(c, "6 / saß");
    ck_assert(app_case_shows(c, "saß"));
    app_case_play(c, "Enter / 猫 Enter");
    ck_assert(!app_case_shows(c, "Nothing"));
    ck_assert_int_eq(c->app.now.cursor.at[1], 1);
    app_case_play(c, "1 o e − 5 Enter"); /* the minus of a word processor */
    ck_assert(fabsf(walk_value(c->app.trace, c->app.now.cursor) + 5) <= 0);
    app_case_finish(c);
}
END_TEST

START_TEST(a_number_that_float32_has_not_is_refused)
{
    struct app_case *const c = app_case_start(ATTN_V3, plain);
    app_case_play(c, "1 o");
    const float before = walk_value(c->app.trace, c->app.now.cursor);
    app_case_play(c, "e 1e39 Enter");
    ck_assert(app_case_shows(c, "beyond float32"));
    ck_assert(fabsf(walk_value(c->app.trace, c->app.now.cursor) - before) <= 0);
    app_case_play(c, "e inf Enter"); /* who writes inf means it */
    ck_assert(isinf(walk_value(c->app.trace, c->app.now.cursor)));
    app_case_finish(c);
}
END_TEST

/* ---- names and numbers ---- */

static bool names_in(const char *formula, const char *name)
{
    const char *at = strstr(formula, name);
    return at != NULL;
}

START_TEST(a_bug_s_formula_uses_the_walk_s_own_names)
{
    static const char *const strange[] = {"∘", "z ", "m =", "A =", " M ", "∘ R", "where K", "D "};
    const char *const formula = attn_bugs[_i].computes;
    for (size_t k = 0; k < sizeof strange / sizeof strange[0]; k++) {
        const bool starts = strncmp(formula, strange[k], strlen(strange[k])) == 0;
        char inner[16];
        snprintf(inner, sizeof inner, " %s", strange[k]);
        ck_assert_msg(!starts && !names_in(formula, inner), "%s: %s", attn_bugs[_i].name, formula);
    }
    ck_assert_msg(!names_in(attn_bugs[_i].notice, "−∞") && !names_in(attn_bugs[_i].fix, "−∞"), "%s",
                  attn_bugs[_i].name);
}
END_TEST

/** Plays the keys on a causal v3 and says whether the screen has this. */
static bool screen_has(const char *const options[], const char *keys, const char *text)
{
    struct app_case *const c = app_case_start(ATTN_V3, options);
    app_case_play(c, keys);
    const bool shows = app_case_shows(c, text);
    app_case_finish(c);
    return shows;
}

START_TEST(what_a_bug_leaves_out_is_not_drawn)
{
    static const struct {
        const char *bug, *keys, *text;
    } rows[] = {{"no-bias", "1", "+b"},
                {"no-bias", "9", "+b"},
                {"no-output", "9", "output_proj"},
                {"no-mask", "5", "1 1 0 0"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const right[] = {"--mask", "causal", NULL};
        const char *const wrong[] = {"--mask", "causal", "--bug", rows[i].bug, NULL};
        ck_assert_msg(screen_has(right, rows[i].keys, rows[i].text), "%s", rows[i].text);
        ck_assert_msg(!screen_has(wrong, rows[i].keys, rows[i].text), "%s", rows[i].bug);
    }
}
END_TEST

START_TEST(the_cursor_leaves_what_a_bug_leaves_out)
{
    static const char *const options[] = {"--mask", "causal", NULL};
    struct app_case *const c = app_case_start(ATTN_V3, options);
    for (int i = 0; i < ATTN_N_BUGS; i++) {
        app_case_play(c, "B");
        const int stages = attn_trace_n_stages(c->app.trace);
        for (int k = 0; k < stages; k++) {
            enum attn_tensor_id ids[VIEW_MATRICES_MAX];
            const int n = view_stage_tensors(c->app.trace, k, ids);
            bool drawn = false;
            for (int m = 0; m < n; m++) {
                drawn = drawn || ids[m] == c->app.now.cursor.tensor;
            }
            ck_assert(k != c->app.now.step.stage || drawn);
        }
        app_case_play(c, "o o");
    }
    app_case_finish(c);
}
END_TEST

START_TEST(a_draw_that_drops_nothing_is_said_to)
{
    static const char *const none[] = {"--mask", "causal", "--train", NULL};
    static const char *const some[] = {"--mask", "causal", "--train", "--dropout", "0.5", NULL};
    ck_assert(screen_has(none, "7", "Nothing was dropped in this draw"));
    ck_assert(!screen_has(some, "7", "Nothing was dropped in this draw"));
    ck_assert(screen_has(none, "7 Tab", "lost nothing in this draw"));
}
END_TEST

START_TEST(the_entropy_tells_that_the_scale_was_turned_off)
{
    static const char *const options[] = {"--mask", "causal", NULL};
    ck_assert(screen_has(options, "6", "entropy mean 0.791"));
    ck_assert(screen_has(options, "6 s", "entropy mean 0.781"));
}
END_TEST

START_TEST(a_fill_has_one_spelling)
{
    static const char *const options[] = {"--mask", "causal", NULL};
    ck_assert(screen_has(options, "5 Right", "becomes -inf"));
    ck_assert(screen_has(options, "5 Right M", "becomes -1e9"));
    ck_assert(!screen_has(options, "5 Right M", "e+09"));
    ck_assert(!screen_has(options, "5 Right Enter M", "e+09"));
    ck_assert(!screen_has(options, "5 Right c c c", "−∞"));
    ck_assert(screen_has(options, "5 m", "Mask: padding, 3 real keys."));
}
END_TEST

START_TEST(an_opened_cell_names_all_of_its_cells_alike)
{
    static const char *const ways[] = {"6 Down Down Right Enter", "7 Down Down Right Enter",
                                       "5 Down Down Right Enter", "4 Down Down Right Enter",
                                       "6 Down Down Right Enter Down Down Down Down Down Down"};
    static const char *const options[] = {"--tokens", "the cat sat down", "--mask",
                                          "causal",   "--train",          NULL};
    static const char *const numbered[] = {"masked[2,", "weights[2,", "keep[2,",
                                           "mask[2,",   "scaled[2,",  "scores[2,"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct app_case *const c = app_case_start(ATTN_V3, options);
        app_case_play(c, ways[i]);
        ck_assert(c->app.now.open);
        ck_assert_msg(app_case_shows(c, "[sat,"), "%s", ways[i]);
        for (size_t k = 0; k < sizeof numbered / sizeof numbered[0]; k++) {
            ck_assert_msg(!app_case_shows(c, numbered[k]), "%s: %s", ways[i], numbered[k]);
        }
        app_case_finish(c);
    }
}
END_TEST

START_TEST(a_list_of_inputs_has_the_names_that_the_stages_have)
{
    static const int widths[] = {80, 96, 110, 120, 140};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        struct app_case *const c = app_case_start(ATTN_V3, masked);
        frame_destroy(c->frame);
        c->frame = frame_create(40, widths[i], false);
        ck_assert_ptr_nonnull(c->frame);
        app_case_play(c, "9 i");
        ck_assert_msg(!app_case_shows(c, "w_qkv[") && !app_case_shows(c, "b_out["), "%d",
                      widths[i]);
        ck_assert_msg(app_case_shows(c, "proj.weight[9,2]"), "%d", widths[i]);
        ck_assert_msg(app_case_shows(c, "output_proj.weight[0,3]") ||
                          app_case_shows(c, "…weight[0,3]"),
                      "%d", widths[i]);
        app_case_finish(c);
    }
}
END_TEST

START_TEST(the_pipeline_of_80_columns_tells_the_digit_of_each_stage)
{
    struct app_case *const c = app_case_start(ATTN_V3, masked);
    const int n = attn_trace_n_stages(c->app.trace);
    for (int i = 0; i < n; i++) {
        char digit[16];
        snprintf(digit, sizeof digit, "%d", i + 1);
        app_case_play(c, digit);
        ck_assert_int_eq(c->app.now.step.stage, i);
        for (int k = 0; k < n; k++) {
            const struct frame_cell *const cell =
                frame_at(c->frame, c->app.map.pipeline_row, c->app.map.boxes[k].col);
            ck_assert_int_eq(cell->glyph[0], '1' + k);
        }
    }
    app_case_finish(c);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("application: words");
    TCase *const t = tcase_create("words");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, no_line_of_words_runs_into_the_code_beside_it, 0, ATTN_N_VARIANTS);
    tcase_add_test(t, the_pipeline_of_a_narrow_screen_shows_no_stage_in_part);
    tcase_add_test(t, a_click_on_a_picture_puts_the_cursor_there);
    tcase_add_loop_test(t, pictures_stand_side_by_side_on_the_smallest_screen, 0, ATTN_N_VARIANTS);
    tcase_add_test(t, words_speak_of_the_number_under_the_cursor);
    tcase_add_test(t, a_mix_after_dropout_is_called_no_mean);
    tcase_add_loop_test(t, a_formula_has_a_bias_where_the_layers_have_one, 0, ATTN_N_VARIANTS);
    tcase_add_test(t, letters_of_any_script_are_typed_as_one);
    tcase_add_test(t, a_number_that_float32_has_not_is_refused);
    tcase_add_loop_test(t, a_bug_s_formula_uses_the_walk_s_own_names, 0, ATTN_N_BUGS);
    tcase_add_test(t, what_a_bug_leaves_out_is_not_drawn);
    tcase_add_test(t, the_cursor_leaves_what_a_bug_leaves_out);
    tcase_add_test(t, a_draw_that_drops_nothing_is_said_to);
    tcase_add_test(t, the_entropy_tells_that_the_scale_was_turned_off);
    tcase_add_test(t, a_fill_has_one_spelling);
    tcase_add_test(t, an_opened_cell_names_all_of_its_cells_alike);
    tcase_add_test(t, a_list_of_inputs_has_the_names_that_the_stages_have);
    tcase_add_test(t, the_pipeline_of_80_columns_tells_the_digit_of_each_stage);
    suite_add_tcase(s, t);
    return s;
}

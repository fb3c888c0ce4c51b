/* What the walk says beside its numbers, and that it stays in its place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app_case.h"
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
    suite_add_tcase(s, t);
    return s;
}

/* Words, invariants, statistics and heat. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"
#include "walk_case.h"

enum { N_GROUPS = 20 };

/** The lines that a text takes where it is wrapped at spaces. */
static int wrapped(const char *text, int width)
{
    int lines = 1;
    int column = 0;
    while (*text != '\0') {
        int word = 0;
        for (; *text != '\0' && *text != ' '; text++) {
            word += ((unsigned char)*text & 0xC0) != 0x80 ? 1 : 0;
        }
        if (column > 0 && column + 1 + word > width) {
            lines++;
            column = 0;
        }
        column += (column > 0 ? 1 : 0) + word;
        text += *text == ' ' ? 1 : 0;
    }
    return lines;
}

static void check_text(const struct walk_case *c, const char *text)
{
    walk_case_check(c, strlen(text) > 20 && strlen(text) <= 400, "%s", text);
    walk_case_check(c, strpbrk(text, "{}\n") == NULL && strstr(text, "  ") == NULL, "%s", text);
    walk_case_check(c, strstr(text, "-0.0000") == NULL, "%s", text);
    walk_case_check(c, wrapped(text, 78) <= 3, "%d lines: %s", wrapped(text, 78), text);
}

static void case_every_step_has_words_that_fit_three_lines(struct walk_case *c)
{
    char text[1024];
    for (int grain = 0; grain < WALK_N_GRAINS; grain++) {
        struct walk_step step = walk_first(c->trace, (enum walk_grain)grain);
        do {
            walk_words(&c->setup, c->trace, &step, text, sizeof text);
            check_text(c, text);
            walk_words(NULL, c->trace, &step, text, sizeof text);
            check_text(c, text);
        } while (walk_next(c->trace, &step));
    }
}

START_TEST(every_step_has_words_that_fit_three_lines)
{
    walk_case_each(_i, case_every_step_has_words_that_fit_three_lines);
}
END_TEST

static void case_words_are_cut_between_characters_where_there_is_no_room(struct walk_case *c)
{
    char whole[1024];
    char cut[1024];
    const struct walk_step step = walk_seek(
        c->trace, WALK_CELL, (size_t)walk_case_below(c, (int)walk_count(c->trace, WALK_CELL)));
    walk_words(&c->setup, c->trace, &step, whole, sizeof whole);
    for (size_t size = 1; size <= strlen(whole) + 1; size++) {
        walk_words(&c->setup, c->trace, &step, cut, size);
        const size_t n = strlen(cut);
        walk_case_check(c,
                        n < size && n + 4 > size - 1 && memcmp(cut, whole, n) == 0 &&
                            ((unsigned char)whole[n] & 0xC0) != 0x80,
                        "%zu bytes of: %s", size, whole);
    }
}

START_TEST(words_are_cut_between_characters_where_there_is_no_room)
{
    walk_case_each(_i, case_words_are_cut_between_characters_where_there_is_no_room);
}
END_TEST

static void case_every_flag_has_a_sentence(struct walk_case *c)
{
    int n = 0;
    char text[1024];
    const struct attn_flag *const flags = attn_trace_flags(c->trace, &n);
    for (int i = 0; i < n; i++) {
        walk_flag_text(&c->setup, c->trace, &flags[i], text, sizeof text);
        check_text(c, text);
    }
}

START_TEST(every_flag_has_a_sentence)
{
    walk_case_each(_i, case_every_flag_has_a_sentence);
}
END_TEST

START_TEST(a_label_is_a_token_or_a_number)
{
    char the[] = "the";
    char none[] = "";
    char *labels[] = {the, none};
    const struct setup setup = {.tokens = {.labels = labels, .n = 2}};
    char buf[16];
    ck_assert_str_eq(walk_label(&setup, ATTN_AXIS_T, 0, buf), "the");
    ck_assert_str_eq(walk_label(&setup, ATTN_AXIS_T, 1, buf), "1");
    ck_assert_str_eq(walk_label(&setup, ATTN_AXIS_T, 65535, buf), "65535");
    ck_assert_str_eq(walk_label(&setup, ATTN_AXIS_S, 0, buf), "0");
    ck_assert_str_eq(walk_label(&setup, ATTN_AXIS_D, 0, buf), "0");
    ck_assert_str_eq(walk_label(NULL, ATTN_AXIS_T, 0, buf), "0");
}
END_TEST

/* ---- invariants ---- */

/** The claim that begins so, or NULL. */
static const struct walk_invariant *find(const struct walk_invariant *list, int n,
                                         const char *begins)
{
    for (int i = 0; i < n; i++) {
        if (strncmp(list[i].text, begins, strlen(begins)) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

static void check_invariants(const struct walk_case *c, enum attn_tensor_id id, int b)
{
    struct walk_invariant list[WALK_INVARIANTS_MAX];
    struct walk_stats stats;
    char shape[64];
    const attn_tensor *const t = attn_trace_tensor(c->trace, id);
    const int n = walk_invariants(c->trace, id, b, list);
    walk_statistics(c->trace, id, b, &stats);
    walk_case_check(c, n >= 2 && n <= WALK_INVARIANTS_MAX, "%d", n);
    attn_tensor_shape(t, shape, sizeof shape);
    ck_assert_str_eq(list[0].text, shape);
    ck_assert_int_eq(list[0].verdict, WALK_HOLDS);
    const struct walk_invariant *const nans = find(list, n, "NaN ");
    ck_assert_ptr_nonnull(nans);
    ck_assert_uint_eq(strtoul(nans->text + 4, NULL, 10), stats.nan);
    walk_case_check(c, (nans->verdict == WALK_BROKEN) == (stats.nan > 0), "%s", nans->text);
    const struct walk_invariant *const sums = find(list, n, "rows sum");
    if (id == ATTN_WEIGHTS && sums != NULL && stats.nan == 0) {
        walk_case_check(c, sums->verdict == WALK_HOLDS, "%s", sums->text);
    }
    if (id == ATTN_WEIGHTS && sums != NULL && stats.nan > 0 &&
        c->config.empty_row == ATTN_EMPTY_ZEROS) {
        walk_case_check(c, sums->verdict == WALK_BROKEN, "a nan, and yet %s", sums->text);
    }
    if (id == ATTN_DROPPED && sums != NULL) {
        walk_case_check(c, sums->verdict == WALK_PLAIN, "%s", sums->text);
    }
}

static void case_invariants_tell_the_truth(struct walk_case *c)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const attn_tensor *const t = attn_trace_tensor(c->trace, (enum attn_tensor_id)id);
        for (int b = 0; t != NULL && b < t->dims[0]; b++) {
            check_invariants(c, (enum attn_tensor_id)id, b);
        }
    }
}

START_TEST(invariants_tell_the_truth)
{
    walk_case_each(_i, case_invariants_tell_the_truth);
}
END_TEST

static void case_statistics_count_every_cell(struct walk_case *c)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const attn_tensor *const t = attn_trace_tensor(c->trace, (enum attn_tensor_id)id);
        for (int b = 0; t != NULL && b < t->dims[0]; b++) {
            struct walk_stats stats;
            walk_statistics(c->trace, (enum attn_tensor_id)id, b, &stats);
            ck_assert_uint_eq(stats.count, (size_t)t->dims[1] * (size_t)t->dims[2]);
            walk_case_check(c, stats.nan + stats.inf <= stats.count && stats.min <= stats.max,
                            "%zu nan, %zu inf, %g…%g", stats.nan, stats.inf, (double)stats.min,
                            (double)stats.max);
            const double slack = 1e-6 * (double)stats.max_abs;
            walk_case_check(c,
                            stats.mean >= (double)stats.min - slack &&
                                stats.mean <= (double)stats.max + slack && stats.sd >= 0,
                            "%s", attn_tensors[id].name);
            walk_case_check(
                c, stats.entropy_min >= 0 && stats.entropy_max <= log((double)t->dims[2]) * 1.3 + 4,
                "entropy %g", stats.entropy_max);
        }
    }
}

START_TEST(statistics_count_every_cell)
{
    walk_case_each(_i, case_statistics_count_every_cell);
}
END_TEST

/** A 4×4 of q and k from which the weights are easy, with a causal mask that fills in this. */
static attn_trace *causal_trace(float fill)
{
    static float zeros[16];
    static float mask[] = {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1};
    attn_config config;
    attn_config_default(&config, ATTN_SINGLE);
    config.mask_fill = fill;
    attn_tensor inputs[ATTN_N_TENSORS] = {{0}};
    const int dims[] = {1, 4, 4};
    inputs[ATTN_Q] = inputs[ATTN_K] = inputs[ATTN_V] = attn_tensor_view(zeros, 3, dims);
    inputs[ATTN_MASK] = attn_tensor_view(mask, 3, dims);
    attn_trace *trace = NULL;
    ck_assert_int_eq(attn_trace_create(&trace, &config, inputs, NULL), ATTN_OK);
    return trace;
}

START_TEST(a_fill_that_leaks_breaks_an_invariant_and_minus_infinity_does_not)
{
    const struct {
        float fill;
        const char *text;
        enum walk_verdict verdict;
    } rows[] = {{-INFINITY, "masked 6, weight 0", WALK_HOLDS},
                {-1e9f, "masked 6, weight 0", WALK_HOLDS},
                {1e-20f, "masked 6, weight up to 0.2500", WALK_BROKEN}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        attn_trace *const trace = causal_trace(rows[i].fill);
        struct walk_invariant list[WALK_INVARIANTS_MAX];
        const int n = walk_invariants(trace, ATTN_WEIGHTS, 0, list);
        const struct walk_invariant *const masked = find(list, n, "masked");
        ck_assert_ptr_nonnull(masked);
        ck_assert_str_eq(masked->text, rows[i].text);
        ck_assert_int_eq(masked->verdict, rows[i].verdict);
        ck_assert_ptr_nonnull(find(list, n, "rows sum to 1"));
        attn_trace_destroy(trace);
    }
}
END_TEST

START_TEST(entropy_is_told_as_the_mean_of_the_rows)
{
    attn_trace *const trace = causal_trace(-INFINITY);
    struct walk_invariant list[WALK_INVARIANTS_MAX];
    const int n = walk_invariants(trace, ATTN_WEIGHTS, 0, list);
    ck_assert_str_eq(find(list, n, "entropy")->text, "entropy mean 0.795");
    for (int row = 0; row < 4; row++) {
        ck_assert_double_eq_tol(walk_row_entropy(trace, ATTN_WEIGHTS, 0, row), log(row + 1), 1e-6);
    }
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(weights_that_are_nan_show_no_entropy)
{
    attn_trace *const trace = causal_trace(NAN); /* every row but the last has a hidden key */
    struct walk_invariant list[WALK_INVARIANTS_MAX];
    const int n = walk_invariants(trace, ATTN_WEIGHTS, 0, list);
    ck_assert_ptr_null(find(list, n, "entropy"));
    ck_assert_int_eq(find(list, n, "NaN")->verdict, WALK_BROKEN);
    attn_trace_destroy(trace);
}
END_TEST

/* ---- heat ---- */

START_TEST(heat_grows_with_the_value)
{
    for (int kind = 0; kind <= ATTN_KIND_MASK; kind++) {
        int before = 0;
        for (int i = -1500; i <= 1500; i++) {
            const int heat = walk_heat_of((enum attn_kind)kind, (float)i / 1000.0f, 1.0f);
            ck_assert_msg(heat >= before && heat < WALK_HEATS, "kind %d at %d", kind, i);
            before = heat;
        }
        ck_assert_int_eq(before, WALK_HEATS - 1);
        ck_assert_int_eq(walk_heat_of((enum attn_kind)kind, NAN, 1), -1);
        ck_assert_int_eq(walk_heat_of((enum attn_kind)kind, -INFINITY, 1), -1);
    }
    ck_assert_int_eq(walk_heat_of(ATTN_KIND_REAL, 0, 1), 4);
    ck_assert_int_eq(walk_heat_of(ATTN_KIND_REAL, -1, 1), 0);
    ck_assert_int_eq(walk_heat_of(ATTN_KIND_REAL, 0.2f, 1), 5);
    ck_assert_int_eq(walk_heat_of(ATTN_KIND_REAL, -0.1f, 1), 4);
    ck_assert_int_eq(walk_heat_of(ATTN_KIND_REAL, 0, 0), 4);
    ck_assert_int_eq(walk_heat_of(ATTN_KIND_PROBABILITY, 1e-9f, 1), 1);
    ck_assert_int_eq(walk_heat_of(ATTN_KIND_PROBABILITY, 0.9999999f, 1), 7);
}
END_TEST

static void case_the_largest_number_of_a_tensor_has_an_end_of_the_scale(struct walk_case *c)
{
    const attn_tensor *const t = attn_trace_tensor(c->trace, ATTN_SCALED);
    const float range = walk_heat_range(c->trace, ATTN_SCALED);
    bool end = !(range > 0);
    for (int b = 0; b < t->dims[0]; b++) {
        for (int r = 0; r < t->dims[1]; r++) {
            for (int s = 0; s < t->dims[2]; s++) {
                const struct attn_cell cell = {.tensor = ATTN_SCALED, .at = {b, r, s}};
                const int heat = walk_heat(c->trace, cell);
                walk_case_check(c, heat == walk_heat_in(c->trace, cell, range), "heat %d", heat);
                end = end || heat == 0 || heat == WALK_HEATS - 1;
            }
        }
    }
    walk_case_check(c, end, "nothing at the ends, range %g", (double)range);
}

START_TEST(the_largest_number_of_a_tensor_has_an_end_of_the_scale)
{
    walk_case_each(_i, case_the_largest_number_of_a_tensor_has_an_end_of_the_scale);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("walk: words, invariants, heat");
    TCase *const tc = tcase_create("words");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, every_step_has_words_that_fit_three_lines, 0, N_GROUPS);
    tcase_add_loop_test(tc, words_are_cut_between_characters_where_there_is_no_room, 0, 4);
    tcase_add_loop_test(tc, every_flag_has_a_sentence, 0, N_GROUPS);
    tcase_add_test(tc, a_label_is_a_token_or_a_number);
    tcase_add_loop_test(tc, invariants_tell_the_truth, 0, N_GROUPS);
    tcase_add_loop_test(tc, statistics_count_every_cell, 0, N_GROUPS);
    tcase_add_test(tc, a_fill_that_leaks_breaks_an_invariant_and_minus_infinity_does_not);
    tcase_add_test(tc, weights_that_are_nan_show_no_entropy);
    tcase_add_test(tc, entropy_is_told_as_the_mean_of_the_rows);
    tcase_add_test(tc, heat_grows_with_the_value);
    tcase_add_loop_test(tc, the_largest_number_of_a_tensor_has_an_end_of_the_scale, 0, 4);
    suite_add_tcase(s, tc);
    return s;
}

/* The slopes of a cell: against nudged computations, and where they are known exactly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"
#include "walk_case.h"
#include "walk_slope.h"

enum { N_GROUPS = 6, CELLS_A_CASE = 2, INPUTS_A_TENSOR = 2, BUG_CASES = 10 };

/** What was held against nudges so far. */
static struct {
    int sharp; /**< The nudges told the slope well. */
    int vague; /**< They did not: it bends too much, or drowns in rounding. */
} held;

static bool is_input(const attn_trace *trace, enum attn_tensor_id id)
{
    return attn_trace_tensor(trace, id) != NULL && attn_tensors[id].kind == ATTN_KIND_REAL &&
           attn_trace_writer(trace, id) == ATTN_NO_STAGE;
}

/** The cell's number where this input is another one. @param moved  Out: what it was moved by, as a
 * float can. */
static double nudged(struct walk_case *c, struct attn_cell cell, struct attn_cell input, double by,
                     double *moved)
{
    struct attn_error err;
    attn_trace *trace = NULL;
    float *const place =
        attn_tensor_at(&c->inputs[input.tensor], input.at[0], input.at[1], input.at[2]);
    const float was = *place;
    *place = (float)((double)was + by);
    *moved = (double)*place - (double)was;
    ck_assert_int_eq(attn_trace_create(&trace, &c->config, c->inputs, &err), ATTN_OK);
    *place = was;
    const double value = (double)walk_value(trace, cell);
    attn_trace_destroy(trace);
    return value;
}

static double central(struct walk_case *c, struct attn_cell cell, struct attn_cell input, double by)
{
    double up;
    double down;
    const double above = nudged(c, cell, input, by, &up);
    const double below = nudged(c, cell, input, -by, &down);
    return (above - below) / (up - down);
}

/**
 * Hold one slope against central differences of two widths, and what they give for no width at all
 * (L. F. Richardson). Where the two widths tell very different slopes nothing is held.
 */
static void check_slope(struct walk_case *c, const struct walk_gradient *g, struct attn_cell input,
                        double largest)
{
    const double slope = walk_gradient_at(g, input);
    const double wide = central(c, g->cell, input, 2e-2);
    const double narrow = central(c, g->cell, input, 1e-2);
    const double value = fabs((double)walk_value(c->trace, g->cell));
    const double rounding = 1e-4 * (value > 1 ? value : 1);
    const double tolerance = 5e-3 * largest + rounding;
    const double limit = narrow + (narrow - wide) / 3;
    if (!isfinite(limit) || fabs(narrow - wide) > 0.03 * largest + rounding) {
        held.vague++;
        return;
    }
    char from[128];
    char to[128];
    held.sharp++;
    walk_cell_text(NULL, c->trace, g->cell, from, sizeof from);
    walk_cell_text(NULL, c->trace, input, to, sizeof to);
    walk_case_check(c, fabs(slope - limit) <= tolerance, "%s by %s: slope %.9g, nudged %.9g", from,
                    to, slope, limit);
}

static struct attn_cell any_cell(struct walk_case *c, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(c->trace, id);
    return (struct attn_cell){.tensor = id,
                              .at = {walk_case_below(c, t->dims[0]), walk_case_below(c, t->dims[1]),
                                     walk_case_below(c, t->dims[2])}};
}

/** The cell of a tensor whose slope is the largest. @return false where all are 0. */
static bool steepest(const struct walk_gradient *g, enum attn_tensor_id id, struct attn_cell *cell)
{
    double most = 0;
    const struct walk_gradient_part *const part = &g->of[id];
    const bool batched = attn_tensors[id].axes[0] == ATTN_AXIS_B;
    for (int i = 0; part->data != NULL && i < part->rows * part->columns; i++) {
        if (fabs(part->data[i]) > most) {
            most = fabs(part->data[i]);
            *cell = (struct attn_cell){
                id, {batched ? g->cell.at[0] : 0, i / part->columns, i % part->columns}};
        }
    }
    return most > 0;
}

static void check_cell(struct walk_case *c, struct attn_cell cell)
{
    struct walk_gradient g;
    struct attn_error err;
    walk_case_check(c, walk_gradient(c->trace, cell, 1e9, &g, &err) == ATTN_OK, "no gradient");
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        struct attn_cell most;
        if (!is_input(c->trace, id)) {
            continue;
        }
        const bool moves = steepest(&g, id, &most);
        const double largest = moves ? fabs(walk_gradient_at(&g, most)) : 0;
        if (moves) {
            check_slope(c, &g, most, largest);
        }
        for (int k = 0; k < INPUTS_A_TENSOR; k++) {
            check_slope(c, &g, any_cell(c, id), largest);
        }
    }
    walk_gradient_finish(&g);
}

/** A computed tensor of the trace, the last one every other time. */
static enum attn_tensor_id any_result(struct walk_case *c)
{
    enum attn_tensor_id id = attn_trace_result(c->trace);
    while (walk_case_below(c, 2) > 0) {
        const enum attn_tensor_id other = (enum attn_tensor_id)walk_case_below(c, ATTN_N_TENSORS);
        id = attn_trace_writer(c->trace, other) != ATTN_NO_STAGE ? other : id;
    }
    return id;
}

static void check_case(struct walk_case *c)
{
    for (int i = 0; i < CELLS_A_CASE; i++) {
        check_cell(c, any_cell(c, any_result(c)));
    }
}

START_TEST(a_slope_is_what_a_nudge_of_the_input_shows)
{
    walk_case_each(_i, check_case);
    ck_assert_msg(held.sharp > 100 && held.sharp > 3 * held.vague, "%d held, %d vague", held.sharp,
                  held.vague);
}
END_TEST

/** Compute the case once more, with these bugs. */
static void take_bugs(struct walk_case *c, const enum attn_bug *bugs, int n)
{
    struct attn_error err;
    memcpy(c->config.bugs, bugs, sizeof *bugs * (size_t)n);
    c->config.n_bugs = n;
    attn_trace_destroy(c->trace);
    ck_assert_int_eq(attn_trace_create(&c->trace, &c->config, c->inputs, &err), ATTN_OK);
}

START_TEST(with_a_bug_it_is_the_slope_of_the_wrong_computation)
{
    int tried = 0;
    const enum attn_bug bug = (enum attn_bug)_i;
    for (int number = 0; number < BUG_CASES || (tried == 0 && number < 100); number++) {
        struct walk_case c;
        walk_case_init_for_bug(&c, number, bug);
        if (walk_case_bugs_apply(&c, &bug, 1)) {
            take_bugs(&c, &bug, 1);
            check_cell(&c, any_cell(&c, attn_trace_result(c.trace)));
            check_case(&c);
            tried++;
        }
        walk_case_finish(&c);
    }
    ck_assert_msg(tried > 0 && held.sharp > 60, "%s: %d tried, %d held, %d vague",
                  attn_bugs[_i].name, tried, held.sharp, held.vague);
}
END_TEST

/* Whether or not they make a difference to the case: softmax-unsafe hardly ever does. */
START_TEST(with_two_bugs_it_is_the_slope_of_both)
{
    for (int other = 0; other < ATTN_N_BUGS; other++) {
        const enum attn_bug bugs[2] = {(enum attn_bug)_i, (enum attn_bug)other};
        const int number = 2 + (_i * ATTN_N_BUGS + other) % 40; /* every variant in turn */
        struct walk_case c;
        walk_case_init_for_bug(&c, number, ATTN_BUG_DROPOUT_SCORES);
        const bool square = c.config.sizes.T == c.config.sizes.S; /* mask-queries needs it */
        if (square && attn_bugs_together(bugs[0], bugs[1])) {
            take_bugs(&c, bugs, 2);
            check_cell(&c, any_cell(&c, attn_trace_result(c.trace)));
        }
        walk_case_finish(&c);
    }
    ck_assert_msg(held.sharp > 100 && held.sharp > 3 * held.vague, "%s: %d held, %d vague",
                  attn_bugs[_i].name, held.sharp, held.vague);
}
END_TEST

/* ---- exactly ---- */

/** A trace of single from x or from q, k, v, one batch element; the data are the caller's. */
static attn_trace *single(attn_sizes sizes, attn_tensor inputs[ATTN_N_TENSORS])
{
    attn_config config;
    attn_trace *trace = NULL;
    struct attn_error err;
    attn_config_default(&config, ATTN_SINGLE);
    config.sizes = sizes;
    ck_assert_int_eq(attn_trace_create(&trace, &config, inputs, &err), ATTN_OK);
    return trace;
}

static void close_to(double a, double b)
{
    ck_assert_msg(fabs(a - b) < 1e-6 * (1 + fabs(b)), "%.9g, not %.9g", a, b);
}

START_TEST(one_query_and_two_keys_give_what_is_worked_out_by_hand)
{
    float q[1] = {0.8F};
    float k[2] = {1.5F, -0.5F};
    float v[2] = {2.0F, -3.0F};
    attn_tensor inputs[ATTN_N_TENSORS] = {[ATTN_Q] = attn_tensor_view(q, 3, (int[]){1, 1, 1}),
                                          [ATTN_K] = attn_tensor_view(k, 3, (int[]){1, 2, 1}),
                                          [ATTN_V] = attn_tensor_view(v, 3, (int[]){1, 2, 1})};
    attn_trace *const trace =
        single((attn_sizes){.B = 1, .T = 1, .S = 2, .d_in = 1, .d = 1, .d_v = 1}, inputs);
    struct walk_slopes s;
    const struct attn_cell cell = {ATTN_CONTEXT, {0, 0, 0}};
    ck_assert_int_eq(walk_slopes(trace, cell, 10, &s, NULL), ATTN_OK);
    /* context = p·v₀ + (1 − p)·v₁ with p = 1 / (1 + e^(−q·(k₀ − k₁))) */
    const double p = 1 / (1 + exp(-0.8 * 2));
    const double bend = p * (1 - p) * (2.0 - -3.0);
    const struct {
        struct attn_cell cell;
        double slope;
    } expected[] = {{{ATTN_Q, {0, 0, 0}}, bend * 2},
                    {{ATTN_V, {0, 0, 0}}, p},
                    {{ATTN_K, {0, 0, 0}}, bend * 0.8},
                    {{ATTN_K, {0, 1, 0}}, -bend * 0.8},
                    {{ATTN_V, {0, 1, 0}}, 1 - p}};
    ck_assert_int_eq(s.n, 5);
    ck_assert_uint_eq(s.inputs, 5);
    ck_assert_uint_eq(s.moving, 5);
    for (int i = 0; i < 5; i++) {
        ck_assert_mem_eq(&s.top[i].cell, &expected[i].cell, sizeof s.top[i].cell);
        close_to(s.top[i].slope, expected[i].slope);
        ck_assert(fabsf(s.top[i].value - walk_value(trace, s.top[i].cell)) <= 0);
    }
    walk_slopes_finish(&s);
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(one_token_alone_moves_by_its_values_only)
{
    float x[2] = {3, -2};
    float w_q[4] = {1, 2, 3, 4};
    float w_k[4] = {5, 6, 7, 8};
    float w_v[4] = {0.5F, -1.5F, 3, 4};
    attn_tensor inputs[ATTN_N_TENSORS] = {[ATTN_X] = attn_tensor_view(x, 3, (int[]){1, 1, 2}),
                                          [ATTN_W_Q] = attn_tensor_view(w_q, 2, (int[]){2, 2}),
                                          [ATTN_W_K] = attn_tensor_view(w_k, 2, (int[]){2, 2}),
                                          [ATTN_W_V] = attn_tensor_view(w_v, 2, (int[]){2, 2})};
    attn_trace *const trace =
        single((attn_sizes){.B = 1, .T = 1, .S = 1, .d_in = 2, .d = 2, .d_v = 2}, inputs);
    struct walk_slopes s;
    const struct attn_cell cell = {ATTN_CONTEXT, {0, 0, 0}};
    /* context = W_v x, its only weight being 1: the queries and keys do not matter. */
    const struct walk_slope expected[] = {{{ATTN_W_V, {0, 0, 0}}, 0.5F, 3},
                                          {{ATTN_W_V, {0, 0, 1}}, -1.5F, -2},
                                          {{ATTN_X, {0, 0, 1}}, -2, -1.5},
                                          {{ATTN_X, {0, 0, 0}}, 3, 0.5}};
    for (int max = 1; max <= 5; max++) {
        ck_assert_int_eq(walk_slopes(trace, cell, max, &s, NULL), ATTN_OK);
        ck_assert_int_eq(s.n, max < 4 ? max : 4);
        ck_assert_uint_eq(s.inputs, 2 + 3 * 4);
        ck_assert_uint_eq(s.moving, 4);
        for (int i = 0; i < s.n; i++) {
            ck_assert_mem_eq(&s.top[i].cell, &expected[i].cell, sizeof s.top[i].cell);
            close_to((double)s.top[i].value, (double)expected[i].value);
            close_to(s.top[i].slope, expected[i].slope);
        }
        walk_slopes_finish(&s);
    }
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(a_bias_of_the_keys_moves_nothing_because_it_cancels)
{
    int tried = 0;
    for (int number = 0; number < 60; number++) {
        struct walk_case c;
        struct walk_slopes s;
        walk_case_init(&c, number);
        const enum attn_layer layer = attn_variant_has_layer(c.config.variant, ATTN_LAYER_QKV)
                                          ? ATTN_LAYER_QKV
                                          : ATTN_LAYER_K;
        const enum attn_tensor_id bias = attn_layers[layer].bias;
        const int d = c.config.sizes.d;
        const struct attn_cell cell = any_cell(&c, attn_trace_result(c.trace));
        /* A number in the place of hidden scores stays where it is when all others move. */
        const bool fixed =
            attn_trace_tensor(c.trace, ATTN_MASK) != NULL && isfinite(c.config.mask_fill);
        const bool there = attn_trace_tensor(c.trace, bias) != NULL && !fixed;
        ck_assert_int_eq(walk_slopes(c.trace, cell, WALK_SLOPES_MAX, &s, NULL), ATTN_OK);
        for (int i = 0; there && i < s.n && isfinite(s.top[i].slope); i++) {
            const int column = s.top[i].cell.at[2] - (layer == ATTN_LAYER_QKV ? d : 0);
            walk_case_check(&c, s.top[i].cell.tensor != bias || column < 0 || column >= d,
                            "bias %d of the keys: %g", column, s.top[i].slope);
        }
        tried += there && isfinite(s.top[0].slope) && c.config.sizes.S > 1;
        walk_slopes_finish(&s);
        walk_case_finish(&c);
    }
    ck_assert_int_gt(tried, 10);
}
END_TEST

/* ---- the order of them, and what is refused ---- */

/** Is a to stand before b? */
static bool before(const struct walk_slope *a, const struct walk_slope *b)
{
    const double x = fabs(a->slope);
    const double y = fabs(b->slope);
    if (x > y || x < y || a->cell.tensor != b->cell.tensor) {
        return x > y || (x >= y && a->cell.tensor < b->cell.tensor);
    }
    const int *const i = a->cell.at;
    const int *const j = b->cell.at;
    return i[1] < j[1] || (i[1] == j[1] && i[2] < j[2]);
}

START_TEST(the_largest_come_first_and_none_larger_is_left_out)
{
    for (int number = 0; number < 20; number++) {
        struct walk_case c;
        struct walk_slopes all;
        struct walk_slopes few;
        walk_case_init(&c, number);
        const struct attn_cell cell = any_cell(&c, attn_trace_result(c.trace));
        const int max = 1 + walk_case_below(&c, 9);
        ck_assert_int_eq(walk_slopes(c.trace, cell, WALK_SLOPES_MAX, &all, NULL), ATTN_OK);
        ck_assert_int_eq(walk_slopes(c.trace, cell, max, &few, NULL), ATTN_OK);
        walk_case_check(&c, all.moving <= all.inputs && few.moving == all.moving, "counts");
        for (int i = 0; i + 1 < all.n && !isnan(all.top[i].slope); i++) {
            walk_case_check(&c, before(&all.top[i], &all.top[i + 1]), "%d and the next", i);
        }
        for (int i = 0; i < few.n; i++) {
            walk_case_check(&c, memcmp(&few.top[i].cell, &all.top[i].cell, sizeof cell) == 0, "%d",
                            i);
        }
        walk_slopes_finish(&all);
        walk_slopes_finish(&few);
        walk_case_finish(&c);
    }
}
END_TEST

START_TEST(what_has_no_slopes_or_takes_too_long_is_refused)
{
    struct walk_case c;
    struct walk_gradient g;
    struct attn_error err;
    walk_case_init(&c, 4);
    const struct attn_cell cell = {attn_trace_result(c.trace), {0, 0, 0}};
    const struct attn_cell input = {ATTN_W_OUT, {0, 0, 0}};
    const struct attn_cell outside = {cell.tensor, {0, 0, 99}};
    ck_assert_int_eq(walk_gradient(c.trace, input, 1e9, &g, &err), ATTN_E_VALUE);
    ck_assert_ptr_nonnull(strstr(err.message, "it is given"));
    ck_assert_int_eq(walk_gradient(c.trace, outside, 1e9, &g, &err), ATTN_E_VALUE);
    ck_assert_int_eq(walk_gradient(c.trace, cell, 1e9, &g, &err), ATTN_OK);
    const double needed = g.products;
    walk_gradient_finish(&g);
    ck_assert_int_eq(walk_gradient(c.trace, cell, needed, &g, &err), ATTN_OK);
    walk_gradient_finish(&g);
    ck_assert_int_eq(walk_gradient(c.trace, cell, needed - 1, &g, &err), ATTN_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "million multiplications"));
    walk_case_finish(&c);
}
END_TEST

START_TEST(a_slope_is_written_with_its_sign)
{
    static const struct {
        double slope;
        const char *text;
    } rows[] = {{0.53114, "+0.5311"}, {-2, "-2.0000"},    {0, "0.0000"},
                {-0.0, "0.0000"},     {3e-7, "+3.0e-07"}, {-4.9e-5, "-4.9e-05"},
                {5e-5, "+0.0001"},    {NAN, "nan"},       {-INFINITY, "-inf"}};
    char text[WALK_NUMBER_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_str_eq(walk_slope_text(rows[i].slope, text), rows[i].text);
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("slopes");
    TCase *const t = tcase_create("slope");
    tcase_add_loop_test(t, a_slope_is_what_a_nudge_of_the_input_shows, 0, N_GROUPS);
    tcase_add_loop_test(t, with_a_bug_it_is_the_slope_of_the_wrong_computation, 0, ATTN_N_BUGS);
    tcase_add_loop_test(t, with_two_bugs_it_is_the_slope_of_both, 0, ATTN_N_BUGS);
    tcase_add_test(t, one_query_and_two_keys_give_what_is_worked_out_by_hand);
    tcase_add_test(t, one_token_alone_moves_by_its_values_only);
    tcase_add_test(t, a_bias_of_the_keys_moves_nothing_because_it_cancels);
    tcase_add_test(t, the_largest_come_first_and_none_larger_is_left_out);
    tcase_add_test(t, what_has_no_slopes_or_takes_too_long_is_refused);
    tcase_add_test(t, a_slope_is_written_with_its_sign);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return s;
}

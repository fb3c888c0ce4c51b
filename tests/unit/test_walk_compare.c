/* Two traces side by side, and large matrices in small places. */
#include <math.h>
#include <stdlib.h>

#include "runner.h"
#include "walk_case.h"

enum { N_GROUPS = 10 };

static void case_a_trace_does_not_differ_from_itself(struct walk_case *c)
{
    struct walk_diff diff;
    walk_compare(c->trace, c->trace, 0, &diff);
    walk_case_check(c, diff.first == -1 && diff.n > 0, "it differs from itself");
    int n = 0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        n += attn_trace_tensor(c->trace, (enum attn_tensor_id)id) != NULL ? 1 : 0;
    }
    ck_assert_int_eq(diff.n, n);
    for (int i = 0; i < diff.n; i++) {
        walk_case_check(c,
                        diff.tensors[i].comparable && diff.tensors[i].cells == 0 &&
                            diff.tensors[i].largest == 0,
                        "%s", attn_tensors[diff.tensors[i].tensor].name);
    }
}

START_TEST(a_trace_does_not_differ_from_itself)
{
    walk_case_each(_i, case_a_trace_does_not_differ_from_itself);
}
END_TEST

/** An input of the case other than dropout's pattern. */
static enum attn_tensor_id some_input(struct walk_case *c)
{
    int id;
    do {
        id = walk_case_below(c, ATTN_N_TENSORS);
    } while (c->inputs[id].data == NULL || id == ATTN_KEEP);
    return (enum attn_tensor_id)id;
}

/** The case's trace with a cell of each of two of its inputs changed (or twice of one). */
static attn_trace *edited(struct walk_case *c)
{
    float *cells[2];
    float before[2];
    for (int i = 0; i < 2; i++) {
        const enum attn_tensor_id id = some_input(c);
        const size_t n = attn_tensor_count(&c->inputs[id]);
        cells[i] = &c->inputs[id].data[walk_case_below(c, (int)n)];
        before[i] = *cells[i];
        *cells[i] = id == ATTN_MASK ? 1 - before[i] : before[i] + 0.5f;
    }
    attn_trace *other = NULL;
    ck_assert_int_eq(attn_trace_create(&other, &c->config, c->inputs, NULL), ATTN_OK);
    *cells[1] = before[1];
    *cells[0] = before[0];
    return other;
}

static bool equal(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

/** Is the value of this step's cell the same in both? An idle step writes none. */
static bool step_agrees(const attn_trace *a, const attn_trace *b, const struct walk_step *step,
                        struct attn_cell *cell)
{
    struct walk_region writes[WALK_REGIONS_MAX];
    if (walk_writes(a, step, writes) == 0) {
        return true;
    }
    *cell = (struct attn_cell){.tensor = writes[0].tensor,
                               .at = {step->at[0], step->at[1], step->at[2]}};
    return equal(walk_value(a, *cell), walk_value(b, *cell));
}

static void case_the_first_difference_is_that_of_the_first_step_that_differs(struct walk_case *c)
{
    attn_trace *const other = edited(c);
    struct walk_diff diff;
    walk_compare(c->trace, other, 0, &diff);
    struct walk_step step = walk_first(c->trace, WALK_CELL);
    struct attn_cell cell;
    bool agree = step_agrees(c->trace, other, &step, &cell);
    while (agree && walk_next(c->trace, &step)) {
        agree = step_agrees(c->trace, other, &step, &cell);
    }
    walk_case_check(c, (diff.first < 0) == agree,
                    "the first difference is at tensor %d of the list", diff.first);
    if (!agree) {
        walk_case_check(c,
                        diff.first_at.tensor == cell.tensor && diff.first_at.at[0] == cell.at[0] &&
                            diff.first_at.at[1] == cell.at[1] && diff.first_at.at[2] == cell.at[2],
                        "%s", attn_tensors[cell.tensor].name);
        ck_assert(walk_differs(c->trace, other, cell, 0, NULL));
    }
    attn_trace_destroy(other);
}

START_TEST(the_first_difference_is_that_of_the_first_step_that_differs)
{
    walk_case_each(_i, case_the_first_difference_is_that_of_the_first_step_that_differs);
}
END_TEST

static void case_counts_and_the_largest_difference_are_those_of_the_cells(struct walk_case *c)
{
    attn_trace *const other = edited(c);
    struct walk_diff diff;
    walk_compare(c->trace, other, 1e-3, &diff);
    for (int i = 0; i < diff.n; i++) {
        const struct walk_difference *const row = &diff.tensors[i];
        const attn_tensor *const t = attn_trace_tensor(c->trace, row->tensor);
        size_t cells = 0;
        for (size_t j = 0; j < attn_tensor_count(t); j++) {
            const int column = (int)(j % (size_t)t->dims[2]);
            const int line = (int)(j / (size_t)t->dims[2]);
            const struct attn_cell cell = {.tensor = row->tensor,
                                           .at = {line / t->dims[1], line % t->dims[1], column}};
            float theirs = 0;
            const bool differs = walk_differs(c->trace, other, cell, 1e-3, &theirs);
            cells += differs ? 1 : 0;
            const double d = fabs((double)t->data[j] - (double)theirs);
            walk_case_check(c, !differs || !(d > row->largest), "%g is more than the largest", d);
        }
        ck_assert_uint_eq(cells, row->cells);
        if (cells > 0) {
            ck_assert(walk_differs(c->trace, other, row->largest_at, 1e-3, NULL));
        }
    }
    attn_trace_destroy(other);
}

START_TEST(counts_and_the_largest_difference_are_those_of_the_cells)
{
    walk_case_each(_i, case_counts_and_the_largest_difference_are_those_of_the_cells);
}
END_TEST

/** A computation from q, k and v of 3×2, with a mask or without. */
static attn_trace *small(enum attn_variant variant, bool masked, float first)
{
    static float mask[] = {1, 0, 0, 1, 1, 0, 1, 1, 1};
    float q[] = {first, 2, 3, 4, 5, 6};
    float k[] = {1, 0, 0, 1, 1, 1};
    attn_config config;
    attn_config_default(&config, variant);
    config.sizes = (attn_sizes){.B = 1, .T = 3, .S = 3, .d_in = 2, .d = 2, .d_v = 2};
    attn_tensor inputs[ATTN_N_TENSORS] = {{0}};
    inputs[ATTN_Q] = attn_tensor_view(q, 3, (int[]){1, 3, 2});
    inputs[ATTN_K] = inputs[ATTN_V] = attn_tensor_view(k, 3, (int[]){1, 3, 2});
    if (masked) {
        inputs[ATTN_MASK] = attn_tensor_view(mask, 3, (int[]){1, 3, 3});
    }
    attn_trace *trace = NULL;
    ck_assert_int_eq(attn_trace_create(&trace, &config, inputs, NULL), ATTN_OK);
    return trace;
}

START_TEST(a_mask_in_one_trace_only_is_compared_with_the_scaled_scores_of_the_other)
{
    attn_trace *const v1 = small(ATTN_V1, false, 1);
    attn_trace *const masked = small(ATTN_SINGLE, true, 1);
    struct walk_diff diff;
    walk_compare(masked, v1, 1e-6, &diff);
    ck_assert_int_ge(diff.first, 0);
    const struct walk_difference *const first = &diff.tensors[diff.first];
    ck_assert_int_eq(first->tensor, ATTN_MASKED);
    ck_assert_int_eq(first->source[1], ATTN_SCALED);
    ck_assert_uint_eq(first->cells, 3);
    ck_assert(isinf(first->largest));
    ck_assert_int_eq(diff.first_at.at[1], 0);
    ck_assert_int_eq(diff.first_at.at[2], 1);
    attn_trace_destroy(v1);
    attn_trace_destroy(masked);
}
END_TEST

START_TEST(a_tensor_that_only_one_trace_has_is_listed_and_not_compared)
{
    attn_trace *const v1 = small(ATTN_V1, false, 1);
    attn_trace *const masked = small(ATTN_SINGLE, true, NAN);
    struct walk_diff diff;
    walk_compare(masked, v1, 1e-6, &diff);
    ck_assert_int_eq(diff.tensors[0].tensor, ATTN_MASK);
    ck_assert(!diff.tensors[0].comparable);
    float other = 0;
    ck_assert(!walk_differs(masked, v1, (struct attn_cell){.tensor = ATTN_MASK}, 0, &other));
    ck_assert(isnan(other));
    /* NaN against a number is as far apart as can be */
    ck_assert(walk_differs(masked, v1, (struct attn_cell){.tensor = ATTN_SCORES}, 1e9, &other));
    attn_trace_destroy(v1);
    attn_trace_destroy(masked);
}
END_TEST

START_TEST(blocks_cover_every_cell_once_and_none_is_empty)
{
    for (int n = 1; n <= 70; n++) {
        for (int blocks = 1; blocks <= n; blocks++) {
            int next = 0;
            for (int i = 0; i < blocks; i++) {
                int lo, hi;
                walk_pool_bounds(n, blocks, i, &lo, &hi);
                ck_assert_int_eq(lo, next);
                ck_assert_int_lt(lo, hi);
                next = hi;
            }
            ck_assert_int_eq(next, n);
        }
    }
}
END_TEST

static void case_a_block_a_cell_is_the_tensor_itself(struct walk_case *c)
{
    const enum attn_tensor_id id = walk_case_below(c, 2) == 0 ? ATTN_WEIGHTS : ATTN_SCALED;
    const attn_tensor *const t = attn_trace_tensor(c->trace, id);
    const int b = t->dims[0] - 1;
    const float range = walk_heat_range(c->trace, id);
    struct walk_pooled *const out = calloc((size_t)t->dims[1] * (size_t)t->dims[2], sizeof *out);
    ck_assert_ptr_nonnull(out);
    for (int kind = 0; kind < 2; kind++) {
        walk_pool(c->trace, id, b, (enum walk_pool_kind)kind, range, t->dims[1], t->dims[2], out);
        for (int i = 0; i < t->dims[1] * t->dims[2]; i++) {
            const struct attn_cell cell = {.tensor = id, .at = {b, i / t->dims[2], i % t->dims[2]}};
            const float value = walk_value(c->trace, cell);
            walk_case_check(c, out[i].heat == walk_heat_in(c->trace, cell, range),
                            "heat %d of block %d", out[i].heat, i);
            walk_case_check(
                c, out[i].masked == walk_masked(c->trace, cell) && out[i].nan == (bool)isnan(value),
                "block %d is masked or nan or not", i);
            walk_case_check(c, out[i].heat < 0 || out[i].value == value, "value %g of block %d",
                            (double)out[i].value, i);
        }
    }
    free(out);
}

START_TEST(a_block_a_cell_is_the_tensor_itself)
{
    walk_case_each(_i, case_a_block_a_cell_is_the_tensor_itself);
}
END_TEST

static void case_one_block_holds_the_peak_or_the_mean_of_all(struct walk_case *c)
{
    const attn_tensor *const t = attn_trace_tensor(c->trace, ATTN_SCALED);
    float peak = 0;
    double sum = 0;
    int n = 0;
    for (int r = 0; r < t->dims[1]; r++) {
        for (int s = 0; s < t->dims[2]; s++) {
            const float value = *attn_tensor_at(t, 0, r, s);
            peak = isfinite(value) && fabsf(value) > peak ? fabsf(value) : peak;
            sum += isfinite(value) ? (double)value : 0;
            n += isfinite(value) ? 1 : 0;
        }
    }
    struct walk_pooled block;
    walk_pool(c->trace, ATTN_SCALED, 0, WALK_POOL_PEAK, 1, 1, 1, &block);
    walk_case_check(c, fabsf(block.value) == peak, "peak %g", (double)block.value);
    walk_pool(c->trace, ATTN_SCALED, 0, WALK_POOL_MEAN, 1, 1, 1, &block);
    walk_case_check(c, block.value == (n > 0 ? (float)(sum / n) : 0), "mean %g",
                    (double)block.value);
}

START_TEST(one_block_holds_the_peak_or_the_mean_of_all)
{
    walk_case_each(_i, case_one_block_holds_the_peak_or_the_mean_of_all);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("walk: compare and pool");
    TCase *const tc = tcase_create("compare");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_trace_does_not_differ_from_itself, 0, N_GROUPS);
    tcase_add_loop_test(tc, the_first_difference_is_that_of_the_first_step_that_differs, 0,
                        N_GROUPS);
    tcase_add_loop_test(tc, counts_and_the_largest_difference_are_those_of_the_cells, 0, N_GROUPS);
    tcase_add_test(tc, a_mask_in_one_trace_only_is_compared_with_the_scaled_scores_of_the_other);
    tcase_add_test(tc, a_tensor_that_only_one_trace_has_is_listed_and_not_compared);
    tcase_add_test(tc, blocks_cover_every_cell_once_and_none_is_empty);
    tcase_add_loop_test(tc, a_block_a_cell_is_the_tensor_itself, 0, N_GROUPS);
    tcase_add_loop_test(tc, one_block_holds_the_peak_or_the_mean_of_all, 0, N_GROUPS);
    suite_add_tcase(s, tc);
    return s;
}

/* A trace: what it holds, and what it flags. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/trace.h"
#include "core_rig.h"
#include "runner.h"

static bool equal(const attn_trace *a, const attn_trace *b, enum attn_tensor_id id)
{
    const attn_tensor *const x = attn_trace_tensor(a, id);
    const attn_tensor *const y = attn_trace_tensor(b, id);
    return x != NULL && y != NULL && attn_tensor_count(x) == attn_tensor_count(y) &&
           memcmp(x->data, y->data, attn_tensor_count(x) * sizeof(float)) == 0;
}

/* The flag of this kind on this tensor, or NULL. */
static const struct attn_flag *flag(const attn_trace *trace, enum attn_flag_kind kind,
                                    enum attn_tensor_id id)
{
    int n = 0;
    const struct attn_flag *const flags = attn_trace_flags(trace, &n);
    for (int i = 0; i < n; i++) {
        if (flags[i].kind == kind && flags[i].tensor == id) {
            return &flags[i];
        }
    }
    return NULL;
}

static int n_flags(const attn_trace *trace)
{
    int n = 0;
    (void)attn_trace_flags(trace, &n);
    return n;
}

START_TEST(the_example_of_the_header_compiles_and_gives_weights)
{
    float x[4] = {1.0F, 0.0F, 0.0F, 1.0F};
    float eye[4] = {1.0F, 0.0F, 0.0F, 1.0F};
    struct attn_error error;
    attn_config config;
    attn_config_default(&config, ATTN_SINGLE);
    config.sizes = (attn_sizes){.B = 1, .T = 2, .S = 2, .d_in = 2, .d = 2, .d_v = 2};
    attn_tensor inputs[ATTN_N_TENSORS] = {0};
    inputs[ATTN_X] = attn_tensor_view(x, 3, (int[]){1, 2, 2});
    inputs[ATTN_W_Q] = attn_tensor_view(eye, 2, (int[]){2, 2});
    inputs[ATTN_W_K] = inputs[ATTN_W_Q];
    inputs[ATTN_W_V] = inputs[ATTN_W_Q];
    attn_trace *trace = NULL;
    ck_assert_int_eq(attn_trace_create(&trace, &config, inputs, &error), ATTN_OK);
    const attn_tensor *const weights = attn_trace_tensor(trace, ATTN_WEIGHTS);
    const double one = exp(1.0 / sqrt(2.0));
    ck_assert(fabs((double)*attn_tensor_at(weights, 0, 1, 0) - 1.0 / (1.0 + one)) < 1e-6);
    ck_assert(fabs((double)*attn_tensor_at(weights, 0, 1, 1) - one / (1.0 + one)) < 1e-6);
    attn_trace_destroy(trace);
    attn_trace_destroy(NULL);
}
END_TEST

START_TEST(every_variant_makes_exactly_its_tensors_from_its_stages)
{
    const enum attn_variant variant = (enum attn_variant)_i;
    rig_start(variant, 2, 3, variant == ATTN_CROSS ? 5 : 3, 4, 4);
    attn_trace *const trace = rig_trace();
    int stages = 0;
    const enum attn_stage *stage = attn_variants[variant].stages;
    for (; *stage != ATTN_NO_STAGE; stage++, stages++) {
        ck_assert_int_eq(attn_trace_stage(trace, stages), *stage);
        const bool idle = *stage == ATTN_STAGE_MASK || *stage == ATTN_STAGE_DROP;
        ck_assert_int_eq(attn_trace_idle(trace, *stage), idle);
        for (const enum attn_tensor_id *id = attn_stages[*stage].outputs; *id != ATTN_NO_TENSOR;
             id++) {
            const attn_tensor *const tensor = attn_trace_tensor(trace, *id);
            ck_assert_msg((tensor == NULL) == idle, "%s", attn_tensors[*id].name);
            ck_assert(idle || attn_tensor_contiguous(tensor));
            ck_assert_int_eq(attn_trace_writer(trace, *id), idle ? ATTN_NO_STAGE : *stage);
        }
    }
    ck_assert_int_eq(attn_trace_n_stages(trace), stages);
    ck_assert_int_eq(attn_trace_source(trace, ATTN_MASKED), ATTN_SCALED);
    ck_assert_int_eq(attn_trace_source(trace, ATTN_DROPPED), ATTN_WEIGHTS);
    ck_assert_int_eq(attn_trace_source(trace, ATTN_MEMORY),
                     variant == ATTN_CROSS ? ATTN_MEMORY : ATTN_X);
    ck_assert_int_eq(attn_trace_source(trace, ATTN_KEEP), ATTN_NO_TENSOR);
    ck_assert_int_eq(attn_trace_result(trace), variant == ATTN_V3 ? ATTN_OUTPUT : ATTN_CONTEXT);
    ck_assert_int_eq(attn_trace_writer(trace, ATTN_X), ATTN_NO_STAGE);
    ck_assert_int_eq(attn_trace_config(trace)->variant, variant);
    ck_assert_int_eq(n_flags(trace), 0);
    attn_trace_destroy(trace);
}
END_TEST

/* The whole of V3 again in float64, with a mask and dropout. */
START_TEST(v3_agrees_with_the_formula_in_double)
{
    enum { B = 2, T = 6, D = 5 };
    rig_start(ATTN_V3, B, T, T, D, D);
    const float *const mask = rig_give(ATTN_MASK);
    const float *const keep = rig_give(ATTN_KEEP);
    rig.config.training = true;
    rig.config.dropout_p = 0.25;
    attn_trace *const trace = rig_trace();
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            double e[T];
            double total = 0.0;
            for (int s = 0; s < T; s++) {
                double z = 0.0;
                for (int i = 0; i < D; i++) {
                    z += (double)rig_cell(trace, ATTN_QKV, b, t, i) *
                         (double)rig_cell(trace, ATTN_QKV, b, s, D + i);
                }
                e[s] = mask[(b * T + t) * T + s] != 0.0F ? exp(z / sqrt(D)) : 0.0;
                total += e[s];
            }
            for (int i = 0; i < D; i++) {
                double context = 0.0;
                for (int s = 0; s < T; s++) {
                    context += e[s] / total * (double)keep[(b * T + t) * T + s] / 0.75 *
                               (double)rig_cell(trace, ATTN_QKV, b, s, 2 * D + i);
                }
                ck_assert(fabs(context - (double)rig_cell(trace, ATTN_CONTEXT, b, t, i)) < 2e-6);
            }
            double output = (double)rig.inputs[ATTN_B_OUT].data[2];
            for (int i = 0; i < D; i++) {
                output += (double)rig_cell(trace, ATTN_CONTEXT, b, t, i) *
                          (double)*attn_tensor_at(&rig.inputs[ATTN_W_OUT], 0, 2, i);
            }
            ck_assert(fabs(output - (double)rig_cell(trace, ATTN_OUTPUT, b, t, 2)) < 2e-6);
        }
    }
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(a_trace_has_the_same_bits_on_every_cpu)
{
    rig.random = (uint64_t)_i;
    const int d = 1 + (int)((rig_real() + 1.0F) * 39.0F);
    const int T = 1 + (int)((rig_real() + 1.0F) * 20.0F);
    rig_start(ATTN_V3, 2, T, T, d, d);
    (void)rig_give(ATTN_MASK);
    (void)rig_give(ATTN_KEEP);
    rig.config.training = true;
    rig.config.cpu = ATTN_CPU_BASELINE;
    attn_trace *const one = rig_trace();
    rig.config.cpu = attn_cpu_supported(ATTN_CPU_AVX2) ? ATTN_CPU_AVX2 : ATTN_CPU_AUTO;
    attn_trace *const two = rig_trace();
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        ck_assert_msg(attn_trace_tensor(one, id) == NULL || equal(one, two, id), "%s, T %d, d %d",
                      attn_tensors[i].name, T, d);
    }
    attn_trace_destroy(one);
    attn_trace_destroy(two);
}
END_TEST

START_TEST(v2_gives_the_bits_of_v1_from_the_same_weights)
{
    enum { D = 6 };
    rig_start(ATTN_V1, 2, 4, 4, D, D);
    attn_trace *const v1 = rig_trace();
    struct rig first = rig;
    rig_start(ATTN_V2, 2, 4, 4, D, D);
    memcpy(rig.inputs[ATTN_X].data, first.inputs[ATTN_X].data - rig.room + first.room,
           sizeof(float) * 2 * 4 * D);
    for (int part = 0; part < 3; part++) {
        const int w = ATTN_W_Q + 2 * part;
        memcpy(rig.inputs[ATTN_W_QKV].data + part * D * D,
               first.inputs[w].data - rig.room + first.room, sizeof(float) * D * D);
        memcpy(rig.inputs[ATTN_B_QKV].data + part * D,
               first.inputs[w + 1].data - rig.room + first.room, sizeof(float) * D);
    }
    attn_trace *const v2 = rig_trace();
    for (int i = ATTN_Q; i <= ATTN_CONTEXT; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        ck_assert_msg(attn_trace_tensor(v1, id) == NULL || equal(v1, v2, id), "%s",
                      attn_tensors[i].name);
    }
    attn_trace_destroy(v1);
    attn_trace_destroy(v2);
}
END_TEST

START_TEST(inputs_of_any_strides_are_copied)
{
    rig_start(ATTN_SINGLE, 2, 3, 3, 4, 2);
    (void)rig_give(ATTN_MASK);
    for (int b = 0; b < 2; b++) {
        for (int t = 1; t < 3; t++) {
            memcpy(attn_tensor_at(&rig.inputs[ATTN_MASK], b, t, 0), rig.inputs[ATTN_MASK].data,
                   3 * sizeof(float));
        }
    }
    attn_trace *const plain = rig_trace();
    float turned[24];
    for (int b = 0; b < 2; b++) {
        for (int t = 0; t < 3; t++) {
            for (int i = 0; i < 4; i++) {
                turned[(i * 3 + t) * 2 + b] = *attn_tensor_at(&rig.inputs[ATTN_X], b, t, i);
            }
        }
    }
    rig.inputs[ATTN_X].data = turned;
    memcpy(rig.inputs[ATTN_X].strides, ((const ptrdiff_t[]){1, 2, 6}), 3 * sizeof(ptrdiff_t));
    memcpy(rig.inputs[ATTN_MASK].strides, ((const ptrdiff_t[]){0, 0, 1}), 3 * sizeof(ptrdiff_t));
    attn_trace *const strided = rig_trace();
    memset(turned, 0, sizeof turned); /* The trace keeps its own copy. */
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        ck_assert_msg(attn_trace_tensor(plain, id) == NULL || equal(plain, strided, id), "%s",
                      attn_tensors[i].name);
    }
    attn_trace_destroy(plain);
    attn_trace_destroy(strided);
}
END_TEST

START_TEST(given_q_k_and_v_start_the_walk_at_the_scores_in_every_variant)
{
    const enum attn_variant variant = (enum attn_variant)_i;
    rig_start_given(variant, 2, 5, variant == ATTN_V3 ? 3 : 7);
    rig.config.sizes.d_in = 0; /* There is no x. */
    attn_trace *const trace = rig_trace();
    ck_assert_int_eq(attn_trace_stage(trace, 0), ATTN_STAGE_SCORE);
    ck_assert_int_eq(attn_trace_writer(trace, ATTN_Q), ATTN_NO_STAGE);
    ck_assert_ptr_null(attn_trace_tensor(trace, ATTN_X));
    ck_assert_ptr_null(attn_trace_tensor(trace, ATTN_QKV));
    ck_assert_int_eq(attn_trace_source(trace, ATTN_MEMORY), ATTN_NO_TENSOR);
    const attn_tensor *const context = attn_trace_tensor(trace, ATTN_CONTEXT);
    ck_assert_int_eq(context->dims[2], variant == ATTN_V3 ? 3 : 7);
    ck_assert((attn_trace_tensor(trace, ATTN_OUTPUT) != NULL) == (variant == ATTN_V3));
    double z = 0.0;
    for (int i = 0; i < 3; i++) {
        z += (double)rig_cell(trace, ATTN_Q, 0, 1, i) * (double)rig_cell(trace, ATTN_K, 0, 4, i);
    }
    ck_assert(fabs(z - (double)rig_cell(trace, ATTN_SCORES, 0, 1, 4)) < 1e-6);
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(scores_are_divided_by_the_root_of_d_or_multiplied_by_the_given_factor)
{
    rig_start(ATTN_V1, 1, 3, 3, 4, 4);
    attn_trace *const divided = rig_trace();
    ck_assert(rig_cell(divided, ATTN_SCALED, 0, 1, 2) ==
              rig_cell(divided, ATTN_SCORES, 0, 1, 2) / 2.0F);
    rig.config.scale_given = true;
    rig.config.scale = 0.0F;
    attn_trace *const zero = rig_trace();
    ck_assert(rig_cell(zero, ATTN_WEIGHTS, 0, 1, 2) == 1.0F / 3.0F);
    rig.config.scale = 3.0F;
    attn_trace *const times = rig_trace();
    ck_assert(rig_cell(times, ATTN_SCALED, 0, 1, 2) ==
              rig_cell(divided, ATTN_SCORES, 0, 1, 2) * 3.0F);
    attn_trace_destroy(divided);
    attn_trace_destroy(zero);
    attn_trace_destroy(times);
}
END_TEST

/* ---- rows without keys, and other flags ---- */

START_TEST(a_row_with_no_key_left_is_zeros_and_flagged)
{
    rig_start_empty_rows();
    attn_trace *const trace = rig_trace();
    const struct attn_flag *const empty = flag(trace, ATTN_FLAG_EMPTY_ROW, ATTN_WEIGHTS);
    ck_assert_ptr_nonnull(empty);
    ck_assert_uint_eq(empty->count, 3);
    ck_assert(empty->at[0] == 0 && empty->at[1] == 1 && empty->at[2] == 0);
    ck_assert_int_eq(n_flags(trace), 1);
    for (int s = 0; s < 3; s++) {
        ck_assert(rig_cell(trace, ATTN_WEIGHTS, 1, 1, s) == 0.0F);
        ck_assert(rig_cell(trace, ATTN_MASKED, 1, 1, s) == -INFINITY);
    }
    ck_assert(rig_cell(trace, ATTN_CONTEXT, 1, 2, 3) == 0.0F);
    ck_assert(rig_cell(trace, ATTN_WEIGHTS, 0, 0, 0) > 0.0F);
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(a_row_with_no_key_left_is_nan_where_that_is_asked_for)
{
    rig_start_empty_rows();
    rig.config.empty_row = ATTN_EMPTY_NAN;
    attn_trace *const trace = rig_trace();
    ck_assert(isnan(rig_cell(trace, ATTN_WEIGHTS, 0, 1, 0)));
    ck_assert(isnan(rig_cell(trace, ATTN_OUTPUT, 0, 1, 3)));
    ck_assert(!isnan(rig_cell(trace, ATTN_OUTPUT, 0, 0, 3)));
    int n = 0;
    const struct attn_flag *const flags = attn_trace_flags(trace, &n);
    ck_assert_int_eq(n, 2);
    ck_assert_int_eq(flags[0].kind, ATTN_FLAG_EMPTY_ROW);
    ck_assert_int_eq(flags[1].kind, ATTN_FLAG_NAN);
    ck_assert_int_eq(flags[1].tensor, ATTN_WEIGHTS);
    ck_assert_uint_eq(flags[1].count, 9);
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(a_finite_fill_makes_a_hidden_row_uniform_and_says_so)
{
    rig_start_empty_rows();
    rig.config.mask_fill = -1e9F;
    attn_trace *const trace = rig_trace();
    const struct attn_flag *const uniform = flag(trace, ATTN_FLAG_UNIFORM_ROW, ATTN_WEIGHTS);
    ck_assert_ptr_nonnull(uniform);
    ck_assert_uint_eq(uniform->count, 3);
    ck_assert(uniform->at[0] == 0 && uniform->at[1] == 1 && uniform->at[2] == 0);
    ck_assert_int_eq(n_flags(trace), 1);
    ck_assert(rig_cell(trace, ATTN_WEIGHTS, 0, 1, 2) == 1.0F / 3.0F);
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(a_tiny_fill_leaves_weight_on_hidden_keys)
{
    rig_start_given(ATTN_SINGLE, 1, 4, 1);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 3; i++) {
            rig.inputs[ATTN_K].data[3 * s + i] = i == 0 ? (float)(s + 1) : 0.0F;
        }
    }
    rig.inputs[ATTN_Q].data[0] = 1.0F;
    rig.config.scale_given = true;
    float *const mask = rig_give(ATTN_MASK);
    memcpy(mask, ((const float[]){1.0F, 1.0F, 0.0F, 0.0F}), 4 * sizeof(float));
    rig.config.mask_fill = 1e-20F;
    attn_trace *const tiny = rig_trace();
    static const double expected[] = {0.2245, 0.6103, 0.0826, 0.0826};
    for (int s = 0; s < 4; s++) {
        ck_assert(fabs((double)rig_cell(tiny, ATTN_WEIGHTS, 0, 0, s) - expected[s]) < 5e-5);
    }
    rig.config.mask_fill = -INFINITY;
    attn_trace *const hidden = rig_trace();
    ck_assert(fabs((double)rig_cell(hidden, ATTN_WEIGHTS, 0, 0, 0) - 0.2689) < 5e-5);
    ck_assert(rig_cell(hidden, ATTN_WEIGHTS, 0, 0, 3) == 0.0F);
    attn_trace_destroy(tiny);
    attn_trace_destroy(hidden);
}
END_TEST

START_TEST(a_nan_is_flagged_where_it_came_in_and_nowhere_after)
{
    rig_start(ATTN_V3, 2, 3, 3, 4, 4);
    *attn_tensor_at(&rig.inputs[ATTN_X], 1, 2, 0) = NAN;
    attn_trace *const trace = rig_trace();
    const struct attn_flag *const nan = flag(trace, ATTN_FLAG_NAN, ATTN_X);
    ck_assert_ptr_nonnull(nan);
    ck_assert(nan->at[0] == 1 && nan->at[1] == 2 && nan->at[2] == 0 && nan->count == 1);
    ck_assert_int_eq(n_flags(trace), 1);
    ck_assert(isnan(rig_cell(trace, ATTN_OUTPUT, 1, 0, 0)));
    ck_assert(!isnan(rig_cell(trace, ATTN_OUTPUT, 0, 0, 0)));
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(an_infinity_and_the_nan_that_it_makes_are_flagged_where_each_appears)
{
    rig_start_given(ATTN_SINGLE, 2, 3, 2);
    rig.inputs[ATTN_Q].data[0] = 3e38F;
    rig.inputs[ATTN_K].data[3] = 3e38F;
    rig.inputs[ATTN_V].data[5] = -INFINITY;
    attn_trace *const trace = rig_trace();
    int n = 0;
    const struct attn_flag *const flags = attn_trace_flags(trace, &n);
    ck_assert_int_eq(n, 3);
    ck_assert(flags[0].kind == ATTN_FLAG_INF && flags[0].tensor == ATTN_V);
    ck_assert(flags[0].at[0] == 0 && flags[0].at[1] == 2 && flags[0].at[2] == 1);
    ck_assert(flags[1].kind == ATTN_FLAG_INF && flags[1].tensor == ATTN_SCORES);
    ck_assert(flags[1].at[1] == 0 && flags[1].at[2] == 1);
    ck_assert(flags[2].kind == ATTN_FLAG_NAN && flags[2].tensor == ATTN_WEIGHTS);
    ck_assert_uint_eq(flags[2].count, 3);
    /* context reads the weights' NaN and v's infinity: it has neither of itself. */
    ck_assert(isnan(rig_cell(trace, ATTN_CONTEXT, 0, 0, 0)));
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(an_infinity_that_the_mask_filled_in_is_no_flag)
{
    rig_start(ATTN_SINGLE, 1, 3, 3, 2, 2);
    float *const mask = rig_give(ATTN_MASK);
    for (int i = 0; i < 9; i++) {
        mask[i] = (float)(i % 3 == 0);
    }
    attn_trace *const trace = rig_trace();
    ck_assert(isinf(rig_cell(trace, ATTN_MASKED, 0, 0, 1)));
    ck_assert_int_eq(n_flags(trace), 0);
    attn_trace_destroy(trace);
}
END_TEST

/* ---- dropout ---- */

START_TEST(dropout_acts_in_training_only_and_p_of_one_needs_no_pattern)
{
    rig_start(ATTN_V3, 1, 4, 4, 4, 4);
    (void)rig_give(ATTN_KEEP);
    attn_trace *const evaluated = rig_trace();
    ck_assert_ptr_null(attn_trace_tensor(evaluated, ATTN_DROPPED));
    ck_assert_ptr_null(attn_trace_tensor(evaluated, ATTN_KEEP));
    rig.config.training = true;
    rig.config.dropout_p = 0.0;
    attn_trace *const none = rig_trace();
    ck_assert(attn_trace_idle(none, ATTN_STAGE_DROP));
    ck_assert(equal(evaluated, none, ATTN_OUTPUT));
    rig.config.dropout_p = 0.5;
    attn_trace *const half = rig_trace();
    ck_assert(!attn_trace_idle(half, ATTN_STAGE_DROP));
    const float kept = rig_cell(half, ATTN_KEEP, 0, 1, 1);
    ck_assert(rig_cell(half, ATTN_DROPPED, 0, 1, 1) ==
              rig_cell(half, ATTN_WEIGHTS, 0, 1, 1) * (kept / 0.5F));
    rig.inputs[ATTN_KEEP].data = NULL;
    rig.config.dropout_p = 1.0;
    attn_trace *const all = rig_trace();
    ck_assert(rig_cell(all, ATTN_DROPPED, 0, 3, 3) == 0.0F);
    ck_assert(rig_cell(all, ATTN_CONTEXT, 0, 3, 3) == 0.0F);
    ck_assert(rig_cell(all, ATTN_OUTPUT, 0, 3, 3) == rig.inputs[ATTN_B_OUT].data[3]);
    attn_trace_destroy(evaluated);
    attn_trace_destroy(none);
    attn_trace_destroy(half);
    attn_trace_destroy(all);
}
END_TEST

START_TEST(the_first_version_runs_at_its_own_default_width)
{
    enum { D = 728 };
    attn_config config;
    attn_config_default(&config, ATTN_V1);
    config.sizes = (attn_sizes){.B = 1, .T = 3, .S = 3, .d_in = D, .d = D, .d_v = D};
    float *const data = calloc(D * D, sizeof *data);
    ck_assert_ptr_nonnull(data);
    for (int i = 0; i < D; i++) {
        data[i * D + i] = 1.0F; /* Each projection maps x to itself plus one. */
    }
    float x[3 * D];
    float ones[D];
    for (int i = 0; i < 3 * D; i++) {
        x[i] = (float)(i % 5) - 2.0F;
        ones[i % D] = 1.0F;
    }
    attn_tensor inputs[ATTN_N_TENSORS] = {0};
    inputs[ATTN_X] = attn_tensor_view(x, 2, (const int[]){3, D});
    for (int i = ATTN_W_Q; i <= ATTN_B_V; i += 2) {
        inputs[i] = attn_tensor_view(data, 2, (const int[]){D, D});
        inputs[i + 1] = attn_tensor_view(ones, 1, (const int[]){D});
    }
    attn_trace *trace = NULL;
    ck_assert_int_eq(attn_trace_create(&trace, &config, inputs, &rig.err), ATTN_OK);
    ck_assert(rig_cell(trace, ATTN_V, 0, 2, 727) == x[2 * D + 727] + 1.0F);
    attn_trace_destroy(trace);
    free(data);
}
END_TEST

static TCase *holding(void)
{
    TCase *const c = tcase_create("holds");
    tcase_add_test(c, the_example_of_the_header_compiles_and_gives_weights);
    tcase_add_loop_test(c, every_variant_makes_exactly_its_tensors_from_its_stages, 0,
                        ATTN_N_VARIANTS);
    tcase_add_test(c, v3_agrees_with_the_formula_in_double);
    tcase_add_loop_test(c, a_trace_has_the_same_bits_on_every_cpu, 0, 25);
    tcase_add_test(c, v2_gives_the_bits_of_v1_from_the_same_weights);
    tcase_add_test(c, inputs_of_any_strides_are_copied);
    tcase_add_loop_test(c, given_q_k_and_v_start_the_walk_at_the_scores_in_every_variant, 0,
                        ATTN_N_VARIANTS);
    tcase_add_test(c, scores_are_divided_by_the_root_of_d_or_multiplied_by_the_given_factor);
    tcase_add_test(c, the_first_version_runs_at_its_own_default_width);
    return c;
}

static TCase *flagging(void)
{
    TCase *const c = tcase_create("flags");
    tcase_add_test(c, a_row_with_no_key_left_is_zeros_and_flagged);
    tcase_add_test(c, a_row_with_no_key_left_is_nan_where_that_is_asked_for);
    tcase_add_test(c, a_finite_fill_makes_a_hidden_row_uniform_and_says_so);
    tcase_add_test(c, a_tiny_fill_leaves_weight_on_hidden_keys);
    tcase_add_test(c, a_nan_is_flagged_where_it_came_in_and_nowhere_after);
    tcase_add_test(c, an_infinity_and_the_nan_that_it_makes_are_flagged_where_each_appears);
    tcase_add_test(c, an_infinity_that_the_mask_filled_in_is_no_flag);
    tcase_add_test(c, dropout_acts_in_training_only_and_p_of_one_needs_no_pattern);
    return c;
}

Suite *suite(void)
{
    Suite *const s = suite_create("core trace");
    suite_add_tcase(s, holding());
    suite_add_tcase(s, flagging());
    return s;
}

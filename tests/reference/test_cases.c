/*
 * Small cases with known answers, each about one way to be wrong: data/cases/attn. The
 * expected numbers are float64; ours are held to 2e-6, relative above 1.
 */
#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io.h"
#include "problem.h"
#include "reference.h"

/** One row of logits as a computation: q is 1, the keys are the logits, v is 1. */
static void give_logits(struct problem *p, const float *logits, int n)
{
    problem_room(p, ATTN_Q, 3, 1, 1)[0] = 1.0f;
    memcpy(problem_room(p, ATTN_K, 3, n, 1), logits, (size_t)n * sizeof *logits);
    float *const v = problem_room(p, ATTN_V, 3, n, 1);
    for (int i = 0; i < n; i++) {
        v[i] = 1.0f;
    }
    p->config.scale_given = true;
    p->config.scale = 1.0f;
}

static void softmax_in_double(double *out, const float *logits, int n)
{
    double largest = (double)logits[0], sum = 0.0;
    for (int i = 1; i < n; i++) {
        largest = fmax(largest, (double)logits[i]);
    }
    for (int i = 0; i < n; i++) {
        out[i] = exp((double)logits[i] - largest);
        sum += out[i];
    }
    for (int i = 0; i < n; i++) {
        out[i] /= sum;
    }
}

enum { A09_ROWS = 9, A09_WIDTH = 8 };

START_TEST(A09_softmax_holds_for_extreme_logits)
{
    const struct case_file f = case_open("A09_softmax_extremes");
    json_t *const row = json_array_get(json_object_get(f.inputs, "rows"), (size_t)_i);
    json_t *const wanted = json_array_get(json_object_get(f.expected, "rows"), (size_t)_i);
    ck_assert_uint_eq(json_array_size(json_object_get(f.inputs, "rows")), A09_ROWS);
    const int n = (int)json_array_size(row);
    float logits[A09_WIDTH];
    double want[A09_WIDTH];
    double moved =
        0.0; /* by rounding the logits to float32: the answer moves by as much, at most */
    for (int i = 0; i < n; i++) {
        /* Beyond float32's range its own end makes the same point. */
        const double asked = problem_number(json_array_get(row, (size_t)i));
        logits[i] = (float)fmax(-3e38, fmin(3e38, asked));
        moved = fabs(asked) > 3e38 ? moved : fmax(moved, fabs((double)logits[i] - asked));
    }
    softmax_in_double(want, logits, n);
    for (int i = 0; i < n; i++) {
        const double stored = problem_number(json_array_get(wanted, (size_t)i));
        ck_assert_msg(fabs(want[i] - stored) <= 1e-12 + moved, "A09 row %d: %.17g and %.17g", _i,
                      want[i], stored);
    }
    struct problem p;
    problem_begin(&p, "A09", ATTN_SINGLE);
    give_logits(&p, logits, n);
    problem_solve(&p);
    char what[32];
    (void)snprintf(what, sizeof what, "A09, row %d: weights", _i);
    reference_check_close(what, attn_trace_tensor(p.trace, ATTN_WEIGHTS), want, (size_t)n, 2e-6,
                          0.0);
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A10_the_rows_of_the_weights_sum_to_1_and_not_the_columns)
{
    const struct case_file f = case_open("A10_softmax_axis");
    struct problem p;
    problem_begin(&p, "A10", ATTN_SINGLE);
    problem_give(&p, ATTN_Q, 3, json_object_get(f.inputs, "scores"));
    problem_give(&p, ATTN_K, 3, json_object_get(f.inputs, "V")); /* the identity: q kᵀ = q */
    problem_give(&p, ATTN_V, 3, json_object_get(f.inputs, "V"));
    problem_scale(&p, json_object_get(f.inputs, "scale"));
    problem_solve(&p);
    problem_check(&p, ATTN_WEIGHTS, problem_member(f.expected, "right"));
    problem_check(&p, ATTN_CONTEXT, problem_member(f.expected, "right"));
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

/** V3 on one row of logits, training, its output projection the identity. */
static void begin_dropout(struct problem *p, const char *name, const struct case_file *f,
                          double rate)
{
    enum { N = 3 };
    float logits[N];
    json_t *const numbers = json_object_get(f->inputs, "logits");
    for (size_t i = 0; i < N; i++) {
        logits[i] = (float)problem_number(json_array_get(numbers, i));
    }
    problem_begin(p, name, ATTN_V3);
    p->config.sizes.d_in = 1;
    give_logits(p, logits, N);
    problem_give(p, ATTN_V, 3, json_object_get(f->inputs, "V"));
    problem_room(p, ATTN_W_OUT, 2, 1, 1)[0] = 1.0f;
    problem_room(p, ATTN_B_OUT, 1, 1, 1)[0] = 0.0f;
    p->config.training = true;
    p->config.dropout_p = rate;
}

START_TEST(A12_survivors_of_dropout_are_divided_by_one_minus_p)
{
    static const struct {
        const char *member;
        double p;
    } rates[] = {{"p=0", 0.0}, {"p=0.1", 0.1}, {"p=0.2", 0.2}, {"p=0.5", 0.5}, {"p=1", 1.0}};
    const struct case_file f = case_open("A12_dropout_scaling");
    json_t *const expected = json_object_get(f.expected, rates[_i].member);
    json_t *const want = json_pack("[O]", json_object_get(expected, "weights"));
    json_t *const keep = json_pack("[O]", json_object_get(expected, "keep"));
    struct problem p;
    begin_dropout(&p, rates[_i].member, &f, rates[_i].p);
    if (keep != NULL) {
        problem_give(&p, ATTN_KEEP, 3, keep);
    }
    problem_solve(&p);
    problem_check(&p, ATTN_DROPPED, want);
    const attn_tensor *const v = attn_trace_tensor(p.trace, ATTN_V);
    double out = 0.0;
    for (size_t s = 0; s < 3; s++) {
        json_t *const weight = json_array_get(json_object_get(expected, "weights"), s);
        out += problem_number(weight) * (double)v->data[s];
    }
    reference_check_close(rates[_i].member, attn_trace_tensor(p.trace, ATTN_OUTPUT), &out, 1, 2e-6,
                          2e-6);
    problem_end(&p);
    json_decref(want);
    json_decref(keep);
    json_decref(f.document);
}
END_TEST

START_TEST(A12_a_p_outside_0_to_1_is_refused)
{
    static const double rates[] = {-0.1, 1.5, (double)NAN};
    const struct case_file f = case_open("A12_dropout_scaling");
    struct problem p;
    struct attn_error err;
    begin_dropout(&p, "A12, refused", &f, rates[_i]);
    problem_room(&p, ATTN_KEEP, 3, 1, 3)[0] = 1.0f;
    ck_assert_int_eq(problem_refused(&p, &err), ATTN_E_VALUE);
    ck_assert_msg(err.message[0] != '\0', "refused without a word");
    json_decref(f.document);
}
END_TEST

START_TEST(A14_a_weight_is_taken_as_out_by_in)
{
    static const char *const starts[] = {"W is [out,in]", "W is [in,out]"};
    static const enum attn_tensor_id weights[] = {ATTN_W_Q, ATTN_W_K, ATTN_W_V};
    static const enum attn_tensor_id biases[] = {ATTN_B_Q, ATTN_B_K, ATTN_B_V};
    const struct case_file f = case_open("A14_linear_layout");
    json_t *const w = json_object_get(f.inputs, "W");
    struct problem p;
    problem_begin(&p, starts[_i], ATTN_V1);
    for (int i = 0; i < 3; i++) {
        if (_i == 0) {
            problem_give(&p, weights[i], 2, w);
        } else {
            problem_give_transposed(&p, weights[i], w);
        }
        problem_give(&p, biases[i], 1, json_object_get(f.inputs, "b"));
    }
    problem_give(&p, ATTN_X, 3, json_object_get(f.inputs, "X"));
    p.config.sizes.S = p.config.sizes.T;
    p.config.sizes.d_v = p.config.sizes.d;
    problem_solve(&p);
    problem_check(&p, ATTN_Q, problem_member(f.expected, starts[_i]));
    problem_check(&p, ATTN_K, problem_member(f.expected, starts[_i]));
    problem_check(&p, ATTN_V, problem_member(f.expected, starts[_i]));
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

static void begin_merged(struct problem *p, const char *name, const struct case_file *f)
{
    problem_begin(p, name, ATTN_V2);
    problem_give(p, ATTN_W_QKV, 2, json_object_get(f->inputs, "Wqkv_out_in"));
    problem_give(p, ATTN_B_QKV, 1, json_object_get(f->inputs, "b"));
    problem_give(p, ATTN_X, 3, json_object_get(f->inputs, "X"));
    attn_sizes *const z = &p->config.sizes;
    z->S = z->T;
    z->d = z->d_v = z->d_in;
}

START_TEST(A15_the_rows_of_a_merged_projection_are_q_then_k_then_v)
{
    const struct case_file f = case_open("A15_merged_qkv_order");
    struct problem p;
    begin_merged(&p, "A15", &f);
    problem_solve(&p);
    problem_check_all(&p, problem_member(f.expected, "right"));
    problem_end(&p);

    begin_merged(&p, "A15, no bias", &f);
    memset(p.inputs[ATTN_B_QKV].data, 0, 6 * sizeof(float));
    problem_solve(&p);
    problem_check_all(&p, problem_member(f.expected, "no bias"));
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A15_three_layers_made_of_its_slices_give_the_same_bits)
{
    static const enum attn_tensor_id weights[] = {ATTN_W_Q, ATTN_W_K, ATTN_W_V};
    static const enum attn_tensor_id biases[] = {ATTN_B_Q, ATTN_B_K, ATTN_B_V};
    const struct case_file f = case_open("A15_merged_qkv_order");
    struct problem merged, apart;
    begin_merged(&merged, "A15, merged", &f);
    problem_solve(&merged);
    problem_begin(&apart, "A15, apart", ATTN_V1);
    for (int i = 0; i < 3; i++) {
        memcpy(problem_room(&apart, weights[i], 2, 2, 2), merged.inputs[ATTN_W_QKV].data + i * 4,
               4 * sizeof(float));
        memcpy(problem_room(&apart, biases[i], 1, 1, 2), merged.inputs[ATTN_B_QKV].data + i * 2,
               2 * sizeof(float));
    }
    apart.inputs[ATTN_X] = merged.inputs[ATTN_X];
    apart.config.sizes = merged.config.sizes;
    problem_solve(&apart);
    for (int id = ATTN_Q; id <= ATTN_CONTEXT; id++) {
        const attn_tensor *const want = attn_trace_tensor(merged.trace, (enum attn_tensor_id)id);
        if (want != NULL) {
            reference_check_bits(attn_tensors[id].name,
                                 attn_trace_tensor(apart.trace, (enum attn_tensor_id)id),
                                 want->data, attn_tensor_count(want));
        }
    }
    problem_end(&merged);
    problem_end(&apart);
    json_decref(f.document);
}
END_TEST

START_TEST(A15_a_merged_weight_of_7_rows_is_refused)
{
    const struct case_file f = case_open("A15_merged_qkv_order");
    struct problem p;
    struct attn_error err;
    begin_merged(&p, "A15, 7 rows", &f);
    (void)problem_room(&p, ATTN_W_QKV, 2, 7, 2);
    ck_assert_int_eq(problem_refused(&p, &err), ATTN_E_SHAPE);
    ck_assert_msg(strstr(err.message, "[7,2]") != NULL && strstr(err.message, "[6,2]") != NULL,
                  "both shapes belong in the message: %s", err.message);
    json_decref(f.document);
}
END_TEST

/** An input of rank 3 from an .npy of rank 2 beside the cases. */
static void give_npy(struct problem *p, enum attn_tensor_id id, const char *name)
{
    char path[REFERENCE_PATH_MAX], file[128];
    struct io_archive archive;
    struct attn_error err;
    (void)snprintf(file, sizeof file, "cases/attn/%s", name);
    ck_assert_msg(io_read(&archive, reference_path(path, file), &err) == ATTN_OK, "%s: %s", name,
                  err.message);
    ck_assert_msg(archive.n == 1 && archive.arrays[0].rank == 2, "%s: not one matrix", name);
    const struct io_array *const array = &archive.arrays[0];
    float *const data = problem_room(p, id, 3, (int)array->dims[0], (int)array->dims[1]);
    memcpy(data, array->data, array->count * sizeof(float));
    io_archive_finish(&archive);
}

START_TEST(A17_products_of_float16_inputs_are_formed_in_float32)
{
    const struct case_file f = case_open("A17_float16_overflow");
    struct problem p;
    problem_begin(&p, "A17", ATTN_SINGLE);
    give_npy(&p, ATTN_Q, "A17_q_f16.npy");
    give_npy(&p, ATTN_K, "A17_k_f16.npy");
    give_npy(&p, ATTN_V, "A17_v_f16.npy");
    if (_i == 1) {
        problem_scale(&p, json_object_get(f.inputs, "scale")); /* 0.125 is 1/√64, the default */
    }
    problem_solve(&p);
    problem_check_all(&p, f.expected);
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A19_x_in_fortran_order_is_the_same_x)
{
    static const char *const files[] = {"A19_x_c.npy", "A19_x_f.npy"};
    const struct case_file f = case_open("A19_fortran_x");
    struct problem p;
    problem_begin(&p, files[_i], ATTN_SINGLE);
    give_npy(&p, ATTN_Q, files[_i]);
    give_npy(&p, ATTN_K, files[_i]);
    give_npy(&p, ATTN_V, files[_i]);
    problem_solve(&p);
    problem_check(&p, ATTN_Q, json_object_get(f.inputs, "X"));
    problem_check_all(&p, f.expected);
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A20_a_difference_beyond_float32s_range_gives_a_weight_of_exactly_0)
{
    static const struct {
        const char *member;
        float logit;
    } rows[] = {{"softmax([0,-745])", -745.0f}, {"softmax([0,-746])", -746.0f}};
    const struct case_file f = case_open("A20_tiny_and_negative_zero");
    const float logits[] = {0.0f, rows[_i].logit};
    struct problem p;
    problem_begin(&p, rows[_i].member, ATTN_SINGLE);
    give_logits(&p, logits, 2);
    problem_solve(&p);
    json_t *const row = json_pack("[O]", json_object_get(f.expected, rows[_i].member));
    problem_check(&p, ATTN_WEIGHTS, row);
    const attn_tensor *const weights = attn_trace_tensor(p.trace, ATTN_WEIGHTS);
    ck_assert_float_eq(weights->data[0], 1.0f);
    ck_assert_float_eq(weights->data[1], 0.0f);
    problem_end(&p);
    json_decref(row);
    json_decref(f.document);
}
END_TEST

START_TEST(A20_a_tiny_weight_is_kept_and_a_negative_zero_stays_one)
{
    const float logits[] = {0.0f, -95.0f};
    struct problem p;
    problem_begin(&p, "A20", ATTN_SINGLE);
    give_logits(&p, logits, 2);
    p.inputs[ATTN_V].data[0] = -0.0f;
    problem_solve(&p);
    const float tiny = attn_trace_tensor(p.trace, ATTN_WEIGHTS)->data[1];
    ck_assert_msg(tiny > 0.0f && tiny < 1e-40f, "e^-95 is %.9g", (double)tiny);
    const float zero = attn_trace_tensor(p.trace, ATTN_V)->data[0];
    ck_assert_msg(zero == 0.0f && signbit(zero), "-0 became %g", (double)zero);
    problem_end(&p);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("cases");
    TCase *const t = tcase_create("data/cases/attn");
    tcase_add_loop_test(t, A09_softmax_holds_for_extreme_logits, 0, A09_ROWS);
    tcase_add_test(t, A10_the_rows_of_the_weights_sum_to_1_and_not_the_columns);
    tcase_add_loop_test(t, A12_survivors_of_dropout_are_divided_by_one_minus_p, 0, 5);
    tcase_add_loop_test(t, A12_a_p_outside_0_to_1_is_refused, 0, 3);
    tcase_add_loop_test(t, A14_a_weight_is_taken_as_out_by_in, 0, 2);
    tcase_add_test(t, A15_the_rows_of_a_merged_projection_are_q_then_k_then_v);
    tcase_add_test(t, A15_three_layers_made_of_its_slices_give_the_same_bits);
    tcase_add_test(t, A15_a_merged_weight_of_7_rows_is_refused);
    tcase_add_loop_test(t, A17_products_of_float16_inputs_are_formed_in_float32, 0, 2);
    tcase_add_loop_test(t, A19_x_in_fortran_order_is_the_same_x, 0, 2);
    tcase_add_loop_test(t, A20_a_difference_beyond_float32s_range_gives_a_weight_of_exactly_0, 0,
                        2);
    tcase_add_test(t, A20_a_tiny_weight_is_kept_and_a_negative_zero_stays_one);
    suite_add_tcase(s, t);
    return s;
}

/*
 * Small cases with known answers, each about one way to be wrong: data/cases/attn, masks and the
 * scale. The expected numbers are float64; ours are held to 2e-6, relative above 1.
 */
#include "runner.h"

#include <stdio.h>

#include "problem.h"

/** A single head on the case's Q, K, V and scale; a mask may follow. */
static void begin_single(struct problem *p, const char *name, const struct case_file *f)
{
    problem_begin(p, name, ATTN_SINGLE);
    problem_give_qkv(p, f->inputs);
    problem_scale(p, json_object_get(f->inputs, "scale"));
}

START_TEST(A01_a_row_without_a_key_has_weights_of_zero_and_a_flag)
{
    const struct case_file f = case_open("A01_fully_masked_row");
    struct problem p;
    struct attn_flag flag;
    begin_single(&p, "A01", &f);
    problem_mask(&p, json_object_get(f.inputs, "keep"), 1);
    problem_solve(&p);
    problem_check_all(&p, f.expected);
    ck_assert_int_eq(problem_flags(&p, ATTN_FLAG_EMPTY_ROW, &flag), 1);
    ck_assert_msg(flag.tensor == ATTN_WEIGHTS && flag.at[1] == 1 && flag.count == 1,
                  "the flag is on %s, row %d, %zu rows", attn_tensors[flag.tensor].name, flag.at[1],
                  flag.count);
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A01_the_other_policy_gives_nan_in_that_row_and_leaves_the_others_alone)
{
    const struct case_file f = case_open("A01_fully_masked_row");
    struct problem p;
    struct attn_flag flag;
    begin_single(&p, "A01, nan", &f);
    p.config.empty_row = ATTN_EMPTY_NAN;
    problem_mask(&p, json_object_get(f.inputs, "keep"), 1);
    problem_solve(&p);
    json_t *const nan_row = json_pack("[s,s,s]", "NaN", "NaN", "NaN");
    json_t *const weights = json_object_get(f.expected, "weights");
    (void)json_array_set_new(weights, 1, nan_row);
    problem_check(&p, ATTN_WEIGHTS, weights);
    ck_assert_int_eq(problem_flags(&p, ATTN_FLAG_EMPTY_ROW, &flag), 1);
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A03_the_same_mask_is_read_under_either_polarity)
{
    static const struct {
        const char *start;
        int keeps;
    } readings[] = {{"if 1 means BLOCK", 0}, {"if 1 means KEEP", 1}};
    const struct case_file f = case_open("A03_mask_polarity");
    struct problem p;
    begin_single(&p, readings[_i].start, &f);
    problem_mask(&p, json_object_get(f.inputs, "mask_file"), readings[_i].keeps);
    problem_solve(&p);
    problem_check_all(&p, problem_member(f.expected, readings[_i].start));
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A04_a_mask_of_0_and_1_hides_and_is_never_added)
{
    const struct case_file f = case_open("A04_zero_one_added_as_bias");
    struct problem p;
    begin_single(&p, "A04", &f);
    problem_mask(&p, json_object_get(f.inputs, "mask_file"), 1);
    problem_solve(&p);
    problem_check_all(&p, problem_member(f.expected, "right"));
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A06_causal_is_aligned_top_left_or_bottom_right_where_T_and_S_differ)
{
    static const char *const names[] = {"A06_tq2_tk5", "A06_tq5_tk2"};
    static const char *const starts[] = {"top-left", "bottom-right"};
    static const enum attn_causal_align aligns[] = {ATTN_CAUSAL_TOP_LEFT, ATTN_CAUSAL_BOTTOM_RIGHT};
    const int which = _i % 2;
    const struct case_file f = case_open(names[_i / 2]);
    json_t *const expected = problem_member(f.expected, starts[which]);
    struct problem p;
    char name[64];
    (void)snprintf(name, sizeof name, "%s, %s", names[_i / 2], starts[which]);
    begin_single(&p, name, &f);
    attn_mask_causal(problem_keep_all(&p), aligns[which]);
    problem_solve(&p);
    problem_check(&p, ATTN_MASK, json_object_get(expected, "keep"));
    problem_check_all(&p, expected);
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A07_the_scale_is_one_over_root_d_k_and_an_explicit_0_is_0)
{
    static const char *const names[] = {"A07_default_scale", "A07_explicit_zero_scale"};
    const struct case_file f = case_open(names[_i]);
    struct problem p;
    begin_single(&p, names[_i], &f);
    attn_mask_causal(problem_keep_all(&p), ATTN_CAUSAL_TOP_LEFT);
    problem_solve(&p);
    problem_check_all(&p, f.expected);
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

START_TEST(A07_the_scale_takes_the_width_of_q_and_not_of_x)
{
    const struct case_file f = case_open("A07_d_in4_d_k2");
    struct problem p;
    problem_begin(&p, "A07, d_in 4, d_k 2", ATTN_SINGLE);
    problem_give_transposed(&p, ATTN_W_Q, json_object_get(f.inputs, "Wq_in_out"));
    problem_give_transposed(&p, ATTN_W_K, json_object_get(f.inputs, "Wk_in_out"));
    problem_give_transposed(&p, ATTN_W_V, json_object_get(f.inputs, "Wv_in_out"));
    problem_give(&p, ATTN_X, 3, json_object_get(f.inputs, "X"));
    p.config.sizes.S = p.config.sizes.T;
    problem_scale(&p, json_object_get(f.inputs, "scale"));
    problem_solve(&p);
    problem_check_all(&p, problem_member(f.expected, "right"));
    problem_end(&p);
    json_decref(f.document);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("cases-mask");
    TCase *const t = tcase_create("data/cases/attn");
    tcase_add_test(t, A01_a_row_without_a_key_has_weights_of_zero_and_a_flag);
    tcase_add_test(t, A01_the_other_policy_gives_nan_in_that_row_and_leaves_the_others_alone);
    tcase_add_loop_test(t, A03_the_same_mask_is_read_under_either_polarity, 0, 2);
    tcase_add_test(t, A04_a_mask_of_0_and_1_hides_and_is_never_added);
    tcase_add_loop_test(t, A06_causal_is_aligned_top_left_or_bottom_right_where_T_and_S_differ, 0,
                        4);
    tcase_add_loop_test(t, A07_the_scale_is_one_over_root_d_k_and_an_explicit_0_is_0, 0, 2);
    tcase_add_test(t, A07_the_scale_takes_the_width_of_q_and_not_of_x);
    suite_add_tcase(s, t);
    return s;
}

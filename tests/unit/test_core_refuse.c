/* What a trace refuses, and in which words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attn/trace.h"
#include "core_rig.h"
#include "runner.h"

/* It is refused with this status, and both words are in the message. */
static void refused(enum attn_status status, const char *one, const char *two)
{
    attn_trace *trace = (attn_trace *)(void *)&rig;
    rig.err.message[0] = '\0';
    ck_assert_int_eq(attn_trace_create(&trace, &rig.config, rig.inputs, &rig.err), status);
    ck_assert_msg(trace == (attn_trace *)(void *)&rig, "the result was touched");
    ck_assert_int_eq(rig.err.status, status);
    ck_assert_msg(strstr(rig.err.message, one) != NULL, "\"%s\" not in: %s", one, rig.err.message);
    ck_assert_msg(strstr(rig.err.message, two) != NULL, "\"%s\" not in: %s", two, rig.err.message);
    ck_assert_msg(strstr(rig.err.message, " (") != NULL && strchr(rig.err.message, '\n') == NULL,
                  "no advice: %s", rig.err.message);
    ck_assert_int_eq(attn_trace_create(&trace, &rig.config, rig.inputs, NULL), status);
}

START_TEST(a_rate_outside_zero_to_one_is_refused)
{
    static const double rates[] = {-0.1, 1.5, (double)NAN, (double)INFINITY};
    rig_start(ATTN_V3, 1, 4, 4, 4, 4);
    (void)rig_give(ATTN_KEEP);
    rig.config.training = _i % 2 == 0;
    rig.config.dropout_p = rates[_i / 2];
    refused(ATTN_E_VALUE, "dropout probability", "0 to 1");
}
END_TEST

START_TEST(a_dimension_of_zero_or_beyond_the_bound_is_refused_by_name)
{
    static const char *const names[] = {"B", "T", "S", "d_in", "d", "d_v"};
    static const int bad[] = {0, -1, 65537};
    rig_start(ATTN_SINGLE, 1, 2, 2, 2, 2);
    attn_sizes *const n = &rig.config.sizes;
    int *const fields[] = {&n->B, &n->T, &n->S, &n->d_in, &n->d, &n->d_v};
    *fields[_i / 3] = bad[_i % 3];
    char word[32];
    (void)snprintf(word, sizeof word, " %s is %d", names[_i / 3], bad[_i % 3]);
    refused(ATTN_E_LIMIT, word, "1 to 65536");
    uint64_t bytes = 7;
    ck_assert_int_eq(attn_trace_bytes(&bytes, &rig.config, rig.inputs, NULL), ATTN_E_LIMIT);
    ck_assert_uint_eq(bytes, 7);
}
END_TEST

START_TEST(a_trace_beyond_its_memory_is_refused_with_the_figure)
{
    rig_start(ATTN_V1, 1, 2, 2, 2, 2);
    rig.config.sizes.T = rig.config.sizes.S = 65536;
    refused(ATTN_E_LIMIT, "48.0", "4.00 GiB");
    rig.config.sizes = (attn_sizes){65536, 65536, 65536, 65536, 65536, 65536};
    refused(ATTN_E_LIMIT, "bytes", "GiB");
    uint64_t bytes = 0;
    rig_start(ATTN_V1, 1, 8, 8, 4, 4);
    ck_assert_int_eq(attn_trace_bytes(&bytes, &rig.config, rig.inputs, NULL), ATTN_OK);
    const uint64_t floats = 4 * 32 + 3 * (16 + 4) + 3 * 64 + 32;
    ck_assert_uint_gt(bytes, floats * 4);
    ck_assert_uint_lt(bytes, floats * 4 + 16384);
    rig.config.max_bytes = bytes - 1;
    refused(ATTN_E_LIMIT, "bytes", "limit");
    rig.config.max_bytes = bytes;
    attn_trace_destroy(rig_trace());
}
END_TEST

START_TEST(a_mask_where_none_is_taken_is_refused_with_those_who_take_it)
{
    rig_start(_i == 0 ? ATTN_V1 : ATTN_V2, 1, 3, 3, 4, 4);
    (void)rig_give(ATTN_MASK);
    refused(ATTN_E_UNSUPPORTED, _i == 0 ? "v1 takes no mask" : "v2 takes no mask",
            "single, cross and v3");
}
END_TEST

START_TEST(dropout_where_there_is_none_is_refused_with_those_who_have_it)
{
    static const enum attn_variant without[] = {ATTN_SINGLE, ATTN_CROSS, ATTN_V1, ATTN_V2};
    rig_start(without[_i], 1, 3, 3, 4, 4);
    rig.config.training = true;
    refused(ATTN_E_UNSUPPORTED, attn_variants[without[_i]].name, "v3");
    rig.config.training = false;
    (void)rig_give(ATTN_KEEP);
    refused(ATTN_E_UNSUPPORTED, "dropout", "v3");
}
END_TEST

START_TEST(each_missing_input_is_named)
{
    const enum attn_variant variant = (enum attn_variant)(_i / ATTN_N_TENSORS);
    const enum attn_tensor_id id = (enum attn_tensor_id)(_i % ATTN_N_TENSORS);
    rig_start(variant, 1, 3, 3, 4, 4);
    if (rig.inputs[id].data != NULL) {
        rig.inputs[id].data = NULL;
        char name[64];
        char word[80];
        (void)snprintf(word, sizeof word, "%s is missing",
                       attn_tensor_name(variant, id, name, sizeof name));
        refused(ATTN_E_VALUE, word, attn_variants[variant].name);
    }
}
END_TEST

START_TEST(each_wrong_shape_is_named_with_the_expected_one)
{
    const enum attn_variant variant = (enum attn_variant)(_i / ATTN_N_TENSORS);
    const enum attn_tensor_id id = (enum attn_tensor_id)(_i % ATTN_N_TENSORS);
    rig_start(variant, 2, 3, 3, 4, 4);
    if (variant == ATTN_V3) {
        (void)rig_give(ATTN_MASK);
        (void)rig_give(ATTN_KEEP);
        rig.config.training = true;
    }
    if (rig.inputs[id].data != NULL) {
        char right[48];
        char wrong[48];
        char word[128];
        char name[64];
        (void)attn_tensor_shape(&rig.inputs[id], right, sizeof right);
        rig.inputs[id].dims[2]++;
        (void)snprintf(word, sizeof word, "%s is %s",
                       attn_tensor_name(variant, id, name, sizeof name),
                       attn_tensor_shape(&rig.inputs[id], wrong, sizeof wrong));
        char expected[64];
        (void)snprintf(expected, sizeof expected, "expected %s", right);
        refused(ATTN_E_SHAPE, word, expected);
        ck_assert_msg(id == ATTN_X || strstr(rig.err.message, "x is [2,3,4]") != NULL, "%s",
                      rig.err.message);
    }
}
END_TEST

START_TEST(sizes_that_a_variant_ties_together_are_held_together)
{
    rig_start(ATTN_SINGLE, 1, 3, 3, 4, 4);
    rig.config.sizes.S = 5;
    refused(ATTN_E_SHAPE, "3 queries but 5 keys", "cross");
    rig_start(ATTN_V2, 1, 3, 3, 4, 4);
    rig.config.sizes.d_in = 5;
    refused(ATTN_E_SHAPE, "d_in is 5 and d is 4", "v2");
    rig_start(ATTN_V1, 1, 3, 3, 4, 4);
    rig.config.sizes.d_v = 2;
    refused(ATTN_E_SHAPE, "d_v is 2 and d is 4", "q, k and v");
    rig_start_given(ATTN_V3, 2, 2, 5);
    refused(ATTN_E_SHAPE, "d_v is 5 and d is 3", "output projection");
    rig_start_given(ATTN_V3, 2, 2, 3);
    rig.inputs[ATTN_W_OUT].data = NULL;
    refused(ATTN_E_VALUE, "output_proj.weight is missing", "v3 needs output_proj.weight");
}
END_TEST

START_TEST(a_part_of_q_k_and_v_is_refused)
{
    static const char *const left[] = {"only k and v", "only q and v", "only q and k"};
    rig_start_given(ATTN_V1, 2, 2, 3);
    rig.inputs[ATTN_Q + _i].data = NULL;
    refused(ATTN_E_VALUE, left[_i], "all three");
}
END_TEST

START_TEST(a_mask_or_pattern_of_other_than_zero_and_one_is_refused_with_its_place)
{
    static const float odd[] = {0.5F, NAN, -1.0F};
    rig_start(ATTN_V3, 2, 3, 3, 4, 4);
    (void)rig_give(ATTN_MASK);
    (void)rig_give(ATTN_KEEP);
    rig.config.training = true;
    const bool keep = _i >= 3;
    *attn_tensor_at(&rig.inputs[keep ? ATTN_KEEP : ATTN_MASK], 1, 0, 2) = odd[_i % 3];
    refused(ATTN_E_VALUE, keep ? "keep[1,0,2] is" : "mask[1,0,2] is", "0");
}
END_TEST

START_TEST(training_without_a_pattern_is_refused)
{
    rig_start(ATTN_V3, 1, 3, 3, 4, 4);
    rig.config.training = true;
    refused(ATTN_E_VALUE, "p = 0.1", "keep");
}
END_TEST

static TCase *refusing(void)
{
    TCase *const c = tcase_create("refuses");
    tcase_add_loop_test(c, a_rate_outside_zero_to_one_is_refused, 0, 8);
    tcase_add_loop_test(c, a_dimension_of_zero_or_beyond_the_bound_is_refused_by_name, 0, 18);
    tcase_add_test(c, a_trace_beyond_its_memory_is_refused_with_the_figure);
    tcase_add_loop_test(c, a_mask_where_none_is_taken_is_refused_with_those_who_take_it, 0, 2);
    tcase_add_loop_test(c, dropout_where_there_is_none_is_refused_with_those_who_have_it, 0, 4);
    tcase_add_loop_test(c, each_missing_input_is_named, 0, ATTN_N_VARIANTS * ATTN_N_TENSORS);
    tcase_add_loop_test(c, each_wrong_shape_is_named_with_the_expected_one, 0,
                        ATTN_N_VARIANTS * ATTN_N_TENSORS);
    tcase_add_test(c, sizes_that_a_variant_ties_together_are_held_together);
    tcase_add_loop_test(c, a_part_of_q_k_and_v_is_refused, 0, 3);
    tcase_add_loop_test(c, a_mask_or_pattern_of_other_than_zero_and_one_is_refused_with_its_place,
                        0, 6);
    tcase_add_test(c, training_without_a_pattern_is_refused);
    return c;
}

Suite *suite(void)
{
    Suite *const s = suite_create("core refusals");
    suite_add_tcase(s, refusing());
    return s;
}

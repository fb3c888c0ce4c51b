/* Masks: which shapes broadcast, which value keeps, and what is refused in which words. */
#include <math.h>
#include <string.h>

#include "attn/mask.h"
#include "runner.h"

enum { ROOM = 64 };

struct keep {
    float data[ROOM];
    attn_tensor tensor;
};

static void open_keep(struct keep *keep, int B, int T, int S)
{
    for (int i = 0; i < ROOM; i++) {
        keep->data[i] = 1.0F;
    }
    keep->tensor = attn_tensor_view(keep->data, 3, (const int[]){B, T, S});
}

/* "1100" for the four keys of a row. */
static const char *row(const struct keep *keep, int b, int t)
{
    static char text[ROOM];
    const int S = keep->tensor.dims[2];
    for (int s = 0; s < S; s++) {
        text[s] = *attn_tensor_at(&keep->tensor, b, t, s) != 0.0F ? '1' : '0';
    }
    text[S] = '\0';
    return text;
}

START_TEST(causal_is_aligned_top_left_or_bottom_right)
{
    struct keep keep;
    open_keep(&keep, 2, 2, 5);
    attn_mask_causal(&keep.tensor, ATTN_CAUSAL_TOP_LEFT);
    ck_assert_str_eq(row(&keep, 0, 0), "10000");
    ck_assert_str_eq(row(&keep, 1, 1), "11000");
    open_keep(&keep, 1, 2, 5);
    attn_mask_causal(&keep.tensor, ATTN_CAUSAL_BOTTOM_RIGHT);
    ck_assert_str_eq(row(&keep, 0, 0), "11110");
    ck_assert_str_eq(row(&keep, 0, 1), "11111");
    open_keep(&keep, 1, 5, 2);
    attn_mask_causal(&keep.tensor, ATTN_CAUSAL_BOTTOM_RIGHT);
    ck_assert_str_eq(row(&keep, 0, 0), "00");
    ck_assert_str_eq(row(&keep, 0, 2), "00");
    ck_assert_str_eq(row(&keep, 0, 3), "10");
    ck_assert_str_eq(row(&keep, 0, 4), "11");
    open_keep(&keep, 1, 5, 2);
    attn_mask_causal(&keep.tensor, ATTN_CAUSAL_TOP_LEFT);
    ck_assert_str_eq(row(&keep, 0, 0), "10");
    ck_assert_str_eq(row(&keep, 0, 4), "11");
}
END_TEST

START_TEST(padding_hides_the_keys_beyond_each_length)
{
    struct keep keep;
    struct attn_error err;
    open_keep(&keep, 3, 2, 4);
    ck_assert_int_eq(attn_mask_padding(&keep.tensor, (const int[]){4, 0, 2}, 3, &err), ATTN_OK);
    ck_assert_str_eq(row(&keep, 0, 1), "1111");
    ck_assert_str_eq(row(&keep, 1, 0), "0000");
    ck_assert_str_eq(row(&keep, 2, 0), "1100");
    ck_assert_str_eq(row(&keep, 2, 1), "1100");
    open_keep(&keep, 3, 2, 4);
    ck_assert_int_eq(attn_mask_padding(&keep.tensor, (const int[]){3}, 1, NULL), ATTN_OK);
    ck_assert_str_eq(row(&keep, 2, 1), "1110");
}
END_TEST

START_TEST(a_padding_that_does_not_fit_is_refused_and_hides_nothing)
{
    struct keep keep;
    struct attn_error err;
    open_keep(&keep, 3, 2, 4);
    ck_assert_int_eq(attn_mask_padding(&keep.tensor, (const int[]){1, 2}, 2, &err), ATTN_E_SHAPE);
    ck_assert_ptr_nonnull(strstr(err.message, "2 padding lengths for a batch of 3"));
    ck_assert_int_eq(attn_mask_padding(&keep.tensor, (const int[]){1, 5, 1}, 3, &err),
                     ATTN_E_VALUE);
    ck_assert_ptr_nonnull(strstr(err.message, "length 5"));
    ck_assert_int_eq(attn_mask_padding(&keep.tensor, (const int[]){-1}, 1, &err), ATTN_E_VALUE);
    ck_assert_ptr_nonnull(strstr(err.message, "length -1"));
    ck_assert_str_eq(row(&keep, 0, 0), "1111");
}
END_TEST

/* keep is [2,3,4]; the mask counts 0 1 1 0 1 1 … so that each cell tells where it was read. */
static const struct {
    int rank, dims[3];
    const char *first, *last; /* Rows (0,0) and (1,2); NULL: it does not broadcast. */
} shapes[] = {
    {1, {4}, "0110", "0110"},       {1, {1}, "0000", "0000"},       {2, {3, 4}, "0110", "1011"},
    {2, {1, 4}, "0110", "0110"},    {2, {3, 1}, "0000", "1111"},    {3, {1, 3, 4}, "0110", "1011"},
    {3, {2, 1, 4}, "0110", "1101"}, {3, {2, 3, 4}, "0110", "1011"}, {3, {2, 3, 1}, "0000", "1111"},
    {3, {1, 1, 1}, "0000", "0000"}, {1, {3}, NULL, NULL},           {1, {2}, NULL, NULL},
    {2, {2, 4}, NULL, NULL},        {2, {4, 3}, NULL, NULL},        {3, {3, 3, 4}, NULL, NULL},
    {3, {2, 4, 3}, NULL, NULL},     {1, {8}, NULL, NULL},           {2, {2, 1}, NULL, NULL},
};

START_TEST(a_mask_broadcasts_from_the_right_or_is_refused)
{
    struct keep keep;
    struct attn_error err;
    float data[ROOM];
    for (int i = 0; i < ROOM; i++) {
        data[i] = i % 3 == 0 ? 0.0F : 1.0F;
    }
    open_keep(&keep, 2, 3, 4);
    const attn_tensor mask = attn_tensor_view(data, shapes[_i].rank, shapes[_i].dims);
    const enum attn_status status = attn_mask_merge(&keep.tensor, &mask, 1, &err);
    if (shapes[_i].first == NULL) {
        ck_assert_msg(status == ATTN_E_SHAPE, "shape %d", _i);
        ck_assert_ptr_nonnull(strstr(err.message, "[2,3,4]"));
        ck_assert_str_eq(row(&keep, 0, 0), "1111");
    } else {
        ck_assert_msg(status == ATTN_OK, "shape %d: %s", _i, err.message);
        ck_assert_msg(strcmp(row(&keep, 0, 0), shapes[_i].first) == 0, "shape %d", _i);
        ck_assert_msg(strcmp(row(&keep, 1, 2), shapes[_i].last) == 0, "shape %d: %s", _i,
                      row(&keep, 1, 2));
    }
}
END_TEST

START_TEST(a_mask_of_batch_by_keys_is_refused_with_the_shape_that_is_meant)
{
    struct keep keep;
    struct attn_error err;
    float data[8] = {0};
    open_keep(&keep, 2, 3, 4);
    const attn_tensor mask = attn_tensor_view(data, 2, (const int[]){2, 4});
    ck_assert_int_eq(attn_mask_merge(&keep.tensor, &mask, 1, &err), ATTN_E_SHAPE);
    ck_assert_ptr_nonnull(strstr(err.message, "shape [2,4]"));
    ck_assert_ptr_nonnull(strstr(err.message, "[2,3,4]"));
    ck_assert_ptr_nonnull(strstr(err.message, "[B,1,S], here [2,1,4]"));
}
END_TEST

START_TEST(what_keeps_is_one_or_zero_as_asked_and_hidden_keys_stay_hidden)
{
    struct keep keep;
    float data[4] = {1.0F, 0.0F, 1.0F, -0.0F};
    const attn_tensor mask = attn_tensor_view(data, 1, (const int[]){4});
    open_keep(&keep, 1, 1, 4);
    ck_assert_int_eq(attn_mask_merge(&keep.tensor, &mask, 0, NULL), ATTN_OK);
    ck_assert_str_eq(row(&keep, 0, 0), "0101");
    ck_assert_int_eq(attn_mask_padding(&keep.tensor, (const int[]){3}, 1, NULL), ATTN_OK);
    ck_assert_str_eq(row(&keep, 0, 0), "0100");
    ck_assert_int_eq(attn_mask_merge(&keep.tensor, &mask, 1, NULL), ATTN_OK);
    ck_assert_str_eq(row(&keep, 0, 0), "0000");
}
END_TEST

START_TEST(a_mask_that_is_neither_zero_nor_one_is_refused_with_its_place)
{
    static const float odd[] = {0.3F, -1.0F, 2.0F, NAN, -INFINITY};
    static const char *const words[] = {"0.3", "-1", "2", "nan", "-inf"};
    struct keep keep;
    struct attn_error err;
    float data[12] = {0};
    open_keep(&keep, 2, 3, 4);
    data[6] = odd[_i];
    const attn_tensor mask = attn_tensor_view(data, 2, (const int[]){3, 4});
    ck_assert_int_eq(attn_mask_merge(&keep.tensor, &mask, 1, &err), ATTN_E_VALUE);
    ck_assert_msg(strstr(err.message, words[_i]) != NULL, "%s", err.message);
    ck_assert_msg(strstr(err.message, "[1,2]") != NULL, "%s", err.message);
    ck_assert_str_eq(row(&keep, 0, 0), "1111");
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("core masks");
    TCase *const c = tcase_create("masks");
    tcase_add_test(c, causal_is_aligned_top_left_or_bottom_right);
    tcase_add_test(c, padding_hides_the_keys_beyond_each_length);
    tcase_add_test(c, a_padding_that_does_not_fit_is_refused_and_hides_nothing);
    tcase_add_loop_test(c, a_mask_broadcasts_from_the_right_or_is_refused, 0,
                        (int)(sizeof shapes / sizeof *shapes));
    tcase_add_test(c, a_mask_of_batch_by_keys_is_refused_with_the_shape_that_is_meant);
    tcase_add_test(c, what_keeps_is_one_or_zero_as_asked_and_hidden_keys_stay_hidden);
    tcase_add_loop_test(c, a_mask_that_is_neither_zero_nor_one_is_refused_with_its_place, 0, 5);
    suite_add_tcase(s, c);
    return s;
}

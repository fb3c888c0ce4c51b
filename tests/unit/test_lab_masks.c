/* The masks instrument: what is painted is what is computed, and a row that breaks is told. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "runner.h"
#include "walk.h"

static struct lab_masks *lab;
static struct attn_error err;

static void finish(void)
{
    lab_masks_destroy(lab);
    lab = NULL;
}

static void set(struct config *config, enum config_option_id option, const char *value)
{
    ck_assert_msg(config_options[option].parse(config, value, &err) == ATTN_OK, "%s", err.message);
}

/** Each query 1; the keys 1, 2, 3, 4; no scaling: every row of scores is 1 2 3 4. */
static void start_with_scores(void)
{
    struct config config;
    float ones[] = {1, 1, 1, 1};
    float keys[] = {1, 2, 3, 4};
    const int dims[2] = {4, 1};
    const attn_tensor q = attn_tensor_view(ones, 2, dims);
    const attn_tensor k = attn_tensor_view(keys, 2, dims);
    config_init(&config, ATTN_SINGLE);
    ck_assert_int_eq(config_give(&config, ATTN_Q, &q, false), ATTN_OK);
    ck_assert_int_eq(config_give(&config, ATTN_K, &k, false), ATTN_OK);
    ck_assert_int_eq(config_give(&config, ATTN_V, &q, false), ATTN_OK);
    ck_assert_msg(lab_masks_create(&lab, &config, &err) == ATTN_OK, "%s", err.message);
    config_finish(&config);
}

static double weight(int t, int s)
{
    return (double)walk_value(lab->trace,
                              (struct attn_cell){.tensor = ATTN_WEIGHTS, .at = {0, t, s}});
}

static void paint(int t, int s)
{
    ck_assert_int_eq(lab_masks_paint(lab, t, s, &err), ATTN_OK);
}

static const struct {
    float fill;
    double weights[4];
    enum lab_fault fault;
} fills[] = {
    {-INFINITY, {0.2689, 0.7311, 0, 0}, LAB_SOUND},
    {-1e9F, {0.2689, 0.7311, 0, 0}, LAB_SOUND},
    {1e-20F, {0.2245, 0.6103, 0.0826, 0.0826}, LAB_LEAKS},
};

START_TEST(the_fill_decides_what_hidden_keys_keep)
{
    start_with_scores();
    paint(1, 2);
    paint(1, 3);
    lab->config.mask_fill = fills[_i].fill;
    ck_assert_int_eq(lab_masks_compute(lab, &err), ATTN_OK);
    for (int s = 0; s < 4; s++) {
        ck_assert_msg(fabs(weight(1, s) - fills[_i].weights[s]) < 5e-5, "%f", weight(1, s));
    }
    const struct lab_row *const row = &lab->rows[1];
    ck_assert(row->kept == 2 && row->fault == fills[_i].fault && fabs(row->sum - 1) < 1e-6);
    ck_assert(fabs(row->leak - fills[_i].weights[2] - fills[_i].weights[3]) < 1e-4);
    ck_assert_int_eq(lab->rows[0].fault, LAB_SOUND);
    ck_assert_int_eq(lab->preset, LAB_PAINTED);
    finish();
}
END_TEST

static const struct {
    float fill;
    enum attn_empty_row empty;
    double sum;
    enum lab_fault fault;
} emptied[] = {
    {-INFINITY, ATTN_EMPTY_ZEROS, 0, LAB_EMPTY},
    {-INFINITY, ATTN_EMPTY_NAN, NAN, LAB_NAN},
    {-1e9F, ATTN_EMPTY_ZEROS, 1, LAB_UNIFORM},
};

START_TEST(a_row_without_a_key_is_told_with_its_reason)
{
    start_with_scores();
    lab->config.mask_fill = emptied[_i].fill;
    lab->config.empty_row = emptied[_i].empty;
    for (int s = 0; s < 4; s++) {
        paint(2, s);
    }
    const struct lab_row *const row = &lab->rows[2];
    ck_assert_int_eq(row->kept, 0);
    ck_assert_int_eq(row->fault, emptied[_i].fault);
    ck_assert(isnan(emptied[_i].sum) ? isnan(row->sum) : fabs(row->sum - emptied[_i].sum) < 1e-6);
    ck_assert_int_gt((int)strlen(lab_faults[row->fault]), 0);
    ck_assert_int_eq(lab->rows[1].fault, LAB_SOUND);
    finish();
}
END_TEST

START_TEST(the_other_polarity_hides_what_was_kept)
{
    start_with_scores();
    paint(0, 3);
    lab->config.mask_keeps = 0;
    ck_assert_int_eq(lab_masks_compute(lab, &err), ATTN_OK);
    ck_assert(weight(0, 3) == 1 && weight(0, 0) == 0);
    ck_assert(lab->rows[0].kept == 1 && lab->rows[1].fault == LAB_EMPTY);
    ck_assert(lab_masks_keeps(lab, 0, 3) && !lab_masks_keeps(lab, 0, 0));
    finish();
}
END_TEST

/** Two queries, four keys. */
START_TEST(a_causal_mask_is_that_of_the_command_line_in_both_alignments)
{
    static const char *const aligns[] = {"top-left", "bottom-right"};
    struct config config;
    struct setup setup;
    attn_trace *trace = NULL;
    config_init(&config, ATTN_CROSS);
    set(&config, CONFIG_LENGTH, "2");
    set(&config, CONFIG_MEMORY_LENGTH, "4");
    set(&config, CONFIG_CAUSAL_ALIGN, aligns[_i]);
    ck_assert_int_eq(lab_masks_create(&lab, &config, &err), ATTN_OK);
    ck_assert_int_eq(lab->preset, LAB_OPEN);
    ck_assert_int_eq(lab_masks_preset(lab, LAB_CAUSAL, &err), ATTN_OK);
    set(&config, CONFIG_MASK, "causal");
    ck_assert_int_eq(config_trace(&setup, &trace, &config, &err), ATTN_OK);
    for (int i = 0; i < 8; i++) {
        const struct attn_cell cell = {.tensor = ATTN_WEIGHTS, .at = {0, i / 4, i % 4}};
        ck_assert(walk_value(trace, cell) == (float)weight(i / 4, i % 4));
    }
    ck_assert_int_eq(lab->rows[0].kept, _i == 0 ? 1 : 3);
    attn_trace_destroy(trace);
    setup_finish(&setup);
    config_finish(&config);
    finish();
}
END_TEST

START_TEST(it_starts_with_the_mask_of_the_options)
{
    struct config config;
    config_init(&config, ATTN_V3);
    set(&config, CONFIG_MASK, "causal+padding:3");
    ck_assert_int_eq(lab_masks_create(&lab, &config, &err), ATTN_OK);
    ck_assert_int_eq(lab->preset, LAB_BOTH);
    for (int t = 0; t < 4; t++) {
        for (int s = 0; s < 4; s++) {
            ck_assert_int_eq(lab->grid[t][s], s <= t && s < 3);
        }
    }
    config_finish(&config);
    finish();
}
END_TEST

static const struct {
    enum attn_variant variant;
    const char *length;
    enum attn_status status;
} refused[] = {
    {ATTN_V1, "4", ATTN_E_UNSUPPORTED},
    {ATTN_SINGLE, "9", ATTN_E_VALUE},
    {ATTN_SINGLE, "1", ATTN_E_VALUE},
};

START_TEST(what_cannot_be_painted_is_refused)
{
    struct config config;
    config_init(&config, refused[_i].variant);
    set(&config, CONFIG_LENGTH, refused[_i].length);
    ck_assert_int_eq(lab_masks_create(&lab, &config, &err), refused[_i].status);
    ck_assert_ptr_null(lab);
    config_finish(&config);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("masks");
    TCase *const t = tcase_create("masks");
    tcase_add_loop_test(t, the_fill_decides_what_hidden_keys_keep, 0, 3);
    tcase_add_loop_test(t, a_row_without_a_key_is_told_with_its_reason, 0, 3);
    tcase_add_test(t, the_other_polarity_hides_what_was_kept);
    tcase_add_loop_test(t, a_causal_mask_is_that_of_the_command_line_in_both_alignments, 0, 2);
    tcase_add_test(t, it_starts_with_the_mask_of_the_options);
    tcase_add_loop_test(t, what_cannot_be_painted_is_refused, 0, 3);
    suite_add_tcase(s, t);
    return s;
}

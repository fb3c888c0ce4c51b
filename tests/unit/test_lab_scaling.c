/* The scaling instrument against PyTorch, against known figures, and against itself in parts. */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "runner.h"

static struct lab_scaling *measured(uint64_t seed, int n_keys, int at_once)
{
    struct lab_scaling *const lab = lab_scaling_create(seed, n_keys);
    ck_assert_ptr_nonnull(lab);
    while (lab_scaling_more(lab, at_once)) {
        /* until all is measured */
    }
    ck_assert_int_eq(lab->rows, LAB_SEQUENCES * LAB_QUERIES);
    return lab;
}

/*
 * PyTorch 1.13: torch.manual_seed(42); 100 times q = randn(10, 1024), k = randn(10, 1024); the
 * Jacobian as a matrix, diag_embed(a) - a[:, :, None] * a[:, None, :], in double.
 */
static const struct {
    int width;
    enum lab_factor factor;
    double means[LAB_N_MEASURES];
} torch[] = {
    {0, LAB_NO_FACTOR, {0.926438, 0.260908, 2.019800, 0.330388}},
    {0, LAB_ROOT, {0.926438, 0.260908, 2.019800, 0.330388}},
    {0, LAB_FULL, {0.926438, 0.260908, 2.019800, 0.330388}},
    {6, LAB_NO_FACTOR, {7.984357, 0.864477, 0.349725, 0.162967}},
    {6, LAB_ROOT, {0.998045, 0.316600, 1.931069, 0.347718}},
    {6, LAB_FULL, {0.124756, 0.120346, 2.295593, 0.301388}},
    {10, LAB_NO_FACTOR, {32.042863, 0.968943, 0.075607, 0.043616}},
    {10, LAB_ROOT, {1.001339, 0.319720, 1.924815, 0.348120}},
    {10, LAB_FULL, {0.031292, 0.104891, 2.302146, 0.300088}},
};

enum { N_TORCH = sizeof torch / sizeof torch[0] };

START_TEST(the_measurements_are_those_of_the_same_lines_in_pytorch)
{
    struct lab_scaling *const lab = measured(42, 10, LAB_SEQUENCES);
    for (int i = 0; i < N_TORCH; i++) {
        for (int m = 0; m < LAB_N_MEASURES; m++) {
            const double seen = lab->readings[torch[i].width][torch[i].factor][m].mean;
            ck_assert_msg(fabs(seen - torch[i].means[m]) < 2e-5, "d_k %d, %s, %s: %f, not %f",
                          lab_width(torch[i].width), lab_factors[torch[i].factor].name,
                          lab_measures[m].name, seen, torch[i].means[m]);
        }
    }
    lab_scaling_destroy(lab);
}
END_TEST

START_TEST(the_largest_weight_at_64_is_what_it_is_known_to_be_whatever_the_seed)
{
    static const double known[LAB_N_FACTORS] = {0.86, 0.32, 0.12};
    struct lab_scaling *const lab = measured((uint64_t)_i, LAB_KEYS, LAB_SEQUENCES);
    for (int f = 0; f < LAB_N_FACTORS; f++) {
        const struct lab_reading r = lab->readings[6][f][LAB_LARGEST];
        ck_assert_msg(r.error > 0 && r.error < 0.01, "%f", r.error);
        ck_assert_msg(fabs(r.mean - known[f]) < 0.005 + 4 * r.error, "seed %d, %s: %f", _i,
                      lab_factors[f].name, r.mean);
    }
    lab_scaling_destroy(lab);
}
END_TEST

START_TEST(measured_in_parts_it_is_what_it_is_at_once)
{
    struct lab_scaling *const once = measured(7, LAB_KEYS_MIN, LAB_SEQUENCES);
    struct lab_scaling *const parts = measured(7, LAB_KEYS_MIN, 7);
    ck_assert(memcmp(once->readings, parts->readings, sizeof once->readings) == 0);
    lab_scaling_destroy(once);
    lab_scaling_destroy(parts);
}
END_TEST

START_TEST(no_measure_leaves_its_axis)
{
    struct lab_scaling *const lab = measured(3, _i, LAB_SEQUENCES);
    for (int w = 0; w < LAB_WIDTHS; w++) {
        for (int f = 0; f < LAB_N_FACTORS; f++) {
            for (int m = LAB_LARGEST; m < LAB_N_MEASURES; m++) {
                const double mean = lab->readings[w][f][m].mean;
                ck_assert_msg(mean > 0 && mean < lab_measure_bound((enum lab_measure)m, _i),
                              "%d keys, d_k %d, %s: %f", _i, lab_width(w), lab_measures[m].name,
                              mean);
            }
        }
    }
    lab_scaling_destroy(lab);
}
END_TEST

START_TEST(every_instrument_is_found_by_its_name_alone)
{
    for (int i = 0; i < LAB_N_KINDS; i++) {
        ck_assert_int_eq(lab_find(lab_infos[i].name), i);
    }
    ck_assert_int_eq(lab_find("scalin"), -1);
    ck_assert_int_eq(lab_find(""), -1);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("scaling");
    TCase *const t = tcase_create("scaling");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, the_measurements_are_those_of_the_same_lines_in_pytorch);
    tcase_add_loop_test(t, the_largest_weight_at_64_is_what_it_is_known_to_be_whatever_the_seed, 1,
                        2);
    tcase_add_test(t, measured_in_parts_it_is_what_it_is_at_once);
    tcase_add_loop_test(t, no_measure_leaves_its_axis, LAB_KEYS_MIN, LAB_KEYS_MIN + 1);
    tcase_add_test(t, every_instrument_is_found_by_its_name_alone);
    suite_add_tcase(s, t);
    return s;
}

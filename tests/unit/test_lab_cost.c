/* The cost instrument: its counts against what the kernels do, and its times by a clock of ours. */
#include <math.h>

#include "lab.h"
#include "runner.h"

static double now;
static double step; /**< Seconds from one look at the clock to the next. */

static double clock_of_ours(void)
{
    now += step;
    return now;
}

/** Every run takes a little longer than the last: too long after a few lengths. */
static double slowing(void)
{
    now += step;
    step *= 1.05;
    return now;
}

static const struct {
    int d;
    bool output;
    double layers, crossing;
} shapes[] = {{64, false, 3, 96}, {64, true, 4, 128}, {8, false, 3, 12}, {1024, true, 4, 2048}};

enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

START_TEST(operations_are_a_multiply_and_an_add_for_each_term)
{
    struct lab_cost lab;
    const double d = shapes[_i].d;
    lab_cost_init(&lab, shapes[_i].d, shapes[_i].output, NULL);
    ck_assert_double_eq_tol(lab_cost_crossing(&lab), shapes[_i].crossing, 1e-9);
    for (int i = 0; i < LAB_LENGTHS; i++) {
        const struct lab_cost_row *const r = &lab.rows[i];
        const double T = r->T;
        ck_assert_int_eq(r->T, 16 << i);
        ck_assert_double_eq_tol(r->project_ops, shapes[_i].layers * T * d * 2 * d, 0.5);
        ck_assert_double_eq_tol(r->attend_ops, T * T * 2 * d + T * d * 2 * T, 0.5);
        ck_assert_double_eq_tol(r->square_bytes, T * T * 4, 0.5);
        ck_assert_int_eq(r->attend_ops >= r->project_ops, T >= shapes[_i].crossing);
    }
}
END_TEST

START_TEST(what_goes_fast_is_measured_and_the_rest_is_left_out)
{
    struct lab_cost lab;
    step = 0.002;
    lab_cost_init(&lab, 8, false, clock_of_ours);
    while (lab_cost_more(&lab)) {
        ck_assert_double_eq_tol(lab.rows[lab.measured - 1].project_s, step, 1e-9);
        step = lab.measured == 5 ? 0.1 : step; /* the next takes so long that it is the last */
    }
    ck_assert(lab.complete && lab.measured == 6 && lab.rows[5].T == 512);
    ck_assert(lab.rows[6].project_s < 0 && lab.rows[6].attend_s < 0);
    ck_assert(lab_cost_measured_crossing(&lab) == 0);
}
END_TEST

START_TEST(a_slow_machine_measures_less)
{
    struct lab_cost lab;
    step = 0.02;
    lab_cost_init(&lab, 8, true, slowing);
    while (lab_cost_more(&lab)) {
    }
    ck_assert(lab.complete && lab.measured > 0 && lab.measured < 9);
}
END_TEST

START_TEST(the_measured_crossing_lies_where_both_take_as_long)
{
    struct lab_cost lab;
    lab_cost_init(&lab, 64, false, clock_of_ours);
    lab.measured = 4;
    for (int i = 0; i < 4; i++) { /* equal at T = 90 */
        lab.rows[i].project_s = 1e-6 * lab.rows[i].T;
        lab.rows[i].attend_s = 1e-6 * lab.rows[i].T * lab.rows[i].T / 90.0;
    }
    ck_assert_double_eq_tol(lab_cost_measured_crossing(&lab), 90, 0.01);
}
END_TEST

START_TEST(left_out_it_measures_nothing)
{
    struct lab_cost lab;
    lab_cost_init(&lab, 64, false, clock_of_ours);
    lab.complete = true;
    ck_assert(!lab_cost_more(&lab) && lab.measured == 0);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("cost");
    TCase *const t = tcase_create("cost");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, operations_are_a_multiply_and_an_add_for_each_term, 0, N_SHAPES);
    tcase_add_test(t, what_goes_fast_is_measured_and_the_rest_is_left_out);
    tcase_add_test(t, a_slow_machine_measures_less);
    tcase_add_test(t, the_measured_crossing_lies_where_both_take_as_long);
    tcase_add_test(t, left_out_it_measures_nothing);
    suite_add_tcase(s, t);
    return s;
}

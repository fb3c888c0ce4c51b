/* Answers as people write them: understood, or asked about again, never wrong for their form. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lesson.h"
#include "runner.h"

static const struct {
    const char *text;
    double value;
} numbers[] = {
    {"0.5", 0.5},
    {".5", 0.5},
    {"0,5", 0.5},
    {" 1 / 2 ", 0.5},
    {"½", 0.5},
    {"50%", 0.5},
    {"50 %", 0.5},
    {"5e-1", 0.5},
    {"5E-1", 0.5},
    {"+.5", 0.5},
    {"-0.5", -0.5},
    {"−0,5", -0.5},
    {"-1/2", -0.5},
    {"1/-2", -0.5},
    {"sqrt(4)", 2},
    {"√4", 2},
    {"√(4)", 2},
    {"1/sqrt(2)", 0.70710678118654752},
    {"1/√2", 0.70710678118654752},
    {"-sqrt(4)", -2},
    {"1e3", 1000},
    {"-inf", -INFINITY},
    {"−∞", -INFINITY},
    {"-Infinity", -INFINITY},
    {"inf", INFINITY},
    {"nan", NAN},
    {"7", 7},
};

enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (isinf(a) && isinf(b) && (a > 0) == (b > 0)) ||
           fabs(a - b) < 1e-12;
}

START_TEST(a_number_is_understood_in_every_usual_form)
{
    double value = 99;
    ck_assert_msg(lesson_answer_number(numbers[_i].text, &value), "%s", numbers[_i].text);
    ck_assert_msg(same(value, numbers[_i].value), "%s is %g", numbers[_i].text, value);
}
END_TEST

static const char *const no_numbers[] = {
    "",     " ",    "two", "1/",       "/2",    "1/2/3", "--1",        "0.5.5", "50%%", "1e",
    "0x10", "sqrt", "√",   "sqrt(-1)", "1 + 1", "[1,2]", "- inf nity", "1/sq",  "½½"};

enum { N_NO_NUMBERS = sizeof no_numbers / sizeof no_numbers[0] };

START_TEST(what_is_no_number_is_not_taken_for_one)
{
    double value = 99;
    ck_assert_msg(!lesson_answer_number(no_numbers[_i], &value), "'%s' is %g", no_numbers[_i],
                  value);
}
END_TEST

START_TEST(a_long_answer_is_no_number_and_no_trouble)
{
    char text[4096];
    double value = 0;
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert(!lesson_answer_number(text, &value));
    for (size_t i = 0; i + 3 < sizeof text; i += 3) {
        memcpy(text + i, "∞", 3);
    }
    ck_assert(!lesson_answer_number(text, &value));
    text[126] = '\0';
    ck_assert(!lesson_answer_number(text, &value));
}
END_TEST

static const struct {
    const char *text;
    int rank, shape[3];
} shapes[] = {
    {"1,4,4", 3, {1, 4, 4}},  {"[1, 4, 4]", 3, {1, 4, 4}}, {"(1,4,4)", 3, {1, 4, 4}},
    {"1x4x4", 3, {1, 4, 4}},  {"1 × 4 × 4", 3, {1, 4, 4}}, {"1 4 4", 3, {1, 4, 4}},
    {"4 by 4", 2, {4, 4, 0}}, {"8", 1, {8, 0, 0}},         {"[10,10]", 2, {10, 10, 0}},
};

enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

START_TEST(a_shape_is_understood_in_every_usual_form)
{
    int rank = 0;
    int shape[3] = {0};
    ck_assert_msg(lesson_answer_shape(shapes[_i].text, &rank, shape), "%s", shapes[_i].text);
    ck_assert_int_eq(rank, shapes[_i].rank);
    for (int i = 0; i < rank; i++) {
        ck_assert_msg(shape[i] == shapes[_i].shape[i], "%s", shapes[_i].text);
    }
}
END_TEST

static const char *const no_shapes[] = {"",        "[]",       "a x b",
                                        "1,2,3,4", "0,4",      "-1,4",
                                        "1.5,2",   "four",     "99999999999999999999,1",
                                        "by 4",    "1000001,1"};

enum { N_NO_SHAPES = sizeof no_shapes / sizeof no_shapes[0] };

START_TEST(what_is_no_shape_is_not_taken_for_one)
{
    int rank = 0;
    int shape[3] = {0};
    ck_assert_msg(!lesson_answer_shape(no_shapes[_i], &rank, shape), "'%s'", no_shapes[_i]);
}
END_TEST

static const struct lesson_question a_number = {.kind = LESSON_NUMBER,
                                                .given = true,
                                                .number = 0.3,
                                                .tolerance = 0.05,
                                                .tolerance_given = true};
static const struct lesson_question a_fifth = {
    .kind = LESSON_NUMBER, .given = true, .number = 0.2, .tolerance = 0.05};
static const struct lesson_question a_shape = {
    .kind = LESSON_SHAPE, .given = true, .rank = 3, .shape = {1, 4, 4}};

static enum lesson_verdict judge(const struct lesson_question *q, const char *text)
{
    struct lesson_right right;
    ck_assert_int_eq(lesson_right_answer(q, NULL, NULL, &right, NULL), ATTN_OK);
    return lesson_judge(q, &right, text);
}

START_TEST(a_number_is_right_within_its_tolerance)
{
    ck_assert_int_eq(judge(&a_number, "0.3"), LESSON_RIGHT);
    ck_assert_int_eq(judge(&a_number, "0.35"), LESSON_RIGHT);
    ck_assert_int_eq(judge(&a_number, "25%"), LESSON_RIGHT);
    ck_assert_int_eq(judge(&a_number, "0.36"), LESSON_WRONG);
    ck_assert_int_eq(judge(&a_number, "-inf"), LESSON_WRONG);
    ck_assert_int_eq(judge(&a_number, "nan"), LESSON_WRONG);
    ck_assert_int_eq(judge(&a_number, "a third"), LESSON_UNREADABLE);
}
END_TEST

START_TEST(a_tolerance_that_was_not_given_is_no_wider_than_a_hundredth)
{
    ck_assert_int_eq(judge(&a_fifth, "1/5"), LESSON_RIGHT);
    ck_assert_int_eq(judge(&a_fifth, "0.21"), LESSON_RIGHT);
    ck_assert_int_eq(judge(&a_fifth, "1/4"), LESSON_WRONG);
}
END_TEST

START_TEST(a_shape_is_right_with_and_without_a_batch_of_one)
{
    ck_assert_int_eq(judge(&a_shape, "1,4,4"), LESSON_RIGHT);
    ck_assert_int_eq(judge(&a_shape, "4x4"), LESSON_RIGHT);
    ck_assert_int_eq(judge(&a_shape, "4"), LESSON_WRONG);
    ck_assert_int_eq(judge(&a_shape, "2,4,4"), LESSON_WRONG);
    ck_assert_int_eq(judge(&a_shape, "none"), LESSON_UNREADABLE);
}
END_TEST

START_TEST(what_is_wanted_is_said_with_its_tolerance)
{
    struct lesson_right right;
    char text[64];
    ck_assert_int_eq(lesson_right_answer(&a_number, NULL, NULL, &right, NULL), ATTN_OK);
    lesson_wants_text(&a_number, &right, text, sizeof text);
    ck_assert_str_eq(text, "a number, within 0.05");
    lesson_right_text(&a_number, &right, text, sizeof text);
    ck_assert_str_eq(text, "0.3");
    ck_assert_int_eq(lesson_right_answer(&a_shape, NULL, NULL, &right, NULL), ATTN_OK);
    lesson_right_text(&a_shape, &right, text, sizeof text);
    ck_assert_str_eq(text, "[1,4,4]");
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("answers");
    TCase *const t = tcase_create("forms");
    tcase_add_loop_test(t, a_number_is_understood_in_every_usual_form, 0, N_NUMBERS);
    tcase_add_loop_test(t, what_is_no_number_is_not_taken_for_one, 0, N_NO_NUMBERS);
    tcase_add_test(t, a_long_answer_is_no_number_and_no_trouble);
    tcase_add_loop_test(t, a_shape_is_understood_in_every_usual_form, 0, N_SHAPES);
    tcase_add_loop_test(t, what_is_no_shape_is_not_taken_for_one, 0, N_NO_SHAPES);
    tcase_add_test(t, a_number_is_right_within_its_tolerance);
    tcase_add_test(t, a_tolerance_that_was_not_given_is_no_wider_than_a_hundredth);
    tcase_add_test(t, a_shape_is_right_with_and_without_a_batch_of_one);
    tcase_add_test(t, what_is_wanted_is_said_with_its_tolerance);
    suite_add_tcase(s, t);
    return s;
}

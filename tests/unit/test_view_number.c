/* Numbers in cells keep to the width that their tensor has. */
#include <math.h>
#include <string.h>

#include "runner.h"
#include "view_number.h"

static const struct {
    float value;
    struct view_format format;
    const char *text;
} rows[] = {
    {-1e9F, {4, 0}, "-1e9"},   {-1e9F, {6, 2}, "-1e9"},    {-1e20F, {5, 0}, "-1e20"},
    {-1e9F, {2, 0}, "##"},     {123456.0F, {4, 0}, "1e5"}, {3.0F, {4, 0}, "3"},
    {0.25F, {7, 4}, "0.2500"}, {1e-20F, {7, 4}, "~0"},     {-INFINITY, {4, 0}, "-inf"},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

START_TEST(a_number_is_never_wider_than_its_cell)
{
    char text[24];
    view_number(text, rows[_i].value, rows[_i].format);
    ck_assert_msg(strcmp(text, rows[_i].text) == 0, "%g: '%s'", (double)rows[_i].value, text);
    ck_assert_msg((int)strlen(text) <= rows[_i].format.width, "'%s'", text);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("numbers in cells");
    TCase *const t = tcase_create("rows");
    tcase_add_loop_test(t, a_number_is_never_wider_than_its_cell, 0, N_ROWS);
    suite_add_tcase(s, t);
    return s;
}

/* Every .csv case and every spelling of a number with its verdict; dialects; round trips. */
#include "runner.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comma_locale.h"
#include "io.h"
#include "io_case.h"
#include "scratch.h"

#define FOUR                                                                                       \
    {                                                                                              \
        1, 2.5f, -3, 4                                                                             \
    }
#define ACCEPT_2X2(name)                                                                           \
    {                                                                                              \
        .file = "csv/" name, .rank = 2, .dims = {2, 2}, .values = FOUR                             \
    }
#define ACCEPT_ONE(name, value)                                                                    \
    {                                                                                              \
        .file = "csv/" name, .rank = 2, .dims = {1, 1}, .values = { value }                        \
    }
#define NOTED_ONE(name, value, words)                                                              \
    {                                                                                              \
        .file = "csv/" name, .note = words, .rank = 2, .dims = {1, 1}, .values = { value }         \
    }
#define REFUSE(name, at_line, at_column, words)                                                    \
    {                                                                                              \
        .file = "csv/" name, .refusal = words, .line = at_line, .column = at_column                \
    }

static const struct io_case cases[] = {
    ACCEPT_2X2("comma_plain.csv"),
    ACCEPT_2X2("semicolon_decimal_comma.csv"),
    ACCEPT_2X2("tab_separated.csv"),
    ACCEPT_2X2("space_separated.csv"),
    {.file = "csv/ambiguous_1_comma_5.csv", .rank = 2, .dims = {1, 2}, .values = {1, 5}},
    REFUSE("thousands_sep.csv", 1, 1, "'1,000' is no number (write the decimal point as . and"),
    ACCEPT_2X2("bom.csv"),
    ACCEPT_2X2("crlf.csv"),
    ACCEPT_2X2("cr_only.csv"),
    ACCEPT_2X2("mixed_eol.csv"),
    ACCEPT_2X2("no_final_newline.csv"),
    ACCEPT_2X2("blank_last_lines.csv"),
    REFUSE("blank_middle_line.csv", 2, 1, "an empty line stands between the rows"),
    REFUSE("empty.csv", 0, 0, "the file is empty"),
    REFUSE("only_newlines.csv", 0, 0, "there is no number in it"),
    REFUSE("utf16le_bom.csv", 0, 0, "it is text in UTF-16"),
    REFUSE("nul_byte.csv", 1, 4, "there is a NUL byte"),
    REFUSE("latin1_header.csv", 1, 1, "'q\\xe9' is no number"),
    REFUSE("number_tokens.tsv", 11, 14, "both with a comma and with a point"),
    ACCEPT_ONE("tok_00.csv", NAN),
    ACCEPT_ONE("tok_01.csv", NAN),
    ACCEPT_ONE("tok_02.csv", NAN),
    REFUSE("tok_03.csv", 1, 1, "'nan(0x1)' is no number"),
    ACCEPT_ONE("tok_04.csv", INFINITY),
    ACCEPT_ONE("tok_05.csv", -INFINITY),
    REFUSE("tok_06.csv", 1, 1, "'Informed' is no number"),
    REFUSE("tok_07.csv", 1, 1, "'0x1p-2' is no number (write it in decimal)"),
    REFUSE("tok_08.csv", 1, 1, "'0x10' is no number (write it in decimal)"),
    ACCEPT_ONE("tok_09.csv", 10),
    ACCEPT_ONE("tok_10.csv", 1.5f),
    REFUSE("tok_11.csv", 1, 1, "'-+1' is no number"),
    REFUSE("tok_12.csv", 1, 1, "'--1' is no number"),
    ACCEPT_ONE("tok_13.csv", 1),
    ACCEPT_ONE("tok_14.csv", 0.5f),
    ACCEPT_ONE("tok_15.csv", -0.5f),
    ACCEPT_ONE("tok_16.csv", 0.1f),
    ACCEPT_ONE("tok_17.csv", 100),
    REFUSE("tok_18.csv", 1, 1, "'1e' is no number"),
    REFUSE("tok_19.csv", 1, 1, "'1e+' is no number"),
    REFUSE("tok_20.csv", 1, 1, "'1.0x' is no number"),
    REFUSE("tok_21.csv", 1, 1, "'1.2.3' is no number"),
    REFUSE("tok_22.csv", 1, 1, "'1_000' is no number (write the digits together)"),
    REFUSE("tok_23.csv", 1, 1, "'1f' is no number"),
    REFUSE("tok_24.csv", 1, 1, "'1d5' is no number"),
    REFUSE("tok_25.csv", 1, 1, "'\u22121' is no number (its minus is U+2212"),
    REFUSE("tok_26.csv", 1, 1, "'1e400' is beyond 1.8e308"),
    NOTED_ONE("tok_27.csv", 0, "1e-400 at [0,0] became 0"),
    NOTED_ONE("tok_28.csv", 0, "5e-324 at [0,0] became 0: the smallest float32 is 1.4e-45"),
    NOTED_ONE("tok_29.csv", 0, "2.2250738585072011e-308 at [0,0] became 0"),
    ACCEPT_ONE("tok_30.csv", 0.1f),
    NOTED_ONE("tok_31.csv", 0x1p53f, "9007199254740993 at [0,0] became 9007199254740992"),
    ACCEPT_ONE("tok_32.csv", -0.0f),
    ACCEPT_ONE("tok_33.csv", -0.0f),
    REFUSE("tok_34.csv", 1, 1, "'1 2' is no number (put a comma or a tab between two numbers)"),
    REFUSE("tok_35.csv", 1, 1, "does not close"),
    REFUSE("tok_36.csv", 1, 1, "'1.0\\u{00a0}' is no number"),
    REFUSE("tok_37.csv", 1, 1, "'\uff11' is no number"),
    REFUSE("tok_38.csv", 1, 1, "'true' is no number (write a mask with 1 and 0)"),
    REFUSE("tok_39.csv", 1, 1, "'50%' is no number (write 50% as 0.5)"),
    REFUSE("tok_40.csv", 1, 1, "'1/2' is no number (write 1/2 as 0.5)"),
};

enum { N_CASES = sizeof cases / sizeof cases[0] };

START_TEST(a_case_keeps_its_verdict)
{
    io_case_check(&cases[_i]);
}
END_TEST

START_TEST(every_case_file_is_in_the_table)
{
    io_case_check_folder("csv", cases, N_CASES);
}
END_TEST

/* ---- dialects ---- */

static const struct {
    const char *name;
    const char *text;
    const char *refusal; /* NULL: it is read as these. */
    int line, column;
    size_t rows, columns;
    float values[6];
} dialects[] = {
    {"a.csv", "1,2\n3,4", NULL, 0, 0, 2, 2, {1, 2, 3, 4}},
    {"a.csv", " 1 , 2 \r\n 3 ,  4 \r\n", NULL, 0, 0, 2, 2, {1, 2, 3, 4}},
    {"a.csv", "\"1\",\"2\"\n3,4\n", NULL, 0, 0, 2, 2, {1, 2, 3, 4}},
    {"a.csv", "# from numpy.savetxt\n1 2\n3 4\n", NULL, 0, 0, 2, 2, {1, 2, 3, 4}},
    {"a.csv", "  1    2\n -3  4e1\n", NULL, 0, 0, 2, 2, {1, 2, -3, 40}},
    {"a.csv", "1\n2\n3\n", NULL, 0, 0, 3, 1, {1, 2, 3}},
    {"a.csv", "\n\n1\n2\n", NULL, 0, 0, 2, 1, {1, 2}},
    {"a.csv", "1;2\n3;4\n", NULL, 0, 0, 2, 2, {1, 2, 3, 4}},
    {"a.csv", "1.5;2\n3;4\n", NULL, 0, 0, 2, 2, {1.5f, 2, 3, 4}},
    {"a.csv", "1,234;2,5\n", NULL, 0, 0, 1, 2, {1.234f, 2.5f}},
    {"a.csv", "0,125;0,250\n", NULL, 0, 0, 1, 2, {0.125f, 0.25f}},
    {"a.csv", "-,5;1,e1\n", NULL, 0, 0, 1, 2, {-0.5f, 10}},
    {"a.csv", "1,5\t2,5\n", NULL, 0, 0, 1, 2, {1.5f, 2.5f}},
    {"a.csv", "\"1,5\";\"2,5\"\n", NULL, 0, 0, 1, 2, {1.5f, 2.5f}},
    {"a.tsv", "1.5\t2\n3\t4\n", NULL, 0, 0, 2, 2, {1.5f, 2, 3, 4}},
    {"a.tsv", "1,5\t2\n", NULL, 0, 0, 1, 2, {1.5f, 2}},
    {"a.tsv", "1\n2\n", NULL, 0, 0, 2, 1, {1, 2}},
    {"-", "1,2\n3,4\n", NULL, 0, 0, 2, 2, {1, 2, 3, 4}},
    {"a.csv", "1,234;2,345\n", "may be a decimal comma or part thousands (write", 1, 2, 0, 0, {0}},
    {"a.csv", "1;2\n3;1,500\n", "may be a decimal comma or part thousands (write", 2, 4, 0, 0, {0}},
    {"a.csv", "1.5;2,5\n", "both with a comma and with a point", 1, 6, 0, 0, {0}},
    {"a.csv", "1.000,5;2\n", "both with a comma and with a point", 1, 6, 0, 0, {0}},
    {"a.csv", "1,5 2,5\n", "'5 2' is no number (put a comma or a tab", 1, 3, 0, 0, {0}},
    {"a.tsv", "1,5\n2,5\n", "there is no tab in this .tsv, so the comma may", 1, 2, 0, 0, {0}},
    {"a.tsv", "1;2\n", "'1;2' is no number", 1, 1, 0, 0, {0}},
    {"a.csv", "1,2\n3\n", "line 2 has 1 number, and line 1 has 2", 2, 1, 0, 0, {0}},
    {"a.csv", "# c\n1\n2,3\n", "line 3 has 2 numbers, and line 2 has 1", 3, 1, 0, 0, {0}},
    {"a.csv", "1,,2\n", "a field is empty", 1, 3, 0, 0, {0}},
    {"a.csv", "1,2,\n", "a field is empty", 1, 5, 0, 0, {0}},
    {"a.csv", ",1\n", "a field is empty", 1, 1, 0, 0, {0}},
    {"a.csv",
     "x,y\n1,2\n",
     "'x' is no number (numbers are written like -1.5e-3; a line of",
     1,
     1,
     0,
     0,
     {0}},
    {"a.csv", "1,2\n3,\x1b[31m\n", "'\\u{001b}[31m' is no number", 2, 3, 0, 0, {0}},
    {"a.csv", "1,\"2\n", "the quote before '2' does not close", 1, 3, 0, 0, {0}},
    {"a.csv", "# only this\n", "there is no number in it", 0, 0, 0, 0, {0}},
    {"a.csv", "1,.\n", "'.' is no number", 1, 3, 0, 0, {0}},
    {"a.csv", "1,+\n", "'+' is no number", 1, 3, 0, 0, {0}},
};

START_TEST(a_dialect_is_told_by_the_text_or_refused_as_ambiguous)
{
    struct io_archive archive;
    struct attn_error err = {.message = ""};
    const char *const text = dialects[_i].text;
    const enum attn_status status =
        io_read_memory(&archive, dialects[_i].name, text, strlen(text), &err);
    if (dialects[_i].refusal != NULL) {
        ck_assert_msg(status != ATTN_OK, "%s was read", text);
        ck_assert_msg(strstr(err.message, dialects[_i].refusal) != NULL, "%s: %s", text,
                      err.message);
        ck_assert_msg(err.line == dialects[_i].line && err.column == dialects[_i].column,
                      "%s: at %d:%d", text, err.line, err.column);
        ck_assert_ptr_nonnull(strchr(err.message, '('));
        return;
    }
    ck_assert_msg(status == ATTN_OK, "%s: %s", text, err.message);
    const struct io_array *const array = &archive.arrays[0];
    ck_assert_int_eq(array->rank, 2);
    ck_assert_uint_eq(array->dims[0], dialects[_i].rows);
    ck_assert_uint_eq(array->dims[1], dialects[_i].columns);
    for (size_t i = 0; i < array->count; i++) {
        ck_assert_msg(array->data[i] == dialects[_i].values[i], "%s: [%zu] is %.9g", text, i,
                      (double)array->data[i]);
    }
    io_archive_finish(&archive);
}
END_TEST

START_TEST(a_number_of_many_digits_is_read_to_its_end)
{
    char text[6000];
    memset(text, '1', sizeof text);
    text[0] = '0';
    text[1] = '.';
    struct io_archive archive;
    ck_assert_int_eq(io_read_memory(&archive, "a.csv", text, sizeof text, NULL), ATTN_OK);
    ck_assert(archive.arrays[0].data[0] == 0.11111111f);
    io_archive_finish(&archive);
    text[sizeof text - 1] = 'x';
    ck_assert_int_eq(io_read_memory(&archive, "a.csv", text, sizeof text, NULL), ATTN_E_FORMAT);
}
END_TEST

/* ---- writing ---- */

/** Write count floats of a generator as a table and read them again. */
static void check_round_trip(const char *name, uint32_t seed)
{
    enum { ROWS = 40, COLUMNS = 25 };
    static float data[ROWS * COLUMNS];
    uint32_t bits = seed;
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        bits = bits * 1664525u + 1013904223u;
        memcpy(&data[i], &bits, sizeof bits);
    }
    data[0] = -0.0f;
    data[1] = INFINITY;
    data[2] = -INFINITY;
    data[3] = 0x1p-149f;
    data[4] = 0x1.fffffep127f;
    const struct io_out out = {"x", 3, {1, ROWS, COLUMNS}, data};
    struct attn_error err = {.message = ""};
    ck_assert_msg(io_write(scratch_path(name), &out, 1, &err) == ATTN_OK, "%s", err.message);
    struct io_archive archive;
    ck_assert_msg(io_read(&archive, scratch_path(name), &err) == ATTN_OK, "%s", err.message);
    ck_assert_uint_eq(archive.arrays[0].dims[0], ROWS);
    ck_assert_uint_eq(archive.arrays[0].dims[1], COLUMNS);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        const float got = archive.arrays[0].data[i];
        const bool same = isnan(data[i]) ? isnan(got) : memcmp(&got, &data[i], sizeof got) == 0;
        ck_assert_msg(same, "[%zu] %.9g came back as %.9g", i, (double)data[i], (double)got);
    }
    io_archive_finish(&archive);
}

START_TEST(every_float_comes_back_from_a_table)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        check_round_trip("a.csv", seed);
        check_round_trip("a.tsv", seed);
    }
}
END_TEST

START_TEST(a_table_takes_one_matrix_and_says_so)
{
    const float data[8] = {0};
    const struct io_out two[2] = {{"x", 1, {8}, data}, {"y", 1, {8}, data}};
    const struct io_out stack = {"x", 3, {2, 2, 2}, data};
    struct attn_error err;
    ck_assert_int_eq(io_write(scratch_path("a.csv"), two, 2, &err), ATTN_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "one matrix, and there are 2 (save as .npz"));
    ck_assert_int_eq(io_write(scratch_path("a.tsv"), &stack, 1, &err), ATTN_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "x is a stack of 2 (save as .npy"));
    ck_assert_int_eq(scratch_count(), 0);
}
END_TEST

static const struct {
    float value;
    const char *text;
} texts[] = {
    {0.1f, "0.1"},
    {-0.0f, "-0.0"},
    {0, "0"},
    {1.0f / 3, "0.33333334"},
    {16777216, "16777216"},
    {0x1p-149f, "1e-45"},
    {1e10f, "1e+10"},
    {NAN, "nan"},
    {-INFINITY, "-inf"},
    {-1.5f, "-1.5"},
    {0x1.fffffep127f, "3.4028235e+38"},
};

START_TEST(a_number_is_written_with_the_fewest_digits_that_read_back)
{
    char out[IO_NUMBER_TEXT_MAX];
    ck_assert_str_eq(io_number_text(texts[_i].value, out), texts[_i].text);
}
END_TEST

START_TEST(a_locale_with_a_decimal_comma_changes_nothing)
{
    if (!comma_locale_make()) {
        return; /* The system cannot make one. */
    }
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "de_DE.UTF-8"));
    char out[IO_NUMBER_TEXT_MAX];
    ck_assert_str_eq(localeconv()->decimal_point, ",");
    ck_assert_str_eq(io_number_text(1.5f, out), "1.5");
    check_round_trip("a.csv", 7);
    io_case_check(&cases[0]);
    ck_assert_str_eq(localeconv()->decimal_point, ","); /* It is the caller's, and stays. */
    comma_locale_remove();
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("io: csv");
    TCase *const t = tcase_create("csv");
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_set_timeout(t, 120); /* Making a locale takes seconds. */
    tcase_add_loop_test(t, a_case_keeps_its_verdict, 0, N_CASES);
    tcase_add_test(t, every_case_file_is_in_the_table);
    tcase_add_loop_test(t, a_dialect_is_told_by_the_text_or_refused_as_ambiguous, 0,
                        (int)(sizeof dialects / sizeof dialects[0]));
    tcase_add_test(t, a_number_of_many_digits_is_read_to_its_end);
    tcase_add_test(t, every_float_comes_back_from_a_table);
    tcase_add_test(t, a_table_takes_one_matrix_and_says_so);
    tcase_add_loop_test(t, a_number_is_written_with_the_fewest_digits_that_read_back, 0,
                        (int)(sizeof texts / sizeof texts[0]));
    tcase_add_test(t, a_locale_with_a_decimal_comma_changes_nothing);
    suite_add_tcase(s, t);
    return s;
}

/* Every .json case with its verdict; members, places, what attn prints; round trips. */
#include "runner.h"

#include <jansson.h>
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

#define ACCEPT(name, ...)                                                                          \
    {                                                                                              \
        .file = "json/" name, .rank = 2, __VA_ARGS__                                               \
    }
#define ONE_ROW(...) .dims = {1, 2}, .values = {__VA_ARGS__}
#define TWO_ROWS .dims = {2, 2}, .values = {1, 2.5f, -3, 4}
#define REFUSE(name, at_line, at_column, words)                                                    \
    {                                                                                              \
        .file = "json/" name, .refusal = words, .line = at_line, .column = at_column               \
    }

static const struct io_case cases[] = {
    ACCEPT("plain.json", TWO_ROWS),
    ACCEPT("crlf_ws.json", TWO_ROWS),
    ACCEPT("bom.json", TWO_ROWS),
    ACCEPT("nan.json", ONE_ROW(1, NAN)),
    ACCEPT("infinity.json", ONE_ROW(1, -INFINITY)),
    ACCEPT("nan_string.json", ONE_ROW(1, NAN)),
    REFUSE("null.json", 1, 5, "[0,1] is null where a number is due (write \"nan\""),
    REFUSE("1e400.json", 1, 5, "real number overflow near '1e400'"),
    ACCEPT("neg_zero.json", ONE_ROW(-0.0f, 0)),
    REFUSE("leading_plus.json", 1, 3, "invalid token near '+'"),
    REFUSE("leading_zero.json", 1, 3, "invalid token near '0'"),
    REFUSE("dot_5.json", 1, 3, "invalid token near '.'"),
    REFUSE("five_dot.json", 1, 3, "invalid token near '5.'"),
    REFUSE("hex.json", 1, 4, "']' expected near 'x'"),
    REFUSE("trailing_comma.json", 1, 14, "unexpected token near ']'"),
    REFUSE("single_quotes.json", 1, 2, "string or '}' expected"),
    REFUSE("comment.json", 1, 9, "end of file expected near '/'"),
    REFUSE("trailing_garbage.json", 1, 8, "end of file expected near ']'"),
    REFUSE("two_documents.json", 2, 1, "end of file expected near '['"),
    REFUSE("dup_keys.json", 1, 12, "duplicate object key near '\"Q\"'"),
    REFUSE("ragged.json", 1, 10, "[1] has 2 elements, and the first of its kind has 3"),
    REFUSE("mixed_types.json", 1, 5, "[0,1] is a string where a number is due"),
    ACCEPT("bool_data.json", ONE_ROW(1, 0)),
    REFUSE("empty_array.json", 0, 0, "dimension 0 of its shape (0,) is 0"),
    REFUSE("empty_rows.json", 0, 0, "dimension 1 of its shape (2, 0) is 0"),
    REFUSE("empty_file.json", 0, 0, "the file is empty"),
    {.file = "json/scalar.json", .rank = 0, .values = {3}},
    ACCEPT("precision.json", .note = "9007199254740993 at [0,4] became 9007199254740992",
           .dims = {1, 5}, .values = {0.1f, 0.3f, INFINITY, 0, 0x1p53f}),
    ACCEPT("long_number.json", .dims = {1, 1}, .values = {0.11111111f}),
    REFUSE("utf8_tokens.json", 0, 0, "no member of it is an array of numbers"),
    REFUSE("bad_utf8.json", 1, 13, "byte 12, 0xff, is no UTF-8"),
    REFUSE("lone_surrogate.json", 1, 12, "invalid Unicode '\\uD83D'"),
    REFUSE("utf16.json", 0, 0, "it is text in UTF-16"),
};

enum { N_CASES = sizeof cases / sizeof cases[0] };

START_TEST(a_case_keeps_its_verdict)
{
    io_case_check(&cases[_i]);
}
END_TEST

START_TEST(every_case_file_is_in_the_table)
{
    io_case_check_folder("json", cases, N_CASES);
}
END_TEST

/* ---- texts ---- */

static const struct {
    const char *text;
    const char *refusal; /* NULL: the first array is as the other columns say. */
    int line, column;
    const char *name;
    const char *shape;
    enum io_type type;
    float first, last;
} texts[] = {
    {"{\"x\": [[1, 2], [3, 4]]}", NULL, 0, 0, "x", "2 2", IO_TYPE_INT, 1, 4},
    {"{\"a\\u0062\": [1.5]}", NULL, 0, 0, "ab", "1", IO_TYPE_FLOAT, 1.5f, 1.5f},
    {"{\"name\": \"me\", \"ok\": true, \"o\": {\"x\": [1]}, \"n\": null, \"x\": [2]}", NULL, 0, 0,
     "x", "1", IO_TYPE_INT, 2, 2},
    {"{\"tokens\": [\"a\", \"b\"], \"flags\": [{\"at\": 1}], \"x\": [2]}", NULL, 0, 0, "x", "1",
     IO_TYPE_INT, 2, 2},
    {"{\"p\": 0.1}", NULL, 0, 0, "p", "", IO_TYPE_FLOAT, 0.1f, 0.1f},
    {"{\"p\": \"nan\"}", NULL, 0, 0, "p", "", IO_TYPE_FLOAT, NAN, NAN},
    {"[[true, false], [false, true]]", NULL, 0, 0, "", "2 2", IO_TYPE_BOOL, 1, 1},
    {"[NaN,Infinity,-Infinity,1]", NULL, 0, 0, "", "4", IO_TYPE_FLOAT, NAN, 1},
    {"[1, \"nan\", \"inf\", \"-inf\"]", NULL, 0, 0, "", "4", IO_TYPE_FLOAT, 1, -INFINITY},
    {"[-0, 1]", NULL, 0, 0, "", "2", IO_TYPE_FLOAT, -0.0f, 1},
    {"[-0.5, -0e3, 1]", NULL, 0, 0, "", "3", IO_TYPE_FLOAT, -0.5f, 1},
    {"{\"NaN -Infinity \\\" NaN\": [1]}", NULL, 0, 0, "NaN -Infinity \" NaN", "1", IO_TYPE_INT, 1,
     1},
    {"[100000000000000000000]", NULL, 0, 0, "", "1", IO_TYPE_FLOAT, 1e20f, 1e20f},
    {"\r\n [ 1 ] \r\n", NULL, 0, 0, "", "1", IO_TYPE_INT, 1, 1},
    {"[1, NaN, x]", "invalid token near 'x'", 1, 10, 0, 0, 0, 0, 0},
    {"[-Infinity,\n-Infinity,\n1 2]", "']' expected near '2'", 3, 3, 0, 0, 0, 0, 0},
    {"[1,NaNa]", "invalid token near 'NaNa'", 1, 4, 0, 0, 0, 0, 0},
    {"[1,nan]", "invalid token near 'nan'", 1, 4, 0, 0, 0, 0, 0},
    {"[[1, 2],\n [3, \"x\"]]", "[1,1] is a string where a number is due", 2, 6, 0, 0, 0, 0, 0},
    {"[[1, 2],\n [3, true]]", "[1,1] is a boolean where a number is due", 2, 6, 0, 0, 0, 0, 0},
    {"[true, 1]", "[1] is a number where a boolean is due", 1, 8, 0, 0, 0, 0, 0},
    {"[[1, 2], 3]", "[1] is a number where an array is due", 1, 10, 0, 0, 0, 0, 0},
    {"[1, [2]]", "[1] is an array where a number is due", 1, 5, 0, 0, 0, 0, 0},
    {"[1, {}]", "[1] is an object where a number is due", 1, 5, 0, 0, 0, 0, 0},
    {"[[[1, 2], [3]]]", "[0,1] has 1 element, and the first of its kind has 2", 1, 11, 0, 0, 0, 0,
     0},
    {"{\"o\": {\"a\": \"]\"},\n \"x\": [1, [2]]}", "[1] is an array where a number is due", 2, 11,
     0, 0, 0, 0, 0},
    {"{\"x\": []}", "dimension 0 of its shape (0,) is 0", 0, 0, 0, 0, 0, 0, 0},
    {"{\"x\": [[[]]]}", "dimension 2 of its shape (1, 1, 0) is 0", 0, 0, 0, 0, 0, 0, 0},
    {"{}", "no member of it is an array of numbers", 0, 0, 0, 0, 0, 0, 0},
    {"{\"x\": \"1\"}", "no member of it is an array of numbers", 0, 0, 0, 0, 0, 0, 0},
    {"\"1\"", "it is a string where a number is due", 1, 1, 0, 0, 0, 0, 0},
    {"[\"a\"]", "[0] is a string where a number is due", 1, 2, 0, 0, 0, 0, 0},
    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
     "nested more than 32 deep", 1, 1, 0, 0, 0, 0, 0},
    {"[1", "it is no JSON", 1, 3, 0, 0, 0, 0, 0},
};

START_TEST(a_text_is_read_or_refused_at_its_place)
{
    struct io_archive archive;
    struct attn_error err = {.message = ""};
    const char *const text = texts[_i].text;
    const enum attn_status status = io_read_memory(&archive, "a.json", text, strlen(text), &err);
    if (texts[_i].refusal != NULL) {
        ck_assert_msg(status != ATTN_OK, "%s was read", text);
        ck_assert_msg(strstr(err.message, texts[_i].refusal) != NULL, "%s: %s", text, err.message);
        ck_assert_msg(err.line == texts[_i].line && err.column == texts[_i].column,
                      "%s: at %d:%d: %s", text, err.line, err.column, err.message);
        ck_assert_ptr_nonnull(strchr(err.message, '('));
        return;
    }
    ck_assert_msg(status == ATTN_OK, "%s: %s", text, err.message);
    ck_assert_int_eq(archive.n, 1);
    const struct io_array *const array = &archive.arrays[0];
    char shape[64] = "";
    for (int i = 0; i < array->rank; i++) {
        const size_t used = strlen(shape);
        snprintf(shape + used, sizeof shape - used, "%s%zu", i > 0 ? " " : "", array->dims[i]);
    }
    ck_assert_str_eq(shape, texts[_i].shape);
    ck_assert_str_eq(array->name, texts[_i].name);
    ck_assert_msg(array->type == texts[_i].type, "%s: type %d", text, (int)array->type);
    const float got[2] = {array->data[0], array->data[array->count - 1]};
    const float want[2] = {texts[_i].first, texts[_i].last};
    for (int i = 0; i < 2; i++) {
        ck_assert_msg(isnan(want[i]) ? isnan(got[i]) : memcmp(&got[i], &want[i], 4) == 0,
                      "%s: %.9g", text, (double)got[i]);
    }
    io_archive_finish(&archive);
}
END_TEST

START_TEST(what_attn_run_prints_is_read_by_its_tensors_names)
{
    const char *const text = "{\"variant\": \"v1\", \"sizes\": {\"B\": 1}, \"tensors\": ["
                             "{\"name\": \"q\", \"stage\": \"project\", \"shape\": [1, 2, 3],"
                             " \"data\": [1, 2, 3, 4, \"nan\", -0.0]},\n"
                             "{\"name\": \"p\", \"shape\": [], \"data\": [0.5]}], \"flags\": []}";
    struct io_archive archive;
    struct attn_error err = {.message = ""};
    ck_assert_msg(io_read_memory(&archive, "a.json", text, strlen(text), &err) == ATTN_OK, "%s",
                  err.message);
    ck_assert_int_eq(archive.n, 2);
    const struct io_array *const q = io_archive_find(&archive, "q");
    ck_assert_int_eq(q->rank, 3);
    ck_assert(q->dims[0] == 1 && q->dims[1] == 2 && q->dims[2] == 3);
    ck_assert(q->data[3] == 4 && isnan(q->data[4]) && signbit(q->data[5]));
    ck_assert_int_eq(io_archive_find(&archive, "p")->rank, 0);
    io_archive_finish(&archive);
}
END_TEST

static const struct {
    const char *tensor;
    const char *words;
} bad_tensors[] = {
    {"{\"name\": \"q\", \"shape\": [2, 2], \"data\": [1, 2, 3]}", "does not fit its data of 3"},
    {"{\"name\": \"q\", \"shape\": [4611686018427387904, 4], \"data\": [1]}", "does not fit its"},
    {"{\"name\": \"q\", \"shape\": [-1, -3], \"data\": [1, 2, 3]}", "does not fit its data"},
    {"{\"name\": \"q\", \"shape\": [2], \"data\": [[1, 2], [3, 4]]}", "its data is nested"},
    {"{\"name\": \"q\", \"shape\": [2], \"data\": [1, null]}", "[1] is null where a number"},
    {"{\"name\": \"q\", \"shape\": 2, \"data\": [1, 2]}", "does not fit its data"},
    {"{\"name\": \"q\", \"shape\": [0], \"data\": []}", "of its shape (0,) is 0"},
};

START_TEST(a_tensor_whose_shape_and_data_disagree_is_refused_by_name)
{
    char text[256];
    snprintf(text, sizeof text, "{\"tensors\": [%s]}", bad_tensors[_i].tensor);
    struct io_archive archive;
    struct attn_error err;
    ck_assert_msg(io_read_memory(&archive, "a.json", text, strlen(text), &err) != ATTN_OK, "%s",
                  text);
    ck_assert_msg(strstr(err.message, bad_tensors[_i].words) != NULL, "%s: %s", text, err.message);
    ck_assert_str_eq(err.what, "a.json: q");
}
END_TEST

START_TEST(what_is_left_out_is_noted)
{
    const char *const text = "{\"tokens\": [\"\\u001b[31m\"], \"x\": [1]}";
    struct io_archive archive;
    ck_assert_int_eq(io_read_memory(&archive, "a.json", text, strlen(text), NULL), ATTN_OK);
    ck_assert_int_eq(archive.n_notes, 1);
    ck_assert_str_eq(archive.notes[0].text, "tokens is no array of numbers and was left out");
    io_archive_finish(&archive);
}
END_TEST

START_TEST(a_text_of_more_than_128_mb_is_refused_before_it_is_parsed)
{
    const size_t size = ((size_t)128 << 20) + 1;
    char *const text = calloc(size, 1); /* Never touched, so that it takes no memory. */
    ck_assert_ptr_nonnull(text);
    text[0] = '[';
    struct io_archive archive;
    struct attn_error err;
    ck_assert_int_eq(io_read_memory(&archive, "a.json", text, size, &err), ATTN_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "134217729 bytes, and as JSON at most 134217728"));
    free(text);
}
END_TEST

/* ---- writing ---- */

START_TEST(every_float_comes_back_and_a_strict_parser_takes_it)
{
    enum { COUNT = 3 * 5 * 70 };
    static float data[COUNT];
    uint32_t bits = (uint32_t)_i;
    for (size_t i = 0; i < COUNT; i++) {
        bits = bits * 1664525u + 1013904223u;
        memcpy(&data[i], &bits, sizeof bits);
    }
    data[0] = -0.0f;
    data[1] = INFINITY;
    data[2] = 0x1p-149f;
    data[3] = NAN;
    const struct io_out out[] = {{"weights", 3, {3, 5, 70}, data},
                                 {"a \"b\" \\ \x01 \u00e9", 1, {COUNT}, data},
                                 {"p", 0, {0}, &data[4]}};
    ck_assert_int_eq(io_write(scratch_path("a.json"), out, 3, NULL), ATTN_OK);
    json_error_t error;
    json_t *const strict = json_load_file(scratch_path("a.json"), 0, &error);
    ck_assert_msg(strict != NULL, "%s", error.text);
    ck_assert_uint_eq(json_object_size(strict), 3);
    json_decref(strict);
    struct io_archive archive;
    ck_assert_int_eq(io_read(&archive, scratch_path("a.json"), NULL), ATTN_OK);
    for (int k = 0; k < 3; k++) {
        const struct io_array *const array = io_archive_find(&archive, out[k].name);
        ck_assert_ptr_nonnull(array);
        ck_assert_int_eq(array->rank, out[k].rank);
        for (size_t i = 0; i < array->count; i++) {
            const float want = out[k].data[i];
            const float got = array->data[i];
            ck_assert_msg(isnan(want) ? isnan(got) : memcmp(&got, &want, sizeof got) == 0,
                          "[%zu] %.9g came back as %.9g", i, (double)want, (double)got);
        }
    }
    io_archive_finish(&archive);
}
END_TEST

START_TEST(a_locale_with_a_decimal_comma_changes_nothing)
{
    if (!comma_locale_make()) {
        return; /* The system cannot make one. */
    }
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "de_DE.UTF-8"));
    io_case_check(&cases[0]);
    const float value = 1.5f;
    const struct io_out out = {"p", 0, {0}, &value};
    ck_assert_int_eq(io_write(scratch_path("a.json"), &out, 1, NULL), ATTN_OK);
    size_t size = 0;
    char *const bytes = (char *)scratch_get("a.json", &size);
    ck_assert_ptr_nonnull(strstr(bytes, "1.5"));
    free(bytes);
    ck_assert_str_eq(localeconv()->decimal_point, ",");
    comma_locale_remove();
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("io: json");
    TCase *const t = tcase_create("json");
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_set_timeout(t, 120); /* Making a locale takes seconds. */
    tcase_add_loop_test(t, a_case_keeps_its_verdict, 0, N_CASES);
    tcase_add_test(t, every_case_file_is_in_the_table);
    tcase_add_loop_test(t, a_text_is_read_or_refused_at_its_place, 0,
                        (int)(sizeof texts / sizeof texts[0]));
    tcase_add_test(t, what_attn_run_prints_is_read_by_its_tensors_names);
    tcase_add_loop_test(t, a_tensor_whose_shape_and_data_disagree_is_refused_by_name, 0,
                        (int)(sizeof bad_tensors / sizeof bad_tensors[0]));
    tcase_add_test(t, what_is_left_out_is_noted);
    tcase_add_test(t, a_text_of_more_than_128_mb_is_refused_before_it_is_parsed);
    tcase_add_test(t, a_locale_with_a_decimal_comma_changes_nothing);
    tcase_add_loop_test(t, every_float_comes_back_and_a_strict_parser_takes_it, 0, 10);
    suite_add_tcase(s, t);
    return s;
}

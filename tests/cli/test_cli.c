/* What holds of the command line as a whole. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/attn.h"
#include "comma_locale.h"
#include "config.h"
#include "io.h"
#include "program.h"
#include "runner.h"
#include "scratch.h"

static void run(const struct program *program, struct program_result *r)
{
    program_run(program, r);
    ck_assert_msg(r->status == 0, "%s %s: exit %d: %s", program->args[0], program->args[1],
                  r->status, r->err);
}

START_TEST(the_numbers_of_seed_42_are_those_that_torch_prints)
{
    const struct program program = {
        .args = {"run", "v3", "--seed", "42", "--tokens", "the cat sat down", "--mask", "causal"}};
    struct program_result r;
    char *const torch = program_file("tests/cli/v3-causal.torch.txt");
    run(&program, &r);
    ck_assert_str_eq(r.out, torch);
    ck_assert_str_eq(r.err, "");
    free(torch);
    program_finish(&r);
}
END_TEST

START_TEST(a_decimal_comma_changes_no_number)
{
    static const struct program programs[] = {
        {.args = {"run", "v3", "--scale", "0.25", "--mask=causal", "--mask-fill=-1e9"}},
        {.args = {"run", "v3", "--json", "--dropout", "0.3", "--train"}},
        {.args = {"explain", "v3", "weights[1,2]", "--scale=.5"}}};
    const bool made = comma_locale_make();
    for (size_t i = 0; made && i < sizeof programs / sizeof programs[0]; i++) {
        struct program german = programs[i];
        struct program_result plain;
        struct program_result comma;
        german.locale = "de_DE.UTF-8";
        run(&programs[i], &plain);
        run(&german, &comma);
        ck_assert_str_eq(plain.out, comma.out);
        program_finish(&plain);
        program_finish(&comma);
    }
    comma_locale_remove();
}
END_TEST

START_TEST(a_reader_that_leaves_is_no_error)
{
    const struct program program = {.args = {"run", "v3", "--length", "200"},
                                    .sink = PROGRAM_LEAVES};
    struct program_result r;
    run(&program, &r);
    ck_assert_str_eq(r.err, "");
    program_finish(&r);
}
END_TEST

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *const document = json_loads(text, 0, &error);
    ck_assert_msg(document != NULL, "line %d: %s", error.line, error.text);
    return document;
}

/** A number of our JSON: NaN and infinities are strings. */
static float number(const json_t *value)
{
    if (json_is_string(value)) {
        return strtof(json_string_value(value), NULL);
    }
    ck_assert(json_is_number(value));
    return (float)json_number_value(value);
}

static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/** Every number of the JSON has the bits that --save wrote for it. */
static void check_json(const char *text, const char *saved, size_t least)
{
    struct io_archive archive = {.n = 0};
    json_t *const document = parse(text);
    const json_t *const tensors = json_object_get(document, "tensors");
    ck_assert_int_eq(io_read(&archive, saved, NULL), ATTN_OK);
    ck_assert_uint_ge(json_array_size(tensors), least);
    for (size_t i = 0; i < json_array_size(tensors); i++) {
        const json_t *const tensor = json_array_get(tensors, i);
        const char *const name = json_string_value(json_object_get(tensor, "name"));
        const struct io_array *const array = io_archive_find(&archive, name);
        const json_t *const data = json_object_get(tensor, "data");
        ck_assert_msg(array != NULL, "%s was not saved", name);
        ck_assert_uint_eq(json_array_size(data), array->count);
        for (size_t k = 0; k < array->count; k++) {
            ck_assert_msg(same(number(json_array_get(data, k)), array->data[k]), "%s %zu", name, k);
        }
    }
    io_archive_finish(&archive);
    json_decref(document);
}

START_TEST(json_numbers_read_back_to_the_same_bits)
{
    const char *const variant = attn_variants[_i].name;
    const char *const path = scratch_path("all.npz");
    const bool v3 = _i == ATTN_V3;
    const struct program program = {.args = {"run", variant, "--json", "--save", path,
                                             "--load=x=nan.npy", v3 ? "--mask=causal" : NULL,
                                             v3 ? "--train" : NULL}};
    struct program_result r;
    run(&program, &r);
    check_json(r.out, path, v3 ? 10 : 7);
    program_finish(&r);
}
END_TEST

START_TEST(what_is_saved_computes_the_same_when_it_is_loaded)
{
    const char *const variant = attn_variants[_i].name;
    const char *const path = scratch_path("all.npz");
    const bool v3 = _i == ATTN_V3;
    const struct program save = {.args = {"run", variant, "--save", path, "--batch=2", "--seed=5",
                                          v3 ? "--mask=causal" : NULL, v3 ? "--train" : NULL}};
    const struct program print = {.args = {"run", variant, "--batch=2", "--seed=5",
                                           v3 ? "--mask=causal" : NULL, v3 ? "--train" : NULL}};
    const struct program load = {.args = {"run", variant, "--load", path}};
    struct program_result saved;
    struct program_result printed;
    struct program_result loaded;
    run(&save, &saved);
    run(&print, &printed);
    run(&load, &loaded);
    ck_assert_msg(saved.n_out == 0, "--save prints %s", saved.out);
    ck_assert_str_eq(printed.out, loaded.out);
    program_finish(&saved);
    program_finish(&printed);
    program_finish(&loaded);
}
END_TEST

START_TEST(a_failure_leaves_no_file_behind)
{
    static const char *const causes[][2] = {
        {"--load", "misfit.npz"}, {"--load", "cut.npz"}, {"--mask", "mask-tenths.npy"}};
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        const struct program program = {
            .args = {"run", "v3", "--save", scratch_path("out.npz"), causes[i][0], causes[i][1]}};
        struct program_result r;
        program_run(&program, &r);
        ck_assert_int_eq(r.status, 1);
        ck_assert_msg(strstr(r.err, causes[i][1]) != NULL, "%s", r.err);
        ck_assert_int_eq(scratch_count(), 0);
        program_finish(&r);
    }
}
END_TEST

/** The number of a tensor's cell in the JSON of run. */
static float value_at(const json_t *tensors, const char *name, const int at[3])
{
    size_t i = 0;
    const json_t *tensor = NULL;
    json_array_foreach(tensors, i, tensor)
    {
        if (strcmp(json_string_value(json_object_get(tensor, "name")), name) == 0) {
            const json_t *const shape = json_object_get(tensor, "shape");
            const json_int_t rows = json_integer_value(json_array_get(shape, 1));
            const json_int_t columns = json_integer_value(json_array_get(shape, 2));
            const json_int_t index = (at[0] * rows + at[1]) * columns + at[2];
            return number(json_array_get(json_object_get(tensor, "data"), (size_t)index));
        }
    }
    ck_abort_msg("run prints no %s", name);
    return 0;
}

static void check_explanation(const char *variant, const char *name, const json_t *tensors)
{
    const int at[3] = {1, 2, 1};
    char cell[64];
    struct program_result words;
    struct program_result brackets;
    snprintf(cell, sizeof cell, "%s[1,2,1]", name);
    const bool v3 = strcmp(variant, "v3") == 0;
    const struct program one = {.args = {"explain", variant, cell, "--json", "--batch=2",
                                         v3 ? "--mask=causal" : NULL, v3 ? "--train" : NULL}};
    const struct program other = {.args = {"explain", variant, name, "1", "2", "1", "--json",
                                           "--batch=2", v3 ? "--mask=causal" : NULL,
                                           v3 ? "--train" : NULL}};
    run(&one, &brackets);
    run(&other, &words);
    ck_assert_str_eq(words.out, brackets.out);
    json_t *const document = parse(words.out);
    ck_assert_str_eq(json_string_value(json_object_get(document, "tensor")), name);
    const float value = number(json_object_get(document, "value"));
    ck_assert_msg(same(value, value_at(tensors, name, at)), "%s of %s is %g", name, variant,
                  (double)value);
    ck_assert_msg(json_string_length(json_object_get(document, "formula")) > 0, "%s", name);
    ck_assert_msg(json_array_size(json_object_get(document, "terms")) > 0, "%s", name);
    json_decref(document);
    program_finish(&words);
    program_finish(&brackets);
}

START_TEST(every_stage_tensor_can_be_explained_in_both_spellings)
{
    const char *const variant = attn_variants[_i].name;
    const bool v3 = _i == ATTN_V3;
    const struct program program = {.args = {"run", variant, "--json", "--batch=2",
                                             v3 ? "--mask=causal" : NULL, v3 ? "--train" : NULL}};
    struct program_result r;
    run(&program, &r);
    json_t *const document = parse(r.out);
    const json_t *const tensors = json_object_get(document, "tensors");
    for (size_t i = 0; i < json_array_size(tensors); i++) {
        const json_t *const tensor = json_array_get(tensors, i);
        check_explanation(variant, json_string_value(json_object_get(tensor, "name")), tensors);
    }
    json_decref(document);
    program_finish(&r);
}
END_TEST

START_TEST(every_option_is_in_the_help_and_has_help_of_its_own)
{
    const char *const name = config_options[_i].name;
    const struct program all = {.args = {"help", "options"}};
    const struct program one = {.args = {"help", name + 2}};
    const struct program command = {.args = {"run", "--help"}};
    const struct program *const programs[] = {&all, &one, &command};
    char line[64];
    snprintf(line, sizeof line, "  %s", name);
    for (int i = 0; i < 3; i++) {
        struct program_result r;
        run(programs[i], &r);
        ck_assert_msg(strstr(r.out, line) != NULL, "%s is not in help %s", name,
                      programs[i]->args[1]);
        program_finish(&r);
    }
}
END_TEST

START_TEST(help_stays_within_80_columns)
{
    static const char *const topics[] = {"policies", "options", "variants", "stages",  "tensors",
                                         "files",    "exit",    "run",      "explain", "help"};
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        const struct program program = {.args = {"help", topics[i]}};
        struct program_result r;
        int column = 0;
        run(&program, &r);
        for (const char *c = r.out; *c != '\0'; c++) {
            const bool continued = ((unsigned char)*c & 0xc0) == 0x80;
            column = *c == '\n' ? 0 : column + (continued ? 0 : 1);
            ck_assert_msg(column < 80, "help %s: a long line before %.20s", topics[i], c);
        }
        program_finish(&r);
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("command line");
    TCase *const t = tcase_create("whole");
    tcase_set_timeout(t, 120);
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_add_test(t, the_numbers_of_seed_42_are_those_that_torch_prints);
    tcase_add_test(t, a_decimal_comma_changes_no_number);
    tcase_add_test(t, a_reader_that_leaves_is_no_error);
    tcase_add_loop_test(t, json_numbers_read_back_to_the_same_bits, 0, ATTN_N_VARIANTS);
    tcase_add_loop_test(t, what_is_saved_computes_the_same_when_it_is_loaded, 0, ATTN_N_VARIANTS);
    tcase_add_test(t, a_failure_leaves_no_file_behind);
    tcase_add_loop_test(t, every_stage_tensor_can_be_explained_in_both_spellings, 0,
                        ATTN_N_VARIANTS);
    tcase_add_loop_test(t, every_option_is_in_the_help_and_has_help_of_its_own, 0,
                        CONFIG_N_OPTIONS);
    tcase_add_test(t, help_stays_within_80_columns);
    suite_add_tcase(s, t);
    return s;
}

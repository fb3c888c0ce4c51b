/* What torch 1.13 drew, held against src/torch to the bit: data/torch-rng.json. */
#include "runner.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "torch.h"

enum { CASES = 48, NUMBERS_MAX = 4096 };

static json_t *read_cases(void)
{
    char path[4096];
    const char *const root = getenv("ATTN_SOURCE");
    ck_assert_msg(root != NULL, "ATTN_SOURCE is not set (run it through meson test)");
    (void)snprintf(path, sizeof path, "%s/tests/reference/data/torch-rng.json", root);
    json_error_t error;
    json_t *const document = json_load_file(path, 0, &error);
    ck_assert_msg(document != NULL, "%s:%d: %s", path, error.line, error.text);
    return document;
}

/** A call of a case: draws into out, which has room for n. */
struct call {
    struct torch_generator *g;
    json_t *args;
    float *out;
    size_t n;
};

static int arg_int(const struct call *c, const char *name)
{
    return (int)json_integer_value(json_object_get(c->args, name));
}

static void call_rand(const struct call *c)
{
    torch_rand(c->g, c->out, c->n);
}

static void call_randn(const struct call *c)
{
    torch_randn(c->g, c->out, c->n);
}

static void call_linear_weight(const struct call *c)
{
    torch_linear(c->g, c->out, NULL, arg_int(c, "in"), arg_int(c, "out"));
}

static void call_linear_bias(const struct call *c)
{
    static float weight[NUMBERS_MAX];
    torch_linear(c->g, weight, c->out, arg_int(c, "in"), arg_int(c, "out"));
}

static void call_out_proj_weight(const struct call *c)
{
    static float bias[NUMBERS_MAX];
    torch_linear(c->g, c->out, bias, arg_int(c, "E"), arg_int(c, "E"));
}

static void call_in_proj_weight(const struct call *c)
{
    static float weight[NUMBERS_MAX], bias[NUMBERS_MAX];
    const int e = arg_int(c, "E");
    torch_linear(c->g, weight, bias, e, e); /* out_proj is drawn before it */
    const double bound = sqrt(3.0) * sqrt(2.0 / (e + 3.0 * e));
    torch_uniform(c->g, c->out, c->n, -bound, bound);
}

static void call_dropout_ones(const struct call *c)
{
    const double p = json_number_value(json_object_get(c->args, "p"));
    torch_dropout_keep(c->g, c->out, c->n, p, TORCH_DROPOUT_MT);
    for (size_t i = 0; i < c->n; i++) {
        c->out[i] = 1.0f * (c->out[i] / (float)(1.0 - p));
    }
}

static const struct {
    const char *fn;
    void (*run)(const struct call *call);
} calls[] = {
    {"rand", call_rand},
    {"randn", call_randn},
    {"embedding.weight", call_randn},
    {"linear.weight", call_linear_weight},
    {"linear.bias(after weight)", call_linear_bias},
    {"mha.out_proj.weight", call_out_proj_weight},
    {"mha.in_proj_weight", call_in_proj_weight},
    {"dropout_ones", call_dropout_ones},
};

static void run_call(const char *fn, const struct call *c)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strcmp(calls[i].fn, fn) == 0) {
            calls[i].run(c);
            return;
        }
    }
    ck_abort_msg("no call for %s", fn);
}

START_TEST(every_stored_draw_of_torch_comes_out_to_the_bit)
{
    static float out[NUMBERS_MAX];
    json_t *const document = read_cases();
    json_t *const one = json_array_get(json_object_get(document, "cases"), (size_t)_i);
    ck_assert_msg(one != NULL, "case %d is missing", _i);
    const char *const fn = json_string_value(json_object_get(one, "fn"));
    const json_int_t seed = json_integer_value(json_object_get(one, "seed"));
    json_t *const bits = json_object_get(one, "bits");
    const size_t n = json_array_size(bits);
    ck_assert_msg(n > 0 && n <= NUMBERS_MAX, "case %d: %zu numbers", _i, n);
    struct torch_generator g;
    torch_seed(&g, (uint64_t)seed);
    run_call(fn, &(struct call){&g, json_object_get(one, "args"), out, n});
    for (size_t i = 0; i < n; i++) {
        const int32_t want = (int32_t)json_integer_value(json_array_get(bits, i));
        int32_t got;
        memcpy(&got, &out[i], sizeof got);
        ck_assert_msg(got == want,
                      "case %d, %s, seed %" JSON_INTEGER_FORMAT ", element %zu of %zu: "
                      "%.9g (bits %" PRId32 "), torch has the bits %" PRId32,
                      _i, fn, seed, i, n, (double)out[i], got, want);
    }
    json_decref(document);
}
END_TEST

START_TEST(the_file_holds_as_many_cases_as_are_tested)
{
    json_t *const document = read_cases();
    ck_assert_uint_eq(json_array_size(json_object_get(document, "cases")), CASES);
    json_decref(document);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("torch-rng");
    TCase *const t = tcase_create("torch-rng.json");
    tcase_add_loop_test(t, every_stored_draw_of_torch_comes_out_to_the_bit, 0, CASES);
    tcase_add_test(t, the_file_holds_as_many_cases_as_are_tested);
    suite_add_tcase(s, t);
    return s;
}

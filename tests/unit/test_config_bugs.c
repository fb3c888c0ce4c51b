/* --bug: what is taken, what is built for it, and what is refused. */
#include <string.h>

#include "attn/attn.h"
#include "config.h"
#include "runner.h"

enum { WORDS_MAX = 8 };

static struct attn_error err;

static void take(struct config *config, enum attn_variant variant, const char *const words[])
{
    char *argv[WORDS_MAX + 1] = {NULL};
    int n = 0;
    config_init(config, variant);
    for (; n < WORDS_MAX && words[n] != NULL; n++) {
        argv[n] = (char *)(size_t)words[n];
    }
    for (int i = 0; i < n;) {
        bool taken = false;
        ck_assert_msg(config_take_option(config, n, argv, &i, &taken, &err) == ATTN_OK, "%s",
                      err.message);
        ck_assert(taken);
    }
}

static enum attn_status make(enum attn_variant variant, const char *const words[],
                             struct setup *setup, attn_trace **trace)
{
    struct config config;
    take(&config, variant, words);
    const enum attn_status status = config_trace(setup, trace, &config, &err);
    config_finish(&config);
    return status;
}

START_TEST(bugs_are_gathered_over_options_and_pluses)
{
    struct config config;
    take(&config, ATTN_V3, (const char *[]){"--bug=no-scale", "--bug=no-output", NULL});
    ck_assert_int_eq(config.n_bugs, 2);
    ck_assert_int_eq(config.bugs[0], ATTN_BUG_NO_SCALE);
    ck_assert_int_eq(config.bugs[1], ATTN_BUG_NO_OUTPUT);
    struct config copy;
    ck_assert_int_eq(config_copy(&copy, &config), ATTN_OK);
    ck_assert_int_eq(copy.n_bugs, 2);
    ck_assert_int_eq(copy.bugs[1], ATTN_BUG_NO_OUTPUT);
    config_finish(&copy);
    const struct config_option *const option = &config_options[CONFIG_BUG];
    ck_assert_int_ne(option->parse(&config, "no-bias", &err), ATTN_OK);
    ck_assert_int_eq(config.n_bugs, 2);
    config_finish(&config);
}
END_TEST

START_TEST(a_bug_that_is_misspelt_is_told_the_nearest)
{
    struct config config;
    config_init(&config, ATTN_V3);
    ck_assert_int_ne(config_options[CONFIG_BUG].parse(&config, "no-scal", &err), ATTN_OK);
    ck_assert_ptr_nonnull(strstr(err.message, "did you mean no-scale?"));
    ck_assert_int_eq(config.n_bugs, 0);
    config_finish(&config);
}
END_TEST

START_TEST(a_trace_with_a_bug_differs_from_the_one_without)
{
    struct setup setup[2] = {{.loaded = false}, {.loaded = false}};
    attn_trace *trace[2] = {NULL, NULL};
    ck_assert_int_eq(make(ATTN_V3, (const char *[]){NULL}, &setup[0], &trace[0]), ATTN_OK);
    ck_assert_int_eq(make(ATTN_V3, (const char *[]){"--bug=no-output", NULL}, &setup[1], &trace[1]),
                     ATTN_OK);
    ck_assert_mem_eq(attn_trace_tensor(trace[0], ATTN_CONTEXT)->data,
                     attn_trace_tensor(trace[1], ATTN_OUTPUT)->data, 16 * sizeof(float));
    for (int i = 0; i < 2; i++) {
        attn_trace_destroy(trace[i]);
        setup_finish(&setup[i]);
    }
}
END_TEST

static const struct {
    enum attn_variant variant;
    const char *words[WORDS_MAX];
    const char *why;
} refusals[] = {
    {ATTN_V1, {"--bug=no-output"}, "no-output: it changes nothing here"},
    {ATTN_V3, {"--bug=no-mask"}, "no-mask: it changes nothing here"},
    {ATTN_V3, {"--bug=mask-queries", "--mask=causal"}, "there is a padding part"},
    {ATTN_V3, {"--bug=mask-queries", "--mask=padding:4"}, "shorter than T"},
    {ATTN_V3, {"--bug=causal-no-diagonal", "--mask=padding:2"}, "the mask is causal"},
    {ATTN_V3, {"--bug=dropout-eval", "--train"}, "evaluates"},
    {ATTN_SINGLE, {"--bug=scale-dim-in"}, "d_in is not d_k"},
    {ATTN_V3, {"--bug=softmax-unsafe"}, "above 88.72"},
    {ATTN_V2, {"--bug=qkv-order", "--length=1"}, "2 tokens or more"},
};

START_TEST(a_bug_that_changes_nothing_is_refused_with_why)
{
    struct setup setup = {0};
    attn_trace *trace = NULL;
    ck_assert_int_eq(make(refusals[_i].variant, refusals[_i].words, &setup, &trace),
                     ATTN_E_UNSUPPORTED);
    ck_assert_str_eq(err.what, "--bug");
    ck_assert_msg(strstr(err.message, refusals[_i].why) != NULL, "%s", err.message);
    ck_assert_ptr_null(trace);
}
END_TEST

START_TEST(the_padding_part_is_kept_apart_from_the_rest)
{
    struct config config;
    struct setup s = {0};
    take(&config, ATTN_V3, (const char *[]){"--batch=2", "--mask=causal+padding:4,2", NULL});
    ck_assert_int_eq(config_build(&s, &config, &err), ATTN_OK);
    ck_assert(s.config.causal);
    for (int b = 0; b < 2; b++) {
        for (int t = 0; t < 4; t++) {
            for (int k = 0; k < 4; k++) {
                const bool real = k < (b == 0 ? 4 : 2);
                ck_assert_int_eq(*attn_tensor_at(&s.inputs[ATTN_UNPADDED], b, t, k) != 0, k <= t);
                ck_assert_int_eq(*attn_tensor_at(&s.inputs[ATTN_PADDING], 0, b, k) != 0, real);
                ck_assert_int_eq(*attn_tensor_at(&s.inputs[ATTN_MASK], b, t, k) != 0,
                                 real && k <= t);
            }
        }
    }
    setup_finish(&s);
    config_finish(&config);
}
END_TEST

START_TEST(dropout_in_evaluation_drops_by_the_pattern_that_training_has)
{
    struct setup setup[2] = {{.loaded = false}, {.loaded = false}};
    attn_trace *trace[2] = {NULL, NULL};
    ck_assert_int_eq(make(ATTN_V3, (const char *[]){"--train", NULL}, &setup[0], &trace[0]),
                     ATTN_OK);
    ck_assert_int_eq(
        make(ATTN_V3, (const char *[]){"--bug=dropout-eval", NULL}, &setup[1], &trace[1]), ATTN_OK);
    ck_assert_mem_eq(attn_trace_tensor(trace[0], ATTN_OUTPUT)->data,
                     attn_trace_tensor(trace[1], ATTN_OUTPUT)->data, 16 * sizeof(float));
    ck_assert(!setup[1].config.training);
    for (int i = 0; i < 2; i++) {
        attn_trace_destroy(trace[i]);
        setup_finish(&setup[i]);
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("--bug");
    TCase *const t = tcase_create("bugs");
    tcase_add_test(t, bugs_are_gathered_over_options_and_pluses);
    tcase_add_test(t, a_bug_that_is_misspelt_is_told_the_nearest);
    tcase_add_test(t, a_trace_with_a_bug_differs_from_the_one_without);
    tcase_add_loop_test(t, a_bug_that_changes_nothing_is_refused_with_why, 0,
                        sizeof refusals / sizeof refusals[0]);
    tcase_add_test(t, the_padding_part_is_kept_apart_from_the_rest);
    tcase_add_test(t, dropout_in_evaluation_drops_by_the_pattern_that_training_has);
    suite_add_tcase(s, t);
    return s;
}

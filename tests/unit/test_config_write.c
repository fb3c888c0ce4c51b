/* A configuration as options, and back. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "io.h"
#include "runner.h"
#include "scratch.h"

enum { ARGS_MAX = 48 };

struct args {
    char *words[ARGS_MAX];
    int n;
};

static enum attn_status put(void *context, const char *name, const char *value)
{
    struct args *const args = context;
    ck_assert_int_lt(args->n + 2, ARGS_MAX);
    args->words[args->n++] = strdup(name);
    if (value != NULL) {
        args->words[args->n++] = strdup(value);
    }
    return ATTN_OK;
}

static void read_back(struct config *config, enum attn_variant variant, int n, char *const *words)
{
    struct attn_error err = {.status = ATTN_OK};
    config_init(config, variant);
    for (int i = 0; i < n;) {
        bool taken = false;
        ck_assert_msg(config_take_option(config, n, words, &i, &taken, &err) == ATTN_OK && taken,
                      "%s: %s", words[i], err.message);
    }
}

static void args_finish(struct args *args)
{
    for (int i = 0; i < args->n; i++) {
        free(args->words[i]);
    }
    args->n = 0;
}

/** Written, read and written again, it says the same. */
static void check_round(const struct config *config, struct args *first)
{
    struct args second = {.n = 0};
    struct config again;
    ck_assert_int_eq(config_write_options(config, put, first), ATTN_OK);
    read_back(&again, config->variant, first->n, first->words);
    ck_assert_int_eq(config_write_options(&again, put, &second), ATTN_OK);
    ck_assert_int_eq(first->n, second.n);
    for (int i = 0; i < second.n; i++) {
        ck_assert_str_eq(first->words[i], second.words[i]);
    }
    args_finish(&second);
    config_finish(&again);
}

static const struct {
    enum attn_variant variant;
    const char *given[12], *written[12];
} rounds[] = {
    {ATTN_V3, {NULL}, {NULL}},
    {ATTN_V3, {"--seed", "42", "--dim=4"}, {"--dim", "4"}},
    {ATTN_V3, {"--batch=2", "--length=3"}, {"--batch", "2", "--length", "3"}},
    {ATTN_CROSS,
     {"--memory-length", "6", "--dim-in", "5"},
     {"--memory-length", "6", "--dim-in", "5"}},
    {ATTN_V3, {"--tokens", " the  cat "}, {"--tokens", "the cat"}},
    {ATTN_V3, {"--tokens", " @the cat"}, {"--tokens", " @the cat"}},
    {ATTN_CROSS, {"--memory-tokens", "le chat"}, {"--memory-tokens", "le chat"}},
    {ATTN_V3, {"--seed", "-1"}, {"--seed", "-1"}},
    {ATTN_V3, {"--seed", "18446744073709551615"}, {"--seed", "18446744073709551615"}},
    {ATTN_V3, {"--mask", "causal+padding:3,2"}, {"--mask", "causal+padding:3,2"}},
    {ATTN_V3, {"--mask", "/tmp/no such.npy"}, {"--mask", "/tmp/no such.npy"}},
    {ATTN_V3, {"--mask-fill", "-1e9"}, {"--mask-fill", "-1e+09"}},
    {ATTN_V3, {"--mask-fill", "inf"}, {"--mask-fill", "inf"}},
    {ATTN_V3, {"--mask-fill", "1e-20"}, {"--mask-fill", "9.99999968e-21"}},
    {ATTN_V3, {"--mask-keeps", "0"}, {"--mask-keeps", "0"}},
    {ATTN_CROSS, {"--causal-align", "bottom-right"}, {"--causal-align", "bottom-right"}},
    {ATTN_V3, {"--empty-row=nan"}, {"--empty-row", "nan"}},
    {ATTN_V3, {"--scale", "0.3"}, {"--scale", "0.300000012"}},
    {ATTN_V3, {"--scale", "1"}, {"--no-scale"}},
    {ATTN_V3, {"--no-scale"}, {"--no-scale"}},
    {ATTN_V3, {"--dropout", "0.2", "--train"}, {"--dropout", "0.20000000000000001", "--train"}},
    {ATTN_V3, {"--eval"}, {"--eval"}},
    {ATTN_V3, {"--torch-dropout", "mkl"}, {"--torch-dropout", "mkl"}},
    {ATTN_V3, {"--bug", "no-mask+no-bias"}, {"--bug", "no-mask", "--bug", "no-bias"}},
    {ATTN_V3, {"--max-memory", "1M"}, {"--max-memory", "1048576"}},
    {ATTN_V3, {"--verbose"}, {"--verbose"}},
    {ATTN_V3, {"--prefix", "h.0.attn."}, {"--prefix", "h.0.attn."}},
    {ATTN_V3, {"--layout", "in-out"}, {"--layout", "in-out"}},
    {ATTN_V3, {"--load", "/nowhere/a=b.npz"}, {"--load", "/nowhere/a=b.npz"}},
    {ATTN_V3, {"--load", "x=/nowhere/x.npy"}, {"--load", "x=/nowhere/x.npy"}},
};

enum { N_ROUNDS = sizeof rounds / sizeof rounds[0] };

START_TEST(options_are_written_as_they_are_read)
{
    struct args args = {.n = 0};
    struct config config;
    int n = 0;
    char *words[12];
    for (; rounds[_i].given[n] != NULL; n++) {
        words[n] = (char *)(size_t)rounds[_i].given[n];
    }
    read_back(&config, rounds[_i].variant, n, words);
    check_round(&config, &args);
    for (int i = 0; i < args.n; i++) {
        ck_assert_ptr_nonnull(rounds[_i].written[i]);
        ck_assert_str_eq(args.words[i], rounds[_i].written[i]);
    }
    ck_assert_ptr_null(rounds[_i].written[args.n]);
    args_finish(&args);
    config_finish(&config);
}
END_TEST

START_TEST(a_round_for_every_option_is_among_these)
{
    for (int id = 0; id < CONFIG_N_OPTIONS; id++) {
        bool found = false;
        for (int i = 0; i < N_ROUNDS; i++) {
            for (int j = 0; j < 12 && rounds[i].written[j] != NULL; j++) {
                found = found || strcmp(rounds[i].written[j], config_options[id].name) == 0;
            }
        }
        ck_assert_msg(found, "%s is never written", config_options[id].name);
    }
}
END_TEST

START_TEST(files_are_named_from_the_root)
{
    static const float data[16] = {1, 2, 3};
    const struct io_out array = {.name = "x", .rank = 2, .dims = {4, 4}, .data = data};
    struct attn_error err;
    struct args args = {.n = 0};
    struct config config;
    char *words[] = {(char[]){"--load"}, (char[]){"x=./x.npy"}};
    ck_assert_int_eq(io_write(scratch_path("x.npy"), &array, 1, &err), ATTN_OK);
    ck_assert_int_eq(chdir(scratch_path(".")), 0);
    read_back(&config, ATTN_V3, 2, words);
    check_round(&config, &args);
    ck_assert_int_eq(args.n, 2);
    ck_assert_int_eq(strncmp(args.words[1], "x=/", 3), 0);
    ck_assert_int_eq(chdir("/"), 0);
    struct config again;
    struct setup setup;
    attn_trace *trace = NULL;
    read_back(&again, ATTN_V3, args.n, args.words);
    ck_assert_msg(config_trace(&setup, &trace, &again, &err) == ATTN_OK, "%s", err.message);
    ck_assert(setup.loaded_tensor[ATTN_X]);
    attn_trace_destroy(trace);
    setup_finish(&setup);
    args_finish(&args);
    config_finish(&again);
    config_finish(&config);
}
END_TEST

START_TEST(a_label_with_a_space_stays_one_label)
{
    struct args args = {.n = 0};
    struct config config;
    char value[4200];
    char *words[] = {(char[]){"--tokens"}, value};
    scratch_put("labels", "New York\ncat\n", 13);
    snprintf(value, sizeof value, "@%s", scratch_path("labels"));
    read_back(&config, ATTN_V3, 2, words);
    ck_assert_int_eq(config.tokens.n, 2);
    check_round(&config, &args);
    ck_assert_str_eq(args.words[1], "New\xc2\xa0York cat");
    args_finish(&args);
    config_finish(&config);
}
END_TEST

static enum attn_status refuse(void *context, const char *name, const char *value)
{
    (void)name;
    (void)value;
    ++*(int *)context;
    return ATTN_E_IO;
}

START_TEST(the_first_refusal_ends_it)
{
    struct config config;
    int calls = 0;
    char *words[] = {(char[]){"--seed=1"}, (char[]){"--train"}};
    read_back(&config, ATTN_V3, 2, words);
    ck_assert_int_eq(config_write_options(&config, refuse, &calls), ATTN_E_IO);
    ck_assert_int_eq(calls, 1);
    config_finish(&config);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("configuration");
    TCase *const t = tcase_create("as options");
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_add_loop_test(t, options_are_written_as_they_are_read, 0, N_ROUNDS);
    tcase_add_test(t, a_round_for_every_option_is_among_these);
    tcase_add_test(t, files_are_named_from_the_root);
    tcase_add_test(t, a_label_with_a_space_stays_one_label);
    tcase_add_test(t, the_first_refusal_ends_it);
    suite_add_tcase(s, t);
    return s;
}

/* The option table, row by row, and what the parsers of its values take. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comma_locale.h"
#include "config.h"
#include "runner.h"

enum { WORDS_MAX = 8 };

/* Each row: what is taken, and what is refused. "" in `good` is the value of a switch. */
static const struct {
    enum config_option_id id;
    const char *good[WORDS_MAX];
    const char *bad[WORDS_MAX];
} rows[] = {
    {CONFIG_BATCH, {"1", "3", "65536", "+2"}, {"0", "-1", "65537", "1.0", "", "2x"}},
    {CONFIG_LENGTH, {"1", "65536"}, {"0", "x", " 4", "4 ", "99999999999999999999"}},
    {CONFIG_MEMORY_LENGTH, {"7"}, {"0", "-3"}},
    {CONFIG_DIM, {"728"}, {"0", "1e3"}},
    {CONFIG_DIM_IN, {"2"}, {"0", "0x10"}},
    {CONFIG_TOKENS, {"the cat", "ä"}, {"", "   ", "@/nonexistent/tokens"}},
    {CONFIG_MEMORY_TOKENS, {"one"}, {"\t"}},
    {CONFIG_SEED,
     {"0", "-1", "-9223372036854775808", "18446744073709551615",
      "\xe2\x88\x92"
      "5"},
     {"18446744073709551616", "-9223372036854775809", "1.5", "", "-", "--1", "forty"}},
    {CONFIG_LOAD, {"a.npz", "x=a.npy", "x=-", "./a=b.npy"}, {"", "x=", "-"}},
    {CONFIG_PREFIX, {"h.0.attn.", ""}, {NULL}},
    {CONFIG_LAYOUT, {"out-in", "in-out"}, {"", "in_out", "IN-OUT"}},
    {CONFIG_MASK,
     {"none", "causal", "padding:3", "padding:0,2", "causal+padding:1+m.npy", "./causl"},
     {"", "causl", "padding", "padding:", "padding:-1", "padding:1,", "causal+none", "-"}},
    {CONFIG_MASK_FILL,
     {"-1e9", "1e-20", "-inf", "inf", "0",
      "\xe2\x88\x92"
      "1e9",
      "3.4028234e38"},
     {"nan", "", "1e39", "1,5", "1e", "0x1p3", "five", "-1e400"}},
    {CONFIG_MASK_KEEPS, {"0", "1"}, {"2", "-1", "true"}},
    {CONFIG_CAUSAL_ALIGN, {"top-left", "bottom-right"}, {"left", "", "top"}},
    {CONFIG_EMPTY_ROW, {"zeros", "nan"}, {"NaN", "zero"}},
    {CONFIG_SCALE, {"0", "0.5", "-2", ".5", "5."}, {"nan", "inf", "", ".", "1e39"}},
    {CONFIG_NO_SCALE, {""}, {NULL}},
    {CONFIG_DROPOUT, {"0", "1", "0.1", "5e-1"}, {"nan", "-0.1", "1.5", "inf", "", "50%"}},
    {CONFIG_TRAIN, {""}, {NULL}},
    {CONFIG_EVAL, {""}, {NULL}},
    {CONFIG_TORCH_DROPOUT, {"mt", "mkl"}, {"MKL", ""}},
    {CONFIG_BUG,
     {"no-scale", "no-mask+no-bias", "mask-inverted+mask-tiny-fill"},
     {"", "no-scal", "no-scale+", "no-scale+scale-dk", "no-scale+no-scale", "no-bias+no-mask+x"}},
    {CONFIG_MAX_MEMORY, {"1", "512M", "8G", "16777215T"}, {"0", "", "G", "4GB", "-1", "16777216T"}},
    {CONFIG_VERBOSE, {""}, {NULL}},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

START_TEST(every_option_has_a_row_here)
{
    bool seen[CONFIG_N_OPTIONS] = {false};
    for (int i = 0; i < N_ROWS; i++) {
        seen[rows[i].id] = true;
    }
    for (int id = 0; id < CONFIG_N_OPTIONS; id++) {
        ck_assert_msg(seen[id], "%s has no row", config_options[id].name);
    }
}
END_TEST

START_TEST(an_option_is_described_and_its_name_is_its_own)
{
    const struct config_option *const option = &config_options[_i];
    ck_assert_msg(strncmp(option->name, "--", 2) == 0, "%s", option->name);
    ck_assert_msg(option->parse != NULL, "%s", option->name);
    ck_assert_msg(strlen(option->summary) > 5 && strlen(option->fallback) > 0, "%s", option->name);
    ck_assert_msg(option->summary[strlen(option->summary) - 1] != '.', "%s", option->name);
    for (int other = 0; other < _i; other++) {
        ck_assert_str_ne(config_options[other].name, option->name);
    }
}
END_TEST

START_TEST(good_values_are_taken_and_bad_ones_name_their_option)
{
    const struct config_option *const option = &config_options[rows[_i].id];
    for (int k = 0; k < WORDS_MAX && rows[_i].good[k] != NULL; k++) {
        struct config config;
        struct attn_error err = {.message = ""};
        config_init(&config, ATTN_V3);
        ck_assert_msg(option->parse(&config, rows[_i].good[k], &err) == ATTN_OK, "%s '%s': %s",
                      option->name, rows[_i].good[k], err.message);
        config_finish(&config);
    }
    for (int k = 0; k < WORDS_MAX && rows[_i].bad[k] != NULL; k++) {
        struct config config;
        struct attn_error err = {.message = ""};
        config_init(&config, ATTN_V3);
        ck_assert_msg(option->parse(&config, rows[_i].bad[k], &err) != ATTN_OK, "%s '%s' was taken",
                      option->name, rows[_i].bad[k]);
        ck_assert_msg(err.message[0] != '\0', "%s says nothing", option->name);
        ck_assert_msg(rows[_i].bad[k][0] == '@' || strcmp(err.what, option->name) == 0,
                      "%s is called %s", option->name, err.what);
        config_finish(&config);
    }
}
END_TEST

static void take(struct config *config, const char *word)
{
    char *argv[] = {(char *)(size_t)word, NULL};
    int i = 0;
    bool taken = false;
    ck_assert_int_eq(config_take_option(config, 1, argv, &i, &taken, NULL), ATTN_OK);
    ck_assert_msg(taken && i == 1, "%s", word);
}

START_TEST(values_arrive_where_they_belong)
{
    struct config c;
    config_init(&c, ATTN_CROSS);
    take(&c, "--batch=2");
    take(&c, "--length=3");
    take(&c, "--memory-length=5");
    take(&c, "--dim=6");
    take(&c, "--dim-in=7");
    take(&c, "--seed=-1");
    take(&c, "--mask-fill=-1e9");
    take(&c, "--mask-keeps=0");
    take(&c, "--causal-align=bottom-right");
    take(&c, "--empty-row=nan");
    take(&c, "--scale=0.5");
    take(&c, "--dropout=0.25");
    take(&c, "--train");
    take(&c, "--torch-dropout=mkl");
    take(&c, "--max-memory=3M");
    take(&c, "--verbose");
    take(&c, "--load=x=a=b.npy");
    take(&c, "--load=./w=1.npz");
    take(&c, "--mask=padding:3,1+causal+m.npy");
    ck_assert(c.batch == 2 && c.length == 3 && c.memory_length == 5 && c.dim == 6 && c.dim_in == 7);
    ck_assert(c.seed == UINT64_MAX);
    ck_assert_str_eq(c.seed_text, "-1");
    ck_assert(c.mask_fill == -1e9f && c.mask_keeps == 0);
    ck_assert(c.causal_align == ATTN_CAUSAL_BOTTOM_RIGHT && c.empty_row == ATTN_EMPTY_NAN);
    ck_assert(c.scale_given && c.scale == 0.5f && c.dropout_given && c.dropout_p == 0.25);
    ck_assert(c.training && c.training_given && c.torch_mkl && c.verbose);
    ck_assert_uint_eq(c.max_memory, 3u << 20);
    ck_assert_int_eq(c.n_loads, 2);
    ck_assert_str_eq(c.loads[0].name, "x");
    ck_assert_str_eq(c.loads[0].path, "a=b.npy");
    ck_assert_ptr_null(c.loads[1].name);
    ck_assert_str_eq(c.loads[1].path, "./w=1.npz");
    ck_assert_int_eq(c.n_mask, 3);
    ck_assert(c.mask[0].kind == CONFIG_MASK_PADDING && c.mask[0].n_lengths == 2);
    ck_assert(c.mask[0].lengths[0] == 3 && c.mask[0].lengths[1] == 1);
    ck_assert(c.mask[1].kind == CONFIG_MASK_CAUSAL && c.mask[2].kind == CONFIG_MASK_FILE);
    ck_assert_str_eq(c.mask[2].path, "m.npy");
    take(&c, "--mask=none");
    take(&c, "--no-scale");
    take(&c, "--eval");
    ck_assert(c.n_mask == 0 && c.scale_given && c.scale == 1 && !c.training);
    config_finish(&c);
}
END_TEST

START_TEST(the_defaults_are_those_of_the_manual)
{
    struct config c;
    config_init(&c, ATTN_V1);
    ck_assert(c.variant == ATTN_V1 && c.seed == 42 && strcmp(c.seed_text, "42") == 0);
    ck_assert(isinf(c.mask_fill) && c.mask_fill < 0 && c.mask_keeps == 1 && c.n_mask == 0);
    ck_assert(!c.scale_given && !c.dropout_given && c.dropout_p == 0.1 && !c.training);
    ck_assert(!c.torch_mkl && c.empty_row == ATTN_EMPTY_ZEROS);
    ck_assert(c.causal_align == ATTN_CAUSAL_TOP_LEFT && c.max_memory == UINT64_C(4) << 30);
    config_finish(&c);
}
END_TEST

START_TEST(a_command_line_is_read_word_by_word)
{
    char batch[] = "--batch", three[] = "3", unknown[] = "--bath", train[] = "--train=1";
    char prefix[] = "--mask-fil";
    char *argv[] = {batch, three, unknown, train, prefix, batch, NULL};
    struct config c;
    struct attn_error err;
    int i = 0;
    bool taken = false;
    config_init(&c, ATTN_V3);
    ck_assert_int_eq(config_take_option(&c, 6, argv, &i, &taken, &err), ATTN_OK);
    ck_assert(taken && i == 2 && c.batch == 3);
    ck_assert_int_eq(config_take_option(&c, 6, argv, &i, &taken, &err), ATTN_OK);
    ck_assert(!taken && i == 2);
    i = 3;
    ck_assert_int_eq(config_take_option(&c, 6, argv, &i, &taken, &err), ATTN_E_VALUE);
    ck_assert_str_eq(err.what, "--train");
    i = 4;
    ck_assert_int_eq(config_take_option(&c, 6, argv, &i, &taken, &err), ATTN_OK);
    ck_assert_msg(!taken, "an abbreviation was taken");
    i = 5;
    ck_assert_int_eq(config_take_option(&c, 6, argv, &i, &taken, &err), ATTN_E_VALUE);
    ck_assert_str_eq(err.what, "--batch");
    config_finish(&c);
}
END_TEST

START_TEST(standard_input_is_read_once)
{
    struct config c;
    struct attn_error err;
    config_init(&c, ATTN_V3);
    const struct config_option *const load = &config_options[CONFIG_LOAD];
    ck_assert_int_eq(load->parse(&c, "x=-", &err), ATTN_OK);
    ck_assert_int_eq(load->parse(&c, "mask=-", &err), ATTN_E_VALUE);
    ck_assert_int_eq(c.n_loads, 1);
    config_finish(&c);
}
END_TEST

START_TEST(a_failed_option_leaves_the_config_as_it_was)
{
    struct config c;
    config_init(&c, ATTN_V3);
    take(&c, "--tokens=a b");
    take(&c, "--mask=causal");
    ck_assert_int_ne(config_options[CONFIG_TOKENS].parse(&c, " ", NULL), ATTN_OK);
    ck_assert_int_ne(config_options[CONFIG_MASK].parse(&c, "padding:1+padding:x", NULL), ATTN_OK);
    ck_assert_int_eq(c.tokens.n, 2);
    ck_assert(c.n_mask == 1 && c.mask[0].kind == CONFIG_MASK_CAUSAL);
    config_finish(&c);
}
END_TEST

START_TEST(tokens_are_split_at_spaces_and_made_safe_to_show)
{
    struct config c;
    config_init(&c, ATTN_V3);
    take(&c, "--tokens=  the  caf\xc3\xa9 \x1b[2J \xff\xc3 \xed\xa0\x80 \xc2\x9b");
    const char *const labels[] = {"the",
                                  "caf\xc3\xa9",
                                  "?[2J",
                                  "\xef\xbf\xbd\xef\xbf\xbd",
                                  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
                                  "?"};
    ck_assert_int_eq(c.tokens.n, 6);
    for (int i = 0; i < 6; i++) {
        ck_assert_str_eq(c.tokens.labels[i], labels[i]);
    }
    config_finish(&c);
}
END_TEST

START_TEST(tokens_of_a_file_stand_one_a_line)
{
    char path[] = "/tmp/attn-tokens-XXXXXX";
    char word[64];
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *const f = fdopen(fd, "w");
    fputs("\xef\xbb\xbf"
          "New York\r\nis\n\nbig",
          f);
    ck_assert_int_eq(fclose(f), 0);
    struct config c;
    config_init(&c, ATTN_V3);
    snprintf(word, sizeof word, "--tokens=@%s", path);
    take(&c, word);
    ck_assert_int_eq(c.tokens.n, 3);
    ck_assert_str_eq(c.tokens.labels[0], "New York");
    ck_assert_str_eq(c.tokens.labels[1], "is");
    ck_assert_str_eq(c.tokens.labels[2], "big");
    config_finish(&c);
    remove(path);
}
END_TEST

START_TEST(whole_numbers_have_exact_bounds)
{
    long long n = 7;
    ck_assert(config_parse_int("-9223372036854775808", INT64_MIN, INT64_MAX, &n) && n == INT64_MIN);
    ck_assert(config_parse_int("9223372036854775807", INT64_MIN, INT64_MAX, &n) && n == INT64_MAX);
    ck_assert(config_parse_int("-0", -1, 1, &n) && n == 0);
    ck_assert(!config_parse_int("9223372036854775808", INT64_MIN, INT64_MAX, &n));
    ck_assert(!config_parse_int("-9223372036854775809", INT64_MIN, INT64_MAX, &n));
    ck_assert(!config_parse_int("2", 0, 1, &n) && n == 0);
}
END_TEST

static void check_reals(void)
{
    double x = 0;
    ck_assert(config_parse_real("0.1", &x) && x == 0.1);
    ck_assert(config_parse_real("-1e9", &x) && x == -1e9);
    ck_assert(config_parse_real("\xe2\x88\x92.5E-2", &x) && x == -0.005);
    ck_assert(config_parse_real("-0", &x) && x == 0 && signbit(x));
    ck_assert(config_parse_real("1e-400", &x) && x == 0);
    ck_assert(config_parse_real("-Infinity", &x) && isinf(x) && x < 0);
    ck_assert(config_parse_real("nan", &x) && isnan(x));
    ck_assert(!config_parse_real("0,1", &x));
    ck_assert(!config_parse_real("1e999", &x));
    ck_assert(!config_parse_real("0.1 ", &x));
    ck_assert(!config_parse_real("0x1", &x));
    ck_assert(!config_parse_real("1e+", &x));
    ck_assert(!config_parse_real("", &x));
}

START_TEST(reals_are_read_alike_in_every_locale)
{
    check_reals();
    if (comma_locale_make()) {
        ck_assert_ptr_nonnull(setlocale(LC_ALL, "de_DE.UTF-8"));
        char text[16];
        snprintf(text, sizeof text, "%.1f", 0.5);
        ck_assert_str_eq(text, "0,5");
        check_reals();
        setlocale(LC_ALL, "C");
    }
    comma_locale_remove();
}
END_TEST

START_TEST(a_slip_of_the_hand_finds_the_name_that_was_meant)
{
    static const char *const names[] = {"run", "explain", "help", "--mask-fill"};
    ck_assert_str_eq(config_nearest("rnu", names, 4), "run");
    ck_assert_str_eq(config_nearest("explian", names, 4), "explain");
    ck_assert_str_eq(config_nearest("HELP", names, 4), "help");
    ck_assert_str_eq(config_nearest("--maskfil", names, 4), "--mask-fill");
    ck_assert_ptr_null(config_nearest("practice", names, 4));
    static const char *const lesson[] = {"lesson"};
    ck_assert_ptr_null(config_nearest("version", lesson, 1)); /* three letters of seven */
    ck_assert_ptr_null(config_nearest("", names, 4));
    ck_assert_ptr_null(config_nearest("q", names, 4));
}
END_TEST

START_TEST(a_copy_is_deep)
{
    struct config c;
    struct config copy;
    struct config_edit *const edit = calloc(1, sizeof *edit);
    config_init(&c, ATTN_V3);
    take(&c, "--tokens=a b");
    take(&c, "--memory-tokens=c");
    take(&c, "--mask=causal+padding:1,2+m.npy");
    take(&c, "--load=x=f.npy");
    take(&c, "--load=g.npz");
    *edit = (struct config_edit){.cell = {.tensor = ATTN_X, .at = {0, 1, 2}}, .value = 3};
    c.edits = edit;
    c.n_edits = 1;
    ck_assert_int_eq(config_copy(&copy, &c), ATTN_OK);
    config_finish(&c);
    ck_assert_str_eq(copy.tokens.labels[1], "b");
    ck_assert_str_eq(copy.memory_tokens.labels[0], "c");
    ck_assert(copy.n_mask == 3 && copy.mask[1].lengths[1] == 2);
    ck_assert_str_eq(copy.mask[2].path, "m.npy");
    ck_assert(copy.n_loads == 2 && copy.loads[1].name == NULL);
    ck_assert_str_eq(copy.loads[0].name, "x");
    ck_assert(copy.n_edits == 1 && copy.edits[0].cell.at[2] == 2 && copy.edits[0].value == 3);
    config_finish(&copy);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("config options");
    TCase *const t = tcase_create("options");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, every_option_has_a_row_here);
    tcase_add_loop_test(t, an_option_is_described_and_its_name_is_its_own, 0, CONFIG_N_OPTIONS);
    tcase_add_loop_test(t, good_values_are_taken_and_bad_ones_name_their_option, 0, N_ROWS);
    tcase_add_test(t, values_arrive_where_they_belong);
    tcase_add_test(t, the_defaults_are_those_of_the_manual);
    tcase_add_test(t, a_command_line_is_read_word_by_word);
    tcase_add_test(t, standard_input_is_read_once);
    tcase_add_test(t, a_failed_option_leaves_the_config_as_it_was);
    tcase_add_test(t, tokens_are_split_at_spaces_and_made_safe_to_show);
    tcase_add_test(t, tokens_of_a_file_stand_one_a_line);
    tcase_add_test(t, whole_numbers_have_exact_bounds);
    tcase_add_test(t, reals_are_read_alike_in_every_locale);
    tcase_add_test(t, a_slip_of_the_hand_finds_the_name_that_was_meant);
    tcase_add_test(t, a_copy_is_deep);
    suite_add_tcase(s, t);
    return s;
}

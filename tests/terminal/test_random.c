/* The program in a terminal under anything at all: keys in bursts, sizes in between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner.h"
#include "scratch.h"
#include "term.h"

enum {
    KEY_RUNS = 8,
    KEYS = 1250, /**< A run: 10,000 in all. */
    BURST_MAX = 8,
    SIZE_RUNS = 4,
    SIZES = 250 /**< A run: 1,000 in all. */
};

static struct term *t;

/** In a directory of its own: random keys write files under random names. */
static void make(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/src/cli/attn", getenv("ATTN_BUILD"));
    const char *const argv[] = {path,     "walk",   "v3", "--tokens", "the cat sat down",
                                "--mask", "causal", NULL};
    scratch_begin();
    ck_assert_int_eq(chdir(scratch_path("")), 0);
    t = term_start(&(struct term_options){0}, argv);
    term_wait_text(t, "stage 1 of 9");
    term_wait_text(t, "q quit");
}

static void unmake(void)
{
    term_finish(t);
    t = NULL;
    scratch_end();
}

/** The way out, from wherever it is. */
static void quit(void)
{
    static const char *const keys[] = {"\r" /* ends a prompt */, "\033", "\033", "q"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        term_settle(t);
        term_keys(t, keys[i]);
    }
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
    ck_assert(term_restored(t));
}

/** A key, or something like one; never q or a lone Esc, which would make keys of what follows. */
static const char *any_key(char plain[2])
{
    static const char *const sequences[] = {
        "\033[A",  "\033[B", "\033[C", "\033[D",         "\033[H",        "\033[F",
        "\r",      "\t",     "\033[Z", "\177",           "\033[3~",       "\033[5~",
        "\033[6~", "\033OP", "\f",     "\033[<0;20;12M", "\033[<64;1;1M", "\033[200~1\033[201~",
    };
    enum { N = sizeof sequences / sizeof sequences[0] };
    const int kind = rand() % (N + 40);
    plain[0] = (char)(0x21 + rand() % 0x5E);
    plain[1] = '\0';
    return kind < N ? sequences[kind] : plain[0] == 'q' ? "\033[1;5C" : plain;
}

START_TEST(test_ten_thousand_random_keys_are_lived_with)
{
    srand((unsigned)_i + 1);
    for (int i = 0; i < KEYS;) {
        char burst[BURST_MAX * 32] = "";
        for (int n = 1 + rand() % BURST_MAX; n > 0 && i < KEYS; n--, i++) {
            char plain[2];
            strcat(burst, any_key(plain));
        }
        term_keys(t, burst);
        ck_assert_msg(term_running(t), "run %d ended at key %d", _i, i);
    }
    quit();
}
END_TEST

START_TEST(test_a_thousand_random_sizes_are_lived_with)
{
    srand((unsigned)_i + 101);
    for (int i = 0; i < SIZES; i++) {
        term_resize(t, 1 + rand() % 60, 1 + rand() % 200);
        term_keys(t, i % 7 == 0 ? "n" : "\033[C");
        ck_assert_msg(term_running(t), "run %d ended at size %d", _i, i);
    }
    term_resize(t, 24, 80);
    term_wait_text(t, "q quit");
    term_keys(t, "g");
    term_wait_text(t, " 1 of 9");
    quit();
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("anything at all in a terminal");
    TCase *const c = tcase_create("random");
    tcase_set_timeout(c, 240);
    tcase_add_checked_fixture(c, make, unmake);
    tcase_add_loop_test(c, test_ten_thousand_random_keys_are_lived_with, 0, KEY_RUNS);
    tcase_add_loop_test(c, test_a_thousand_random_sizes_are_lived_with, 0, SIZE_RUNS);
    suite_add_tcase(s, c);
    return s;
}

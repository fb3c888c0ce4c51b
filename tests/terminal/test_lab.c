/* The instruments in a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "runner.h"
#include "term.h"

static struct term *t;

static void start(const char *name, struct term_options options)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/src/cli/attn", getenv("ATTN_BUILD"));
    const char *const argv[] = {path, "lab", name, NULL};
    t = term_start(&options, argv);
}

static void unmake(void)
{
    term_finish(t);
    t = NULL;
}

static void quit(void)
{
    term_keys(t, "q");
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
    ck_assert(term_restored(t));
}

START_TEST(scaling_measures_by_itself_and_the_arrows_turn_it)
{
    start("scaling", (struct term_options){.rows = 24});
    term_wait_text(t, "1000 rows");
    term_wait_text(t, "0.8645");
    term_keys(t, "\033[C");
    term_wait_text(t, "d_k = 128");
    term_keys(t, "?");
    term_wait_text(t, "twice the d_k");
    term_keys(t, "q");
    term_wait_text(t, "d_k = 128");
    quit();
}
END_TEST

START_TEST(a_mask_is_painted_on_every_kind_of_terminal)
{
    static const char *const terminals[] = {"TERM=xterm-256color", "TERM=vt100"};
    start("masks", (struct term_options){.env = {terminals[_i]}});
    term_wait_text(t, "every row keeps a key");
    term_keys(t, "    "); /* the same cell four times */
    term_keys(t, "i");
    term_wait_text(t, "no key is left");
    term_keys(t, "mm"); /* from painted to none, and on */
    term_wait_text(t, "causal");
    quit();
}
END_TEST

START_TEST(cost_measures_as_far_as_it_goes_fast)
{
    start("cost", (struct term_options){.rows = 24});
    term_wait_text(t, "1.5 d = 96");
    term_wait_no_text(t, "measuring");
    term_keys(t, "o");
    term_wait_text(t, "2 d = 128");
    quit();
}
END_TEST

START_TEST(without_a_terminal_for_its_input_it_is_printed_and_said_so)
{
    start("masks", (struct term_options){.input = "/dev/null"});
    term_wait_text(t, "there is no terminal");
    term_wait_text(t, "row down: 4 of 4 keys");
    term_wait_exit(t);
    ck_assert(term_restored(t));
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("instruments in a terminal");
    TCase *const c = tcase_create("lab");
    tcase_add_checked_fixture(c, NULL, unmake);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, scaling_measures_by_itself_and_the_arrows_turn_it);
    tcase_add_loop_test(c, a_mask_is_painted_on_every_kind_of_terminal, 0, 2);
    tcase_add_test(c, cost_measures_as_far_as_it_goes_fast);
    tcase_add_test(c, without_a_terminal_for_its_input_it_is_printed_and_said_so);
    suite_add_tcase(s, c);
    return s;
}

/* The home screen in a terminal, what it remembers between two runs, and autoplay. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner.h"
#include "scratch.h"
#include "term.h"

static struct term *t;
static char state[4200];

static void make(void)
{
    scratch_begin();
    snprintf(state, sizeof state, "XDG_STATE_HOME=%s", scratch_path("state"));
}

static void unmake(void)
{
    term_finish(t);
    t = NULL;
    scratch_end();
}

static void start(const char *first, const char *second, const char *third)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/src/cli/attn", getenv("ATTN_BUILD"));
    const char *const argv[] = {path, first, second, third, NULL};
    t = term_start(&(struct term_options){.env = {state}}, argv);
}

/** Leave by q, and see that nothing is left behind. */
static void leave(void)
{
    term_keys(t, "q");
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
    ck_assert(term_restored(t));
}

static void next_run(void)
{
    term_finish(t);
    t = NULL;
}

/** Leave a walk of v2 in its third stage. */
static void leave_a_walk(void)
{
    start("walk", "v2", "--seed=7");
    term_wait_text(t, "stage 1 of");
    term_keys(t, "nn");
    term_wait_text(t, "stage 3 of");
    leave();
    next_run();
}

static mode_t mode_of(const char *name)
{
    struct stat about;
    ck_assert_msg(stat(scratch_path(name), &about) == 0, "%s is not there", name);
    return about.st_mode & 0777;
}

START_TEST(home_continues_where_the_last_walk_was_left)
{
    leave_a_walk();
    ck_assert_int_eq(mode_of("state"), 0700);
    ck_assert_int_eq(mode_of("state/attn"), 0700);
    ck_assert_int_eq(mode_of("state/attn/last"), 0600);
    start(NULL, NULL, NULL);
    term_wait_text(t, "continue");
    term_wait_text(t, "v2 at score, stage 3 of");
    term_keys(t, "\r");
    term_wait_text(t, "stage 3 of");
    term_wait_text(t, "seed 7");
    leave();
}
END_TEST

START_TEST(a_first_start_has_nothing_to_continue)
{
    start(NULL, NULL, NULL);
    term_wait_text(t, "q quit");
    int row, col;
    ck_assert(!term_find(t, "continue", &row, &col));
    leave();
    ck_assert_int_eq(access(scratch_path("state"), F_OK), -1); /* looking leaves nothing */
}
END_TEST

/* What was in the file is kept beside it. */
static const struct {
    const char *bytes;
    size_t size;
} damaged[] = {
    {"", 0},
    {"\0\0\0\0\0\0\0\0", 8},
    {"attn-last 1\nvariant v2\n", 23},
    {"attn-last 1\nvariant v9\nwords x\nend\n", 34},
    {"attn-last 2\nvariant v2\nwords x\nend\n", 34},
    {"attn-last 1\noption --length 0\nwords x\nend\n", 42},
    {"attn-last 1\nedit x 0 0\nwords x\nend\n", 35},
    {"attn-last 1\nstep cell -1\nwords x\nend\n", 37},
    {"attn-last 1\nvariant v2\nwords x\nend", 34},
    {"{\"something\": \"else\"}\n", 22},
};

enum { N_DAMAGED = sizeof damaged / sizeof damaged[0] };

START_TEST(a_damaged_file_is_put_aside_with_a_word)
{
    ck_assert(mkdir(scratch_path("state"), 0700) == 0);
    ck_assert(mkdir(scratch_path("state/attn"), 0700) == 0);
    scratch_put("state/attn/last", damaged[_i].bytes, damaged[_i].size);
    start(NULL, NULL, NULL);
    term_wait_text(t, "The last walk cannot be read");
    int row, col;
    ck_assert(!term_find(t, "continue", &row, &col));
    size_t size = 0;
    unsigned char *const kept = scratch_get("state/attn/last.bad", &size);
    ck_assert(size == damaged[_i].size && memcmp(kept, damaged[_i].bytes, size) == 0);
    free(kept);
    leave();
}
END_TEST

/* A name in the way of the state. */
static void make_directory(void)
{
    ck_assert(mkdir(scratch_path("state"), 0700) == 0);
    ck_assert(mkdir(scratch_path("state/attn"), 0700) == 0);
    ck_assert(mkdir(scratch_path("state/attn/last"), 0700) == 0);
}

static void make_file_above(void)
{
    scratch_put("state", "", 0);
}

static void make_device_above(void)
{
    ck_assert(symlink("/dev/full", scratch_path("state")) == 0);
}

static void make_loop(void)
{
    ck_assert(symlink("state", scratch_path("state")) == 0);
}

static void (*const obstacles[])(void) = {make_directory, make_file_above, make_device_above,
                                          make_loop};

enum { N_OBSTACLES = sizeof obstacles / sizeof obstacles[0] };

START_TEST(an_unwritable_place_is_one_note_and_no_failure)
{
    obstacles[_i]();
    start("walk", "v3", NULL);
    term_wait_text(t, "stage 1 of");
    term_keys(t, "n");
    term_wait_text(t, "stage 2 of");
    leave();
    ck_assert_uint_eq(term_count(t, "is not kept"), 1);
    next_run();
    start(NULL, NULL, NULL);
    term_wait_text(t, "q");
    term_keys(t, "\033[B");
    leave();
}
END_TEST

START_TEST(what_stands_at_its_place_is_never_read_for_ever)
{
    ck_assert(mkdir(scratch_path("state"), 0700) == 0);
    ck_assert(mkdir(scratch_path("state/attn"), 0700) == 0);
    if (_i == 0) {
        ck_assert(mkfifo(scratch_path("state/attn/last"), 0600) == 0);
    } else {
        ck_assert(symlink(_i == 1 ? "/dev/full" : "nowhere", scratch_path("state/attn/last")) == 0);
    }
    start(NULL, NULL, NULL);
    term_wait_text(t, "v3");
    leave();
}
END_TEST

START_TEST(a_kill_leaves_the_old_state_or_the_new_one)
{
    leave_a_walk();
    start("walk", "v1", NULL);
    term_wait_text(t, "stage 1 of");
    term_keys(t, "q");
    term_signal(t, SIGKILL);
    term_wait_exit(t);
    next_run();
    start(NULL, NULL, NULL);
    term_wait_text(t, "continue");
    leave();
}
END_TEST

START_TEST(a_signal_that_asks_to_end_keeps_where_one_was)
{
    static const int signals[] = {SIGTERM, SIGHUP};
    start("walk", "v1", NULL);
    term_wait_text(t, "stage 1 of 5");
    term_keys(t, "4");
    term_wait_text(t, "stage 4 of 5");
    term_signal(t, signals[_i]);
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == signals[_i], "status %#x", status);
    ck_assert(term_restored(t));
    next_run();
    start(NULL, NULL, NULL);
    term_wait_text(t, "continue");
    term_keys(t, "\r");
    term_wait_text(t, "stage 4 of 5");
    leave();
}
END_TEST

START_TEST(without_the_mouse_it_is_never_asked_for)
{
    start(_i == 0 ? "--no-mouse" : "walk", _i == 0 ? NULL : "--no-mouse", NULL);
    term_wait_text(t, "q quit");
    ck_assert(!term_modes(t).mouse && term_modes(t).paste);
    leave();
    ck_assert_uint_eq(term_count(t, "\033[?1000h"), 0);
}
END_TEST

START_TEST(with_the_mouse_a_click_jumps_and_every_way_out_turns_it_off)
{
    static const int signals[] = {0, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    start("walk", "v3", NULL);
    term_wait_text(t, "q quit");
    ck_assert(term_modes(t).mouse);
    int row, col;
    char click[96];
    ck_assert(term_find(t, "softmax", &row, &col));
    snprintf(click, sizeof click, "\033[<0;%d;%dM\033[<0;%d;%dm", col + 2, row + 1, col + 2,
             row + 1);
    term_keys(t, click);
    term_wait_text(t, "stage 6 of");
    if (_i == 0) {
        term_keys(t, "q");
    } else {
        term_signal(t, signals[_i]);
    }
    term_wait_exit(t);
    ck_assert(!term_modes(t).mouse && term_restored(t));
}
END_TEST

START_TEST(it_plays_to_the_end_by_itself)
{
    start("walk", "v3", NULL);
    term_wait_text(t, "stage 1 of");
    term_keys(t, "a>>>");
    term_wait_text(t, "Playing");
    term_wait_text(t, "The end");
    term_wait_text(t, "stage 9 of 9");
    leave();
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("home");
    TCase *const c = tcase_create("terminal");
    tcase_set_timeout(c, 120);
    tcase_add_checked_fixture(c, make, unmake);
    tcase_add_test(c, home_continues_where_the_last_walk_was_left);
    tcase_add_test(c, a_first_start_has_nothing_to_continue);
    tcase_add_loop_test(c, a_signal_that_asks_to_end_keeps_where_one_was, 0, 2);
    tcase_add_loop_test(c, a_damaged_file_is_put_aside_with_a_word, 0, N_DAMAGED);
    tcase_add_loop_test(c, an_unwritable_place_is_one_note_and_no_failure, 0, N_OBSTACLES);
    tcase_add_loop_test(c, what_stands_at_its_place_is_never_read_for_ever, 0, 3);
    tcase_add_test(c, a_kill_leaves_the_old_state_or_the_new_one);
    tcase_add_loop_test(c, without_the_mouse_it_is_never_asked_for, 0, 2);
    tcase_add_loop_test(c, with_the_mouse_a_click_jumps_and_every_way_out_turns_it_off, 0, 5);
    tcase_add_test(c, it_plays_to_the_end_by_itself);
    suite_add_tcase(s, c);
    return s;
}

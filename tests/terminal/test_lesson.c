/* Lessons in a terminal: each played from end to end by keys, on two sizes of screen; what is seen
 * is what the application drew without one. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "lesson_case.h"
#include "runner.h"
#include "scratch.h"
#include "term.h"

static const struct {
    int cols, rows;
} sizes[] = {{80, 24}, {120, 40}};

enum { N_SIZES = sizeof sizes / sizeof sizes[0], KEYS_MAX = 512, SETTLES_MAX = 200 };

static struct term *t;
static struct app_case *c;
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
    if (c != NULL) {
        app_case_finish(c);
        c = NULL;
    }
    scratch_end();
}

static void start(const char *word, int size)
{
    static char path[4096];
    static char lessons[4096];
    snprintf(path, sizeof path, "%s/src/cli/attn", getenv("ATTN_BUILD"));
    snprintf(lessons, sizeof lessons, "--lessons=%s/lessons", getenv("ATTN_SOURCE"));
    const char *const argv[] = {path, word != NULL ? "walk" : lessons, word, lessons, NULL};
    t = term_start(&(struct term_options){.rows = sizes[size].rows,
                                          .cols = sizes[size].cols,
                                          .env = {state, "ESCDELAY=20"}},
                   argv);
}

static void leave(void)
{
    term_keys(t, "q");
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
    ck_assert(term_restored(t));
}

/** The first row in which the terminal is not what was drawn, or -1. */
static int first_other_row(const char *drawn)
{
    for (int row = 0; row < c->frame->rows; row++) {
        const size_t n = strcspn(drawn, "\n");
        const char *const seen = term_row(t, row);
        if (strlen(seen) != n || strncmp(seen, drawn, n) != 0) {
            return row;
        }
        drawn += n + (drawn[n] == '\n' ? 1 : 0);
    }
    return -1;
}

static const char *row_of(const char *drawn, int row)
{
    for (; row > 0; row--) {
        drawn = strchr(drawn, '\n') + 1;
    }
    return drawn;
}

/** Wait until the terminal shows what the application drew; but for times, which are measured
 * there: then until it shows the page. */
static void wait_for_frame(const char *name)
{
    char *const drawn = app_case_text(c);
    if (c->app.lab != NULL && c->app.lab->kind == LAB_COST) {
        drawn[strcspn(drawn, "\n")] = '\0';
        term_wait_text(t, drawn);
        free(drawn);
        return;
    }
    int row = first_other_row(drawn);
    for (int i = 0, before = -1; row >= 0 && i < SETTLES_MAX; i++) {
        char text[512];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(row_of(drawn, row), "\n"),
                 row_of(drawn, row));
        if (text[0] != '\0' && row != before) {
            term_wait_text(t, text);
        } else {
            term_settle(t); /* a row that is to become empty, or whose text stands elsewhere too */
        }
        before = row;
        row = first_other_row(drawn);
    }
    ck_assert_msg(row < 0, "%s: row %d: %s", name, row, row < 0 ? "" : term_row(t, row));
    free(drawn);
}

/** Press next until the page has gone by, in the application; the same keys for the terminal. */
static void next_page(char keys[KEYS_MAX])
{
    const struct app_lesson *const l = &c->app.lesson;
    const int page = l->lesson.stops[l->stop].page;
    int n = 0;
    while (n + 1 < KEYS_MAX && !app_lesson_at_end(&c->app) &&
           l->lesson.stops[l->stop].page == page) {
        app_case_play(c, "n");
        keys[n++] = 'n';
    }
    keys[n] = '\0';
}

START_TEST(a_lesson_is_played_from_end_to_end)
{
    const int size = _i % N_SIZES;
    const char *const stem = lesson_case_stem(_i / N_SIZES);
    char keys[KEYS_MAX];
    c = lesson_case_start(_i / N_SIZES, sizes[size].cols, sizes[size].rows);
    start(stem, size);
    wait_for_frame(stem);
    while (!app_lesson_at_end(&c->app)) {
        next_page(keys);
        term_keys(t, keys);
        wait_for_frame(stem);
    }
    term_keys(t, "n");
    term_wait_text(t, "The end of the lesson");
    leave();
}
END_TEST

START_TEST(home_begins_a_lesson_and_continues_it)
{
    start(NULL, 0);
    term_wait_text(t, "lessons");
    term_keys(t, "j");
    term_wait_text(t, "lesson, ");
    term_keys(t, "\rn");
    term_wait_text(t, "page 1 of");
    term_keys(t, "nn");
    term_wait_text(t, "page 2 of");
    leave();
    term_finish(t);
    start(NULL, 0);
    term_wait_text(t, "continue The picture");
    term_keys(t, "\r");
    term_wait_text(t, "page 2 of");
    leave();
}
END_TEST

START_TEST(a_lesson_whose_file_is_gone_is_told_and_no_failure)
{
    static const char last[] = "attn-last 1\nvariant v3\nlesson /nowhere/12-gone.md\nplace 3 0\n"
                               "page Gone\nwords Gone, page 2 of 9\nend\n";
    ck_assert(mkdir(scratch_path("state"), 0700) == 0);
    ck_assert(mkdir(scratch_path("state/attn"), 0700) == 0);
    scratch_put("state/attn/last", last, sizeof last - 1);
    start(NULL, 0);
    term_wait_text(t, "continue Gone, page 2 of 9");
    term_keys(t, "\r");
    term_wait_text(t, "This lesson cannot be read");
    term_keys(t, "j");
    term_wait_text(t, "q quit");
    leave();
}
END_TEST

START_TEST(a_question_is_answered_by_keys)
{
    start("01-the-picture", 0);
    term_wait_text(t, "page 1 of");
    term_keys(t, "Gb");
    term_wait_text(t, "One is right.");
    term_keys(t, "\033[B\r"); /* down, Enter */
    term_wait_text(t, "Then it would be 10");
    term_keys(t, "H");
    term_wait_text(t, "Hint");
    term_keys(t, "3\r");
    term_wait_text(t, "Right.");
    term_keys(t, "n\r10,10\r");
    term_wait_text(t, "There is one weight for each pair");
    leave();
}
END_TEST

Suite *suite(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    Suite *const s = suite_create("lessons in a terminal");
    TCase *const all = tcase_create("every lesson");
    tcase_set_timeout(all, 120);
    tcase_add_checked_fixture(all, make, unmake);
    tcase_add_loop_test(all, a_lesson_is_played_from_end_to_end, 0, N_SIZES * lesson_case_count());
    suite_add_tcase(s, all);
    TCase *const keys = tcase_create("keys");
    tcase_set_timeout(keys, 60);
    tcase_add_checked_fixture(keys, make, unmake);
    tcase_add_test(keys, home_begins_a_lesson_and_continues_it);
    tcase_add_test(keys, a_lesson_whose_file_is_gone_is_told_and_no_failure);
    tcase_add_test(keys, a_question_is_answered_by_keys);
    suite_add_tcase(s, keys);
    return s;
}

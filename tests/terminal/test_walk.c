/* The program in a terminal: attn walk, as a person would meet it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "runner.h"
#include "term.h"

static struct term *t;

static void unmake(void)
{
    term_finish(t);
    t = NULL;
}

/** attn walk v3 with these tokens. */
static void start_tokens(struct term_options options, const char *tokens)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/src/cli/attn", getenv("ATTN_BUILD"));
    const char *const argv[] = {path, "walk", "v3", "--tokens", tokens, "--mask", "causal", NULL};
    t = term_start(&options, argv);
}

static void start(struct term_options options)
{
    start_tokens(options, "the cat sat down");
}

static void start_ready(struct term_options options)
{
    start(options);
    term_wait_text(t, "stage 1 of 9");
    term_wait_text(t, "q quit");
}

static void assert_ended(int status, int exit_status)
{
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == exit_status, "status %#x", status);
}

/** The way out, from wherever it is. */
static void quit(void)
{
    term_keys(t, "\r"); /* ends a prompt */
    term_settle(t);
    term_keys(t, "\033");
    term_settle(t);
    term_keys(t, "\033");
    term_settle(t);
    term_keys(t, "q");
    assert_ended(term_wait_exit(t), 0);
    ck_assert(term_restored(t));
}

/* ---- terminals ---- */

static const char *const terminals[] = {"TERM=xterm-256color", "TERM=screen-256color",
                                        "TERM=xterm",          "TERM=linux",
                                        "TERM=vt100",          "TERM=vt220"};

START_TEST(test_a_terminal_shows_the_walk_and_is_left_as_it_was)
{
    start_ready((struct term_options){.env = {terminals[_i]}});
    term_keys(t, " ");
    term_wait_text(t, "stage 2 of 9");
    term_wait_text(t, "softmax");
    term_keys(t, "q");
    assert_ended(term_wait_exit(t), 0);
    ck_assert(term_restored(t));
}
END_TEST

static const struct {
    const char *env, *names;
} refused[] = {{"TERM=dumb", "TERM=dumb"}, {"TERM", "TERM"}, {"TERM=nosuch", "TERM=nosuch"}};

START_TEST(test_a_terminal_that_will_not_do_is_refused_with_what_will)
{
    start((struct term_options){.env = {refused[_i].env}});
    assert_ended(term_wait_exit(t), 2);
    term_wait_text(t, refused[_i].names);
    term_wait_text(t, "--plain");
    term_wait_text(t, "attn run");
    ck_assert_uint_eq(term_count(t, "\033"), 0);
}
END_TEST

START_TEST(test_the_environment_has_its_say_about_colours)
{
    start_ready((struct term_options){.env = {"NO_COLOR=1"}});
    for (int row = 0; row < 24; row++) {
        for (int col = 0; col < 80; col++) {
            const struct term_cell cell = term_cell(t, row, col);
            ck_assert(cell.fg == -1 && cell.bg == -1);
        }
    }
}
END_TEST

START_TEST(test_body_text_has_the_terminals_own_colours)
{
    int row = 0;
    int col = 0;
    start_ready((struct term_options){.env = {_i == 0 ? "COLORFGBG=0;15" : "COLORFGBG=15;0"}});
    ck_assert(term_find(t, "PyTorch", &row, &col));
    const struct term_cell cell = term_cell(t, row, col);
    ck_assert_int_eq(cell.bg, -1);
    ck_assert(term_find(t, "One matrix", &row, &col));
    ck_assert_int_eq(term_cell(t, row, col).fg, -1);
}
END_TEST

static const char *const locales[] = {"LC_ALL=C", "LC_ALL=POSIX", "LC_ALL=no_SUCH.UTF-8"};

START_TEST(test_without_utf8_every_byte_is_ascii)
{
    start_tokens((struct term_options){.env = {locales[_i]}}, "猫 ねこ é cat");
    term_wait_text(t, "stage 1 of 9");
    term_keys(t, "]]]]]\r?");
    term_settle(t);
    quit();
    size_t n = 0;
    const char *const output = term_output(t, &n);
    for (size_t i = 0; i < n; i++) {
        ck_assert((unsigned char)output[i] < 0x80);
    }
}
END_TEST

/* ---- keys ---- */

static const struct {
    const char *bytes, *shown;
} keys[] = {
    {"n", "stage 2 of 9"},
    {" ", "stage 2 of 9"},
    {"\033[6~", "stage 2 of 9"},
    {"nnnb", "stage 3 of 9"},
    {"nnn\177", "stage 3 of 9"},
    {"nnn\b", "stage 3 of 9"},
    {"nnn\033[5~", "stage 3 of 9"},
    {"]]", "stage 3 of 9"},
    {"]][", "stage 2 of 9"},
    {"6", "stage 6 of 9"},
    {"G", "stage 9 of 9"},
    {"Gg", "stage 1 of 9"},
    {"\t", "row 1 of 41"},
    {"\t\t", "cell 1 of "},
    {"\t\tn", "cell 2 of "},
    {"\t\t\t", "stage 1 of 9"},
    {"\033[Z", "cell 1 of "},
    {"`", "cell 1 of "},
    {"c", "NumPy"},
};

START_TEST(test_a_key_does_what_it_says)
{
    start_ready((struct term_options){0});
    term_keys(t, keys[_i].bytes);
    term_wait_text(t, keys[_i].shown);
    term_keys(t, "q");
    assert_ended(term_wait_exit(t), 0);
}
END_TEST

START_TEST(test_escape_closes_and_never_quits)
{
    start_ready((struct term_options){0});
    term_keys(t, "?");
    term_wait_text(t, "next step");
    term_keys(t, "\033");
    term_wait_no_text(t, "next step");
    term_keys(t, "\033");
    term_settle(t);
    term_keys(t, "n");
    term_wait_text(t, "stage 2 of 9");
}
END_TEST

/** Where the cell under the cursor is drawn: the terminal's own cursor, hidden, stands on it. */
static void find_cursor(int *row, int *col)
{
    term_settle(t);
    term_cursor(t, row, col);
    ck_assert(term_modes(t).cursor_hidden);
}

START_TEST(test_an_arrow_moves_however_slowly_it_comes)
{
    int row = 0;
    int col = 0;
    int below = 0;
    int across = 0;
    start_ready((struct term_options){0});
    find_cursor(&row, &col);
    term_send_slowly(t, "\033[B", 20);
    find_cursor(&below, &across);
    ck_assert_int_gt(below, row);
    ck_assert_int_eq(across, col);
    term_keys(t, "\033OC");
    find_cursor(&below, &across);
    ck_assert_int_gt(across, col);
}
END_TEST

static const char *const swallowed[] = {
    "\033[15~",
    "\033Oq",
    "\033[97;5u",
    "\033[?62;22c",
    "\033]11;rgb:0/0/0\033\\",
    "\033[200~qqq\rq\033[201~",
};

START_TEST(test_what_is_no_key_does_nothing)
{
    int row = 0;
    int col = 0;
    int row_after = 0;
    int col_after = 0;
    start_ready((struct term_options){0});
    find_cursor(&row, &col);
    term_keys(t, swallowed[_i]);
    find_cursor(&row_after, &col_after);
    ck_assert(term_running(t));
    ck_assert(row == row_after && col == col_after);
    term_keys(t, "n");
    term_wait_text(t, "stage 2 of 9");
}
END_TEST

static const struct {
    const char *typed, *shown;
} edits[] = {
    {"12", "12"},
    {"12\033[H3", "312"},
    {"12\033[1~3", "312"},
    {"12\033OH3", "312"},
    {"12\033[H\033[F3", "123"},
    {"12\033[4~3", "123"},
    {"12\033[3~", "12"},
    {"12\1773", "13"},
    {"12\b3", "13"},
    {"12\033[15~3", "123"},
    {"1\033[200~23\033[201~", "123"},
};

START_TEST(test_a_prompt_edits_as_prompts_do)
{
    static const char *const names[] = {"TERM=xterm-256color", "TERM=linux", "TERM=vt220"};
    start_ready((struct term_options){.env = {names[_i % 3]}});
    term_keys(t, "OO"); /* to x, or a weight: an input */
    term_settle(t);
    term_keys(t, "e");
    term_settle(t);
    for (int i = 0; i < 24; i++) {
        term_keys(t, "\177");
    }
    term_keys(t, edits[_i / 3].typed);
    term_wait_text(t, edits[_i / 3].shown);
    quit();
}
END_TEST

/* ---- sizes and labels ---- */

static const struct {
    int rows, cols;
} sizes[] = {{1, 1}, {1, 80}, {24, 1}, {2, 2}, {5, 20}, {12, 40}, {60, 200}, {200, 400}};

START_TEST(test_any_size_is_lived_with)
{
    start((struct term_options){.rows = sizes[_i].rows, .cols = sizes[_i].cols});
    term_wait_bytes(t, "\033[?1049h");
    term_settle(t);
    term_keys(t, "\t\r\033[B\033");
    term_settle(t);
    term_resize(t, 24, 80);
    term_wait_text(t, "q quit");
    quit();
}
END_TEST

static const char *const tokens[] = {
    "猫 ねこ e\u0301 👍 cat שלום",
    "a 고양이 ！＂ é 1\uFE0F\u20E3 ①",
    "👩\u200D👩\u200D👧 ± नमस्ते \uFDFD a\u200Bb a\u00ADb",
    "a\uFEFFb a\u202Eb ␀ antidisestablishmentarianism Ġcat ▁cat",
};

/** The columns of a row that have a decimal point. */
static void points_of(int row, int cols, bool points[80])
{
    for (int col = 0; col < cols; col++) {
        points[col] = strcmp(term_cell(t, row, col).glyph, ".") == 0;
    }
}

START_TEST(test_labels_of_any_width_leave_the_columns_straight)
{
    int rows = 0;
    start_tokens((struct term_options){0}, tokens[_i]);
    term_wait_text(t, "q quit");
    term_keys(t, "]]]"); /* scores and scaled, side by side, with labels at two sides */
    term_wait_text(t, "stage 4 of 9");
    term_settle(t);
    bool straight[80];
    bool other[80];
    for (int row = 5; row < 22; row++) {
        points_of(row, 80, other);
        int n = 0;
        for (int col = 0; col < 80; col++) {
            n += other[col] ? 1 : 0;
        }
        if (n != 6 || strstr(term_row(t, row), "=") != NULL) {
            continue; /* the six columns of scaled have digits, and a sentence is none of it */
        }
        if (rows++ == 0) {
            memcpy(straight, other, sizeof straight);
        }
        ck_assert_msg(memcmp(straight, other, sizeof straight) == 0, "row %d: %s", row,
                      term_row(t, row));
    }
    ck_assert_msg(rows == 6, "%d rows", rows);
}
END_TEST

START_TEST(test_an_arrow_costs_less_than_a_kilobyte)
{
    size_t before = 0;
    size_t after = 0;
    start_ready((struct term_options){0});
    term_settle(t);
    term_output(t, &before);
    for (int i = 0; i < 10; i++) {
        term_keys(t, i % 2 == 0 ? "\033[B" : "\033[A");
        term_settle(t);
    }
    term_output(t, &after);
    ck_assert_uint_lt(after - before, 10 * 1000);
    ck_assert_uint_le(term_count(t, "\033[2J") + term_count(t, "\033[H\033[J"), 3);
}
END_TEST

/* ---- ends ---- */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT};

START_TEST(test_a_signal_restores_the_terminal_and_is_raised_again)
{
    start_ready((struct term_options){0});
    term_keys(t, "nnn");
    term_signal(t, endings[_i]); /* perhaps while it draws */
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == endings[_i], "status %#x", status);
    ck_assert(term_restored(t));
}
END_TEST

START_TEST(test_ctrl_c_is_an_interrupt_everywhere)
{
    static const char *const before[] = {"", "?", "\r", "OOe"};
    start_ready((struct term_options){0});
    term_keys(t, before[_i]);
    term_settle(t);
    term_keys(t, "\003");
    const int status = term_wait_exit(t);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    ck_assert(term_restored(t));
}
END_TEST

START_TEST(test_a_lost_terminal_is_the_end_everywhere)
{
    static const char *const before[] = {"", "?", "\r", "OOe"};
    start_ready((struct term_options){0});
    term_keys(t, before[_i]);
    term_settle(t);
    term_hang_up(t);
    term_wait_exit(t);
}
END_TEST

START_TEST(test_keys_come_from_the_terminal_when_standard_input_is_data)
{
    start_ready(_i == 0 ? (struct term_options){.input = "/dev/null"}
                        : (struct term_options){.input_text = "qqq\n"});
    term_keys(t, "n");
    term_wait_text(t, "stage 2 of 9");
    term_keys(t, "q");
    assert_ended(term_wait_exit(t), 0);
}
END_TEST

static void add_keys(Suite *s)
{
    TCase *const c = tcase_create("keys");
    tcase_set_timeout(c, 120);
    tcase_add_checked_fixture(c, NULL, unmake);
    tcase_add_loop_test(c, test_a_key_does_what_it_says, 0, (int)(sizeof keys / sizeof keys[0]));
    tcase_add_test(c, test_escape_closes_and_never_quits);
    tcase_add_test(c, test_an_arrow_moves_however_slowly_it_comes);
    tcase_add_loop_test(c, test_what_is_no_key_does_nothing, 0,
                        (int)(sizeof swallowed / sizeof swallowed[0]));
    tcase_add_loop_test(c, test_a_prompt_edits_as_prompts_do, 0,
                        3 * (int)(sizeof edits / sizeof edits[0]));
    suite_add_tcase(s, c);
}

static void add_ends(Suite *s)
{
    TCase *const c = tcase_create("ends");
    tcase_set_timeout(c, 120);
    tcase_add_checked_fixture(c, NULL, unmake);
    tcase_add_loop_test(c, test_a_signal_restores_the_terminal_and_is_raised_again, 0,
                        (int)(sizeof endings / sizeof endings[0]));
    tcase_add_loop_test(c, test_ctrl_c_is_an_interrupt_everywhere, 0, 4);
    tcase_add_loop_test(c, test_a_lost_terminal_is_the_end_everywhere, 0, 4);
    tcase_add_loop_test(c, test_keys_come_from_the_terminal_when_standard_input_is_data, 0, 2);
    suite_add_tcase(s, c);
}

Suite *suite(void)
{
    Suite *const s = suite_create("walk in a terminal");
    TCase *const c = tcase_create("screen");
    tcase_set_timeout(c, 120);
    tcase_add_checked_fixture(c, NULL, unmake);
    tcase_add_loop_test(c, test_a_terminal_shows_the_walk_and_is_left_as_it_was, 0,
                        (int)(sizeof terminals / sizeof terminals[0]));
    tcase_add_loop_test(c, test_a_terminal_that_will_not_do_is_refused_with_what_will, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(c, test_the_environment_has_its_say_about_colours);
    tcase_add_loop_test(c, test_body_text_has_the_terminals_own_colours, 0, 2);
    tcase_add_loop_test(c, test_without_utf8_every_byte_is_ascii, 0,
                        (int)(sizeof locales / sizeof locales[0]));
    tcase_add_loop_test(c, test_any_size_is_lived_with, 0, (int)(sizeof sizes / sizeof sizes[0]));
    tcase_add_loop_test(c, test_labels_of_any_width_leave_the_columns_straight, 0,
                        (int)(sizeof tokens / sizeof tokens[0]));
    tcase_add_test(c, test_an_arrow_costs_less_than_a_kilobyte);
    suite_add_tcase(s, c);
    add_keys(s);
    add_ends(s);
    return s;
}

/* src/tui in a terminal, by a program that shows what it is given (demo.c). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "frame.h"
#include "runner.h"
#include "term.h"

static struct term *t;

static void unmake(void)
{
    term_finish(t);
    t = NULL;
}

static void start(struct term_options options)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/tests/terminal-demo", getenv("ATTN_BUILD"));
    const char *const argv[] = {path, NULL};
    t = term_start(&options, argv);
}

static void start_ready(struct term_options options)
{
    start(options);
    term_wait_text(t, "0 keys.");
}

static void assert_ended(int status, int exit_status)
{
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == exit_status, "status %#x", status);
}

/* ---- keys ---- */

static const struct {
    const char *bytes, *shown;
} keys[] = {
    {"a", "U+0061"},
    {"\033[A", "Up"},
    {"\033OB", "Down"},
    {"\033[1~", "Home"},
    {"\033[F", "End"},
    {"\033[Z", "S-Tab"},
    {"\r", "Enter"},
    {"\n", "Enter"},
    {"\b", "Backspace"},
    {"\177", "Backspace"},
    {"\033", "Esc"},
    {"\f", "C-l"},
    {"猫", "U+732B"},
    {"\033[200~qq\033[201~", "pasteqq"},
    {"\033[<0;7;4M", "click@3,6"},
    {"\033[<64;7;4M", "wheel-up@3,6"},
};

START_TEST(test_a_key_arrives)
{
    start_ready((struct term_options){0});
    term_keys(t, keys[_i].bytes);
    term_wait_text(t, "1 keys.");
    term_wait_text(t, keys[_i].shown);
    term_keys(t, "q");
    assert_ended(term_wait_exit(t), 0);
    ck_assert(term_restored(t));
}
END_TEST

START_TEST(test_an_unknown_sequence_is_no_key)
{
    start_ready((struct term_options){0});
    term_keys(t, "\033[15~\033[?62;c\033Oq\033[97;5u\033]11;rgb:0/0/0\033\\z");
    term_wait_text(t, "1 keys.");
    term_wait_text(t, "U+007A");
}
END_TEST

START_TEST(test_an_arrow_with_gaps_is_an_arrow)
{
    start_ready((struct term_options){.env = {"ESCDELAY=2000"}});
    term_send_slowly(t, "\033[B", 20);
    term_wait_text(t, "1 keys.");
    term_wait_text(t, "Down");
}
END_TEST

START_TEST(test_escdelay_of_the_environment_wins)
{
    start_ready((struct term_options){.env = {"ESCDELAY=10000"}});
    term_keys(t, "\033");
    term_settle(t); /* the usual wait would show an Esc, and give the bracket as a key */
    term_send_slowly(t, "[B", 100);
    term_wait_text(t, "1 keys.");
    term_wait_text(t, "Down");
}
END_TEST

START_TEST(test_a_timeout_ends_the_wait)
{
    start_ready((struct term_options){0});
    term_keys(t, "t");
    term_wait_text(t, "U+0074 timeout");
}
END_TEST

/* ---- terminals ---- */

static const struct {
    const char *term;
    enum frame_palette palette;
    bool mouse;
} terminals[] = {
    {"TERM=xterm-256color", FRAME_256_DARK, true},
    {"TERM=screen-256color", FRAME_256_DARK, true},
    {"TERM=xterm", FRAME_8, true},
    {"TERM=xterm-of-tomorrow", FRAME_8, true},
    {"TERM=linux", FRAME_8, true},
    {"TERM=vt100", FRAME_MONO, false},
    {"TERM=vt220", FRAME_MONO, false},
};

START_TEST(test_a_terminal_is_used_as_its_terminfo_says)
{
    char shown[64];
    start_ready((struct term_options){.env = {terminals[_i].term}});
    snprintf(shown, sizeof shown, "demo 24x80, palette %d", (int)terminals[_i].palette);
    term_wait_text(t, shown);
    term_wait_text(t, "┌──┐ √d ▶ e\u0301");
    ck_assert(term_modes(t).mouse == terminals[_i].mouse);
    term_keys(t, "\033OAq");
    assert_ended(term_wait_exit(t), 0);
    ck_assert(term_restored(t));
    ck_assert_uint_eq(term_count(t, "$<"), 0);
}
END_TEST

static const struct {
    const char *env;
    const char *reason;
} refused[] = {
    {"TERM=dumb", "demo: a terminal of TERM=dumb cannot place its cursor"},
    {"TERM", "demo: TERM is not set"},
    {"TERM=", "demo: TERM is not set"},
    {"TERM=nosuch", "demo: TERM=nosuch is not a terminal that terminfo knows"},
};

START_TEST(test_a_terminal_that_will_not_do_is_refused_by_name)
{
    start((struct term_options){.env = {refused[_i].env}});
    assert_ended(term_wait_exit(t), 2);
    term_wait_text(t, refused[_i].reason);
    ck_assert_uint_eq(term_count(t, "\033"), 0);
    ck_assert(term_settings_restored(t));
}
END_TEST

static void assert_look(int col, enum frame_palette palette, enum frame_role role,
                        enum frame_mark mark)
{
    const struct frame_look look = frame_look(palette, role, mark);
    const struct term_cell cell = term_cell(t, 3, col);
    ck_assert_int_eq(cell.fg, look.fg);
    ck_assert_int_eq(cell.bg, look.bg);
    ck_assert(cell.bold == look.bold && cell.underline == look.underline &&
              cell.reverse == look.reverse);
}

START_TEST(test_the_looks_arrive)
{
    start_ready((struct term_options){0});
    assert_look(0, FRAME_256_DARK, FRAME_HEAT0, FRAME_MARK_NONE);
    assert_look(5, FRAME_256_DARK, FRAME_HEAT8, FRAME_MARK_READ);
    assert_look(10, FRAME_256_DARK, FRAME_PROB8, FRAME_MARK_FOCUS);
    assert_look(15, FRAME_256_DARK, FRAME_TEXT, FRAME_MARK_NONE);
}
END_TEST

START_TEST(test_no_color_sends_none)
{
    start_ready((struct term_options){.env = {"NO_COLOR=1"}});
    term_wait_text(t, "palette 0");
    for (int row = 0; row < 24; row++) {
        for (int col = 0; col < 80; col++) {
            const struct term_cell cell = term_cell(t, row, col);
            ck_assert(cell.fg == -1 && cell.bg == -1);
        }
    }
    ck_assert_uint_eq(term_count(t, "\033[39"), 0);
    ck_assert(term_cell(t, 3, 10).reverse);
}
END_TEST

START_TEST(test_a_light_ground_has_its_own_palette)
{
    start_ready((struct term_options){.env = {"COLORFGBG=0;15"}});
    term_wait_text(t, "palette 3");
    assert_look(0, FRAME_256_LIGHT, FRAME_HEAT0, FRAME_MARK_NONE);
}
END_TEST

START_TEST(test_colorterm_knows_more_than_an_old_name)
{
    start_ready((struct term_options){.env = {"TERM=xterm", "COLORTERM=truecolor"}});
    term_wait_text(t, "palette 2");
    assert_look(0, FRAME_256_DARK, FRAME_HEAT0, FRAME_MARK_NONE);
}
END_TEST

static const char *const locales[] = {"LC_ALL=C", "LC_ALL=POSIX", "LC_ALL=no_SUCH.UTF-8",
                                      "LC_ALL=en_US.ISO-8859-1"};

START_TEST(test_without_utf8_every_byte_is_ascii)
{
    start_ready((struct term_options){.env = {locales[_i]}});
    term_wait_text(t, "+--+ sqrt d > e");
    size_t n = 0;
    const char *const output = term_output(t, &n);
    for (size_t i = 0; i < n; i++) {
        ck_assert((unsigned char)output[i] < 0x80);
    }
}
END_TEST

START_TEST(test_a_wide_character_does_not_shift_its_row)
{
    start_ready((struct term_options){0});
    term_wait_text(t, "猫 |");
    ck_assert_str_eq(term_cell(t, 2, 3).glyph, "|");
    ck_assert_int_eq(term_cell(t, 2, 0).width, 2);
}
END_TEST

/** The lines that the demo's fourth row goes through, one a key. */
static const char *const wide[] = {"猫a猫b|", "a猫b猫|", "ab猫cd|",
                                   "猫猫猫|", "x猫猫y|", "      |"};

enum { N_WIDE = sizeof wide / sizeof wide[0] };

START_TEST(test_wide_characters_come_and_go_without_a_trace)
{
    start_ready((struct term_options){0});
    for (int i = 0; i < 2 * N_WIDE; i++) {
        char shown[16];
        snprintf(shown, sizeof shown, "%d keys.", i);
        term_wait_text(t, shown);
        term_settle(t);
        ck_assert_str_eq(term_row(t, 4), wide[i % N_WIDE]);
        term_keys(t, "a");
    }
}
END_TEST

START_TEST(test_a_picture_is_sent_in_one_piece)
{
    start_ready((struct term_options){0});
    term_settle(t);
    const long before = term_writes(t);
    term_keys(t, "a");
    term_wait_text(t, "1 keys.");
    term_settle(t);
    ck_assert(before < 0 || term_writes(t) - before == 1);
}
END_TEST

START_TEST(test_the_cursor_is_on_its_cell_and_hidden)
{
    int row = 0;
    int col = 0;
    start_ready((struct term_options){0});
    term_settle(t);
    term_cursor(t, &row, &col);
    ck_assert(row == 3 && col == 10 && term_modes(t).cursor_hidden);
}
END_TEST

/* ---- sizes ---- */

START_TEST(test_a_new_size_is_drawn)
{
    start_ready((struct term_options){0});
    term_resize(t, 40, 120);
    term_wait_text(t, "demo 40x120");
    term_resize(t, 1, 1);
    term_settle(t);
    term_resize(t, 2, 300);
    term_wait_text(t, "demo 2x300");
    term_resize(t, 24, 80);
    term_wait_text(t, "demo 24x80");
    term_wait_text(t, "body");
    term_keys(t, "q");
    assert_ended(term_wait_exit(t), 0);
}
END_TEST

START_TEST(test_only_what_differs_is_sent)
{
    start_ready((struct term_options){0});
    term_settle(t);
    size_t before = 0;
    size_t after = 0;
    term_output(t, &before);
    term_keys(t, "a");
    term_wait_text(t, "1 keys.");
    term_settle(t);
    term_output(t, &after);
    ck_assert_uint_lt(after - before, 200);
    ck_assert_uint_le(term_count(t, "\033[2J") + term_count(t, "\033[H\033[J"), 1);
}
END_TEST

START_TEST(test_ctrl_l_sends_everything_again)
{
    start_ready((struct term_options){0});
    term_settle(t);
    ck_assert_uint_eq(term_count(t, "demo 24x80"), 1);
    term_keys(t, "\f");
    term_wait_text(t, "1 keys.");
    term_settle(t);
    ck_assert_uint_eq(term_count(t, "demo 24x80"), 2);
}
END_TEST

/* ---- ends ---- */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGFPE};

START_TEST(test_a_signal_restores_the_terminal_and_is_raised_again)
{
    start_ready((struct term_options){0});
    ck_assert(term_modes(t).alternate_screen && term_modes(t).mouse && term_modes(t).paste);
    term_signal(t, endings[_i]);
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == endings[_i], "status %#x", status);
    ck_assert(term_restored(t));
}
END_TEST

START_TEST(test_a_signal_restores_a_plain_terminal_too)
{
    start_ready((struct term_options){.env = {"TERM=vt100"}});
    term_signal(t, endings[_i]);
    ck_assert(WIFSIGNALED(term_wait_exit(t)));
    ck_assert(term_restored(t));
}
END_TEST

static const struct {
    const char *key;
    int signal;
} crashes[] = {{"S", SIGSEGV}, {"A", SIGABRT}, {"\003", SIGINT}, {"\034", SIGQUIT}};

START_TEST(test_a_crash_or_an_interrupt_key_restores_the_terminal)
{
    start_ready((struct term_options){0});
    term_keys(t, crashes[_i].key);
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == crashes[_i].signal, "status %#x",
                  status);
    ck_assert(term_restored(t));
}
END_TEST

START_TEST(test_ctrl_z_leaves_and_comes_back)
{
    start_ready((struct term_options){0});
    term_signal(t, SIGTSTP);
    term_wait_stopped(t);
    ck_assert(term_restored(t));
    term_signal(t, SIGCONT);
    term_keys(t, "a");
    term_wait_text(t, "1 keys.");
    ck_assert(term_modes(t).alternate_screen && term_modes(t).mouse && term_modes(t).paste);
    term_keys(t, "q");
    assert_ended(term_wait_exit(t), 0);
    ck_assert(term_restored(t));
}
END_TEST

START_TEST(test_a_stop_without_a_word_is_recovered_from)
{
    start_ready((struct term_options){0});
    term_signal(t, SIGSTOP);
    term_wait_stopped(t);
    term_resize(t, 30, 90);
    term_signal(t, SIGCONT);
    term_wait_text(t, "demo 30x90");
    term_keys(t, "a");
    term_wait_text(t, "1 keys.");
}
END_TEST

START_TEST(test_a_lost_terminal_is_the_end)
{
    start_ready((struct term_options){0});
    term_hang_up(t);
    const int status = term_wait_exit(t);
    ck_assert_msg(WIFEXITED(status) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP),
                  "status %#x", status);
}
END_TEST

START_TEST(test_keys_come_from_the_terminal_when_standard_input_is_data)
{
    start_ready(_i == 0 ? (struct term_options){.input = "/dev/null"}
                        : (struct term_options){.input_text = "qqq\n"});
    term_keys(t, "a");
    term_wait_text(t, "1 keys.");
    term_keys(t, "q");
    assert_ended(term_wait_exit(t), 0);
}
END_TEST

START_TEST(test_nothing_happens_while_nothing_happens)
{
    start_ready((struct term_options){0});
    term_settle(t);
    size_t before = 0;
    size_t after = 0;
    const double cpu = term_cpu(t);
    term_output(t, &before);
    for (int i = 0; i < 5; i++) {
        term_settle(t);
    }
    term_output(t, &after);
    ck_assert_uint_eq(after, before);
    ck_assert(term_cpu(t) <= cpu);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("tui");
    TCase *const c = tcase_create("tui");
    tcase_set_timeout(c, 120);
    tcase_add_checked_fixture(c, NULL, unmake);
    tcase_add_loop_test(c, test_a_key_arrives, 0, (int)(sizeof keys / sizeof keys[0]));
    tcase_add_test(c, test_an_unknown_sequence_is_no_key);
    tcase_add_test(c, test_an_arrow_with_gaps_is_an_arrow);
    tcase_add_test(c, test_escdelay_of_the_environment_wins);
    tcase_add_test(c, test_a_timeout_ends_the_wait);
    tcase_add_loop_test(c, test_a_terminal_is_used_as_its_terminfo_says, 0,
                        (int)(sizeof terminals / sizeof terminals[0]));
    tcase_add_loop_test(c, test_a_terminal_that_will_not_do_is_refused_by_name, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(c, test_the_looks_arrive);
    tcase_add_test(c, test_no_color_sends_none);
    tcase_add_test(c, test_a_light_ground_has_its_own_palette);
    tcase_add_test(c, test_colorterm_knows_more_than_an_old_name);
    tcase_add_loop_test(c, test_without_utf8_every_byte_is_ascii, 0,
                        (int)(sizeof locales / sizeof locales[0]));
    tcase_add_test(c, test_a_wide_character_does_not_shift_its_row);
    tcase_add_test(c, test_wide_characters_come_and_go_without_a_trace);
    tcase_add_test(c, test_a_picture_is_sent_in_one_piece);
    tcase_add_test(c, test_the_cursor_is_on_its_cell_and_hidden);
    tcase_add_test(c, test_a_new_size_is_drawn);
    tcase_add_test(c, test_only_what_differs_is_sent);
    tcase_add_test(c, test_ctrl_l_sends_everything_again);
    tcase_add_loop_test(c, test_a_signal_restores_the_terminal_and_is_raised_again, 0,
                        (int)(sizeof endings / sizeof endings[0]));
    tcase_add_loop_test(c, test_a_signal_restores_a_plain_terminal_too, 0, 2);
    tcase_add_loop_test(c, test_a_crash_or_an_interrupt_key_restores_the_terminal, 0,
                        (int)(sizeof crashes / sizeof crashes[0]));
    tcase_add_test(c, test_ctrl_z_leaves_and_comes_back);
    tcase_add_test(c, test_a_stop_without_a_word_is_recovered_from);
    tcase_add_test(c, test_a_lost_terminal_is_the_end);
    tcase_add_loop_test(c, test_keys_come_from_the_terminal_when_standard_input_is_data, 0, 2);
    tcase_add_test(c, test_nothing_happens_while_nothing_happens);
    suite_add_tcase(s, c);
    return s;
}

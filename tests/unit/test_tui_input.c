#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "runner.h"

static struct tui_input in;
static char seen[4096];

static void make(void)
{
    tui_input_init(&in, 80);
    seen[0] = '\0';
}

static void unmake(void)
{
    tui_input_finish(&in);
}

static const char *const names[APP_KEY_N_CODES] = {
    [APP_KEY_CHAR] = "char",         [APP_KEY_ENTER] = "Enter",
    [APP_KEY_TAB] = "Tab",           [APP_KEY_SHIFT_TAB] = "S-Tab",
    [APP_KEY_ESC] = "Esc",           [APP_KEY_BACKSPACE] = "Backspace",
    [APP_KEY_DELETE] = "Del",        [APP_KEY_UP] = "Up",
    [APP_KEY_DOWN] = "Down",         [APP_KEY_LEFT] = "Left",
    [APP_KEY_RIGHT] = "Right",       [APP_KEY_HOME] = "Home",
    [APP_KEY_END] = "End",           [APP_KEY_PGUP] = "PgUp",
    [APP_KEY_PGDN] = "PgDn",         [APP_KEY_F1] = "F1",
    [APP_KEY_CTRL_L] = "C-l",        [APP_KEY_CLICK] = "click",
    [APP_KEY_WHEEL_UP] = "up-wheel", [APP_KEY_WHEEL_DOWN] = "down-wheel",
    [APP_KEY_PASTE] = "paste",
};

static void take_keys(void)
{
    struct app_key key;
    while (tui_input_key(&in, &key)) {
        const size_t used = strlen(seen);
        char *const end = seen + used;
        const size_t room = sizeof seen - used;
        ck_assert_ptr_nonnull(names[key.code]);
        if (key.code == APP_KEY_CHAR && key.ch < 0x80) {
            snprintf(end, room, "%c ", (int)key.ch);
        } else if (key.code == APP_KEY_CHAR) {
            snprintf(end, room, "U+%04X ", key.ch);
        } else if (key.code >= APP_KEY_CLICK && key.code <= APP_KEY_WHEEL_DOWN) {
            snprintf(end, room, "%s@%d,%d ", names[key.code], key.row, key.col);
        } else if (key.code == APP_KEY_PASTE) {
            snprintf(end, room, "paste<%s> ", key.text);
        } else {
            snprintf(end, room, "%s ", names[key.code]);
        }
    }
}

/** Feed the bytes, then let the time run out. @return the keys, each followed by a space. */
static const char *keys_of(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        tui_input_byte(&in, (unsigned char)bytes[i]);
        take_keys();
    }
    if (tui_input_wait(&in) >= 0) {
        tui_input_idle(&in);
        take_keys();
    }
    ck_assert_int_eq(tui_input_wait(&in), -1);
    return seen;
}

static const struct {
    const char *bytes, *keys;
} rows[] = {
    {"a ~", "a   ~ "},
    {"\r\n\t\b\177\f", "Enter Enter Tab Backspace Backspace C-l "},
    {"\001\003\032", ""},
    {"\033[A\033[B\033[C\033[D", "Up Down Right Left "},
    {"\033OA\033OB\033OC\033OD", "Up Down Right Left "},
    {"\033[1;5A\033[1;2B", "Up Down "},
    {"\033[H\033[1~\033[7~\033OH", "Home Home Home Home "},
    {"\033[F\033[4~\033[8~\033OF", "End End End End "},
    {"\033[3~\033[5~\033[6~\033[Z", "Del PgUp PgDn S-Tab "},
    {"\033OP\033[11~\033[[A", "F1 F1 F1 "},
    {"\033OM", "Enter "},
    {"\033", "Esc "},
    {"\033\033", "Esc Esc "},
    {"\033\033[A", "Esc Up "},
    {"\033q", "Esc q "},
    {"\033]q", "Esc ] q "},
    /* unknown ones go as a whole */
    {"\033[2~x", "x "},
    {"\033[15~x\033[[Bx", "x x "},
    {"\033[?1;2cx\033[>0;276;0cx", "x x "},
    {"\033[27;5;9~x\033[97;5ux", "x x "},
    {"\033[Ix\033[Ox", "x x "},
    {"\033Oqx\033O5Px", "x F1 x "},
    {"\033[999999999999999999999~x", "x "},
    {"\033[=!\"#$%&'()*+,-./~x", "x "},
    {"\033]11;rgb:0000/0000/0000\ax", "x "},
    {"\033]11;rgb:0/0/0\033\\x\033P1$r0m\033\\x", "x x "},
    {"\033_Gi=1;OK\033\\x\033]4;q\033[Ax", "x Up x "},
    /* begun and never ended */
    {"\033[", ""},
    {"\033[1;", ""},
    {"\033O", ""},
    {"\033]11;", ""},
    {"\033[1\033[A", "Up "},
    {"\xE7\x8C", ""},
    /* the mouse: from 1, sent as from 0 */
    {"\033[<0;5;3M\033[<0;5;3m", "click@2,4 "},
    {"\033[<16;300;200M", "click@199,299 "},
    {"\033[<64;1;1M\033[<65;1;1M", "up-wheel@0,0 down-wheel@0,0 "},
    {"\033[<2;5;3M\033[<32;5;3M\033[<0;5M\033[<0;0;0M", ""},
    {"\033[M !!x\033[M#!!x\033[M`!!", "click@0,0 x x up-wheel@0,0 "},
    /* text in every form */
    {"é猫👍", "U+00E9 U+732B U+1F44D "},
    {"\xC0\xAFx\xED\xA0\x80x\xFFx\xE7x\xC2\x9Bx", "x x x x x "},
    /* pasted text is text */
    {"\033[200~q\033[A\r\033[201~x", "paste<q\033[A\r> x "},
    {"\033[200~\033[201~", "paste<> "},
    {"\033[200~a\033[201\033[201~x", "paste<a\033[201> x "},
    {"\033[200~never ended", "paste<never ended> "},
    {"\033[201~x", "x "},
};

START_TEST(test_bytes_become_keys)
{
    ck_assert_str_eq(keys_of(rows[_i].bytes, strlen(rows[_i].bytes)), rows[_i].keys);
}
END_TEST

START_TEST(test_a_zero_byte_is_no_key)
{
    ck_assert_str_eq(keys_of("\0x", 2), "x ");
}
END_TEST

START_TEST(test_only_what_has_begun_is_waited_for)
{
    ck_assert_int_eq(tui_input_wait(&in), -1);
    tui_input_byte(&in, 033);
    ck_assert_int_eq(tui_input_wait(&in), 80);
    tui_input_byte(&in, '[');
    ck_assert_int_gt(tui_input_wait(&in), 80);
    tui_input_byte(&in, 'A');
    ck_assert_int_eq(tui_input_wait(&in), -1);
}
END_TEST

START_TEST(test_an_endless_sequence_takes_no_room)
{
    tui_input_byte(&in, 033);
    tui_input_byte(&in, '[');
    for (int i = 0; i < 1000000; i++) {
        tui_input_byte(&in, ';');
    }
    tui_input_byte(&in, 'A');
    ck_assert_str_eq(keys_of("x", 1), "x ");
}
END_TEST

START_TEST(test_a_long_paste_is_cut_and_still_ends)
{
    keys_of("", 0);
    const char *const start = "\033[200~";
    for (const char *p = start; *p != '\0'; p++) {
        tui_input_byte(&in, (unsigned char)*p);
    }
    for (int i = 0; i < 3 * TUI_PASTE_MAX; i++) {
        tui_input_byte(&in, 'q');
    }
    const char *const end = "\033[201~";
    for (const char *p = end; *p != '\0'; p++) {
        tui_input_byte(&in, (unsigned char)*p);
    }
    struct app_key key;
    ck_assert(tui_input_key(&in, &key) && key.code == APP_KEY_PASTE);
    ck_assert_uint_eq(strspn(key.text, "q"), strlen(key.text));
    ck_assert_uint_gt(strlen(key.text), TUI_PASTE_MAX - 16);
    ck_assert(!tui_input_key(&in, &key));
    ck_assert_str_eq(keys_of("x", 1), "x ");
}
END_TEST

START_TEST(test_any_bytes_at_all_give_whole_keys)
{
    int broken = 0;
    srand((unsigned)_i);
    for (int i = 0; i < 100000; i++) {
        const int kind = rand() % 8;
        tui_input_byte(&in, (unsigned char)(kind == 0 ? 033 : kind == 1 ? '[' : rand() % 256));
        if (rand() % 64 == 0 && tui_input_wait(&in) >= 0) {
            tui_input_idle(&in);
        }
        struct app_key key;
        while (tui_input_key(&in, &key)) {
            broken += key.code <= APP_KEY_NONE || key.code >= APP_KEY_N_CODES;
            broken += key.code == APP_KEY_CHAR && (key.ch < 0x20 || key.ch == 0x7F);
        }
    }
    ck_assert_int_eq(broken, 0);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("tui input");
    TCase *const c = tcase_create("input");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, make, unmake);
    tcase_add_loop_test(c, test_bytes_become_keys, 0, (int)(sizeof rows / sizeof rows[0]));
    tcase_add_test(c, test_a_zero_byte_is_no_key);
    tcase_add_test(c, test_only_what_has_begun_is_waited_for);
    tcase_add_test(c, test_an_endless_sequence_takes_no_room);
    tcase_add_test(c, test_a_long_paste_is_cut_and_still_ends);
    tcase_add_loop_test(c, test_any_bytes_at_all_give_whole_keys, 0, 8);
    suite_add_tcase(s, c);
    return s;
}

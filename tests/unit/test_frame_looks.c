#include <math.h>
#include <string.h>

#include "frame.h"
#include "runner.h"

static double linear(uint32_t byte)
{
    const double c = (double)byte / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb >> 16 & 0xFF) + 0.7152 * linear(rgb >> 8 & 0xFF) +
           0.0722 * linear(rgb & 0xFF);
}

static double contrast(uint32_t a, uint32_t b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

/** The contrast of a look on a terminal with these colours of its own. */
static double contrast_on(struct frame_look look, uint32_t text, uint32_t ground)
{
    return contrast(look.fg >= 0 ? frame_rgb(look.fg) : text,
                    look.bg >= 0 ? frame_rgb(look.bg) : ground);
}

static bool same(struct frame_look a, struct frame_look b)
{
    return a.fg == b.fg && a.bg == b.bg && a.bold == b.bold && a.dim == b.dim &&
           a.underline == b.underline && a.reverse == b.reverse;
}

static struct frame_look look_of(int palette, int role, int mark)
{
    return frame_look((enum frame_palette)palette, (enum frame_role)role, (enum frame_mark)mark);
}

static double ground_of(int palette, int role)
{
    return luminance(frame_rgb(look_of(palette, role, FRAME_MARK_NONE).bg));
}

START_TEST(test_every_look_can_be_read_on_black_and_on_white)
{
    for (int palette = 0; palette < FRAME_N_PALETTES; palette++) {
        for (int mark = 0; mark < FRAME_N_MARKS; mark++) {
            const struct frame_look look = look_of(palette, _i, mark);
            const double black = contrast_on(look, 0xFFFFFF, 0x000000);
            const double white = contrast_on(look, 0x000000, 0xFFFFFF);
            ck_assert_msg(black >= 4.5 && white >= 4.5,
                          "%s, mark %d, palette %d: %.2f on black, %.2f on white",
                          frame_role_name((enum frame_role)_i), mark, palette, black, white);
        }
    }
}
END_TEST

START_TEST(test_dim_is_only_for_the_terminals_own_text)
{
    for (int palette = 0; palette < FRAME_N_PALETTES; palette++) {
        for (int mark = 0; mark < FRAME_N_MARKS; mark++) {
            const struct frame_look look = look_of(palette, _i, mark);
            ck_assert(!look.dim || (look.fg < 0 && look.bg < 0 && !look.bold));
        }
    }
}
END_TEST

START_TEST(test_colours_keep_to_their_palette)
{
    for (int mark = 0; mark < FRAME_N_MARKS; mark++) {
        const struct frame_look mono = look_of(FRAME_MONO, _i, mark);
        ck_assert(mono.fg == FRAME_DEFAULT_COLOR && mono.bg == FRAME_DEFAULT_COLOR);
        const struct frame_look eight = look_of(FRAME_8, _i, mark);
        ck_assert(eight.fg < 8 && eight.bg < 8);
    }
}
END_TEST

START_TEST(test_body_text_has_the_terminals_own_colours)
{
    for (int palette = 0; palette < FRAME_N_PALETTES; palette++) {
        const struct frame_look look = look_of(palette, FRAME_TEXT, FRAME_MARK_NONE);
        ck_assert(look.fg == FRAME_DEFAULT_COLOR && look.bg == FRAME_DEFAULT_COLOR);
        ck_assert(!look.bold && !look.dim && !look.underline && !look.reverse);
    }
}
END_TEST

START_TEST(test_the_marks_of_a_number_are_told_apart_in_every_palette)
{
    for (int palette = 0; palette < FRAME_N_PALETTES; palette++) {
        for (int a = 0; a < FRAME_N_MARKS; a++) {
            for (int b = a + 1; b < FRAME_N_MARKS; b++) {
                ck_assert_msg(!same(look_of(palette, _i, a), look_of(palette, _i, b)),
                              "%s, palette %d: marks %d and %d",
                              frame_role_name((enum frame_role)_i), palette, a, b);
            }
        }
    }
}
END_TEST

START_TEST(test_reading_and_writing_keep_the_heat)
{
    for (int palette = 0; palette < FRAME_N_PALETTES; palette++) {
        for (int mark = FRAME_MARK_NONE; mark <= FRAME_MARK_WRITE; mark++) {
            ck_assert_int_eq(look_of(palette, _i, mark).bg,
                             look_of(palette, _i, FRAME_MARK_NONE).bg);
        }
    }
}
END_TEST

START_TEST(test_heat_grows_away_from_zero_and_probability_from_nothing)
{
    const double direction = _i == FRAME_256_DARK ? 1 : -1;
    for (int i = 0; i < 8; i++) {
        const double step = ground_of(_i, FRAME_HEAT0 + i + 1) - ground_of(_i, FRAME_HEAT0 + i);
        if (i != 3 && i != 4) { /* the steps next to zero are told by hue: dark blue, dark red */
            ck_assert_msg(direction * (i < 4 ? -step : step) > 0, "heat%d", i);
        }
        ck_assert_msg(
            direction * (ground_of(_i, FRAME_PROB0 + i + 1) - ground_of(_i, FRAME_PROB0 + i)) > 0,
            "prob%d", i);
    }
}
END_TEST

START_TEST(test_every_role_has_a_name_and_a_letter_of_its_own)
{
    ck_assert_int_gt((int)strlen(frame_role_name((enum frame_role)_i)), 0);
    for (int other = 0; other < _i; other++) {
        ck_assert_str_ne(frame_role_name((enum frame_role)_i),
                         frame_role_name((enum frame_role)other));
        ck_assert_int_ne(frame_role_letter((enum frame_role)_i),
                         frame_role_letter((enum frame_role)other));
    }
}
END_TEST

START_TEST(test_palette_indices_have_the_colours_of_xterm)
{
    ck_assert_uint_eq(frame_rgb(16), 0x000000);
    ck_assert_uint_eq(frame_rgb(231), 0xFFFFFF);
    ck_assert_uint_eq(frame_rgb(163), 0xD700AF);
    ck_assert_uint_eq(frame_rgb(232), 0x080808);
    ck_assert_uint_eq(frame_rgb(255), 0xEEEEEE);
    ck_assert_uint_eq(frame_rgb(1), 0xCD0000);
    ck_assert_uint_eq(frame_rgb(256), 0);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("frame looks");
    TCase *const c = tcase_create("looks");
    tcase_add_loop_test(c, test_every_look_can_be_read_on_black_and_on_white, 0, FRAME_N_ROLES);
    tcase_add_loop_test(c, test_dim_is_only_for_the_terminals_own_text, 0, FRAME_N_ROLES);
    tcase_add_loop_test(c, test_colours_keep_to_their_palette, 0, FRAME_N_ROLES);
    tcase_add_test(c, test_body_text_has_the_terminals_own_colours);
    tcase_add_loop_test(c, test_the_marks_of_a_number_are_told_apart_in_every_palette, FRAME_HEAT0,
                        FRAME_N_ROLES);
    tcase_add_loop_test(c, test_reading_and_writing_keep_the_heat, FRAME_HEAT0, FRAME_N_ROLES);
    tcase_add_loop_test(c, test_heat_grows_away_from_zero_and_probability_from_nothing,
                        FRAME_256_DARK, FRAME_256_LIGHT + 1);
    tcase_add_loop_test(c, test_every_role_has_a_name_and_a_letter_of_its_own, 0, FRAME_N_ROLES);
    tcase_add_test(c, test_palette_indices_have_the_colours_of_xterm);
    suite_add_tcase(s, c);
    return s;
}

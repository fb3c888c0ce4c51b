#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "runner.h"

static struct frame *frame;
static char *written;
static size_t size;
static FILE *out;

static void make(void)
{
    frame = frame_create(2, 12, false);
    ck_assert_ptr_nonnull(frame);
    frame_put(frame, 0, 1, FRAME_TITLE, FRAME_MARK_NONE, "a<&>\"");
    frame_put(frame, 1, 0, FRAME_TEXT, FRAME_MARK_NONE, "猫 is");
    frame_put(frame, 1, 7, FRAME_HEAT8, FRAME_MARK_WRITE, "1.5");
    out = open_memstream(&written, &size);
    ck_assert_ptr_nonnull(out);
}

static void unmake(void)
{
    free(written);
    frame_destroy(frame);
}

/** What was written to out. */
static const char *text(void)
{
    ck_assert_int_eq(fclose(out), 0);
    return written;
}

START_TEST(test_text_is_the_glyphs_without_trailing_spaces)
{
    frame_write_text(frame, out);
    ck_assert_str_eq(text(), " a<&>\"\n猫 is  1.5\n");
}
END_TEST

START_TEST(test_the_roles_layer_has_a_letter_a_cell_and_a_line_for_marks)
{
    frame_write_roles(frame, out);
    ck_assert_str_eq(text(), "  TTTTT\n .. ..  888\n^       www\n");
}
END_TEST

static const struct {
    enum frame_palette palette;
    const char *ansi;
} ansi[] = {
    {FRAME_256_DARK, " \033[0;1ma<&>\"\033[0m\n猫 is  \033[0;1;38;5;16;48;5;179m1.5\033[0m\n"},
    {FRAME_8, " \033[0;1ma<&>\"\033[0m\n猫 is  \033[0;7;37;41m1.5\033[0m\n"},
    {FRAME_MONO, " \033[0;1ma<&>\"\033[0m\n猫 is  \033[0;7m1.5\033[0m\n"},
};

START_TEST(test_ansi_sets_each_look_once_and_resets_at_the_end_of_the_line)
{
    frame_write_ansi(frame, ansi[_i].palette, out);
    ck_assert_str_eq(text(), ansi[_i].ansi);
}
END_TEST

START_TEST(test_svg_escapes_its_text_and_places_it_on_the_grid)
{
    frame_write_svg(frame, FRAME_256_LIGHT, out);
    const char *const svg = text();
    ck_assert_ptr_nonnull(strstr(svg, ">a&lt;&amp;&gt;&quot;</text>"));
    ck_assert_ptr_nonnull(strstr(svg, "<text x=\"10.0\" y=\"41.5\" textLength=\"16.8\""));
    ck_assert_ptr_nonnull(strstr(svg, ">猫</text>"));
    ck_assert_ptr_nonnull(strstr(svg, "font-weight=\"bold\""));
    ck_assert_ptr_nonnull(strstr(svg, "<rect x=\"68.8\" y=\"28.0\" width=\"25.2\" height=\"18.0\" "
                                      "fill=\"#875f00\"/>"));
    ck_assert_str_eq(svg + strlen(svg) - 7, "</svg>\n");
}
END_TEST

START_TEST(test_svg_is_black_for_the_dark_palette)
{
    frame_write_svg(frame, FRAME_256_DARK, out);
    ck_assert_ptr_nonnull(strstr(text(), "height=\"56.0\" fill=\"#000000\""));
}
END_TEST

START_TEST(test_svg_is_white_for_every_other_palette)
{
    frame_write_svg(frame, FRAME_MONO, out);
    ck_assert_ptr_nonnull(strstr(text(), "height=\"56.0\" fill=\"#ffffff\""));
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("frame write");
    TCase *const c = tcase_create("write");
    tcase_add_checked_fixture(c, make, unmake);
    tcase_add_test(c, test_text_is_the_glyphs_without_trailing_spaces);
    tcase_add_test(c, test_the_roles_layer_has_a_letter_a_cell_and_a_line_for_marks);
    tcase_add_loop_test(c, test_ansi_sets_each_look_once_and_resets_at_the_end_of_the_line, 0,
                        (int)(sizeof ansi / sizeof ansi[0]));
    tcase_add_test(c, test_svg_escapes_its_text_and_places_it_on_the_grid);
    tcase_add_test(c, test_svg_is_black_for_the_dark_palette);
    tcase_add_test(c, test_svg_is_white_for_every_other_palette);
    suite_add_tcase(s, c);
    return s;
}

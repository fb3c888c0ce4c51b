#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "runner.h"

static struct frame *frame;

static void make(void)
{
    frame = frame_create(4, 10, false);
    ck_assert_ptr_nonnull(frame);
}

static void unmake(void)
{
    frame_destroy(frame);
}

/** Row of the frame with '<' for the right half of a wide character. */
static const char *row_text(int row)
{
    static char out[1024];
    out[0] = '\0';
    for (int col = 0; col < frame->cols; col++) {
        const struct frame_cell *const cell = frame_at(frame, row, col);
        strcat(out, cell->width == 0 ? "<" : cell->glyph);
    }
    return out;
}

static void put(int row, int col, const char *text)
{
    frame_put(frame, row, col, FRAME_TEXT, FRAME_MARK_NONE, text);
}

START_TEST(test_a_frame_out_of_bounds_is_refused)
{
    ck_assert_ptr_null(frame_create(0, 10, false));
    ck_assert_ptr_null(frame_create(10, -1, false));
    ck_assert_ptr_null(frame_create(FRAME_ROWS_MAX + 1, 10, false));
    ck_assert_ptr_null(frame_create(10, FRAME_COLS_MAX + 1, false));
    ck_assert_ptr_null(frame_at(frame, 4, 0));
    ck_assert_ptr_null(frame_at(frame, 0, -1));
}
END_TEST

START_TEST(test_a_cleared_frame_is_blank_and_has_no_cursor)
{
    put(1, 1, "x");
    frame->cursor_row = 1;
    frame_clear(frame);
    for (int row = 0; row < frame->rows; row++) {
        ck_assert_str_eq(row_text(row), "          ");
    }
    ck_assert_int_eq(frame->cursor_row, -1);
}
END_TEST

START_TEST(test_text_is_cut_at_every_edge)
{
    ck_assert_int_eq(frame_put(frame, 0, 7, FRAME_TEXT, FRAME_MARK_NONE, "abcdef"), 6);
    ck_assert_str_eq(row_text(0), "       abc");
    put(1, -2, "abcdef");
    ck_assert_str_eq(row_text(1), "cdef      ");
    put(-1, 0, "abc");
    put(4, 0, "abc");
    ck_assert_str_eq(row_text(3), "          ");
}
END_TEST

START_TEST(test_a_wide_character_is_never_cut_in_half)
{
    put(0, 9, "猫");
    ck_assert_str_eq(row_text(0), "          ");
    put(1, -1, "猫x");
    ck_assert_str_eq(row_text(1), " x        ");
    put(2, 0, "猫猫");
    put(2, 1, "x");
    ck_assert_str_eq(row_text(2), " x猫<      ");
    put(2, 2, "y");
    ck_assert_str_eq(row_text(2), " xy       ");
    put(3, 1, "猫");
    put(3, 0, "犬");
    ck_assert_str_eq(row_text(3), "犬<        ");
}
END_TEST

START_TEST(test_roles_and_marks_go_with_the_text)
{
    frame_put(frame, 0, 1, FRAME_HEAT8, FRAME_MARK_FOCUS, "猫");
    ck_assert_int_eq(frame_at(frame, 0, 0)->role, FRAME_TEXT);
    for (int col = 1; col < 3; col++) {
        ck_assert_int_eq(frame_at(frame, 0, col)->role, FRAME_HEAT8);
        ck_assert_int_eq(frame_at(frame, 0, col)->mark, FRAME_MARK_FOCUS);
    }
    frame_remark(frame, 0, 2, 100, FRAME_MARK_READ);
    ck_assert_int_eq(frame_at(frame, 0, 1)->mark, FRAME_MARK_FOCUS);
    ck_assert_int_eq(frame_at(frame, 0, 9)->mark, FRAME_MARK_READ);
    ck_assert_str_eq(row_text(0), " 猫<       ");
}
END_TEST

static const struct {
    int width;
    bool right;
    const char *text, *shown;
} fits[] = {
    {6, false, "abc", "xabc   xxx"},     {6, true, "abc", "x   abcxxx"},
    {3, false, "abcd", "xab…xxxxxx"},    {3, true, "abcd", "xab…xxxxxx"},
    {1, false, "abcd", "x…xxxxxxxx"},    {0, false, "abcd", "xxxxxxxxxx"},
    {4, false, "猫猫猫", "x猫<… xxxxx"}, {5, true, "猫猫", "x 猫<猫<xxxx"},
    {-3, false, "a", "xxxxxxxxxx"},
};

START_TEST(test_fitted_text_takes_exactly_its_width)
{
    put(0, 0, "xxxxxxxxxx");
    frame_put_fit(frame, 0, 1, fits[_i].width, fits[_i].right, FRAME_TEXT, FRAME_MARK_NONE,
                  fits[_i].text);
    ck_assert_str_eq(row_text(0), fits[_i].shown);
}
END_TEST

START_TEST(test_an_ascii_frame_spells_and_cuts_with_a_tilde)
{
    frame->ascii = true;
    frame_put_fit(frame, 0, 0, 4, false, FRAME_TEXT, FRAME_MARK_NONE, "√√");
    ck_assert_str_eq(row_text(0), "sqr~      ");
    ck_assert_int_eq(frame_width(frame, "√2→∞"), 4 + 1 + 2 + 3);
    frame_put(frame, 1, 0, FRAME_MASKED, FRAME_MARK_NONE, "·");
    frame_put(frame, 1, 1, FRAME_TEXT, FRAME_MARK_NONE, "·");
    ck_assert_str_eq(row_text(1), ".*        ");
}
END_TEST

START_TEST(test_wrapped_text_breaks_at_spaces)
{
    const char *const text = "the cat sat on\na  mat";
    ck_assert_int_eq(frame_wrapped_rows(frame, 7, text), 3);
    ck_assert_int_eq(frame_put_wrapped(frame, 0, 1, 7, 4, FRAME_TEXT, text), 3);
    ck_assert_str_eq(row_text(0), " the cat  ");
    ck_assert_str_eq(row_text(1), " sat on   ");
    ck_assert_str_eq(row_text(2), " a  mat   ");
    ck_assert_str_eq(row_text(3), "          ");
}
END_TEST

static const struct {
    int width, rows;
    const char *text;
    int used;
    const char *shown[2];
} wraps[] = {
    {5, 2, "abcdefgh ij klmnop", 2, {"abcde     ", "fgh …     "}},
    {5, 1, "abcdefgh", 1, {"abcd…     ", "          "}},
    {5, 2, "abcde fg", 2, {"abcde     ", "fg        "}},
    {5, 2, "abcd\n\nef", 2, {"abcd      ", "…         "}},
    {5, 1, "猫猫 猫", 1, {"猫<猫<…     ", "          "}},
    {1, 2, "猫猫", 2, {"…         ", "…         "}},
    {0, 2, "abc", 0, {"          ", "          "}},
    {5, 2, "a\u200B", 1, {"a         ", "          "}},
    {5, 2, "", 1, {"          ", "          "}},
};

START_TEST(test_wrapped_text_breaks_long_words_and_ends_in_a_mark)
{
    ck_assert_int_eq(
        frame_put_wrapped(frame, 0, 0, wraps[_i].width, wraps[_i].rows, FRAME_TEXT, wraps[_i].text),
        wraps[_i].used);
    ck_assert_str_eq(row_text(0), wraps[_i].shown[0]);
    ck_assert_str_eq(row_text(1), wraps[_i].shown[1]);
    ck_assert_str_eq(row_text(2), "          ");
}
END_TEST

START_TEST(test_filling_repeats_a_character_within_the_frame)
{
    frame_fill(frame, 0, 7, 100, FRAME_DIM, FRAME_MARK_NONE, "─");
    ck_assert_str_eq(row_text(0), "       ───");
    frame_fill(frame, 1, -3, 5, FRAME_DIM, FRAME_MARK_NONE, "=");
    ck_assert_str_eq(row_text(1), "==        ");
    frame_fill(frame, 2, 0, 5, FRAME_DIM, FRAME_MARK_NONE, "猫");
    ck_assert_str_eq(row_text(2), "猫<猫<      ");
    frame->ascii = true;
    frame_fill(frame, 3, 0, 3, FRAME_DIM, FRAME_MARK_NONE, "─");
    ck_assert_str_eq(row_text(3), "---       ");
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("frame put");
    TCase *const c = tcase_create("put");
    tcase_add_checked_fixture(c, make, unmake);
    tcase_add_test(c, test_a_frame_out_of_bounds_is_refused);
    tcase_add_test(c, test_a_cleared_frame_is_blank_and_has_no_cursor);
    tcase_add_test(c, test_text_is_cut_at_every_edge);
    tcase_add_test(c, test_a_wide_character_is_never_cut_in_half);
    tcase_add_test(c, test_roles_and_marks_go_with_the_text);
    tcase_add_loop_test(c, test_fitted_text_takes_exactly_its_width, 0,
                        (int)(sizeof fits / sizeof fits[0]));
    tcase_add_test(c, test_an_ascii_frame_spells_and_cuts_with_a_tilde);
    tcase_add_test(c, test_wrapped_text_breaks_at_spaces);
    tcase_add_loop_test(c, test_wrapped_text_breaks_long_words_and_ends_in_a_mark, 0,
                        (int)(sizeof wraps / sizeof wraps[0]));
    tcase_add_test(c, test_filling_repeats_a_character_within_the_frame);
    suite_add_tcase(s, c);
    return s;
}

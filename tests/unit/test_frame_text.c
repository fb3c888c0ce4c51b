#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "runner.h"
#include "text.h"

/** The text as frame_read gives it, glyphs separated by '|'. */
static const char *glyphs(const char *text, bool ascii)
{
    static char out[1024];
    out[0] = '\0';
    struct frame_reader reader = frame_reader(text, ascii);
    struct frame_glyph glyph;
    while (frame_read(&reader, &glyph)) {
        strcat(strcat(out, out[0] == '\0' ? "" : "|"), glyph.text);
    }
    return out;
}

static int width(const char *text, bool ascii)
{
    struct frame *const f = frame_create(1, 1, ascii);
    const int columns = frame_width(f, text);
    frame_destroy(f);
    return columns;
}

/** Tokens that terminals were seen to stumble over, with columns that hold on every one. */
static const struct {
    const char *name, *text;
    int columns;
} tokens[] = {
    {"ascii", "cat", 3},
    {"wide", "猫", 2},
    {"kana", "ねこ", 4},
    {"hangul", "고양이", 6},
    {"fullwidth", "Ａ！", 4},
    {"precomposed", "é", 1},
    {"combining", "e\u0301", 1},
    {"emoji", "👍", 2},
    {"emoji family, shown one by one", "👩\u200D👩\u200D👧", 6},
    {"skin tone, left out", "👍🏽", 2},
    {"keycap", "1\uFE0F\u20E3", 1},
    {"circled", "①", 1},
    {"plus-minus", "±", 1},
    {"devanagari", "नमस्ते", 4},
    {"hebrew", "שלום", 4},
    {"zero width space", "a\u200Bb", 2},
    {"soft hyphen", "a\u00ADb", 3},
    {"tab", "a\tb", 3},
    {"newline", "a\nb", 3},
    {"byte order mark", "a\uFEFFb", 2},
    {"bidi override", "a\u202Eb", 2},
    {"escape", "\033[31m", 5},
    {"c1 control",
     "a\xC2\x9B"
     "31m",
     5},
    {"mark without a base", "\u0301", 1},
    {"empty", "", 0},
    {"bpe marker", "Ġcat", 4},
    {"sentencepiece", "▁cat", 4},
    {"line separator", "a\u2028b", 3},
};

START_TEST(test_a_token_takes_its_columns)
{
    ck_assert_msg(width(tokens[_i].text, false) == tokens[_i].columns, "%s: %d columns",
                  tokens[_i].name, width(tokens[_i].text, false));
}
END_TEST

START_TEST(test_no_token_lets_a_control_or_an_invisible_character_out)
{
    struct frame_reader reader = frame_reader(tokens[_i].text, false);
    struct frame_glyph glyph;
    while (frame_read(&reader, &glyph)) {
        ck_assert(glyph.width == 1 || glyph.width == 2);
        for (const char *p = glyph.text; *p != '\0';) {
            const uint32_t c = frame_decode(&p);
            ck_assert_msg(c >= 0x20 && (c < 0x7F || c > 0x9F), "%s: U+%04X", tokens[_i].name, c);
            ck_assert_msg(c < 0x2000 || c > 0x206F, "%s: U+%04X", tokens[_i].name, c);
        }
    }
}
END_TEST

START_TEST(test_an_ascii_reader_gives_printable_ascii_only)
{
    struct frame_reader reader = frame_reader(tokens[_i].text, true);
    struct frame_glyph glyph;
    while (frame_read(&reader, &glyph)) {
        ck_assert_int_eq((int)strlen(glyph.text), 1);
        ck_assert(glyph.text[0] >= 0x20 && glyph.text[0] < 0x7F);
        ck_assert_int_eq(glyph.width, 1);
    }
}
END_TEST

START_TEST(test_combining_marks_stay_with_their_base)
{
    ck_assert_str_eq(glyphs("xe\u0301y", false), "x|e\u0301|y");
    ck_assert_str_eq(glyphs("\u0301", false), "\u25CC\u0301");
}
END_TEST

START_TEST(test_a_tower_of_marks_is_cut_to_what_a_cell_holds)
{
    char tower[2 * 1000 + 3] = "a";
    for (int i = 0; i < 1000; i++) {
        strcat(tower, "\u0301");
    }
    strcat(tower, "b");
    ck_assert_str_eq(glyphs(tower, false), "a\u0301\u0301\u0301\u0301|b");
}
END_TEST

START_TEST(test_invalid_bytes_become_replacement_characters)
{
    static const char cut[] = {'a', '\xFF', 'b', '\0'};
    ck_assert_str_eq(glyphs(cut, false), "a|\uFFFD|b");
    ck_assert_str_eq(glyphs(cut, true), "a|?|b");
    ck_assert_str_eq(glyphs("\xC0\xAF", false), "\uFFFD|\uFFFD"); /* overlong */
    ck_assert_str_eq(glyphs("\xED\xA0\x80", false), "\uFFFD|\uFFFD|\uFFFD");
    ck_assert_str_eq(glyphs("\xF4\x90\x80\x80x", false), "\uFFFD|\uFFFD|\uFFFD|\uFFFD|x");
    ck_assert_str_eq(glyphs("\xE7\x8C", false), "\uFFFD|\uFFFD");
}
END_TEST

START_TEST(test_every_character_survives_encoding_and_decoding)
{
    uint32_t lost = 0;
    for (uint32_t c = 1; c <= 0x10FFFF; c++) {
        if (c >= 0xD800 && c <= 0xDFFF) {
            continue;
        }
        char bytes[5];
        const int length = frame_encode(c, bytes);
        const char *p = bytes;
        lost = frame_decode(&p) == c && p - bytes == length ? lost : c;
    }
    ck_assert_uint_eq(lost, 0);
}
END_TEST

static const struct {
    const char *text, *ascii;
} spelled[] = {
    {"QKᵀ", "QK^T"},
    {"÷√d", "/sqrt d"},
    {"√(2)", "sqrt(2)"},
    {"Σ_d q[t,d]·k[s,d]", "sum_d q[t,d]*k[s,d]"},
    {"0.31×0.12 − 1 → ∞ ≤ 2", "0.31*0.12 - 1 -> inf <= 2"},
    {"x¹² Wₒ", "x^12 W_o"},
    {"┌──┬┐│", "+--++|"},
    {"▶█▐x▌", ">#:x:"},
    {"✓ ✗ …", "ok x ~"},
    {"e\u0301", "e"},
    {"猫", "?"},
    {"𝛼", "?"},
};

START_TEST(test_symbols_are_spelled_in_ascii)
{
    char out[256] = "";
    struct frame_reader reader = frame_reader(spelled[_i].text, true);
    struct frame_glyph glyph;
    while (frame_read(&reader, &glyph)) {
        strcat(out, glyph.text);
    }
    ck_assert_str_eq(out, spelled[_i].ascii);
}
END_TEST

START_TEST(test_spellings_are_found_from_the_first_row_to_the_last)
{
    static const struct {
        uint32_t c;
        const char *ascii;
    } some[] = {{0xA0, " "},    {0xB5, "u"},      {0xB7, "*"},    {0x300, ""},    {0x36F, ""},
                {0x1D40, "^T"}, {0x2070, "^0"},   {0x2089, "_9"}, {0x257F, "|"},  {0x2590, ":"},
                {0x2713, "ok"}, {0x221A, "sqrt"}, {0xFFFD, "?"},  {0x10FFFF, "?"}};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        ck_assert_str_eq(frame_transliterate(some[i].c), some[i].ascii);
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("frame text");
    TCase *const c = tcase_create("text");
    const int n = (int)(sizeof tokens / sizeof tokens[0]);
    tcase_add_loop_test(c, test_a_token_takes_its_columns, 0, n);
    tcase_add_loop_test(c, test_no_token_lets_a_control_or_an_invisible_character_out, 0, n);
    tcase_add_loop_test(c, test_an_ascii_reader_gives_printable_ascii_only, 0, n);
    tcase_add_test(c, test_combining_marks_stay_with_their_base);
    tcase_add_test(c, test_a_tower_of_marks_is_cut_to_what_a_cell_holds);
    tcase_add_test(c, test_invalid_bytes_become_replacement_characters);
    tcase_add_test(c, test_every_character_survives_encoding_and_decoding);
    tcase_add_loop_test(c, test_symbols_are_spelled_in_ascii, 0,
                        (int)(sizeof spelled / sizeof spelled[0]));
    tcase_add_test(c, test_spellings_are_found_from_the_first_row_to_the_last);
    suite_add_tcase(s, c);
    return s;
}

#include "text.h"

#include <stddef.h>
#include <string.h>
#include <wchar.h>

enum {
    MARKS_MAX = 4, /* a terminal cell holds a base and four combining marks */
    SOFT_HYPHEN = 0xAD,
    DOTTED_CIRCLE = 0x25CC
};

uint32_t frame_decode(const char **text)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *const s = (const unsigned char *)*text;
    const int length = s[0] < 0x80           ? 1
                       : (s[0] >> 5) == 0x06 ? 2
                       : (s[0] >> 4) == 0x0E ? 3
                       : (s[0] >> 3) == 0x1E ? 4
                                             : 0;
    *text += 1;
    if (length == 1) {
        return s[0];
    }
    uint32_t c = length == 0 ? 0 : s[0] & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            return FRAME_INVALID;
        }
        c = c << 6 | (s[i] & 0x3Fu);
    }
    if (length == 0 || c < lowest[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        return FRAME_INVALID;
    }
    *text += length - 1;
    return c;
}

int frame_encode(uint32_t c, char out[5])
{
    const int length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (int i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    out[0] = (char)(lead[length] | c);
    out[length] = '\0';
    return length;
}

/** Characters that show nothing and that terminals disagree about. */
static bool is_left_out(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x034F, 0x034F},   {0x061C, 0x061C}, {0x115F, 0x1160}, {0x180B, 0x180F},
        {0x200B, 0x200F},   {0x202A, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},
        {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0x1F3FB, 0x1F3FF},
        {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (c >= ranges[i].first && c <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

static int width_of(uint32_t c)
{
    return c < 0x20 || c == 0x7F ? -1 : c < 0x7F ? 1 : wcwidth((wchar_t)c);
}

struct frame_reader frame_reader(const char *text, bool ascii)
{
    return (struct frame_reader){.next = text, .ascii = ascii, .pending = "", .script = 0};
}

/** Set what stands for c in ASCII to be read next. */
static void spell(struct frame_reader *reader, uint32_t c)
{
    const char *spelled = frame_transliterate(c);
    const char script = spelled[0] == '^' || spelled[0] == '_' ? spelled[0] : '\0';
    if (script != '\0' && script == reader->script) {
        spelled++; /* x¹² is x^12 */
    }
    reader->script = script;
    const char next = *reader->next;
    const bool letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    if (letter && strcmp(spelled, "sqrt") == 0) {
        spelled = "sqrt "; /* √d is sqrt d, not sqrtd */
    }
    reader->pending = spelled;
}

static bool read_ascii(struct frame_reader *reader, struct frame_glyph *glyph)
{
    while (*reader->pending == '\0') {
        if (*reader->next == '\0') {
            return false;
        }
        const uint32_t c = frame_decode(&reader->next);
        if (c < 0x80) {
            reader->script = '\0';
            glyph->text[0] = (char)(width_of(c) < 0 ? '?' : (char)c);
            goto one;
        }
        if (!is_left_out(c)) {
            spell(reader, c);
        }
    }
    glyph->text[0] = *reader->pending++;
one:
    glyph->text[1] = '\0';
    glyph->width = 1;
    return true;
}

/** Append the combining marks that follow to the glyph. */
static void read_marks(struct frame_reader *reader, struct frame_glyph *glyph)
{
    size_t length = strlen(glyph->text);
    for (int marks = 0; *reader->next != '\0';) {
        const char *after = reader->next;
        const uint32_t c = frame_decode(&after);
        if (c < 0x80 || (!is_left_out(c) && width_of(c) != 0)) {
            return;
        }
        reader->next = after;
        if (is_left_out(c) || marks == MARKS_MAX || length + 5 > sizeof glyph->text) {
            continue;
        }
        length += (size_t)frame_encode(c, glyph->text + length);
        marks++;
    }
}

bool frame_read(struct frame_reader *reader, struct frame_glyph *glyph)
{
    if (reader->ascii) {
        return read_ascii(reader, glyph);
    }
    const unsigned char plain = (unsigned char)reader->next[0];
    if (plain >= 0x20 && plain < 0x7F && (unsigned char)reader->next[1] < 0x80) {
        *glyph = (struct frame_glyph){.text = {(char)plain}, .width = 1}; /* nearly all there is */
        reader->next++;
        return true;
    }
    while (*reader->next != '\0') {
        const char *const start = reader->next;
        uint32_t c = frame_decode(&reader->next);
        if (is_left_out(c)) {
            continue;
        }
        int width = width_of(c);
        if (width == 0) { /* a mark without a base */
            reader->next = start;
            c = DOTTED_CIRCLE;
        } else if (width < 0) {
            c = FRAME_INVALID;
        } else if (c == SOFT_HYPHEN) {
            c = '-';
        }
        frame_encode(c, glyph->text);
        glyph->width = width == 2 ? 2 : 1;
        read_marks(reader, glyph);
        return true;
    }
    return false;
}

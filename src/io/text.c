/* Text of a file on its way to a person: nothing in it reaches a terminal as a command. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

size_t io_utf8(const char *text, size_t length, uint32_t *code)
{
    static const struct {
        unsigned char mask, mark;
        uint32_t least;
    } leads[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *const s = (const unsigned char *)text;
    for (size_t n = 1; n <= 4 && n <= length; n++) {
        if ((s[0] & leads[n - 1].mask) != leads[n - 1].mark) {
            continue;
        }
        uint32_t value = s[0] & (uint32_t)(unsigned char)~leads[n - 1].mask;
        for (size_t i = 1; i < n; i++) {
            if ((s[i] & 0xc0) != 0x80) {
                return 0;
            }
            value = value << 6 | (s[i] & 0x3fu);
        }
        const bool surrogate = value >= 0xd800 && value <= 0xdfff;
        *code = value;
        return value >= leads[n - 1].least && value <= 0x10ffff && !surrogate ? n : 0;
    }
    return 0;
}

/** Seen as itself: no control, no odd space, nothing that turns the text's direction. */
static bool plain(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0, 0x1f},        {0x7f, 0xa0},     {0xad, 0xad},     {0x61c, 0x61c},
                  {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000},
                  {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        if (code >= hidden[i].first && code <= hidden[i].last) {
            return false;
        }
    }
    return true;
}

size_t io_shown(const char *text, size_t length, char out[IO_SHOWN_MAX])
{
    uint32_t code = 0;
    const size_t n = io_utf8(text, length, &code);
    if (n == 0) {
        snprintf(out, IO_SHOWN_MAX, "\\x%02x", (unsigned)(unsigned char)text[0]);
        return 1;
    }
    if (plain(code)) {
        memcpy(out, text, n);
        out[n] = '\0';
    } else {
        snprintf(out, IO_SHOWN_MAX, "\\u{%04x}", (unsigned)code);
    }
    return n;
}

char *io_quote(char out[IO_QUOTE_MAX], const char *text, size_t length)
{
    const size_t end = IO_QUOTE_MAX - sizeof "…";
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        char piece[IO_SHOWN_MAX];
        const size_t n = io_shown(text + i, length - i, piece);
        const size_t wide = strlen(piece);
        if (used + wide > end) {
            memcpy(out + used, "…", sizeof "…" - 1);
            used += sizeof "…" - 1;
            break;
        }
        memcpy(out + used, piece, wide);
        used += wide;
        i += n;
    }
    out[used] = '\0';
    return out;
}

void io_clean(char *out, size_t size, const char *text)
{
    size_t used = 0;
    for (size_t i = 0; text[i] != '\0';) {
        uint32_t code = 0;
        const size_t n = io_utf8(text + i, strlen(text + i), &code);
        const size_t wide = n == 0 ? 1 : n;
        if (used + wide >= size) {
            break;
        }
        if (n == 0 || !plain(code)) {
            memset(out + used, '?', wide);
        } else {
            memcpy(out + used, text + i, n);
        }
        used += wide;
        i += wide;
    }
    out[used] = '\0';
}

static bool reads_back(float value, int digits, char out[IO_NUMBER_TEXT_MAX])
{
    snprintf(out, IO_NUMBER_TEXT_MAX, "%.*g", digits, (double)value);
    return !(strtof(out, NULL) < value) && !(strtof(out, NULL) > value);
}

char *io_number_text(float value, char out[IO_NUMBER_TEXT_MAX])
{
    if (isnan(value) || isinf(value)) {
        const char *const word = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        memcpy(out, word, strlen(word) + 1);
        return out;
    }
    /* More digits never read back worse: from the common 8 down, or up to the 9 that always do. */
    int digits = reads_back(value, 8, out) ? 8 : 9;
    while (digits > 1 && reads_back(value, digits - 1, out)) {
        digits--;
    }
    (void)reads_back(value, digits, out);
    const size_t point = strspn(out, "+-0123456789e");
    if (out[point] != '\0') { /* The locale's decimal point, of however many bytes. */
        const size_t wide = strcspn(out + point, "+-0123456789e");
        memmove(out + point + 1, out + point + wide, strlen(out + point + wide) + 1);
        out[point] = '.';
    }
    if (strcmp(out, "-0") == 0) {
        memcpy(out, "-0.0",
               sizeof "-0.0"); /* "-0" is a whole number, and loses its sign, to some. */
    }
    return out;
}

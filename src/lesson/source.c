/* The bytes of a file as lines of UTF-8 that are safe to show. */
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

/* The table of Unicode 15, 3-7. */
size_t lesson_utf8(const unsigned char *s, size_t left)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, and of the second */
        unsigned char length;
    } rows[] = {
        {0x00, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (s[0] < rows[i].first || s[0] > rows[i].last || rows[i].length > left) {
            continue;
        }
        bool good = rows[i].length == 1 || (s[1] >= rows[i].low && s[1] <= rows[i].high);
        for (size_t k = 2; k < rows[i].length; k++) {
            good = good && (s[k] & 0xc0) == 0x80;
        }
        return good ? rows[i].length : 0;
    }
    return 0;
}

/** A control character other than tab and line end; a terminal may obey it. */
static bool is_control(const unsigned char *s, size_t length)
{
    const bool c0 = length == 1 && s[0] < 0x20 && s[0] != '\t' && s[0] != '\n';
    return c0 || s[0] == 0x7f || (length == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

/** Every character of the copied source is UTF-8 and no control. */
static bool check_characters(struct lesson_reader *r, size_t size)
{
    const unsigned char *const s = (const unsigned char *)r->lesson->source;
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; i < size;) {
        const size_t length = lesson_utf8(s + i, size - i);
        const int column = (int)(i - start) + 1;
        if (length == 0) {
            lesson_error_add(r->errors, line, column,
                             "byte 0x%02x is not UTF-8 (save the file as UTF-8)", s[i]);
            return false;
        }
        if (is_control(s + i, length)) {
            lesson_error_add(r->errors, line, column, "a control character, 0x%02x (take it out)",
                             length == 1 ? s[i] : s[i + 1]);
            return false;
        }
        i += length;
        if (s[i - 1] == '\n') {
            line++;
            start = i;
        }
    }
    return true;
}

/** LF for CRLF and CR; an end for the last line. @return the size. */
static size_t copy_lines(char *out, const char *bytes, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\r') {
            out[n++] = '\n';
            i += i + 1 < size && bytes[i + 1] == '\n' ? 1 : 0;
        } else {
            out[n++] = bytes[i];
        }
    }
    if (n > 0 && out[n - 1] != '\n') {
        out[n++] = '\n';
    }
    return n;
}

static bool index_lines(struct lesson_reader *r, size_t size)
{
    struct lesson *const l = r->lesson;
    for (size_t i = 0; i < size; i++) {
        l->n_lines += l->source[i] == '\n' ? 1 : 0;
    }
    l->line_start = lesson_take(l, ((size_t)l->n_lines + 1) * sizeof *l->line_start);
    if (l->line_start == NULL) {
        l->n_lines = 0;
        lesson_no_memory(r);
        return false;
    }
    int line = 1;
    for (size_t i = 0; i < size; i++) {
        if (l->source[i] == '\n') {
            l->line_start[line++] = i + 1;
        }
    }
    return true;
}

/** Inlines never reach past a blank line, and what they cost can grow with the square of the rest.
 */
static bool check_runs(struct lesson_reader *r)
{
    size_t run = 0;
    int first = 1;
    for (int line = 1; line <= r->lesson->n_lines; line++) {
        size_t length = 0;
        const char *const text = lesson_line(r->lesson, line, &length);
        const bool blank = strspn(text, " \t") >= length;
        first = run == 0 ? line : first;
        run = blank ? 0 : run + length + 1;
        if (run > LESSON_RUN_MAX) {
            lesson_error_add(r->errors, first, 1,
                             "%d KB of lines without a blank one between them (at most %d KB; "
                             "begin a new paragraph)",
                             (int)(run / 1024), LESSON_RUN_MAX / 1024);
            return false;
        }
    }
    return true;
}

bool lesson_source(struct lesson_reader *r, const char *bytes, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct lesson *const l = r->lesson;
    if (size > LESSON_BYTES_MAX) {
        lesson_error_add(r->errors, 1, 1, "the file is too long (a lesson is at most %d KB)",
                         LESSON_BYTES_MAX / 1024);
        return false;
    }
    const size_t skip = size >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
    l->source = lesson_take(l, size + 2);
    if (l->source == NULL) {
        lesson_no_memory(r);
        return false;
    }
    const size_t n = copy_lines(l->source, bytes + skip, size - skip);
    return index_lines(r, n) && check_characters(r, n) && check_runs(r);
}

const char *lesson_line(const struct lesson *lesson, int line, size_t *length)
{
    if (line < 1 || line > lesson->n_lines) {
        *length = 0;
        return "";
    }
    const size_t start = lesson->line_start[line - 1];
    *length = lesson->line_start[line] - start - 1;
    return lesson->source + start;
}

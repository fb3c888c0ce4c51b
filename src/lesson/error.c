#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

/**
 * "--mask-fill" is spelled mask-fill in a lesson. Control characters, and characters that were cut
 * in two, reach no terminal.
 */
static void respell(char *text)
{
    const size_t size = strlen(text);
    size_t n = 0;
    for (size_t i = 0; i < size;) {
        const bool starts = i == 0 || !isalnum((unsigned char)text[i - 1]);
        if (starts && strncmp(text + i, "--", 2) == 0 && islower((unsigned char)text[i + 2])) {
            i += 2;
            continue;
        }
        const size_t length = lesson_utf8((const unsigned char *)text + i, size - i);
        const unsigned char first = (unsigned char)text[i];
        if (first < 0x20 || first == 0x7f) {
            text[n++] = first == '\t' ? ' ' : '?';
        } else {
            memmove(text + n, text + i, length);
            n += length;
        }
        i += length > 0 ? length : 1;
    }
    text[n] = '\0';
}

/** Copy what there is room for, up to the end of a character. */
static void copy_whole(char *out, size_t size, const char *text)
{
    const size_t length = strlen(text);
    size_t n = length < size ? length : size - 1;
    while (n < length && n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) {
        n--;
    }
    memcpy(out, text, n);
    out[n] = '\0';
}

/** The parentheses that close a message, whatever parentheses are in them. */
static char *closing_parentheses(char *text)
{
    const size_t n = strlen(text);
    int depth = 0;
    for (size_t i = n; n > 0 && text[n - 1] == ')' && i > 0; i--) {
        depth += text[i - 1] == ')' ? 1 : text[i - 1] == '(' ? -1 : 0;
        if (depth == 0) {
            return i >= 2 && text[i - 2] == ' ' ? text + i - 1 : NULL;
        }
    }
    return NULL;
}

void lesson_error_add(struct lesson_errors *errors, int line, int column, const char *format, ...)
{
    if (errors->n == LESSON_ERRORS_MAX) {
        errors->more++;
        return;
    }
    struct lesson_error *const e = &errors->items[errors->n++];
    *e = (struct lesson_error){.line = line, .column = column > 0 ? column : 1};
    char text[sizeof e->message + sizeof e->hint];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    respell(text);
    char *const hint = closing_parentheses(text);
    if (hint != NULL) {
        hint[-1] = '\0';
        hint[strlen(hint) - 1] = '\0';
        copy_whole(e->hint, sizeof e->hint, hint + 1);
    }
    copy_whole(e->message, sizeof e->message, text);
}

static int by_place(const void *a, const void *b)
{
    const struct lesson_error *const x = a;
    const struct lesson_error *const y = b;
    return x->line != y->line ? (x->line < y->line ? -1 : 1)
                              : (x->column > y->column) - (x->column < y->column);
}

void lesson_errors_sort(struct lesson_errors *errors)
{
    qsort(errors->items, (size_t)errors->n, sizeof errors->items[0], by_place);
}

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

/** "--mask-fill" is spelled mask-fill in a lesson; control characters reach no terminal. */
static void respell(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        const bool starts = from == text || !isalnum((unsigned char)from[-1]);
        if (starts && strncmp(from, "--", 2) == 0 && islower((unsigned char)from[2])) {
            from++;
            continue;
        }
        *to++ = (unsigned char)*from < 0x20 || *from == 0x7f ? '?' : *from;
    }
    *to = '\0';
}

/** Cut a text that was too long for its place at the end of a character. */
static void mend_end(char *text)
{
    size_t n = strlen(text);
    size_t start = n;
    while (start > 0 && n - start < 4 && ((unsigned char)text[start - 1] & 0xc0) == 0x80) {
        start--;
    }
    if (start > 0 && (unsigned char)text[start - 1] >= 0xc0) {
        const unsigned char lead = (unsigned char)text[start - 1];
        const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (n - (start - 1) < length) {
            text[start - 1] = '\0';
        }
    }
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
        snprintf(e->hint, sizeof e->hint, "%s", hint + 1);
        mend_end(e->hint);
    }
    snprintf(e->message, sizeof e->message, "%s", text);
    mend_end(e->message);
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

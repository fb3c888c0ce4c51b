#include "attn/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Longest prefix of text that is at most max bytes and does not cut a UTF-8 sequence. */
static size_t whole_prefix(const char *text, size_t max)
{
    size_t n = strlen(text);
    if (n <= max) {
        return n;
    }
    n = max;
    while (n > 0 && ((unsigned char)text[n] & 0xC0U) == 0x80U) {
        n--;
    }
    return n;
}

/* C0, DEL, and C1 in its UTF-8 form (C2 80 … C2 9F): a terminal would obey them. */
static void blank_controls(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p != '\0'; p++) {
        if (*p < 0x20U || *p == 0x7FU) {
            *p = '?';
        } else if (p[0] == 0xC2U && p[1] >= 0x80U && p[1] <= 0x9FU) {
            p[0] = '?';
            p[1] = '?';
        }
    }
}

enum attn_status attn_fail(struct attn_error *err, enum attn_status status, const char *what,
                           const char *format, ...)
{
    if (err == NULL) {
        return status;
    }
    /* Room for one more byte than fits, so that a cut is seen. what and the arguments may lie in
     * err itself. */
    char message[ATTN_MESSAGE_MAX + 1];
    char about[sizeof err->what];
    const char *const subject = what != NULL ? what : "";
    const size_t n_about = whole_prefix(subject, sizeof about - 1);
    memcpy(about, subject, n_about);
    about[n_about] = '\0';

    va_list args;
    va_start(args, format);
    const int length = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (length < 0) {
        message[0] = '\0';
    }
    const size_t n = whole_prefix(message, sizeof err->message - 1);

    *err = (struct attn_error){.status = status};
    memcpy(err->what, about, n_about + 1);
    memcpy(err->message, message, n);
    err->message[n] = '\0';
    blank_controls(err->what);
    blank_controls(err->message);
    return status;
}

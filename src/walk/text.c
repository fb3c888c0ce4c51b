#include "walk_text.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "walk.h"

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/** The length of the longest prefix of s, at most size bytes, that ends where a character does. */
static size_t whole_characters(const char *s, size_t size)
{
    const size_t length = strlen(s);
    size_t n = length < size ? length : size;
    while (n > 0 && is_continuation(s[n])) {
        n--;
    }
    return n;
}

struct walk_text walk_text_in(char *out, size_t size)
{
    assert(size > 0);
    out[0] = '\0';
    return (struct walk_text){.out = out, .size = size};
}

/** Add n bytes of s, or as many whole characters as there is place for. */
static void add_bytes(struct walk_text *t, const char *s, size_t n)
{
    const size_t room = t->size - 1 - t->used;
    if (n > room) {
        n = whole_characters(s, room);
        t->size = t->used + n + 1; /* nothing may follow what was cut */
    }
    memcpy(t->out + t->used, s, n);
    t->used += n;
    t->out[t->used] = '\0';
}

void walk_text_add(struct walk_text *t, const char *format, ...)
{
    char buf[1024];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(buf, sizeof buf, format, args);
    va_end(args);
    if (n > 0) {
        add_bytes(t, buf, whole_characters(buf, sizeof buf - 1));
    }
}

void walk_text_put(struct walk_text *t, const char *s)
{
    add_bytes(t, s, strlen(s));
}

/** Is all of s plain ASCII that shows? */
static bool is_plain(const char *s)
{
    while ((unsigned char)*s >= 0x20 && (unsigned char)*s < 0x7F) {
        s++;
    }
    return *s == '\0';
}

void walk_text_add_clipped(struct walk_text *t, const char *s, int max)
{
    const bool clip = walk_text_columns(s) > max;
    if (!clip && is_plain(s)) {
        walk_text_put(t, s);
        return;
    }
    for (int n = 0; *s != '\0' && n < (clip ? max - 1 : max); n++) {
        size_t bytes = 1;
        while (is_continuation(s[bytes])) {
            bytes++;
        }
        const bool control = (unsigned char)s[0] < 0x20 || s[0] == 0x7F;
        add_bytes(t, control ? "?" : s, bytes);
        s += bytes;
    }
    if (clip) {
        add_bytes(t, "…", strlen("…"));
    }
}

void walk_text_add_number(struct walk_text *t, double value)
{
    char buf[WALK_NUMBER_MAX];
    walk_text_put(t, walk_number(value, buf));
}

int walk_text_columns(const char *s)
{
    int n = 0;
    for (; *s != '\0'; s++) {
        n += is_continuation(*s) ? 0 : 1;
    }
    return n;
}

char *walk_fixed(double value, int decimals, char *out)
{
    static const double powers[] = {1, 10, 100, 1e3, 1e4};
    if ((double)(float)value != value || fabs(value) >= 1e9) {
        snprintf(out, WALK_NUMBER_MAX, "%.*f", decimals, value);
        return out;
    }
    /* the product is exact: 24 bits of a float by 10 of 5^4; so this rounds as printf does */
    unsigned long long n = (unsigned long long)llrint(fabs(value) * powers[decimals]);
    char digits[WALK_NUMBER_MAX]; /* from the last one on */
    int length = 0;
    for (int i = 0; i <= decimals || n > 0; i++) {
        if (i == decimals && i > 0) {
            digits[length++] = '.';
        }
        digits[length++] = (char)('0' + n % 10);
        n /= 10;
    }
    if (signbit(value)) {
        digits[length++] = '-';
    }
    for (int i = 0; i < length; i++) {
        out[i] = digits[length - 1 - i];
    }
    out[length] = '\0';
    return out;
}

char *walk_constant(double value, char out[WALK_NUMBER_MAX])
{
    if (isnan(value) || isinf(value)) {
        return walk_number(value, out);
    }
    snprintf(out, WALK_NUMBER_MAX, "%.5g", value);
    char *const mark = strchr(out, 'e');
    if (mark != NULL) { /* "-1e+09" as people write it */
        char *const to = mark + (mark[1] == '-' ? 2 : 1);
        const char *const digits = mark + 2 + strspn(mark + 2, "0");
        memmove(to, digits, strlen(digits) + 1);
    }
    return out;
}

char *walk_number(double value, char out[WALK_NUMBER_MAX])
{
    if (isnan(value)) {
        snprintf(out, WALK_NUMBER_MAX, "nan");
    } else if (isinf(value)) {
        snprintf(out, WALK_NUMBER_MAX, value > 0 ? "inf" : "-inf");
    } else if (fabs(value) >= 1e6) {
        walk_constant(value, out);
    } else {
        walk_fixed(value, 4, out);
        if (strcmp(out, "-0.0000") == 0) {
            memmove(out, out + 1, strlen(out));
        }
    }
    return out;
}

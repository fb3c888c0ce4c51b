#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config.h"
#include "internal.h"

/* U+2212, the minus that word processors and PDF files put in the place of ASCII's. */
static const char unicode_minus[] = "\xe2\x88\x92";

enum { REAL_TEXT_MAX = 400 };

const char *config_skip_sign(const char *text, bool *negative)
{
    const size_t minus = sizeof unicode_minus - 1;
    *negative = *text == '-' || strncmp(text, unicode_minus, minus) == 0;
    if (*negative) {
        return text + (*text == '-' ? 1 : minus);
    }
    return *text == '+' ? text + 1 : text;
}

bool config_parse_magnitude(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        const uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool config_parse_int(const char *text, long long min, long long max, long long *out)
{
    bool negative = false;
    uint64_t magnitude = 0;
    if (!config_parse_magnitude(config_skip_sign(text, &negative), &magnitude)) {
        return false;
    }
    const uint64_t limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    if (magnitude > limit) {
        return false;
    }
    const long long value =
        negative ? (magnitude == 0 ? 0 : -1 - (long long)(magnitude - 1)) : (long long)magnitude;
    if (value < min || value > max) {
        return false;
    }
    *out = value;
    return true;
}

static const char *skip_digits(const char *text)
{
    while (*text >= '0' && *text <= '9') {
        text++;
    }
    return text;
}

/** digits[.digits][e[sign]digits], at least one digit before the exponent. */
static bool is_decimal(const char *text)
{
    const char *const whole = skip_digits(text);
    const char *end = whole;
    size_t digits = (size_t)(whole - text);
    if (*end == '.') {
        end = skip_digits(whole + 1);
        digits += (size_t)(end - whole - 1);
    }
    if (digits == 0) {
        return false;
    }
    if (*end == 'e' || *end == 'E') {
        end += end[1] == '-' || end[1] == '+' ? 2 : 1;
        const char *const exponent = end;
        end = skip_digits(end);
        if (end == exponent) {
            return false;
        }
    }
    return *end == '\0';
}

/** strtod of a checked decimal; its point is spelled as the process's locale wants it. */
static bool convert(const char *text, double *out)
{
    char spelled[REAL_TEXT_MAX];
    const char *const point = localeconv()->decimal_point;
    const char *const dot = strchr(text, '.');
    const size_t before = dot != NULL ? (size_t)(dot - text) : strlen(text);
    const size_t after = dot != NULL ? strlen(dot + 1) : 0;
    const size_t wide = dot != NULL ? strlen(point) : 0;
    if (before + wide + after >= sizeof spelled) {
        return false;
    }
    memcpy(spelled, text, before);
    memcpy(spelled + before, point, wide);
    memcpy(spelled + before + wide, dot != NULL ? dot + 1 : "", after);
    spelled[before + wide + after] = '\0';
    errno = 0;
    const double value = strtod(spelled, NULL);
    if (errno == ERANGE && fabs(value) > 1) {
        return false;
    }
    *out = value;
    return true;
}

bool config_parse_real(const char *text, double *out)
{
    bool negative = false;
    const char *const digits = config_skip_sign(text, &negative);
    double value = 0;
    if (strcasecmp(digits, "inf") == 0 || strcasecmp(digits, "infinity") == 0) {
        value = (double)INFINITY;
    } else if (strcasecmp(digits, "nan") == 0) {
        value = (double)NAN;
    } else if (!is_decimal(digits) || !convert(digits, &value)) {
        return false;
    }
    *out = negative ? -value : value;
    return true;
}

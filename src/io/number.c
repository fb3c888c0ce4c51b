#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHORT_NUMBER = 128 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *text, size_t length, size_t at)
{
    size_t n = 0;
    while (at + n < length && is_digit(text[at + n])) {
        n++;
    }
    return n;
}

/** Is it a decimal number from end to end? @param whole  Out: no point and no exponent. */
static bool is_decimal(const char *text, size_t length, char point, bool *whole)
{
    size_t at = length > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    const size_t before = digits(text, length, at);
    size_t after = 0;
    at += before;
    *whole = true;
    if (at < length && text[at] == point) {
        *whole = false;
        after = digits(text, length, at + 1);
        at += 1 + after;
    }
    if (before + after == 0) {
        return false;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        *whole = false;
        at++;
        at += at < length && (text[at] == '+' || text[at] == '-') ? 1 : 0;
        const size_t exponent = digits(text, length, at);
        if (exponent == 0) {
            return false;
        }
        at += exponent;
    }
    return at == length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

/** nan, inf, infinity. */
static bool parse_word(const char *text, size_t length, struct io_number *number)
{
    const bool minus = length > 0 && text[0] == '-';
    const size_t sign = minus || (length > 0 && text[0] == '+') ? 1 : 0;
    text += sign;
    length -= sign;
    if (is_word(text, length, "nan")) {
        number->narrow = NAN;
    } else if (is_word(text, length, "inf") || is_word(text, length, "infinity")) {
        number->narrow = minus ? -INFINITY : INFINITY;
    } else {
        return false;
    }
    number->value = (double)number->narrow;
    return true;
}

/** Does text, a whole number, say what the float32 is? */
static bool same_whole(const char *text, size_t length, float narrow)
{
    char exact[64];
    snprintf(exact, sizeof exact, "%.0f", fabs((double)narrow));
    size_t at = text[0] == '+' || text[0] == '-' ? 1 : 0;
    while (at + 1 < length && text[at] == '0') {
        at++;
    }
    return length - at == strlen(exact) && memcmp(text + at, exact, length - at) == 0;
}

/** Has a number that rounded to 0 a digit other than 0? */
static bool says_zero(const char *text, size_t length)
{
    for (size_t i = 0; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] >= '1' && text[i] <= '9') {
            return false;
        }
    }
    return true;
}

static enum io_number_fault convert(const char *text, size_t length, char *spelled, char point,
                                    struct io_number *number)
{
    memcpy(spelled, text, length);
    spelled[length] = '\0';
    char *const comma = point == '.' ? NULL : strchr(spelled, point);
    if (comma != NULL) {
        *comma = '.';
    }
    number->value = strtod(spelled, NULL);
    if (isinf(number->value)) {
        return IO_NUMBER_HUGE;
    }
    number->narrow = io_narrow(number->value, &number->loss);
    if (number->loss == IO_LOSS_NONE && number->whole &&
        !same_whole(text, length, number->narrow)) {
        number->loss = IO_LOSS_WHOLE; /* Lost already on the way to a double. */
    }
    if (fpclassify(number->value) == FP_ZERO && !says_zero(text, length)) {
        number->loss = IO_LOSS_ZERO;
    }
    return IO_NUMBER_GOOD;
}

enum io_number_fault io_number_parse(const char *text, size_t length, char point,
                                     struct io_number *number)
{
    *number = (struct io_number){.loss = IO_LOSS_NONE};
    if (parse_word(text, length, number)) {
        return IO_NUMBER_GOOD;
    }
    if (!is_decimal(text, length, point, &number->whole)) {
        return IO_NUMBER_BAD;
    }
    char small[SHORT_NUMBER];
    char *const spelled = length < sizeof small ? small : malloc(length + 1);
    if (spelled == NULL) {
        return IO_NUMBER_NOMEM;
    }
    const enum io_number_fault fault = convert(text, length, spelled, point, number);
    if (spelled != small) {
        free(spelled);
    }
    return fault;
}

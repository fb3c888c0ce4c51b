/* What a learner answers, in whatever form people write it, held against what is right. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

enum { ANSWER_MAX = 128, SIGNIFICANT = 4 };

/* Of a value without a tolerance of its own, unless it is large. */
static const double usual_tolerance = 0.01;

/* ---- numbers ---- */

/** Replace one spelling by another, wherever it stands. */
static void respell(char text[ANSWER_MAX], const char *from, const char *to)
{
    for (char *at = strstr(text, from); at != NULL; at = strstr(at + strlen(to), from)) {
        char rest[ANSWER_MAX];
        snprintf(rest, sizeof rest, "%s", at + strlen(from));
        snprintf(at, (size_t)(text + ANSWER_MAX - at), "%s%s", to, rest);
    }
}

/** Blanks left out, signs in one spelling, a comma for the point. @return false if it is too long.
 */
static bool settle(const char *text, char out[ANSWER_MAX])
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        if (isspace((unsigned char)*text)) {
            continue;
        }
        if (n + 1 >= ANSWER_MAX) {
            return false;
        }
        out[n++] = *text == ',' ? '.' : (char)tolower((unsigned char)*text);
    }
    out[n] = '\0';
    static const char *const spellings[][2] = {
        {"−", "-"}, {"∞", "inf"}, {"infinity", "inf"}, {"√", "sqrt"}, {"½", "1/2"}};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        respell(out, spellings[i][0], spellings[i][1]);
    }
    return n > 0;
}

/** "0.5", ".5", "5e-1", "sqrt(2)", "sqrt2", each with a sign. */
static bool read_factor(const char *text, double *out)
{
    const double sign = *text == '-' ? -1 : 1;
    text += *text == '-' || *text == '+' ? 1 : 0;
    if (strncmp(text, "sqrt", 4) != 0) {
        return *text != '-' && *text != '+' && config_parse_real(text, out) && (*out *= sign, true);
    }
    char inner[ANSWER_MAX];
    text += 4;
    const size_t n = strlen(text);
    const bool bracketed = n > 2 && text[0] == '(' && text[n - 1] == ')';
    snprintf(inner, sizeof inner, "%.*s", (int)(bracketed ? n - 2 : n), text + (bracketed ? 1 : 0));
    if (!config_parse_real(inner, out) || !(*out >= 0)) {
        return false;
    }
    *out = sign * sqrt(*out);
    return true;
}

bool lesson_answer_number(const char *text, double *out)
{
    char settled[ANSWER_MAX];
    double number = 0;
    double divisor = 1;
    if (!settle(text, settled)) {
        return false;
    }
    const size_t n = strlen(settled);
    const bool percent = settled[n - 1] == '%';
    settled[n - (percent ? 1 : 0)] = '\0';
    char *const slash = strchr(settled, '/');
    if (slash != NULL) {
        *slash = '\0';
        if (!read_factor(slash + 1, &divisor)) {
            return false;
        }
    }
    if (!read_factor(settled, &number)) {
        return false;
    }
    *out = number / divisor / (percent ? 100 : 1);
    return true;
}

/* ---- shapes ---- */

bool lesson_answer_shape(const char *text, int *rank, int shape[3])
{
    int n = 0;
    while (*text != '\0') {
        if (isdigit((unsigned char)*text)) {
            char *end = NULL;
            const long size = strtol(text, &end, 10);
            if (n == 3 || size < 1 || size > 1000000) {
                return false;
            }
            shape[n++] = (int)size;
            text = end;
        } else if (strncmp(text, "×", strlen("×")) == 0) {
            text += strlen("×");
        } else if (strchr(" ,xX*[]()", *text) != NULL || (n > 0 && strncmp(text, "by ", 3) == 0)) {
            text += *text == 'b' ? 3 : 1;
        } else {
            return false;
        }
    }
    *rank = n;
    return n > 0;
}

/** The same but for batches of one in front. */
static bool same_shape(int rank_a, const int *a, int rank_b, const int *b)
{
    while (rank_a > rank_b && a[0] == 1) {
        a++;
        rank_a--;
    }
    while (rank_b > rank_a && b[0] == 1) {
        b++;
        rank_b--;
    }
    bool same = rank_a == rank_b;
    for (int i = 0; same && i < rank_a; i++) {
        same = a[i] == b[i];
    }
    return same;
}

/* ---- what is right ---- */

/** An answer as it was written allows for its last digit, but 0.2 does not allow 0.25. */
static double tolerance_of(const struct lesson_question *q, double value)
{
    const double size = isfinite(value) ? fabs(value) : 0;
    if (q->tolerance_given) {
        return q->tolerance;
    }
    if (q->given) {
        return fmin(q->tolerance, fmax(size / 100, usual_tolerance));
    }
    return size > 10 ? size / 1000 : usual_tolerance;
}

enum attn_status lesson_right_answer(const struct lesson_question *q, const struct setup *setup,
                                     const attn_trace *trace, struct lesson_right *out,
                                     struct attn_error *err)
{
    *out = (struct lesson_right){.rank = q->rank, .number = q->number};
    memcpy(out->shape, q->shape, sizeof out->shape);
    if (q->ask.name[0] != '\0' && q->kind == LESSON_SHAPE) {
        enum attn_tensor_id id = ATTN_NO_TENSOR;
        const enum attn_status status = lesson_ref_tensor(&q->ask, trace, &id, err);
        if (status != ATTN_OK) {
            return status;
        }
        const attn_tensor *const t = attn_trace_tensor(trace, id);
        out->asked = (struct attn_cell){.tensor = id};
        out->rank = t->rank;
        for (int i = 0; i < t->rank; i++) {
            out->shape[i] = t->dims[3 - t->rank + i];
        }
    } else if (q->ask.name[0] != '\0') {
        const enum attn_status status = lesson_cell(&q->ask, setup, trace, &out->asked, err);
        if (status != ATTN_OK) {
            return status;
        }
        out->number = (double)walk_value(trace, out->asked);
    }
    out->tolerance = tolerance_of(q, out->number);
    return ATTN_OK;
}

static bool near_enough(double value, double right, double tolerance)
{
    if (isnan(right) || isnan(value)) {
        return isnan(right) && isnan(value);
    }
    if (isinf(right) || isinf(value)) {
        return isinf(right) && isinf(value) && (right > 0) == (value > 0);
    }
    return fabs(value - right) <= tolerance * (1 + 1e-9) + 1e-9;
}

bool lesson_near(const struct lesson_right *right, double value)
{
    return near_enough(value, right->number, right->tolerance);
}

enum lesson_verdict lesson_judge(const struct lesson_question *q, const struct lesson_right *right,
                                 const char *answer)
{
    double number = 0;
    int rank = 0;
    int shape[3] = {0};
    switch (q->kind) {
    case LESSON_NUMBER:
        return !lesson_answer_number(answer, &number) ? LESSON_UNREADABLE
               : lesson_near(right, number)           ? LESSON_RIGHT
                                                      : LESSON_WRONG;
    case LESSON_SHAPE:
        return !lesson_answer_shape(answer, &rank, shape)           ? LESSON_UNREADABLE
               : same_shape(rank, shape, right->rank, right->shape) ? LESSON_RIGHT
                                                                    : LESSON_WRONG;
    case LESSON_WORDS:
        return lesson_words_match(q, answer) ? LESSON_RIGHT : LESSON_WRONG;
    case LESSON_CHOICE:
        break;
    }
    return LESSON_UNREADABLE;
}

/* ---- in words ---- */

/** A number with no more digits than tell it apart. */
static void number_text(double value, char *out, size_t size)
{
    snprintf(out, size, "%.*g", SIGNIFICANT, value + 0.0); /* never "-0" */
}

static void shape_text(const struct lesson_right *right, char *out, size_t size)
{
    int n = snprintf(out, size, "[");
    for (int i = 0; i < right->rank; i++) {
        n += snprintf(out + n, size - (size_t)n, "%s%d", i > 0 ? "," : "", right->shape[i]);
    }
    snprintf(out + n, size - (size_t)n, "]");
}

void lesson_right_text(const struct lesson_question *q, const struct lesson_right *right, char *out,
                       size_t size)
{
    out[0] = '\0';
    switch (q->kind) {
    case LESSON_NUMBER:
        number_text(right->number, out, size);
        break;
    case LESSON_SHAPE:
        shape_text(right, out, size);
        break;
    case LESSON_WORDS:
        snprintf(out, size, "%s", q->n_words > 0 ? q->words[0] : "");
        break;
    case LESSON_CHOICE:
        break;
    }
}

void lesson_wants_text(const struct lesson_question *q, const struct lesson_right *right, char *out,
                       size_t size)
{
    switch (q->kind) {
    case LESSON_NUMBER:
        snprintf(out, size, "a number, within %g", right->tolerance);
        break;
    case LESSON_SHAPE:
        snprintf(out, size, "a shape, such as 2,3,4");
        break;
    case LESSON_WORDS:
        snprintf(out, size, "a word or two");
        break;
    case LESSON_CHOICE:
        snprintf(out, size, q->n_right > 1 ? "several are right" : "one is right");
        break;
    }
}

/* Matrices in a block: a tensor's name, and rows of numbers below it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lesson_parts.h"

enum { NUMBER_TEXT_MAX = 64 };

enum attn_tensor_id lesson_matrix_key(enum attn_variant variant, const char *key)
{
    const enum attn_tensor_id id = attn_tensor_find(variant, key);
    const bool qkv = id == ATTN_Q || id == ATTN_K || id == ATTN_V;
    const bool input = id != ATTN_NO_TENSOR && attn_tensors[id].group != ATTN_GROUP_STAGE;
    return qkv || input ? id : ATTN_NO_TENSOR;
}

struct lesson_setting *lesson_add_setting(struct lesson_reader *r, struct lesson_step *step,
                                          const struct lesson_field *field)
{
    struct lesson_setting *const grown =
        lesson_grow(r->lesson, step->settings, step->n_settings, sizeof *grown);
    if (grown == NULL) {
        return lesson_no_memory(r);
    }
    step->settings = grown;
    grown[step->n_settings] = (struct lesson_setting){.key = field->key,
                                                      .value = field->value,
                                                      .option = -1,
                                                      .tensor = -1,
                                                      .line = field->line,
                                                      .column = field->value_column,
                                                      .key_column = field->column};
    return &grown[step->n_settings++];
}

static struct lesson_setting *last(struct lesson_step *step)
{
    return (struct lesson_setting *)(size_t)&step->settings[step->n_settings - 1];
}

/** One number of a row. @return false with an error. */
static bool read_number(struct lesson_reader *r, const char *text, size_t length, int line,
                        int column, float *out)
{
    char word[NUMBER_TEXT_MAX];
    double value = 0;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (length >= sizeof word || !config_parse_real(word, &value)) {
        lesson_error_add(r->errors, line, column, "'%s' is no number (in a row of a matrix)", word);
        return false;
    }
    if (isfinite(value) && fabs(value) > 3.4028235677973366e38) {
        lesson_error_add(r->errors, line, column, "'%s' is beyond float32 (at most 3.4e38)", word);
        return false;
    }
    *out = (float)value;
    return true;
}

/** Append the numbers of a line to the setting. @return how many, or -1. */
static int append(struct lesson_reader *r, struct lesson_setting *s, const char *text,
                  size_t length, int line, int column)
{
    static const char separators[] = " \t,;";
    int n = 0;
    for (size_t i = 0; i < length;) {
        if (strchr(separators, text[i]) != NULL) {
            i++;
            continue;
        }
        size_t end = i;
        while (end < length && strchr(separators, text[end]) == NULL) {
            end++;
        }
        const int count = s->rows * s->columns + n;
        float *const grown = lesson_grow(r->lesson, s->data, count, sizeof *grown);
        if (grown == NULL) {
            lesson_no_memory(r);
            return -1;
        }
        s->data = grown;
        if (!read_number(r, text + i, end - i, line, column + (int)i, &grown[count])) {
            return -1;
        }
        n++;
        i = end;
    }
    return n;
}

void lesson_matrix_row(struct lesson_reader *r, struct lesson_step *step, const char *text,
                       size_t length, int line, int column)
{
    struct lesson_setting *const s = last(step);
    if (step->broken) {
        return;
    }
    const size_t blanks = strspn(text, " \t");
    const int n = append(r, s, text, length, line, column);
    if (n < 0) {
        step->broken = true;
        return;
    }
    if (s->rows > 0 && n != s->columns) {
        lesson_error_add(r->errors, line, column + (int)blanks,
                         "a row of %d number%s, and the rows above have %d", n, n == 1 ? "" : "s",
                         s->columns);
        step->broken = true;
        return;
    }
    s->rows++;
    s->columns = n;
}

void lesson_matrix_close(struct lesson_reader *r, struct lesson_step *step)
{
    const struct lesson_setting *const s = last(step);
    if (s->tensor < 0 || step->broken || strcmp(s->value, "none") == 0) {
        return;
    }
    if (s->rows == 0) {
        lesson_error_add(r->errors, s->line, s->key_column,
                         "no rows of numbers follow '%s:' (one row a line below it)", s->key);
        step->broken = true;
    } else if (attn_tensors[s->tensor].axes[1] == ATTN_AXIS_NONE && s->rows > 1) {
        lesson_error_add(r->errors, s->line, s->key_column, "%s has %d rows (a bias is one row)",
                         s->key, s->rows);
        step->broken = true;
    }
}

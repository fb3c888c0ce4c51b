#include <string.h>

#include "lesson_parts.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/** The line without the blanks at its ends. */
static void trim(const char **text, size_t *length)
{
    while (*length > 0 && is_blank((*text)[*length - 1])) {
        (*length)--;
    }
    while (*length > 0 && is_blank(**text)) {
        (*text)++;
        (*length)--;
    }
}

bool lesson_field_read(struct lesson_reader *r, const char *text, size_t length, int line,
                       int column, struct lesson_field *out)
{
    const char *key = text;
    size_t left = length;
    trim(&key, &left);
    const int key_column = column + (int)(key - text);
    const char *const colon = memchr(key, ':', left);
    const size_t key_length = colon != NULL ? (size_t)(colon - key) : 0;
    if (colon == NULL || key_length == 0) {
        lesson_error_add(r->errors, line, key_column,
                         "'%.*s' is no 'key: value' (as in 'seed: 7'; # begins a comment)",
                         (int)(left < 40 ? left : 40), key);
        return false;
    }
    if (key[0] == '-') {
        lesson_error_add(r->errors, line, key_column,
                         "a key stands without dashes (as in 'seed: 7'; # begins a comment)");
        return false;
    }
    const char *value = colon + 1;
    size_t value_length = left - key_length - 1;
    trim(&value, &value_length);
    const bool quoted = value_length >= 2 && value[0] == '"' && value[value_length - 1] == '"';
    value += quoted ? 1 : 0;
    value_length -= quoted ? 2 : 0;
    size_t n = key_length;
    trim(&key, &n);
    out->key = lesson_copy(r->lesson, key, n);
    out->value = lesson_copy(r->lesson, value, value_length);
    out->line = line;
    out->column = key_column;
    out->value_column = value_length > 0 ? column + (int)(value - text) : key_column;
    if (out->key == NULL || out->value == NULL) {
        lesson_no_memory(r);
        return false;
    }
    return true;
}

static bool is_fence(const char *text, size_t length, const char *fence)
{
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    return length == 3 && strncmp(text, fence, 3) == 0;
}

/** The line that ends the front matter, or 0. */
static int find_end(const struct lesson *lesson)
{
    for (int line = 2; line <= lesson->n_lines; line++) {
        size_t length = 0;
        const char *const text = lesson_line(lesson, line, &length);
        if (is_fence(text, length, "---") || is_fence(text, length, "...")) {
            return line;
        }
    }
    return 0;
}

static void read_fields(struct lesson_reader *r, int end)
{
    r->n_seen = 0;
    for (int line = 2; line < end; line++) {
        size_t length = 0;
        const char *const text = lesson_line(r->lesson, line, &length);
        const size_t blanks = strspn(text, " \t");
        struct lesson_field field;
        if (blanks >= length || text[blanks] == '#' ||
            !lesson_field_read(r, text, length, line, 1, &field)) {
            continue;
        }
        lesson_step_field(r, &r->lesson->front, &field, true);
    }
}

int lesson_front(struct lesson_reader *r)
{
    struct lesson *const l = r->lesson;
    size_t length = 0;
    const char *const text = lesson_line(l, 1, &length);
    l->front = (struct lesson_step){.block = -1, .line = 1, .column = 1, .question = -1};
    l->title = "";
    l->summary = "";
    if (!is_fence(text, length, "---")) {
        lesson_error_add(r->errors, 1, 1,
                         "there is no front matter (begin the file with three lines: ---, "
                         "title: What it is about, ---)");
        return 0;
    }
    const int end = find_end(l);
    if (end == 0) {
        lesson_error_add(r->errors, 1, 1, "the front matter has no end (a line of its own: ---)");
        return l->n_lines;
    }
    const int before = r->errors->n;
    read_fields(r, end);
    l->variant = r->config.variant;
    if (l->title[0] == '\0' && r->errors->n == before) {
        lesson_error_add(r->errors, 1, 1,
                         "the front matter has no title (title: What it is about)");
    }
    return end;
}

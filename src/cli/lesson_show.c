#include "lesson_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "cli.h"

enum { BEFORE_MAX = 60, WIDTH_MAX = 79 };

/** A character's bytes and columns; one that is shown as '?' or, a tab, as ' ' has one. */
static size_t character(const char *text, size_t left, int *columns)
{
    wchar_t wide = 0;
    mbstate_t state = {0};
    const size_t n = mbrtowc(&wide, text, left, &state);
    if (n == 0 || n > left) { /* a locale that does not know it: by the first byte */
        const unsigned char lead = (unsigned char)*text;
        const size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        *columns = 1;
        return length < left ? length : left;
    }
    const int width = wcwidth(wide);
    *columns = width < 0 ? 1 : width;
    return n;
}

/** Is this a whole character that no terminal obeys? */
static bool is_shown(const char *text, size_t bytes)
{
    const unsigned char first = (unsigned char)text[0];
    wchar_t wide = 0;
    mbstate_t state = {0};
    const bool control =
        first < 0x20 || first == 0x7f || (first == 0xc2 && (unsigned char)text[1] < 0xa0);
    return !control && (!cli_is_utf8() || mbrtowc(&wide, text, bytes, &state) == bytes);
}

/** The columns of the first bytes of a text. */
static int columns_of(const char *text, size_t bytes)
{
    int columns = 0;
    for (size_t i = 0; i < bytes;) {
        int width = 0;
        i += character(text + i, bytes - i, &width);
        columns += width;
    }
    return columns;
}

/** The line and the caret; of a long line the part around the place. */
static void show_line(const char *text, size_t length, int column)
{
    const size_t place = (size_t)(column - 1) < length ? (size_t)(column - 1) : length;
    size_t start = 0;
    int width = 0;
    while (columns_of(text + start, place - start) > BEFORE_MAX) {
        start += character(text + start, length - start, &width);
    }
    size_t end = start;
    for (int columns = 0; end < length && columns < WIDTH_MAX - 4; columns += width) {
        end += character(text + end, length - end, &width);
    }
    char line[4 * WIDTH_MAX + 8] = "";
    size_t n = 0;
    for (size_t i = start; i < end && n + 4 < sizeof line;) {
        const size_t bytes = character(text + i, end - i, &width);
        const bool shown = is_shown(text + i, bytes);
        memcpy(line + n, shown ? text + i : text[i] == '\t' ? " " : "?", shown ? bytes : 1);
        n += shown ? bytes : 1;
        i += bytes;
    }
    cli_printf("  %s%s\n", line, end < length ? "…" : "");
    cli_printf("  %*s^\n", columns_of(text + start, place - start), "");
}

void lesson_show_errors(const struct lesson *lesson, const char *path,
                        const struct lesson_errors *errors)
{
    for (int i = 0; i < errors->n; i++) {
        const struct lesson_error *const e = &errors->items[i];
        const bool hint = e->hint[0] != '\0';
        size_t length = 0;
        const char *const text = lesson_line(lesson, e->line, &length);
        cli_printf("%s:%d:%d: error: %s%s%s%s\n", path, e->line, e->column, e->message,
                   hint ? " (" : "", e->hint, hint ? ")" : "");
        if (lesson->n_lines > 0 && strlen(e->message) > 0 && e->line <= lesson->n_lines) {
            show_line(text, length, e->column);
        }
    }
    if (errors->more > 0) {
        cli_printf("%s: and %d more error%s\n", path, errors->more, errors->more == 1 ? "" : "s");
    }
}

enum cli_status lesson_show_open(struct cli *cli, const char *word, struct lesson *lesson)
{
    struct lesson_places places;
    struct lesson_errors errors;
    struct attn_error err = {.status = ATTN_OK};
    enum attn_status status = lesson_places_init(&places, cli_value(cli, "--lessons"));
    if (status == ATTN_OK) {
        status = lesson_open(lesson, &places, word, &errors, &err);
        lesson_places_finish(&places);
    }
    if (status == ATTN_E_VALUE || status == ATTN_E_IO) {
        (void)cli_fail(&err);
        return status == ATTN_E_VALUE ? CLI_USAGE : CLI_FAILED;
    }
    if (status != ATTN_E_NOMEM) {
        status = lesson_check(lesson, LESSON_MEMORY_MAX, &errors);
    }
    if (status == ATTN_OK) {
        return CLI_DONE;
    }
    if (status == ATTN_E_NOMEM) {
        cli_message(cli->command->name, "out of memory");
    } else {
        lesson_show_errors(lesson, lesson->path != NULL ? lesson->path : word, &errors);
    }
    lesson_finish(lesson);
    return CLI_FAILED;
}

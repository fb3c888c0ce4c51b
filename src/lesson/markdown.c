/* Text into Markdown, so that it reads there as it stands. */
#include <ctype.h>
#include <string.h>

#include "lesson_parts.h"

/** Does a character mean something wherever it stands, or before what follows? */
static bool is_special(const char *text, char before, enum lesson_markdown where)
{
    const unsigned char next = (unsigned char)text[1];
    switch (text[0]) {
    case '*':
    case '`':
    case '~':
        return true;
    case '\\':
        return next == '\0' || ispunct(next) || next == '\n';
    case '#': /* at the end of a heading it would close it */
        return before == ' ' && text[strspn(text, "#")] == '\0';
    case '_': /* within a word it is a letter */
        return !isalnum((unsigned char)before) || !isalnum(next);
    case ']':
        return next == '(' || next == '[' || next == ':';
    case '<':
        return isalpha(next) || next == '/' || next == '!' || next == '?';
    case '&':
        return isalnum(next) || next == '#';
    case '|':
        return where == LESSON_IN_CELL;
    default:
        return false;
    }
}

/** How many characters stand before one that would begin a list, a heading, a quote or the line
 * under a heading if it came first in its line; or -1. */
static int opens_block(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    const bool ends = text[digits] == '.' || text[digits] == ')';
    if (digits > 0) {
        return digits < 10 && ends && strchr(" \t\n", text[digits + 1]) != NULL ? (int)digits : -1;
    }
    const bool box = text[0] == '[' && text[1] != '\0' && text[2] == ']';
    const size_t hashes = strspn(text, "#");
    const bool heading = hashes > 0 && hashes < 7 && strchr(" \t\n", text[hashes]) != NULL;
    const bool line = text[0] == '=' || text[0] == '-';
    const bool item = text[0] == '+' && strchr(" \t\n", text[1]) != NULL;
    return box || heading || line || item || text[0] == '>' ? 0 : -1;
}

void lesson_put_words(FILE *out, const char *text, enum lesson_markdown where)
{
    bool first = where == LESSON_FIRST;
    char before = ' ';
    for (; *text != '\0'; before = *text++) {
        int opens = -1;
        if (first && *text != ' ') {
            opens = opens_block(text);
            first = false;
        }
        if (*text == '\n' && where != LESSON_IN_CELL) {
            fputs("\\\n", out);
            first = true;
            continue;
        }
        for (; opens > 0; opens--) {
            fputc(*text++, out);
        }
        if (opens == 0 || is_special(text, before, where)) {
            fputc('\\', out);
        }
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

/** The longest run of a character. */
static int longest_run(const char *text, char c)
{
    int longest = 0;
    int run = 0;
    for (; *text != '\0'; text++) {
        run = *text == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void put_times(FILE *out, char c, int n)
{
    for (int i = 0; i < n; i++) {
        fputc(c, out);
    }
}

void lesson_put_code(FILE *out, const char *text)
{
    const size_t n = strlen(text);
    const int ticks = longest_run(text, '`') + 1;
    const bool edge =
        n > 0 && (text[0] == '`' || text[n - 1] == '`' || (text[0] == ' ' && text[n - 1] == ' '));
    put_times(out, '`', ticks);
    fprintf(out, "%s%s%s", edge ? " " : "", text, edge ? " " : "");
    put_times(out, '`', ticks);
}

void lesson_put_block(FILE *out, const char *info, const char *code)
{
    const int longest = longest_run(code, '`');
    const int ticks = longest < 3 ? 3 : longest + 1;
    put_times(out, '`', ticks);
    fprintf(out, "%s\n%s", info, code);
    put_times(out, '`', ticks);
    fputs("\n\n", out);
}

void lesson_put_text(FILE *out, const struct lesson_text *text)
{
    for (int i = 0; i < text->n; i++) {
        const struct lesson_span *const span = &text->spans[i];
        const char *const mark = (span->look & LESSON_STRONG) != 0     ? "**"
                                 : (span->look & LESSON_EMPHASIS) != 0 ? "*"
                                                                       : "";
        if ((span->look & LESSON_CODE) != 0) {
            lesson_put_code(out, span->text);
            continue;
        }
        fputs(mark, out);
        lesson_put_words(out, span->text, i == 0 && mark[0] == '\0' ? LESSON_FIRST : LESSON_WITHIN);
        fputs(mark, out);
    }
}

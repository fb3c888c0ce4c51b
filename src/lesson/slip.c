/* What CommonMark shows as words, or leaves out, and a person meant as something else. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lesson_parts.h"

static const char opening[] = "<!--";
static const char closing[] = "-->";

/* ---- HTML ---- */

static void refuse_html(struct lesson_reader *r, int line, int column)
{
    lesson_error_add(r->errors, line, column,
                     "HTML cannot be shown in a terminal (only <!-- comments --> are left out "
                     "quietly)");
}

static void refuse_open(struct lesson_reader *r, int line, int column)
{
    lesson_error_add(r->errors, line, column, "this comment has no end (close it with -->)");
}

/** The end of a comment, or NULL. */
static const char *comment_end(const char *text)
{
    const char *const end = strstr(text + sizeof opening - 1, closing);
    return end != NULL ? end + sizeof closing - 1 : NULL;
}

void lesson_html_block(struct lesson_reader *r, cmark_node *node)
{
    const char *const literal = cmark_node_get_literal(node);
    int line = cmark_node_get_start_line(node);
    int column = cmark_node_get_start_column(node);
    for (const char *text = literal; *text != '\0';) {
        const char *end = text + strspn(text, " \t\n");
        const bool comment = strncmp(end, opening, sizeof opening - 1) == 0;
        const char *const stop = comment && end == text ? comment_end(text) : NULL;
        if (end == text && stop == NULL) {
            if (comment) {
                refuse_open(r, line, column);
            } else if (*text == '<') {
                refuse_html(r, line, column);
            } else {
                lesson_error_add(r->errors, line, column,
                                 "words behind a comment are left out (put them in the next line)");
            }
            return;
        }
        end = stop != NULL ? stop : end;
        for (; text < end; text++) {
            column = *text == '\n' ? 1 : column + 1;
            line += *text == '\n' ? 1 : 0;
        }
    }
}

/** Where a text stands in the source, from a line on; else that line. */
static void find(const struct lesson *lesson, const char *text, size_t length, int *line,
                 int *column)
{
    for (int i = *line; i >= 1 && i <= lesson->n_lines; i++) {
        size_t left = 0;
        const char *const start = lesson_line(lesson, i, &left);
        for (const char *at = start; left >= length; at++, left--) {
            if (memcmp(at, text, length) == 0) {
                *line = i;
                *column = (int)(at - start) + 1;
                return;
            }
        }
    }
    *column = 1;
}

bool lesson_html_inline(struct lesson_reader *r, cmark_node *node, int line)
{
    const char *const literal = cmark_node_get_literal(node);
    if (strncmp(literal, opening, sizeof opening - 1) == 0) {
        return true;
    }
    int column = 1;
    find(r->lesson, literal, strcspn(literal, "\n"), &line, &column);
    refuse_html(r, line, column);
    return false;
}

/** Is there an end of the comment before the next blank line? */
static bool ends_soon(const char *text)
{
    const char *const end = strstr(text, closing);
    const char *const blank = strstr(text, "\n\n");
    return end != NULL && (blank == NULL || end < blank);
}

void lesson_html_open(struct lesson_reader *r, int line)
{
    const struct lesson *const l = r->lesson;
    const char *start = l->source + l->line_start[line - 1];
    const char *const blank = strstr(start, "\n\n"); /* where the paragraph ends, at the latest */
    for (const char *at = strstr(start, opening); at != NULL && (blank == NULL || at < blank);
         at = strstr(at + 1, opening)) {
        const bool escaped = at > l->source && at[-1] == '\\';
        if (escaped || ends_soon(at)) {
            continue;
        }
        while (line < l->n_lines && l->source + l->line_start[line] <= at) {
            start = l->source + l->line_start[line++];
        }
        refuse_open(r, line, (int)(at - start) + 1);
        return;
    }
}

/* ---- lines ---- */

/** "##Heading": no blank between. */
static bool is_heading_slip(struct lesson_reader *r, const char *text, size_t length, int line,
                            int column)
{
    size_t n = 0;
    while (n < length && text[n] == '#') {
        n++;
    }
    const unsigned char next = n < length ? (unsigned char)text[n] : ' ';
    if (n == 0 || n > 6 || !(isalpha(next) || next >= 0x80 || next == '`')) {
        return false;
    }
    lesson_error_add(r->errors, line, column + (int)n,
                     "no blank between '%.*s' and its heading (as in '%.*s …'; '\\#' is the sign "
                     "itself)",
                     (int)n, text, (int)n, text);
    return true;
}

/** "-[x] …" is no item: what was meant is clear on a question's page. */
static bool is_item_slip(struct lesson_reader *r, const char *text, size_t length, int line,
                         int column)
{
    const bool item = length > 1 && strchr("-*+", text[0]) != NULL && text[1] == '[';
    if (!item || lesson_page_question(r) == NULL) {
        return false;
    }
    lesson_error_add(r->errors, line, column + 1,
                     "no blank between '%c' and its box (as in '- [ ] …')", text[0]);
    return true;
}

/** "Hint: …" on a question's page is in view from the beginning. */
static bool is_hint_slip(struct lesson_reader *r, const char *text, size_t length, int line,
                         int column)
{
    static const char word[] = "hint";
    const size_t n = sizeof word - 1;
    if (length < n || strncasecmp(text, word, n) != 0 || lesson_page_question(r) == NULL) {
        return false;
    }
    const size_t colon = n + strspn(text + n, " ");
    if (colon >= length || text[colon] != ':') {
        return false;
    }
    lesson_error_add(r->errors, line, column, "'%.*s' is no hint (write it hint:)", (int)colon + 1,
                     text);
    return true;
}

/** "``attn": a fence of three has lost some. */
static bool is_fence_slip(struct lesson_reader *r, const char *text, size_t length, int line,
                          int column)
{
    const size_t n = strspn(text, "`");
    if (n == 0 || n > 2 || length != n + 4 || strncmp(text + n, "attn", 4) != 0) {
        return false;
    }
    lesson_error_add(r->errors, line, column, "this opens no block (three of them: ```attn)");
    return true;
}

/** The cells of a table's row. */
static int cells_of(const char *text, size_t length)
{
    int bars = 0;
    bool code = false;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        code = text[i] == '`' ? !code : code;
        bars += text[i] == '|' && !code && (i == 0 || text[i - 1] != '\\') ? 1 : 0;
    }
    return bars - (length > 0 && text[length - 1] == '|' ? 1 : 0);
}

void lesson_table_rows(struct lesson_reader *r, int start, int end)
{
    int head = 0;
    for (int line = start; line <= end; line++) {
        size_t length = 0;
        const char *const text = lesson_line(r->lesson, line, &length);
        const size_t blanks = strspn(text, " \t");
        const int n = cells_of(text + blanks, length - blanks);
        head = line == start ? n : head;
        if (n != head) {
            lesson_error_add(r->errors, line, (int)blanks + 1,
                             "a row of %d cell%s in a table of %d columns (\\| is the sign itself)",
                             n, n == 1 ? "" : "s", head);
            return;
        }
    }
}

bool lesson_is_slip(struct lesson_reader *r, int start, int end)
{
    for (int line = start; line <= end; line++) {
        size_t length = 0;
        const char *const text = lesson_line(r->lesson, line, &length);
        const size_t blanks = strspn(text, " \t");
        if (blanks >= length) {
            continue;
        }
        const char *const words = text + blanks;
        const size_t left = length - blanks;
        const int column = (int)blanks + 1;
        if (is_heading_slip(r, words, left, line, column) ||
            (line == start && is_item_slip(r, words, left, line, column)) ||
            is_hint_slip(r, words, left, line, column) ||
            is_fence_slip(r, words, left, line, column)) {
            return true;
        }
    }
    return false;
}

bool lesson_is_code_slip(struct lesson_reader *r, cmark_node *code, bool nested)
{
    const int line = cmark_node_get_start_line(code);
    const int column = cmark_node_get_start_column(code);
    const char *const literal = cmark_node_get_literal(code);
    if (!lesson_is_fenced(r->lesson, code)) {
        if (strncmp(literal, "```attn", 7) != 0) {
            return false;
        }
        lesson_error_add(r->errors, line, column,
                         "a block marked attn is indented (begin it where the line begins)");
        return true;
    }
    if (lesson_is_closed(r->lesson, code, nested)) {
        return false;
    }
    size_t length = 0;
    const char *const text = lesson_line(r->lesson, line, &length);
    const char fence = column > 0 && (size_t)column <= length ? text[column - 1] : '`';
    lesson_error_add(r->errors, line, column, "this block has no end (a line of its own: %c%c%c)",
                     fence, fence, fence);
    return true;
}

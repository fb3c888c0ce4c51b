/* How a table is written: its separator and its decimal point, told by all of its text. */
#include "csv.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool csv_next_line(struct cursor *cursor, struct line *line)
{
    if (cursor->at >= cursor->size) {
        return false;
    }
    size_t end = cursor->at;
    while (end < cursor->size && cursor->text[end] != '\n' && cursor->text[end] != '\r') {
        end++;
    }
    *line = (struct line){cursor->at, end, ++cursor->line, cursor->at};
    const bool two =
        end + 1 < cursor->size && cursor->text[end] == '\r' && cursor->text[end + 1] == '\n';
    cursor->at = end + (two ? 2 : 1);
    while (line->begin < line->end && cursor->text[line->begin] == ' ') {
        line->begin++;
    }
    while (line->end > line->begin && cursor->text[line->end - 1] == ' ') {
        line->end--;
    }
    return true;
}

bool csv_is_comment(const char *text, const struct line *line)
{
    return line->begin < line->end && text[line->begin] == '#';
}

bool csv_is_empty(const char *text, const struct line *line)
{
    size_t at = line->begin;
    while (at < line->end && is_blank(text[at])) {
        at++;
    }
    return at == line->end;
}

enum attn_status csv_fail(const struct io_archive *archive, const struct line *line, size_t at,
                          struct attn_error *err, const char *words)
{
    return io_fail_at(archive, line->number, (int)(at - line->start) + 1, err, ATTN_E_FORMAT, "%s",
                      words);
}

/** What is looked for, and where a refusal goes. */
struct dialect_search {
    const struct io_archive *archive;
    struct attn_error *err;
    struct dialect dialect;
};

static enum attn_status fail(const struct dialect_search *search, const struct line *line,
                             size_t at, const char *words)
{
    return csv_fail(search->archive, line, at, search->err, words);
}

/** What stands between the numbers and in them, counted over the whole text. */
struct census {
    size_t semicolons, tabs, commas, blanks, lines;
    size_t points, number_commas; /**< Beside a digit. */
    size_t grouped;               /**< Commas that may part thousands: 1,234. */
    struct line comma_line;       /**< Of the first number_commas. */
    size_t comma;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool beside_digit(const char *text, const struct line *line, size_t at)
{
    return (at > line->begin && is_digit(text[at - 1])) ||
           (at + 1 < line->end && is_digit(text[at + 1]));
}

/** May this comma part thousands: one to three digits before, no leading 0, and three after? */
static bool may_group(const char *text, const struct line *line, size_t at)
{
    size_t begin = at;
    while (begin > line->begin && is_digit(text[begin - 1])) {
        begin--;
    }
    size_t end = at + 1;
    while (end < line->end && is_digit(text[end])) {
        end++;
    }
    return at - begin >= 1 && at - begin <= 3 && text[begin] != '0' && end - at - 1 == 3;
}

static void count_comma(const char *text, const struct line *line, size_t at, struct census *census)
{
    census->commas++;
    if (!beside_digit(text, line, at)) {
        return;
    }
    if (census->number_commas++ == 0) {
        census->comma_line = *line;
        census->comma = at;
    }
    census->grouped += may_group(text, line, at);
}

static void count_line(const char *text, const struct line *line, struct census *census)
{
    census->lines++;
    for (size_t i = line->begin; i < line->end; i++) {
        census->semicolons += text[i] == ';';
        census->tabs += text[i] == '\t';
        census->blanks += text[i] == ' ';
        census->points += text[i] == '.' && beside_digit(text, line, i);
        if (text[i] == ',') {
            count_comma(text, line, i, census);
        }
    }
}

/** A comma beside another separator is a decimal one, or the table is refused as ambiguous. */
static enum attn_status choose_point(struct dialect_search *search, const struct census *census)
{
    search->dialect.point = '.';
    if (census->number_commas == 0) {
        return ATTN_OK;
    }
    if (census->points > 0) {
        return fail(search, &census->comma_line, census->comma,
                    "numbers are written both with a comma and with a point, and which is "
                    "the decimal one is not certain (write every number like 1234.5)");
    }
    if (census->grouped == census->number_commas) {
        return fail(search, &census->comma_line, census->comma,
                    "a comma with three digits after it may be a decimal comma or part "
                    "thousands (write 1.234 or 1234)");
    }
    search->dialect.point = ',';
    return ATTN_OK;
}

static enum attn_status choose_dialect(struct dialect_search *search, const struct census *census,
                                       bool tabs_only)
{
    search->dialect = (struct dialect){.separator = 0, .point = '.'};
    if (census->semicolons > 0 && !tabs_only) {
        search->dialect.separator = ';';
        return choose_point(search, census);
    }
    if (census->tabs > 0) {
        search->dialect.separator = '\t';
        return choose_point(search, census);
    }
    if (census->number_commas > 0 && tabs_only) {
        return fail(search, &census->comma_line, census->comma,
                    "there is no tab in this .tsv, so the comma may separate or be a decimal "
                    "one (write 1.5, or call the file .csv)");
    }
    if (census->commas > 0) {
        search->dialect.separator = ',';
    } else if (census->blanks > 0 && census->lines > 1) {
        search->dialect.separator = ' '; /* One line alone does not tell a separator from a slip. */
    }
    return ATTN_OK;
}

static enum attn_status take_census(const struct dialect_search *search, const char *text,
                                    size_t size, struct census *census)
{
    struct cursor cursor = {.text = text, .size = size};
    struct line line;
    *census = (struct census){.lines = 0};
    while (csv_next_line(&cursor, &line)) {
        const char *const nul = memchr(text + line.start, '\0', line.end - line.start);
        if (nul != NULL) {
            return fail(search, &line, (size_t)(nul - text),
                        "there is a NUL byte (if it is UTF-16, save it as UTF-8)");
        }
        if (!csv_is_comment(text, &line) && !csv_is_empty(text, &line)) {
            count_line(text, &line, census);
        }
    }
    return ATTN_OK;
}

enum attn_status csv_find_dialect(const struct io_archive *archive, const char *text, size_t size,
                                  bool tabs_only, struct dialect *dialect, struct attn_error *err)
{
    struct dialect_search search = {.archive = archive, .err = err};
    struct census census;
    enum attn_status status = take_census(&search, text, size, &census);
    if (status == ATTN_OK) {
        status = choose_dialect(&search, &census, tabs_only);
    }
    if (status == ATTN_OK) {
        *dialect = search.dialect;
    }
    return status;
}

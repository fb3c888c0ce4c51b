/* Tables as text: .csv and .tsv, one matrix a file. */
#include "csv.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number.h"

/** One field of a line, without blanks and quotes around it. */
struct field {
    size_t begin, end;
    int column; /**< Of its first byte. */
    bool unclosed;
};

/** What the table has come to so far. */
struct table {
    struct io_archive *archive;
    struct attn_error *err;
    struct dialect dialect;
    float *data;
    size_t count, room;
    size_t rows, columns;
    int first_line; /**< The line of the first row. */
    bool whole;
    struct io_loss losses[IO_N_LOSSES];
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* ---- fields ---- */

/** Where the field that begins at this place ends: at a separator outside quotes, or the line. */
static size_t field_end(const char *text, const struct line *line, size_t at, char separator)
{
    bool quoted = false;
    while (at < line->end && (quoted || separator == 0 || text[at] != separator)) {
        quoted = text[at] == '"' ? !quoted : quoted;
        at++;
    }
    return at;
}

static struct field trim(const char *text, const struct line *line, size_t begin, size_t end)
{
    while (begin < end && is_blank(text[begin])) {
        begin++;
    }
    while (end > begin && is_blank(text[end - 1])) {
        end--;
    }
    struct field field = {begin, end, (int)(begin - line->start) + 1, false};
    if (begin < end && text[begin] == '"') {
        const bool closed = end - begin >= 2 && text[end - 1] == '"';
        field.unclosed = !closed;
        field.begin++;
        field.end -= closed ? 1 : 0;
    }
    return field;
}

/** What is probably meant by a field that is no number. */
static const struct {
    const char *part; /**< Occurs in it, in any case. */
    bool first;       /**< Only at its start, a sign aside. */
    const char *words;
} hints[] = {
    {"\xe2\x88\x92", false, "its minus is U+2212: write the - of the keyboard"},
    {"0x", true, "write it in decimal"},
    {"true", true, "write a mask with 1 and 0"},
    {"false", true, "write a mask with 1 and 0"},
    {",", false, "write the decimal point as . and thousands together: 1234.5"},
    {"%", false, "write 50% as 0.5"},
    {"/", false, "write 1/2 as 0.5"},
    {"_", false, "write the digits together"},
    {" ", false, "put a comma or a tab between two numbers"},
};

static const char *hint_for(const char *text, size_t length)
{
    const size_t sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        const size_t n = strlen(hints[i].part);
        const size_t last = hints[i].first ? sign : length;
        for (size_t at = 0; at + n <= length && at <= last; at++) {
            if (strncasecmp(text + at, hints[i].part, n) == 0) {
                return hints[i].words;
            }
        }
    }
    return "numbers are written like -1.5e-3; a line of names is to be deleted";
}

static enum attn_status bad_field(const struct table *table, const char *text,
                                  const struct line *line, const struct field *field,
                                  enum io_number_fault fault)
{
    const size_t length = field->end - field->begin;
    char shown[IO_QUOTE_MAX];
    io_quote(shown, text + field->begin, length);
    char words[ATTN_MESSAGE_MAX];
    if (fault == IO_NUMBER_NOMEM) {
        return io_fail_at(table->archive, line->number, field->column, table->err, ATTN_E_NOMEM,
                          "no memory for a number of %zu digits", length);
    }
    if (fault == IO_NUMBER_HUGE) {
        snprintf(words, sizeof words, "'%s' is beyond 1.8e308 (write inf, or a smaller number)",
                 shown);
    } else if (field->unclosed) {
        snprintf(words, sizeof words, "the quote before '%s' does not close (delete it)", shown);
    } else if (length == 0) {
        snprintf(words, sizeof words,
                 "a field is empty (write a number there, or delete the separator)");
    } else {
        snprintf(words, sizeof words, "'%s' is no number (%s)", shown,
                 hint_for(text + field->begin, length));
    }
    return io_fail_at(table->archive, line->number, field->column, table->err, ATTN_E_FORMAT, "%s",
                      words);
}

/* ---- rows ---- */

static enum attn_status add_number(struct table *table, const struct io_number *number,
                                   const char *text, size_t length)
{
    if (table->count == table->room) {
        const size_t room = table->room == 0 ? 64 : table->room * 2;
        float *const data = realloc(table->data, room * sizeof *data);
        if (data == NULL) {
            return io_fail(table->archive, NULL, table->err, ATTN_E_NOMEM,
                           "no memory for %zu numbers (load a smaller file)", room);
        }
        table->data = data;
        table->room = room;
    }
    if (number->loss != IO_LOSS_NONE) {
        char before[32];
        snprintf(before, sizeof before, "%.*s%s", length > 24 ? 24 : (int)length, text,
                 length > 24 ? "…" : "");
        io_loss_add(table->losses, number->loss, table->count, number->narrow, before);
    }
    table->whole = table->whole && number->whole;
    table->data[table->count++] = number->narrow;
    return ATTN_OK;
}

static enum attn_status check_width(struct table *table, const struct line *line, size_t width)
{
    if (table->rows == 0) {
        table->columns = width;
        table->first_line = line->number;
    }
    table->rows++;
    if (width == table->columns) {
        return ATTN_OK;
    }
    return io_fail_at(table->archive, line->number, 1, table->err, ATTN_E_FORMAT,
                      "line %d has %zu number%s, and line %d has %zu (make the rows equally long)",
                      line->number, width, width == 1 ? "" : "s", table->first_line,
                      table->columns);
}

static enum attn_status read_row(struct table *table, const char *text, const struct line *line)
{
    const char separator = table->dialect.separator;
    size_t width = 0;
    for (size_t at = line->begin;;) {
        const size_t end = field_end(text, line, at, separator);
        const struct field field = trim(text, line, at, end);
        struct io_number number;
        enum io_number_fault fault = io_number_parse(text + field.begin, field.end - field.begin,
                                                     table->dialect.point, &number);
        if (fault != IO_NUMBER_GOOD || field.unclosed) {
            return bad_field(table, text, line, &field, fault);
        }
        const enum attn_status status =
            add_number(table, &number, text + field.begin, field.end - field.begin);
        if (status != ATTN_OK) {
            return status;
        }
        width++;
        if (end >= line->end) {
            break;
        }
        at = end + 1;
        while (separator == ' ' && at < line->end && text[at] == ' ') {
            at++; /* Blanks that align the columns are one separator. */
        }
    }
    return check_width(table, line, width);
}

/** Read the rows, between which no line may be empty. */
static enum attn_status read_rows(struct table *table, const char *text, size_t size)
{
    struct cursor cursor = {.text = text, .size = size};
    struct line line;
    struct line gap = {.number = 0};
    while (csv_next_line(&cursor, &line)) {
        if (csv_is_comment(text, &line)) {
            continue;
        }
        if (csv_is_empty(text, &line)) {
            gap = gap.number == 0 && table->rows > 0 ? line : gap;
            continue;
        }
        if (gap.number != 0) {
            return csv_fail(table->archive, &gap, gap.start, table->err,
                            "an empty line stands between the rows (delete it; one file holds "
                            "one matrix)");
        }
        const enum attn_status status = read_row(table, text, &line);
        if (status != ATTN_OK) {
            return status;
        }
    }
    if (table->rows == 0) {
        return io_fail(table->archive, NULL, table->err, ATTN_E_FORMAT,
                       "there is no number in it (write one row a line)");
    }
    return ATTN_OK;
}

static enum attn_status add_matrix(struct table *table)
{
    const struct io_shape shape = {.rank = 2, .dims = {table->rows, table->columns}};
    struct io_array *array = NULL;
    const enum attn_status status = io_archive_add(table->archive, "", &shape, &array, table->err);
    if (status != ATTN_OK) {
        return status;
    }
    memcpy(array->data, table->data, table->count * sizeof *array->data);
    array->type = table->whole ? IO_TYPE_INT : IO_TYPE_FLOAT;
    array->first = (double)array->data[0];
    memcpy(array->dtype, "text", sizeof "text");
    return io_archive_note_losses(table->archive, array, table->losses, table->err);
}

static enum attn_status read_table(struct io_archive *archive, const unsigned char *bytes,
                                   size_t size, bool tabs_only, struct attn_error *err)
{
    const char *text = (const char *)bytes;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3; /* The mark that Excel sets. */
        size -= 3;
    }
    struct table table = {.archive = archive, .err = err, .whole = true};
    enum attn_status status = csv_find_dialect(archive, text, size, tabs_only, &table.dialect, err);
    if (status == ATTN_OK) {
        status = read_rows(&table, text, size);
    }
    if (status == ATTN_OK) {
        status = add_matrix(&table);
    }
    free(table.data);
    return status;
}

enum attn_status io_csv_read(struct io_archive *archive, const unsigned char *bytes, size_t size,
                             struct attn_error *err)
{
    return read_table(archive, bytes, size, false, err);
}

enum attn_status io_tsv_read(struct io_archive *archive, const unsigned char *bytes, size_t size,
                             struct attn_error *err)
{
    return read_table(archive, bytes, size, true, err);
}

/** Begins like a number, or like a comment before one. */
bool io_csv_recognise(const unsigned char *bytes, size_t size)
{
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size && bytes[at] != '\0' && strchr(" \t\r\n\"", bytes[at]) != NULL) {
        at++;
    }
    return at < size && bytes[at] != '\0' && strchr("0123456789+-.#nNiI", bytes[at]) != NULL;
}

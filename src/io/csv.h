/**
 * What the parts of the table reader share: lines, and how the numbers in them are written.
 */
#ifndef CSV_H
#define CSV_H

#include "parts.h"

/** How a table is written. */
struct dialect {
    char separator; /**< ';', tab, ',', ' ', or 0 for a single column. */
    char point;     /**< '.' or ','. */
};

/** A place in the text. Lines end with LF, CR LF or CR alone. */
struct cursor {
    const char *text;
    size_t size;
    size_t at;
    int line;
    size_t line_start;
};

/** A line without its end, and without blanks around it. */
struct line {
    size_t begin, end;
    int number;
    size_t start; /**< Where it begins with its blanks, for columns. */
};

/** The next line; false at the end. */
bool csv_next_line(struct cursor *cursor, struct line *line);

/** A comment, as numpy.savetxt writes it. */
bool csv_is_comment(const char *text, const struct line *line);

/** Nothing but blanks. */
bool csv_is_empty(const char *text, const struct line *line);

/** Refuse the table for what stands at this place of the text. */
enum attn_status csv_fail(const struct io_archive *archive, const struct line *line, size_t at,
                          struct attn_error *err, const char *words);

/**
 * Find out how a table is written, or refuse it: for a NUL, or because it can be read two ways.
 * @param tabs_only  It is a .tsv: nothing but a tab separates.
 */
enum attn_status csv_find_dialect(const struct io_archive *archive, const char *text, size_t size,
                                  bool tabs_only, struct dialect *dialect, struct attn_error *err);

#endif

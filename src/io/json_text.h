/**
 * JSON as people and Python write it, made ready for a strict parser; and places in its text.
 */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <jansson.h>

#include "parts.h"

enum { JSON_PATH_MAX = IO_RANK_MAX + 4 };

/** A file's text, after its byte order mark. */
struct json_text {
    const char *bytes;
    size_t size;
};

/** Where a value is: the how-maniest member or element at each level, from 0. */
struct json_path {
    int n;
    size_t at[JSON_PATH_MAX];
};

/**
 * Parse the text. NaN, Infinity and -Infinity outside strings become strings of that name before
 * the parser sees them, and -0 keeps its sign as -0.0. A name twice in one object is refused.
 *
 * @param root  Out; the caller gives it back with json_decref.
 */
enum attn_status json_text_parse(const struct io_archive *archive, const struct json_text *text,
                                 json_t **root, struct attn_error *err);

/** io_fail about the value at path, with its line and column. */
enum attn_status json_text_fail(const struct io_archive *archive, const char *entry,
                                const struct json_text *text, const struct json_path *path,
                                struct attn_error *err, enum attn_status status, const char *format,
                                ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 7, 8)))
#endif
    ;

#endif

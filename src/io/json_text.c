#include "json_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** What is written outside strings and is no JSON, and what stands for it. */
static const struct {
    const char *bare;
    const char *strict;
} words[] = {
    {"NaN", "\"NaN\""},
    {"Infinity", "\"Infinity\""},
    {"-Infinity", "\"-Infinity\""},
    {"-0", "-0.0"}, /* A whole number has no -0 to the parser. */
};

/** Does a word end here? Not where a name or a number goes on. */
static bool word_ends(const struct json_text *text, size_t at)
{
    return at >= text->size || text->bytes[at] == '\0' ||
           strchr(",]} \t\r\n:", text->bytes[at]) != NULL;
}

/** The word that stands at this place, or -1. */
static int word_at(const struct json_text *text, size_t at)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i].bare);
        if (at + length <= text->size && memcmp(text->bytes + at, words[i].bare, length) == 0 &&
            word_ends(text, at + length)) {
            return (int)i;
        }
    }
    return -1;
}

/**
 * Rewrite the text for the parser, up to a place in what is written.
 *
 * @param out   Room for all of it, or NULL only to count.
 * @param stop  How many bytes of it are wanted; SIZE_MAX: all.
 * @param used  Out: how many bytes of the text gave them.
 * @return how many bytes were written.
 */
static size_t rewrite(const struct json_text *text, char *out, size_t stop, size_t *used)
{
    size_t written = 0;
    size_t at = 0;
    bool in_string = false;
    while (at < text->size && written < stop) {
        const char c = text->bytes[at];
        const char *piece = text->bytes + at;
        size_t taken = 1;
        size_t given = 1;
        const int word = !in_string && (c == 'N' || c == 'I' || c == '-') ? word_at(text, at) : -1;
        if (word >= 0) {
            piece = words[word].strict;
            taken = strlen(words[word].bare);
            given = strlen(piece);
        } else if (in_string && c == '\\' && at + 1 < text->size) {
            taken = given = 2;
        } else if (c == '"') {
            in_string = !in_string;
        }
        if (out != NULL) {
            memcpy(out + written, piece, given);
        }
        at += taken;
        written += given;
    }
    *used = at;
    return written;
}

static void find_line(const struct json_text *text, size_t at, int *line, int *column)
{
    size_t start = 0;
    *line = 1;
    for (size_t i = 0; i < at && i < text->size; i++) {
        const bool alone =
            text->bytes[i] == '\r' && (i + 1 >= text->size || text->bytes[i + 1] != '\n');
        if (text->bytes[i] == '\n' || alone) {
            *line += 1;
            start = i + 1;
        }
    }
    *column = (int)(at - start) + 1;
}

/** The parser's complaint, at the place where the token that it names begins. */
static enum attn_status fail_parse(const struct io_archive *archive, const struct json_text *text,
                                   const json_error_t *error, struct attn_error *err)
{
    const char *const near = strstr(error->text, " near '");
    const size_t token = near == NULL ? 0 : strlen(near) - strlen(" near ''");
    const size_t position = error->position > 0 ? (size_t)error->position : 0;
    size_t at = 0;
    rewrite(text, NULL, position > token ? position - token : 0, &at);
    int line = 0;
    int column = 0;
    find_line(text, at, &line, &column);
    char shown[IO_QUOTE_MAX];
    io_quote(shown, error->text, strlen(error->text));
    return io_fail_at(archive, line, column, err, ATTN_E_FORMAT,
                      "it is no JSON: %s (mend it there, or write it with a JSON library)", shown);
}

static enum attn_status check_utf8(const struct io_archive *archive, const struct json_text *text,
                                   struct attn_error *err)
{
    for (size_t at = 0; at < text->size;) {
        uint32_t code = 0;
        const size_t n = io_utf8(text->bytes + at, text->size - at, &code);
        if (n == 0) {
            int line = 0;
            int column = 0;
            find_line(text, at, &line, &column);
            return io_fail_at(archive, line, column, err, ATTN_E_FORMAT,
                              "byte %zu, 0x%02x, is no UTF-8 (save it as UTF-8)", at,
                              (unsigned)(unsigned char)text->bytes[at]);
        }
        at += n;
    }
    return ATTN_OK;
}

enum attn_status json_text_parse(const struct io_archive *archive, const struct json_text *text,
                                 json_t **root, struct attn_error *err)
{
    const enum attn_status status = check_utf8(archive, text, err);
    if (status != ATTN_OK) {
        return status;
    }
    size_t used = 0;
    const size_t size = rewrite(text, NULL, SIZE_MAX, &used);
    char *const strict = malloc(size > 0 ? size : 1);
    if (strict == NULL) {
        return io_fail(archive, NULL, err, ATTN_E_NOMEM, "no memory for %zu bytes", size);
    }
    rewrite(text, strict, SIZE_MAX, &used);
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY;
    json_error_t error;
    json_t *read = json_loadb(strict, size, flags, &error);
    if (read == NULL && json_error_code(&error) == json_error_numeric_overflow) {
        /* A whole number beyond 64 bits, perhaps: as a double it may do. */
        read = json_loadb(strict, size, flags | JSON_DECODE_INT_AS_REAL, &error);
    }
    free(strict);
    if (read == NULL && json_error_code(&error) == json_error_out_of_memory) {
        return io_fail(archive, NULL, err, ATTN_E_NOMEM, "no memory to read it");
    }
    if (read == NULL) {
        return fail_parse(archive, text, &error, err);
    }
    *root = read;
    return ATTN_OK;
}

/* ---- places; the text has been parsed, so that it is well-formed ---- */

static size_t skip_space(const struct json_text *text, size_t at)
{
    while (at < text->size && strchr(" \t\r\n", text->bytes[at]) != NULL) {
        at++;
    }
    return at;
}

/** Past the value that begins here, up to the comma, colon or bracket after it. */
static size_t skip_value(const struct json_text *text, size_t at)
{
    size_t depth = 0;
    bool in_string = false;
    for (; at < text->size; at++) {
        const char c = text->bytes[at];
        if (in_string) {
            at += c == '\\' ? 1 : 0;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (depth == 0 && strchr(",:]}", c) != NULL) {
            break;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if (c == ']' || c == '}') {
            depth--;
        }
    }
    return at;
}

/** Where the value at path begins. */
static size_t find_value(const struct json_text *text, const struct json_path *path)
{
    size_t at = skip_space(text, 0);
    for (int level = 0; level < path->n; level++) {
        const bool object = at < text->size && text->bytes[at] == '{';
        at++;
        for (size_t i = 0; i < path->at[level]; i++) {
            at = skip_value(text, at);
            at = object ? skip_value(text, at + 1) : at;
            at++; /* The comma. */
        }
        at = object ? skip_value(text, at) + 1 : at;
        at = skip_space(text, at);
    }
    return at;
}

enum attn_status json_text_fail(const struct io_archive *archive, const char *entry,
                                const struct json_text *text, const struct json_path *path,
                                struct attn_error *err, enum attn_status status, const char *format,
                                ...)
{
    char message[ATTN_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    io_fail(archive, entry, err, status, "%s", message);
    if (err != NULL) {
        find_line(text, find_value(text, path), &err->line, &err->column);
    }
    return status;
}

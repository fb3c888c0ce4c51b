#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"
#include "io.h"

enum { TOKENS_BYTES_MAX = 16 << 20 };

void config_tokens_finish(struct config_tokens *tokens)
{
    for (int i = 0; i < tokens->n; i++) {
        free(tokens->labels[i]);
    }
    free(tokens->labels);
    *tokens = (struct config_tokens){0};
}

bool config_tokens_copy(struct config_tokens *out, const struct config_tokens *tokens)
{
    *out = (struct config_tokens){0};
    if (tokens->n == 0) {
        return true;
    }
    out->labels = calloc((size_t)tokens->n, sizeof *out->labels);
    if (out->labels == NULL) {
        return false;
    }
    for (; out->n < tokens->n; out->n++) {
        out->labels[out->n] = config_text_copy(tokens->labels[out->n]);
        if (out->labels[out->n] == NULL) {
            config_tokens_finish(out);
            return false;
        }
    }
    return true;
}

/** The bytes of a well-formed UTF-8 sequence at s, or 0. */
static size_t sequence_length(const unsigned char *s, size_t left)
{
    static const struct {
        unsigned char first, last, low, high; /* of the lead byte, and of the byte after it */
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last) {
            continue;
        }
        if (forms[i].length > left) {
            return 0;
        }
        if (forms[i].length > 1 && (s[1] < forms[i].low || s[1] > forms[i].high)) {
            return 0;
        }
        for (size_t j = 2; j < forms[i].length; j++) {
            if (s[j] < 0x80 || s[j] > 0xbf) {
                return 0;
            }
        }
        return forms[i].length;
    }
    return 0;
}

/** A label that is safe to show: control characters become '?', broken UTF-8 U+FFFD. */
static char *make_label(const char *text, size_t length)
{
    char *const label = malloc(length * 3 + 1);
    if (label == NULL) {
        return NULL;
    }
    const unsigned char *const s = (const unsigned char *)text;
    size_t n = 0;
    for (size_t i = 0; i < length;) {
        const size_t bytes = sequence_length(s + i, length - i);
        const bool control = (bytes == 1 && (s[i] < 0x20 || s[i] == 0x7f)) ||
                             (bytes == 2 && s[i] == 0xc2 && s[i + 1] < 0xa0);
        const char *const from = bytes == 0 ? "\xef\xbf\xbd" : control ? "?" : text + i;
        const size_t width = bytes == 0 ? 3 : control ? 1 : bytes;
        memcpy(label + n, from, width);
        n += width;
        i += bytes == 0 ? 1 : bytes;
    }
    label[n] = '\0';
    return label;
}

static enum attn_status add(struct config_tokens *tokens, const char *text, size_t length,
                            const char *what, struct attn_error *err)
{
    if (tokens->n == ATTN_DIM_MAX) {
        return attn_fail(err, ATTN_E_LIMIT, what, "more than %d tokens", ATTN_DIM_MAX);
    }
    /* The list grows by doubling: whenever its length is a power of two it is full. */
    if ((tokens->n & (tokens->n - 1)) == 0) {
        const size_t room = tokens->n == 0 ? 1 : 2 * (size_t)tokens->n;
        char **const grown = realloc(tokens->labels, room * sizeof *grown);
        if (grown == NULL) {
            return attn_fail(err, ATTN_E_NOMEM, what, "out of memory");
        }
        tokens->labels = grown;
    }
    tokens->labels[tokens->n] = make_label(text, length);
    if (tokens->labels[tokens->n] == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, what, "out of memory");
    }
    tokens->n++;
    return ATTN_OK;
}

/** Every run of bytes that are not in separators is a token. */
static enum attn_status split(struct config_tokens *tokens, const char *text, size_t size,
                              const char *separators, const char *what, struct attn_error *err)
{
    for (size_t i = 0; i < size;) {
        size_t end = i;
        while (end < size && (text[end] == '\0' || strchr(separators, text[end]) == NULL)) {
            end++;
        }
        if (end > i) {
            const enum attn_status status = add(tokens, text + i, end - i, what, err);
            if (status != ATTN_OK) {
                return status;
            }
        }
        i = end + 1;
    }
    if (tokens->n == 0) {
        return attn_fail(err, ATTN_E_VALUE, what,
                         "there is no token in it (give words, as in \"the cat sat down\")");
    }
    return ATTN_OK;
}

static enum attn_status split_file(struct config_tokens *tokens, const char *path,
                                   struct attn_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    const enum attn_status status = io_slurp(path, TOKENS_BYTES_MAX, &bytes, &size, err);
    if (status != ATTN_OK) {
        return status;
    }
    const bool bom = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    const size_t skip = bom ? 3 : 0;
    const enum attn_status result =
        split(tokens, (const char *)bytes + skip, size - skip, "\r\n", path, err);
    free(bytes);
    return result;
}

enum attn_status config_tokens_parse(struct config_tokens *out, const char *option,
                                     const char *value, struct attn_error *err)
{
    struct config_tokens tokens = {0};
    const enum attn_status status =
        value[0] == '@' ? split_file(&tokens, value + 1, err)
                        : split(&tokens, value, strlen(value), " \t\r\n", option, err);
    if (status != ATTN_OK) {
        config_tokens_finish(&tokens);
        return status;
    }
    config_tokens_finish(out);
    *out = tokens;
    return ATTN_OK;
}

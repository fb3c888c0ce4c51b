#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

static const char mask_option[] = "--mask";
static const char padding_prefix[] = "padding:";

/** "3,2,4": how many keys of each sequence are real. */
static enum attn_status parse_lengths(struct config_mask_part *part, char *list,
                                      struct attn_error *err)
{
    size_t n = 1;
    for (const char *c = list; *c != '\0'; c++) {
        n += *c == ',' ? 1 : 0;
    }
    if (n > ATTN_DIM_MAX) {
        return attn_fail(err, ATTN_E_LIMIT, mask_option, "more than %d padding lengths",
                         ATTN_DIM_MAX);
    }
    part->lengths = calloc(n, sizeof *part->lengths);
    if (part->lengths == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, mask_option, "out of memory");
    }
    for (char *word = list; word != NULL;) {
        char *const comma = strchr(word, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        long long length = 0;
        if (!config_parse_int(word, 0, ATTN_DIM_MAX, &length)) {
            return attn_fail(err, ATTN_E_VALUE, mask_option,
                             "'%s' is not a number of keys (padding:N, or padding:N,N… with one "
                             "for each sequence; each 0 to the number of keys)",
                             word);
        }
        part->lengths[part->n_lengths++] = (int)length;
        word = comma != NULL ? comma + 1 : NULL;
    }
    return ATTN_OK;
}

/** A word that is close to a keyword and names no path is a slip, not a file. */
static enum attn_status parse_path(struct config_mask_part *part, const char *word,
                                   struct attn_error *err)
{
    static const char *const keywords[] = {"causal", "padding", "none"};
    const char *const near = config_nearest(word, keywords, 3);
    if (strcmp(word, "none") == 0) {
        return attn_fail(err, ATTN_E_VALUE, mask_option, "none stands alone (leave out the rest)");
    }
    if (strcmp(word, "padding") == 0) {
        return attn_fail(err, ATTN_E_VALUE, mask_option,
                         "padding needs the number of real keys (as in padding:3)");
    }
    if (near != NULL && strpbrk(word, "./") == NULL) {
        return attn_fail(err, ATTN_E_VALUE, mask_option,
                         "unknown mask '%s' (did you mean %s? a file of that name is ./%s)", word,
                         near, word);
    }
    if (strcmp(word, "-") == 0) {
        return attn_fail(err, ATTN_E_VALUE, mask_option,
                         "only --load reads standard input (use --load mask=-)");
    }
    part->kind = CONFIG_MASK_FILE;
    part->path = config_text_copy(word);
    return part->path != NULL ? ATTN_OK
                              : attn_fail(err, ATTN_E_NOMEM, mask_option, "out of memory");
}

static enum attn_status parse_part(struct config_mask_part *part, char *word,
                                   struct attn_error *err)
{
    if (*word == '\0') {
        return attn_fail(err, ATTN_E_VALUE, mask_option,
                         "an empty part (none, or causal, padding:N,N… and files joined by +)");
    }
    if (strcmp(word, "causal") == 0) {
        part->kind = CONFIG_MASK_CAUSAL;
        return ATTN_OK;
    }
    if (strncmp(word, padding_prefix, sizeof padding_prefix - 1) == 0) {
        part->kind = CONFIG_MASK_PADDING;
        return parse_lengths(part, word + sizeof padding_prefix - 1, err);
    }
    return parse_path(part, word, err);
}

enum attn_status config_mask_parse(struct config *config, const char *value, struct attn_error *err)
{
    struct config_mask_part *parts = NULL;
    int n = 0;
    enum attn_status status = ATTN_OK;
    size_t n_parts = 1;
    for (const char *c = value; *c != '\0'; c++) {
        n_parts += *c == '+' ? 1 : 0;
    }
    const bool none = strcmp(value, "none") == 0;
    char *const text = config_text_copy(value);
    parts = calloc(n_parts, sizeof *parts);
    if (text == NULL || parts == NULL) {
        status = attn_fail(err, ATTN_E_NOMEM, mask_option, "out of memory");
    }
    for (char *word = text; status == ATTN_OK && !none && word != NULL;) {
        char *const plus = strchr(word, '+');
        if (plus != NULL) {
            *plus = '\0';
        }
        status = parse_part(&parts[n++], word, err);
        word = plus != NULL ? plus + 1 : NULL;
    }
    free(text);
    if (status != ATTN_OK) {
        config_mask_finish(parts, n);
        return status;
    }
    config_mask_finish(config->mask, config->n_mask);
    config->mask = parts;
    config->n_mask = n;
    return ATTN_OK;
}

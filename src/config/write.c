/* A configuration as the options that make it: what config_take_option reads back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

/** Where the options go, until that fails. */
struct sink {
    enum attn_status (*put)(void *context, const char *name, const char *value);
    void *context;
    enum attn_status status;
};

static void put(struct sink *s, enum config_option_id id, const char *value)
{
    if (s->status == ATTN_OK) {
        s->status = s->put(s->context, config_options[id].name, value);
    }
}

/** Put what was written to a stream over text, and free it. */
static void put_stream(struct sink *s, enum config_option_id id, FILE *f, char **text)
{
    const bool failed = f == NULL || ferror(f) != 0;
    if ((f != NULL && fclose(f) != 0) || failed) {
        s->status = ATTN_E_NOMEM;
    } else {
        put(s, id, *text);
    }
    free(*text);
}

static void put_size(struct sink *s, enum config_option_id id, int size)
{
    char text[16];
    snprintf(text, sizeof text, "%d", size);
    if (size > 0) {
        put(s, id, text);
    }
}

/** A space inside a label (they come from a file, one a line) becomes one that does not part. */
static void put_tokens(struct sink *s, enum config_option_id id, const struct config_tokens *tokens)
{
    char *text = NULL;
    size_t size = 0;
    if (tokens->n == 0) {
        return;
    }
    FILE *const f = open_memstream(&text, &size);
    for (int i = 0; f != NULL && i < tokens->n; i++) {
        /* behind a space, no '@' names a file */
        fputs(i > 0 || tokens->labels[i][0] == '@' ? " " : "", f);
        for (const char *c = tokens->labels[i]; *c != '\0'; c++) {
            fputs(*c == ' ' ? "\xc2\xa0" : (char[]){*c, '\0'}, f);
        }
    }
    put_stream(s, id, f, &text);
}

/** From any directory. */
static void print_path(FILE *f, const char *path)
{
    char *const absolute = realpath(path, NULL);
    fputs(absolute != NULL ? absolute : path, f);
    free(absolute);
}

static void put_loads(struct sink *s, const struct config *config)
{
    for (int i = 0; i < config->n_loads; i++) {
        const struct config_load *const load = &config->loads[i];
        char *text = NULL;
        size_t size = 0;
        FILE *const f = open_memstream(&text, &size);
        if (f != NULL && load->name != NULL) {
            fprintf(f, "%s=", load->name);
        }
        if (f != NULL) {
            print_path(f, load->path);
        }
        put_stream(s, CONFIG_LOAD, f, &text);
    }
}

static void print_part(FILE *f, const struct config_mask_part *part)
{
    switch (part->kind) {
    case CONFIG_MASK_CAUSAL:
        fputs("causal", f);
        return;
    case CONFIG_MASK_PADDING:
        for (int i = 0; i < part->n_lengths; i++) {
            fprintf(f, "%s%d", i == 0 ? "padding:" : ",", part->lengths[i]);
        }
        return;
    case CONFIG_MASK_FILE:
        print_path(f, part->path);
        return;
    }
}

static void put_mask(struct sink *s, const struct config *config)
{
    char *text = NULL;
    size_t size = 0;
    if (config->n_mask == 0) {
        return;
    }
    FILE *const f = open_memstream(&text, &size);
    for (int i = 0; f != NULL && i < config->n_mask; i++) {
        fputs(i > 0 ? "+" : "", f);
        print_part(f, &config->mask[i]);
    }
    put_stream(s, CONFIG_MASK, f, &text);
}

static void put_number(struct sink *s, enum config_option_id id, double value, int digits)
{
    char text[48];
    if (isinf(value)) {
        put(s, id, value < 0 ? "-inf" : "inf");
        return;
    }
    snprintf(text, sizeof text, "%.*g", digits, value);
    put(s, id, text);
}

static void put_flag(struct sink *s, enum config_option_id id, bool on)
{
    if (on) {
        put(s, id, NULL);
    }
}

static void put_policies(struct sink *s, const struct config *config)
{
    if (!isinf(config->mask_fill) || config->mask_fill > 0) {
        put_number(s, CONFIG_MASK_FILL, (double)config->mask_fill, 9);
    }
    if (config->mask_keeps == 0) {
        put(s, CONFIG_MASK_KEEPS, "0");
    }
    if (config->causal_align == ATTN_CAUSAL_BOTTOM_RIGHT) {
        put(s, CONFIG_CAUSAL_ALIGN, "bottom-right");
    }
    if (config->empty_row == ATTN_EMPTY_NAN) {
        put(s, CONFIG_EMPTY_ROW, "nan");
    }
    const bool none = !(config->scale < 1) && !(config->scale > 1);
    put_flag(s, CONFIG_NO_SCALE, config->scale_given && none);
    if (config->scale_given && !none) {
        put_number(s, CONFIG_SCALE, (double)config->scale, 9);
    }
    if (config->dropout_given) {
        put_number(s, CONFIG_DROPOUT, config->dropout_p, 17);
    }
    put_flag(s, CONFIG_TRAIN, config->training_given && config->training);
    put_flag(s, CONFIG_EVAL, config->training_given && !config->training);
    if (config->torch_mkl) {
        put(s, CONFIG_TORCH_DROPOUT, "mkl");
    }
    for (int i = 0; i < config->n_bugs; i++) {
        put(s, CONFIG_BUG, attn_bugs[config->bugs[i]].name);
    }
}

enum attn_status config_write_options(const struct config *config,
                                      enum attn_status (*put_option)(void *context,
                                                                     const char *name,
                                                                     const char *value),
                                      void *context)
{
    struct sink s = {put_option, context, ATTN_OK};
    struct config defaults;
    config_init(&defaults, config->variant);
    if (config->prefix[0] != '\0') {
        put(&s, CONFIG_PREFIX, config->prefix);
    }
    if (config->in_out) {
        put(&s, CONFIG_LAYOUT, "in-out");
    }
    put_size(&s, CONFIG_BATCH, config->batch);
    put_size(&s, CONFIG_LENGTH, config->length);
    put_size(&s, CONFIG_MEMORY_LENGTH, config->memory_length);
    put_size(&s, CONFIG_DIM, config->dim);
    put_size(&s, CONFIG_DIM_IN, config->dim_in);
    put_tokens(&s, CONFIG_TOKENS, &config->tokens);
    put_tokens(&s, CONFIG_MEMORY_TOKENS, &config->memory_tokens);
    if (config->seed != defaults.seed) {
        put(&s, CONFIG_SEED, config->seed_text);
    }
    put_loads(&s, config);
    put_mask(&s, config);
    put_policies(&s, config);
    if (config->max_memory != defaults.max_memory) {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)config->max_memory);
        put(&s, CONFIG_MAX_MEMORY, text);
    }
    put_flag(&s, CONFIG_VERBOSE, config->verbose);
    return s.status;
}

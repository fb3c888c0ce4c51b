#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

char *config_text_copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *const copy = malloc(size);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void config_init(struct config *config, enum attn_variant variant)
{
    *config = (struct config){
        .variant = variant,
        .seed = 42,
        .seed_text = "42",
        .mask_fill = -INFINITY,
        .mask_keeps = 1,
        .causal_align = ATTN_CAUSAL_TOP_LEFT,
        .empty_row = ATTN_EMPTY_ZEROS,
        .scale = 1,
        .dropout_p = 0.1,
        .max_memory = UINT64_C(4) << 30,
    };
}

void config_mask_finish(struct config_mask_part *parts, int n)
{
    for (int i = 0; i < n; i++) {
        free(parts[i].lengths);
        free(parts[i].path);
    }
    free(parts);
}

void config_finish(struct config *config)
{
    config_tokens_finish(&config->tokens);
    config_tokens_finish(&config->memory_tokens);
    for (int i = 0; i < config->n_loads; i++) {
        free(config->loads[i].name);
        free(config->loads[i].path);
    }
    free(config->loads);
    config_mask_finish(config->mask, config->n_mask);
    free(config->edits);
    config_given_finish(config->given, config->n_given);
    *config = (struct config){0};
}

static bool copy_loads(struct config *out, const struct config *config)
{
    if (config->n_loads == 0) {
        return true;
    }
    out->loads = calloc((size_t)config->n_loads, sizeof *out->loads);
    if (out->loads == NULL) {
        return false;
    }
    out->n_loads = config->n_loads;
    for (int i = 0; i < config->n_loads; i++) {
        const struct config_load *const from = &config->loads[i];
        out->loads[i].path = config_text_copy(from->path);
        out->loads[i].name = from->name != NULL ? config_text_copy(from->name) : NULL;
        if (out->loads[i].path == NULL || (from->name != NULL && out->loads[i].name == NULL)) {
            return false;
        }
    }
    return true;
}

static bool copy_part(struct config_mask_part *to, const struct config_mask_part *from)
{
    to->kind = from->kind;
    if (from->path != NULL) {
        to->path = config_text_copy(from->path);
        return to->path != NULL;
    }
    if (from->n_lengths > 0) {
        const size_t size = (size_t)from->n_lengths * sizeof *to->lengths;
        to->lengths = malloc(size);
        if (to->lengths == NULL) {
            return false;
        }
        memcpy(to->lengths, from->lengths, size);
        to->n_lengths = from->n_lengths;
    }
    return true;
}

static bool copy_mask(struct config *out, const struct config *config)
{
    if (config->n_mask == 0) {
        return true;
    }
    out->mask = calloc((size_t)config->n_mask, sizeof *out->mask);
    if (out->mask == NULL) {
        return false;
    }
    out->n_mask = config->n_mask;
    for (int i = 0; i < config->n_mask; i++) {
        if (!copy_part(&out->mask[i], &config->mask[i])) {
            return false;
        }
    }
    return true;
}

static bool copy_edits(struct config *out, const struct config *config)
{
    if (config->n_edits == 0) {
        return true;
    }
    const size_t size = (size_t)config->n_edits * sizeof *out->edits;
    out->edits = malloc(size);
    if (out->edits == NULL) {
        return false;
    }
    memcpy(out->edits, config->edits, size);
    out->n_edits = config->n_edits;
    return true;
}

enum attn_status config_copy(struct config *out, const struct config *config)
{
    struct config copy = *config;
    copy.tokens = (struct config_tokens){0};
    copy.memory_tokens = (struct config_tokens){0};
    copy.loads = NULL;
    copy.n_loads = 0;
    copy.mask = NULL;
    copy.n_mask = 0;
    copy.edits = NULL;
    copy.n_edits = 0;
    copy.given = NULL;
    copy.n_given = 0;
    if (!config_tokens_copy(&copy.tokens, &config->tokens) ||
        !config_tokens_copy(&copy.memory_tokens, &config->memory_tokens) ||
        !copy_loads(&copy, config) || !copy_mask(&copy, config) || !copy_edits(&copy, config) ||
        !config_given_copy(&copy, config)) {
        config_finish(&copy);
        return ATTN_E_NOMEM;
    }
    *out = copy;
    return ATTN_OK;
}

#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Sizes as the options give them; S and d_in where the variant has them of its own. */
struct row {
    const char *name;
    int batch, length, memory_length, dim, dim_in;
    const char *mask;
    bool own_mask; /**< A mask that no option makes. */
    bool training;
    float spread; /**< x is multiplied with it, so that the scores are far apart. */
    uint64_t seed;
};

static const struct row rows[] = {
    {.name = "one sequence",
     .batch = 1,
     .length = 5,
     .memory_length = 6,
     .dim = 3,
     .dim_in = 4,
     .mask = "none",
     .spread = 2,
     .seed = 1},
    {.name = "two sequences",
     .batch = 2,
     .length = 3,
     .memory_length = 5,
     .dim = 4,
     .dim_in = 6,
     .mask = "none",
     .spread = 2,
     .seed = 2},
    {.name = "causal mask",
     .batch = 1,
     .length = 6,
     .memory_length = 5,
     .dim = 4,
     .dim_in = 3,
     .mask = "causal",
     .spread = 2,
     .seed = 3},
    {.name = "padding",
     .batch = 2,
     .length = 4,
     .memory_length = 4,
     .dim = 5,
     .dim_in = 3,
     .mask = "padding:4,2",
     .spread = 2,
     .seed = 4},
    {.name = "causal mask and padding",
     .batch = 2,
     .length = 5,
     .memory_length = 5,
     .dim = 3,
     .dim_in = 5,
     .mask = "causal+padding:5,3",
     .spread = 2,
     .seed = 5},
    {.name = "a mask with holes",
     .batch = 2,
     .length = 4,
     .memory_length = 6,
     .dim = 3,
     .dim_in = 4,
     .mask = "none",
     .own_mask = true,
     .spread = 2,
     .seed = 6},
    {.name = "large scores",
     .batch = 1,
     .length = 4,
     .memory_length = 5,
     .dim = 3,
     .dim_in = 4,
     .mask = "causal",
     .spread = 60,
     .seed = 7},
    {.name = "training",
     .batch = 2,
     .length = 5,
     .memory_length = 5,
     .dim = 4,
     .dim_in = 3,
     .mask = "causal",
     .training = true,
     .spread = 2,
     .seed = 8},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

/** Rows about dropout come last, and only where there is some. */
int practice_cases_count(enum attn_variant variant)
{
    int n = 0;
    for (int i = 0; i < N_ROWS; i++) {
        n += !rows[i].training || attn_variant_has(variant, ATTN_STAGE_DROP) ? 1 : 0;
    }
    return n;
}

/** Every query keeps some keys and misses others, and no rule of the options says which. */
static enum attn_status give_mask(struct config *config, const struct row *row)
{
    const int S = attn_variants[config->variant].has_memory ? row->memory_length : row->length;
    const int dims[] = {row->batch, row->length, S};
    const size_t n = (size_t)row->batch * (size_t)row->length * (size_t)S;
    float *const data = malloc(n * sizeof *data);
    if (data == NULL) {
        return ATTN_E_NOMEM;
    }
    attn_tensor mask = attn_tensor_view(data, 3, dims);
    for (int b = 0; b < row->batch; b++) {
        for (int t = 0; t < row->length; t++) {
            for (int s = 0; s < S; s++) {
                *attn_tensor_at(&mask, b, t, s) = (b + 2 * t + 3 * s) % 4 != 1 ? 1 : 0;
            }
        }
    }
    const enum attn_status status = config_give(config, ATTN_MASK, &mask, false);
    free(data);
    return status;
}

static enum attn_status configure(struct config *config, const struct config *base,
                                  const struct row *row, struct attn_error *err)
{
    const enum attn_variant variant = base->variant;
    const bool drops = attn_variant_has(variant, ATTN_STAGE_DROP);
    enum attn_status status = ATTN_OK;
    config_init(config, variant);
    config->scale_given = base->scale_given;
    config->scale = base->scale;
    config->mask_fill = base->mask_fill;
    config->empty_row = base->empty_row;
    config->dropout_p = base->dropout_p;
    config->max_memory = base->max_memory;
    config->seed = row->seed;
    config->batch = row->batch;
    config->length = row->length;
    config->dim = row->dim;
    config->dim_in = attn_variants[variant].square ? 0 : row->dim_in;
    config->memory_length = attn_variants[variant].has_memory ? row->memory_length : 0;
    config->training = drops && (base->training_given ? base->training : row->training);
    config->training_given = config->training;
    if (attn_variant_has(variant, ATTN_STAGE_MASK)) {
        status = config_options[CONFIG_MASK].parse(config, row->mask, err);
        if (status == ATTN_OK && row->own_mask) {
            status = give_mask(config, row);
        }
    }
    return status;
}

static void spread(struct setup *setup, enum attn_tensor_id id, float factor)
{
    const attn_tensor *const t = &setup->inputs[id];
    const size_t n = t->data != NULL ? attn_tensor_count(t) : 0;
    for (size_t i = 0; i < n; i++) {
        t->data[i] *= factor;
    }
}

/** A mask that keeps every key, where there is none. */
static enum attn_status add_mask(struct practice_case *c, struct attn_error *err)
{
    const attn_sizes *const z = &c->setup.config.sizes;
    attn_tensor *const mask = &c->setup.inputs[ATTN_MASK];
    if (mask->data != NULL || !attn_variant_has(c->setup.config.variant, ATTN_STAGE_MASK)) {
        return ATTN_OK;
    }
    const size_t n = (size_t)z->B * (size_t)z->T * (size_t)z->S;
    c->all_kept = malloc(n * sizeof *c->all_kept);
    if (c->all_kept == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        c->all_kept[i] = 1;
    }
    *mask = attn_tensor_view(c->all_kept, 3, (int[]){z->B, z->T, z->S});
    return ATTN_OK;
}

/** Build and compute; keep is drawn in evaluation too, for those who drop there. */
static enum attn_status build(struct practice_case *c, struct config *config, float factor,
                              bool masks, struct attn_error *err)
{
    config->draw_always = attn_variant_has(config->variant, ATTN_STAGE_DROP);
    config->n_bugs = 0;
    enum attn_status status = config_build(&c->setup, config, err);
    if (status != ATTN_OK) {
        return status;
    }
    spread(&c->setup, ATTN_X, factor);
    spread(&c->setup, ATTN_MEMORY, factor);
    status = masks ? add_mask(c, err) : ATTN_OK;
    if (status == ATTN_OK) {
        status = attn_trace_create(&c->right, &c->setup.config, c->setup.inputs, err);
    }
    if (status != ATTN_OK) {
        practice_case_finish(c);
    }
    return status;
}

enum attn_status practice_case_make(struct practice_case *c, const struct config *base, int i,
                                    struct attn_error *err)
{
    struct config config;
    *c = (struct practice_case){.right = NULL};
    (void)snprintf(c->name, sizeof c->name, "%s", rows[i].name);
    enum attn_status status = configure(&config, base, &rows[i], err);
    if (status == ATTN_OK) {
        status = build(c, &config, rows[i].spread, true, err);
    }
    config_finish(&config);
    return status;
}

enum attn_status practice_case_from(struct practice_case *c, const struct config *config,
                                    bool masks, struct attn_error *err)
{
    struct config copy;
    *c = (struct practice_case){.name = "yours"};
    if (config_copy(&copy, config) != ATTN_OK) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    const enum attn_status status = build(c, &copy, 1, masks, err);
    config_finish(&copy);
    return status;
}

void practice_case_finish(struct practice_case *c)
{
    attn_trace_destroy(c->right);
    setup_finish(&c->setup);
    free(c->all_kept);
    *c = (struct practice_case){.right = NULL};
}

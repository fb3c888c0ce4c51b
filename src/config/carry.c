/* From one variant to another with the same numbers: x, the weights, and what both of them take. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

static const enum attn_layer thirds[] = {ATTN_LAYER_Q, ATTN_LAYER_K, ATTN_LAYER_V};

/** Rows first…first + n − 1 of a weight, or that part of a bias. */
static attn_tensor part_of(const attn_tensor *whole, int first, int n)
{
    attn_tensor part = *whole;
    const int dim = whole->rank == 1 ? 2 : 1;
    part.data += (ptrdiff_t)first * whole->strides[dim];
    part.dims[dim] = n;
    return part;
}

/** The weight or bias of q, k or v, whether the module keeps it alone or merged. data NULL: none.
 */
static attn_tensor third_of(const struct setup *from, int i, bool bias)
{
    const struct attn_layer_info *const own = &attn_layers[thirds[i]];
    const struct attn_layer_info *const merged = &attn_layers[ATTN_LAYER_QKV];
    const attn_tensor *const whole = &from->inputs[bias ? merged->bias : merged->weight];
    if (whole->data != NULL) {
        const int d = from->config.sizes.d;
        return part_of(whole, i * d, d);
    }
    return from->inputs[bias ? own->bias : own->weight];
}

/** Three parts become one tensor, row by row. */
static enum attn_status give_merged(struct config *to, enum attn_tensor_id id,
                                    const attn_tensor parts[3])
{
    const attn_tensor *const p = &parts[0];
    const bool bias = p->rank == 1;
    const size_t part = attn_tensor_count(p);
    float *const data = malloc(3 * part * sizeof *data);
    if (data == NULL) {
        return ATTN_E_NOMEM;
    }
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        for (int r = 0; r < parts[i].dims[1]; r++) {
            for (int c = 0; c < parts[i].dims[2]; c++) {
                data[n++] = *attn_tensor_at(&parts[i], 0, r, c);
            }
        }
    }
    const int dims[2] = {3 * p->dims[1], p->dims[2]};
    const int length = 3 * p->dims[2];
    const attn_tensor merged = attn_tensor_view(data, p->rank, bias ? &length : dims);
    const enum attn_status status = config_give(to, id, &merged, false);
    free(data);
    return status;
}

/** A bias that is not there adds nothing: zeros. */
static enum attn_status give_zeros(struct config *to, enum attn_tensor_id id, int n)
{
    float *const data = calloc((size_t)n, sizeof *data);
    if (data == NULL) {
        return ATTN_E_NOMEM;
    }
    const attn_tensor zeros = attn_tensor_view(data, 1, &n);
    const enum attn_status status = config_give(to, id, &zeros, false);
    free(data);
    return status;
}

static enum attn_status give_identity(struct config *to, int d)
{
    float *const data = calloc((size_t)d * (size_t)d, sizeof *data);
    if (data == NULL) {
        return ATTN_E_NOMEM;
    }
    for (int i = 0; i < d; i++) {
        data[(size_t)i * (size_t)d + (size_t)i] = 1.0F;
    }
    const attn_tensor identity = attn_tensor_view(data, 2, (int[]){d, d});
    enum attn_status status = config_give(to, ATTN_W_OUT, &identity, false);
    free(data);
    if (status == ATTN_OK) {
        status = give_zeros(to, ATTN_B_OUT, d);
    }
    return status;
}

static enum attn_status carry_layers(struct config *to, const struct setup *from, bool bias)
{
    const bool merged = attn_variant_has_layer(to->variant, ATTN_LAYER_QKV);
    attn_tensor parts[3];
    enum attn_status status = ATTN_OK;
    for (int i = 0; i < 3; i++) {
        parts[i] = third_of(from, i, bias);
    }
    const struct attn_layer_info *const whole = &attn_layers[ATTN_LAYER_QKV];
    if (parts[0].data == NULL) {
        const int d = from->config.sizes.d;
        if (merged && bias) {
            return give_zeros(to, whole->bias, 3 * d);
        }
        for (int i = 0; bias && i < 3 && status == ATTN_OK; i++) {
            status = give_zeros(to, attn_layers[thirds[i]].bias, d);
        }
        return status;
    }
    if (merged) {
        return give_merged(to, bias ? whole->bias : whole->weight, parts);
    }
    for (int i = 0; i < 3 && status == ATTN_OK; i++) {
        const struct attn_layer_info *const row = &attn_layers[thirds[i]];
        status = config_give(to, bias ? row->bias : row->weight, &parts[i], false);
    }
    return status;
}

/** What the other variant does not take is left out. */
static void drop_foreign(struct config *to)
{
    if (!attn_variant_has(to->variant, ATTN_STAGE_MASK)) {
        config_mask_finish(to->mask, to->n_mask);
        to->mask = NULL;
        to->n_mask = 0;
        config_ungive(to, ATTN_MASK);
    }
    if (!attn_variant_has(to->variant, ATTN_STAGE_DROP)) {
        to->dropout_given = false;
        to->training = false;
        to->training_given = false;
        config_ungive(to, ATTN_KEEP);
    }
    to->n_edits = 0; /* they are in the tensors that are carried */
}

static enum attn_status carry_output(struct config *to, const struct setup *from, bool identity)
{
    static const enum attn_tensor_id out[] = {ATTN_W_OUT, ATTN_B_OUT};
    enum attn_status status = ATTN_OK;
    if (!attn_variant_has_layer(to->variant, ATTN_LAYER_OUT)) {
        return ATTN_OK;
    }
    if (from->inputs[ATTN_W_OUT].data == NULL) {
        return identity ? give_identity(to, from->config.sizes.d) : ATTN_OK;
    }
    for (int i = 0; i < 2 && status == ATTN_OK; i++) {
        status = config_give(to, out[i], &from->inputs[out[i]], from->loaded_tensor[out[i]]);
    }
    return status;
}

static enum attn_status carry_inputs(struct config *to, const struct setup *from)
{
    static const enum attn_tensor_id inputs[] = {ATTN_X, ATTN_MEMORY, ATTN_Q, ATTN_K, ATTN_V};
    enum attn_status status = ATTN_OK;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0] && status == ATTN_OK; i++) {
        const attn_tensor *const t = &from->inputs[inputs[i]];
        if (t->data != NULL) {
            status = config_give(to, inputs[i], t, from->loaded_tensor[inputs[i]]);
        }
    }
    const bool self = from->inputs[ATTN_MEMORY].data == NULL && from->inputs[ATTN_X].data != NULL;
    if (status == ATTN_OK && self && attn_variants[to->variant].has_memory) {
        status =
            config_give(to, ATTN_MEMORY, &from->inputs[ATTN_X], false); /* it remembers itself */
    }
    return status;
}

enum attn_status config_carry(struct config *to, const struct config *config,
                              const struct setup *from, enum attn_variant variant,
                              bool identity_output)
{
    struct config copy;
    if (config_copy(&copy, config) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    copy.variant = variant;
    enum attn_status status = carry_inputs(&copy, from);
    const bool layers = from->inputs[ATTN_Q].data == NULL;
    if (status == ATTN_OK && layers) {
        status = carry_layers(&copy, from, false);
    }
    if (status == ATTN_OK && layers && attn_variants[variant].bias) {
        status = carry_layers(&copy, from, true);
    }
    if (status == ATTN_OK) {
        status = carry_output(&copy, from, identity_output);
    }
    drop_foreign(&copy);
    if (status != ATTN_OK) {
        config_finish(&copy);
        return status;
    }
    *to = copy;
    return ATTN_OK;
}

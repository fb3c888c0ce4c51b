#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "walk.h"

const char *const lab_presets[LAB_N_PRESETS] = {[LAB_OPEN] = "none",
                                                [LAB_CAUSAL] = "causal",
                                                [LAB_PADDING] = "padding",
                                                [LAB_BOTH] = "causal+padding",
                                                [LAB_PAINTED] = "painted"};

const char *const lab_faults[LAB_N_FAULTS] = {
    [LAB_SOUND] = "",
    [LAB_LEAKS] = "hidden keys keep weight",
    [LAB_EMPTY] = "no key is left: its weights are zeros",
    [LAB_NAN] = "no key is left: 0/0, as a plain softmax gives",
    [LAB_UNIFORM] = "no key is left: the fill makes all alike, 1/S each",
};

bool lab_masks_keeps(const struct lab_masks *lab, int t, int s)
{
    return lab->grid[t][s] == lab->config.mask_keeps;
}

static enum attn_status rebuild(struct lab_masks *lab, const struct config *config,
                                struct attn_error *err)
{
    struct setup setup;
    attn_trace *trace = NULL;
    const enum attn_status status = config_trace(&setup, &trace, config, err);
    if (status == ATTN_OK) {
        attn_trace_destroy(lab->trace);
        setup_finish(&lab->setup);
        lab->setup = setup;
        lab->trace = trace;
    }
    return status;
}

static enum lab_fault fault_of(const struct lab_row *row)
{
    if (row->kept > 0) {
        return row->leak > 0 ? LAB_LEAKS : LAB_SOUND;
    }
    return isnan(row->sum) ? LAB_NAN : row->sum > 0 ? LAB_UNIFORM : LAB_EMPTY;
}

static void judge(struct lab_masks *lab)
{
    for (int t = 0; t < lab->T; t++) {
        struct lab_row *const row = &lab->rows[t];
        *row = (struct lab_row){.kept = 0};
        for (int s = 0; s < lab->S; s++) {
            const struct attn_cell cell = {.tensor = ATTN_WEIGHTS, .at = {0, t, s}};
            const double weight = (double)walk_value(lab->trace, cell);
            const bool kept = attn_trace_keeps(lab->trace, 0, t, s);
            row->kept += kept ? 1 : 0;
            row->leak += kept ? 0 : weight;
        }
        row->sum = (double)walk_row_sum(lab->trace, ATTN_WEIGHTS, 0, t);
        row->fault = fault_of(row);
    }
}

enum attn_status lab_masks_compute(struct lab_masks *lab, struct attn_error *err)
{
    float given[LAB_TOKENS_MAX * LAB_TOKENS_MAX];
    const int dims[2] = {lab->T, lab->S};
    for (int t = 0; t < lab->T; t++) {
        for (int s = 0; s < lab->S; s++) {
            given[t * lab->S + s] = (float)lab->grid[t][s];
        }
    }
    const attn_tensor view = attn_tensor_view(given, 2, dims);
    enum attn_status status = config_give(&lab->config, ATTN_MASK, &view, false);
    if (status != ATTN_OK) {
        return attn_fail(err, status, NULL, "out of memory");
    }
    status = rebuild(lab, &lab->config, err);
    if (status == ATTN_OK) {
        judge(lab);
    }
    return status;
}

/** The grid as this configuration's own mask has it; open where it has none. */
static void take_mask(struct lab_masks *lab)
{
    const int keeps = lab->config.mask_keeps;
    for (int t = 0; t < lab->T; t++) {
        for (int s = 0; s < lab->S; s++) {
            lab->grid[t][s] = attn_trace_keeps(lab->trace, 0, t, s) ? keeps : 1 - keeps;
        }
    }
}

static enum lab_preset preset_of(const struct config *config)
{
    bool has[3] = {false, false, false};
    for (int i = 0; i < config->n_mask; i++) {
        has[config->mask[i].kind] = true;
    }
    for (int i = 0; i < config->n_given; i++) {
        has[CONFIG_MASK_FILE] = has[CONFIG_MASK_FILE] || config->given[i].id == ATTN_MASK;
    }
    return has[CONFIG_MASK_FILE]                                 ? LAB_PAINTED
           : has[CONFIG_MASK_CAUSAL] && has[CONFIG_MASK_PADDING] ? LAB_BOTH
           : has[CONFIG_MASK_CAUSAL]                             ? LAB_CAUSAL
           : has[CONFIG_MASK_PADDING]                            ? LAB_PADDING
                                                                 : LAB_OPEN;
}

static enum attn_status begin(struct lab_masks *lab, struct attn_error *err)
{
    struct config *const config = &lab->config;
    if (!attn_variant_has(config->variant, ATTN_STAGE_MASK)) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, attn_variants[config->variant].name,
                         "takes no mask (single, cross and v3 do)");
    }
    enum attn_status status = rebuild(lab, config, err);
    if (status != ATTN_OK) {
        return status;
    }
    const attn_sizes *const sizes = &attn_trace_config(lab->trace)->sizes;
    lab->T = sizes->T;
    lab->S = sizes->S;
    if (lab->T > LAB_TOKENS_MAX || lab->S > LAB_TOKENS_MAX || lab->T < LAB_TOKENS_MIN ||
        lab->S < LAB_TOKENS_MIN) {
        return attn_fail(err, ATTN_E_VALUE, "--length", "there is room to paint %d to %d tokens",
                         LAB_TOKENS_MIN, LAB_TOKENS_MAX);
    }
    lab->preset = preset_of(config);
    take_mask(lab);
    status = config_options[CONFIG_MASK].parse(config, "none", err);
    return status == ATTN_OK ? lab_masks_compute(lab, err) : status;
}

enum attn_status lab_masks_create(struct lab_masks **out, const struct config *config,
                                  struct attn_error *err)
{
    struct lab_masks *const lab = calloc(1, sizeof *lab);
    if (lab == NULL || config_copy(&lab->config, config) != ATTN_OK) {
        free(lab);
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    const enum attn_status status = begin(lab, err);
    if (status != ATTN_OK) {
        lab_masks_destroy(lab);
        return status;
    }
    *out = lab;
    return ATTN_OK;
}

void lab_masks_destroy(struct lab_masks *lab)
{
    if (lab != NULL) {
        attn_trace_destroy(lab->trace);
        setup_finish(&lab->setup);
        config_finish(&lab->config);
        free(lab);
    }
}

enum attn_status lab_masks_paint(struct lab_masks *lab, int t, int s, struct attn_error *err)
{
    lab->grid[t][s] = 1 - lab->grid[t][s];
    lab->preset = LAB_PAINTED;
    return lab_masks_compute(lab, err);
}

enum attn_status lab_masks_preset(struct lab_masks *lab, enum lab_preset preset,
                                  struct attn_error *err)
{
    float keep[LAB_TOKENS_MAX * LAB_TOKENS_MAX];
    const int dims[3] = {1, lab->T, lab->S};
    const int real = lab->S - 1;
    attn_tensor view = attn_tensor_view(keep, 3, dims);
    for (int i = 0; i < lab->T * lab->S; i++) {
        keep[i] = 1;
    }
    if (preset == LAB_CAUSAL || preset == LAB_BOTH) {
        attn_mask_causal(&view, lab->config.causal_align);
    }
    if (preset == LAB_PADDING || preset == LAB_BOTH) {
        const enum attn_status status = attn_mask_padding(&view, &real, 1, err);
        if (status != ATTN_OK) {
            return status;
        }
    }
    const int keeps = lab->config.mask_keeps;
    for (int t = 0; t < lab->T && preset != LAB_PAINTED; t++) {
        for (int s = 0; s < lab->S; s++) {
            lab->grid[t][s] = keep[t * lab->S + s] != 0 ? keeps : 1 - keeps;
        }
    }
    lab->preset = preset;
    return lab_masks_compute(lab, err);
}

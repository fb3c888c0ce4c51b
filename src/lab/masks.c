#include <math.h>
#include <stdio.h>
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
    lab->own_S = lab->S;
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
    enum attn_status status = begin(lab, err);
    if (status == ATTN_OK && config_copy(&lab->base, &lab->config) != ATTN_OK) {
        status = attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    if (status != ATTN_OK) {
        lab_masks_destroy(lab);
        return status;
    }
    config_ungive(&lab->base, ATTN_MASK);
    *out = lab;
    return ATTN_OK;
}

void lab_masks_destroy(struct lab_masks *lab)
{
    if (lab != NULL) {
        attn_trace_destroy(lab->trace);
        setup_finish(&lab->setup);
        config_finish(&lab->config);
        config_finish(&lab->base);
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

/* ---- another number of keys ---- */

/** The first rows of a matrix of the first batch element, then those of a longer one's. */
static enum attn_status give_rows(struct config *to, enum attn_tensor_id id, const attn_tensor *own,
                                  const attn_tensor *longer, int rows)
{
    const int cols = own->dims[2];
    const int dims[3] = {1, rows, cols};
    float *const data = malloc((size_t)rows * (size_t)cols * sizeof *data);
    if (data == NULL) {
        return ATTN_E_NOMEM;
    }
    for (int r = 0; r < rows; r++) {
        const attn_tensor *const from = r < own->dims[1] ? own : longer;
        for (int c = 0; c < cols; c++) {
            data[r * cols + c] = *attn_tensor_at(from, 0, r, c);
        }
    }
    const attn_tensor view = attn_tensor_view(data, 3, dims);
    const enum attn_status status = config_give(to, id, &view, false);
    free(data);
    return status;
}

/** As many labels as there are keys: the tokens, then numbers. Nothing where there are none. */
static enum attn_status label_keys(struct config *to, const struct config_tokens *own, int keys,
                                   struct attn_error *err)
{
    char text[LAB_TOKENS_MAX * 64] = "";
    size_t n = 0;
    const bool labels = own->n > 0 && own->labels[0][0] != '@'; /* which would name a file */
    for (int s = 0; s < keys && labels && n < sizeof text; s++) {
        char number[16];
        snprintf(number, sizeof number, "%d", s);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", s > 0 ? " " : "",
                              s < own->n ? own->labels[s] : number);
    }
    return n == 0 || n >= sizeof text ? ATTN_OK
                                      : config_options[CONFIG_MEMORY_TOKENS].parse(to, text, err);
}

/** A trace of the same settings with as many tokens as there is room for. */
static enum attn_status longest(const struct config *base, struct setup *setup, attn_trace **trace,
                                struct attn_error *err)
{
    struct config copy;
    if (config_copy(&copy, base) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    const bool memory = attn_variants[base->variant].has_memory;
    int *const length = memory ? &copy.memory_length : &copy.length;
    enum attn_status status = config_options[memory ? CONFIG_MEMORY_TOKENS : CONFIG_TOKENS].parse(
        &copy, "0 1 2 3 4 5 6 7", err);
    *length = LAB_TOKENS_MAX;
    if (status == ATTN_OK) {
        status = config_trace(setup, trace, &copy, err);
    }
    config_finish(&copy);
    return status;
}

/** The scores of base, with so many keys: its own q, and k and v from the longer one too. */
static enum attn_status with_keys(const struct lab_masks *lab, int keys, struct config *to,
                                  struct attn_error *err)
{
    struct setup setup[2] = {{.n_notes = 0}};
    attn_trace *trace[2] = {NULL, NULL};
    enum attn_status status = config_trace(&setup[0], &trace[0], &lab->base, err);
    if (status == ATTN_OK) {
        status = longest(&lab->base, &setup[1], &trace[1], err);
    }
    if (status == ATTN_OK) {
        const attn_tensor *const q = attn_trace_tensor(trace[0], ATTN_Q);
        to->variant = ATTN_CROSS;
        to->memory_length = keys;
        to->batch = 0;
        to->training = false;
        to->training_given = false;
        to->dropout_given = false;
        status = give_rows(to, ATTN_Q, q, q, lab->T);
    }
    static const enum attn_tensor_id ids[] = {ATTN_K, ATTN_V};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0] && status == ATTN_OK; i++) {
        status = give_rows(to, ids[i], attn_trace_tensor(trace[0], ids[i]),
                           attn_trace_tensor(trace[1], ids[i]), keys);
    }
    if (status == ATTN_OK) {
        status = label_keys(to, &setup[0].memory_tokens, keys, err);
    }
    for (int i = 0; i < 2; i++) {
        attn_trace_destroy(trace[i]);
        setup_finish(&setup[i]);
    }
    return status;
}

enum attn_status lab_masks_keys(struct lab_masks *lab, int keys, struct attn_error *err)
{
    struct config config;
    if (lab->base.n_given > 0 || lab->base.n_loads > 0 || lab->base.n_edits > 0) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, NULL,
                         "The numbers that were given set how many keys there are.");
    }
    if (config_copy(&config, &lab->base) != ATTN_OK) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    config.mask_fill = lab->config.mask_fill;
    config.mask_keeps = lab->config.mask_keeps;
    config.causal_align = lab->config.causal_align;
    config.empty_row = lab->config.empty_row;
    enum attn_status status = keys == lab->own_S ? ATTN_OK : with_keys(lab, keys, &config, err);
    if (status == ATTN_OK) {
        status = rebuild(lab, &config, err);
    }
    if (status != ATTN_OK) {
        config_finish(&config);
        return status;
    }
    config_finish(&lab->config);
    lab->config = config;
    lab->S = keys;
    return lab_masks_preset(lab, LAB_OPEN, err);
}

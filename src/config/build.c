#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

enum { NOTES_MAX = 64 };

/* ---- what a setup owns ---- */

static bool own(struct setup *setup, void *block)
{
    void **const grown =
        realloc(setup->blocks, ((size_t)setup->n_blocks + 1) * sizeof *setup->blocks);
    if (grown == NULL) {
        free(block);
        return false;
    }
    setup->blocks = grown;
    setup->blocks[setup->n_blocks++] = block;
    return true;
}

float *setup_floats(struct setup *setup, size_t n)
{
    float *const data = n <= SIZE_MAX / sizeof *data ? malloc(n * sizeof *data) : NULL;
    return data != NULL && own(setup, data) ? data : NULL;
}

void setup_note(struct setup *setup, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++) {
        *c = *c < 0x20 || *c == 0x7f ? '?' : *c;
    }
    if (setup->n_notes == NOTES_MAX) {
        return;
    }
    char **const grown = realloc(setup->notes, ((size_t)setup->n_notes + 1) * sizeof *setup->notes);
    if (grown == NULL) {
        return;
    }
    setup->notes = grown;
    setup->notes[setup->n_notes] = config_text_copy(text);
    setup->n_notes += setup->notes[setup->n_notes] != NULL ? 1 : 0;
}

void setup_finish(struct setup *setup)
{
    for (int i = 0; i < setup->n_blocks; i++) {
        free(setup->blocks[i]);
    }
    free(setup->blocks);
    for (int i = 0; i < setup->n_notes; i++) {
        free(setup->notes[i]);
    }
    free(setup->notes);
    config_tokens_finish(&setup->tokens);
    config_tokens_finish(&setup->memory_tokens);
    *setup = (struct setup){0};
}

/* ---- the parts of a build ---- */

char *config_variants_with(enum attn_stage stage, char *out, size_t size)
{
    const char *names[ATTN_N_VARIANTS];
    int n = 0;
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        if (attn_variant_has((enum attn_variant)i, stage)) {
            names[n++] = attn_variants[i].name;
        }
    }
    for (int i = 0; i < n && used < size; i++) {
        const char *const joint = i == 0 ? "" : i == n - 1 ? " and " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", joint, names[i]);
    }
    if (used < size) {
        snprintf(out + used, size - used, " %s", n == 1 ? "takes it" : "take it");
    }
    return out;
}

/** A mask or dropout that was asked for, and a variant that has none. */
static enum attn_status check_variant(const struct config *config, struct attn_error *err)
{
    const char *const name = attn_variants[config->variant].name;
    char who[64];
    if (config->n_mask > 0 && !attn_variant_has(config->variant, ATTN_STAGE_MASK)) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, "--mask", "%s has no mask (%s)", name,
                         config_variants_with(ATTN_STAGE_MASK, who, sizeof who));
    }
    if ((config->dropout_given || config->training) &&
        !attn_variant_has(config->variant, ATTN_STAGE_DROP)) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, config->dropout_given ? "--dropout" : "--train",
                         "%s has no dropout (%s)", name,
                         config_variants_with(ATTN_STAGE_DROP, who, sizeof who));
    }
    return ATTN_OK;
}

static void configure(attn_config *out, const struct config *config, const struct load_set *set,
                      const attn_sizes *sizes)
{
    attn_config_default(out, config->variant);
    out->sizes = *sizes;
    out->scale_given = config->scale_given;
    out->scale = config->scale;
    out->mask_fill = config->mask_fill;
    out->empty_row = config->empty_row;
    out->dropout_p = set->has_p ? set->p : config->dropout_p;
    out->training =
        config->training || (!config->training_given && set->tensors[ATTN_KEEP].data != NULL);
    out->keep_given = set->tensors[ATTN_KEEP].data != NULL;
    out->max_bytes = config->max_memory;
    out->causal_align = config->causal_align;
    for (int i = 0; i < config->n_mask; i++) {
        out->causal |= config->mask[i].kind == CONFIG_MASK_CAUSAL;
    }
    memcpy(out->bugs, config->bugs, sizeof out->bugs);
    out->n_bugs = config->n_bugs;
}

/** "4.0 GiB". @return out. */
static char *memory_text(uint64_t bytes, char out[24])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double amount = (double)bytes;
    size_t unit = 0;
    for (; amount >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++) {
        amount /= 1024;
    }
    snprintf(out, 24, "%.*f %s", unit == 0 ? 0 : 1, amount, units[unit]);
    return out;
}

/** Refuse what is too large before anything is allocated for it. */
static enum attn_status check_memory(const struct setup *setup, const struct config *config,
                                     const struct load_set *set, struct attn_error *err)
{
    static float nothing;
    attn_tensor planned[ATTN_N_TENSORS] = {{0}};
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const bool stage = attn_tensors[id].group == ATTN_GROUP_STAGE;
        const bool drawn = !stage && id != ATTN_MASK && id != ATTN_KEEP &&
                           attn_variant_has_tensor(config->variant, (enum attn_tensor_id)id);
        const bool mask = id == ATTN_MASK && config->n_mask > 0;
        if (drawn || mask || set->tensors[id].data != NULL) {
            int dims[3] = {1, 1, 1};
            const int rank = attn_tensor_dims((enum attn_tensor_id)id, &setup->config.sizes, dims);
            planned[id] = attn_tensor_view(&nothing, rank, dims + 3 - rank);
        }
    }
    uint64_t bytes = 0;
    const enum attn_status status = attn_trace_bytes(&bytes, &setup->config, planned, err);
    if (status == ATTN_OK && bytes > config->max_memory) {
        char needed[24];
        char allowed[24];
        return attn_fail(err, ATTN_E_LIMIT, NULL,
                         "this takes %s, and %s is allowed (choose smaller sizes, or raise "
                         "--max-memory)",
                         memory_text(bytes, needed), memory_text(config->max_memory, allowed));
    }
    return status;
}

/** A loaded pattern is whole: every value 0 or 1. */
static enum attn_status check_keep(const struct loaded *keep, struct attn_error *err)
{
    const size_t columns = (size_t)keep->dims[2];
    const size_t rows = (size_t)keep->dims[1];
    const size_t n = (size_t)keep->dims[0] * rows * columns;
    for (size_t i = 0; keep->data != NULL && i < n; i++) {
        const float value = keep->data[i];
        if (value < 0 || value > 1 || (value > 0 && value < 1) || value != value) {
            return attn_fail(err, ATTN_E_VALUE, keep->path,
                             "%s[%zu,%zu,%zu] is %g (a dropout pattern is 1 where a weight is kept "
                             "and 0 where it is dropped)",
                             keep->name, i / columns / rows, i / columns % rows, i % columns,
                             (double)value);
        }
    }
    return ATTN_OK;
}

/** Put what was loaded in the place of what was drawn. */
static enum attn_status replace(struct setup *setup, const struct config *config,
                                struct load_set *set, struct attn_error *err)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        struct loaded *const from = &set->tensors[id];
        const bool left = id == ATTN_KEEP && !setup->config.training && !draws_always(config);
        if (from->data == NULL || id == ATTN_MASK || left) {
            continue;
        }
        float *const data = from->data;
        from->data = NULL;
        if (!own(setup, data)) {
            return attn_fail(err, ATTN_E_NOMEM, from->path, "out of memory");
        }
        int dims[3] = {1, 1, 1};
        const int rank = attn_tensor_dims((enum attn_tensor_id)id, &setup->config.sizes, dims);
        setup->inputs[id] = attn_tensor_view(data, rank, dims + 3 - rank);
    }
    if (set->given_qkv) {
        static const enum attn_tensor_id unused[] = {ATTN_X,     ATTN_MEMORY, ATTN_W_Q, ATTN_B_Q,
                                                     ATTN_W_K,   ATTN_B_K,    ATTN_W_V, ATTN_B_V,
                                                     ATTN_W_QKV, ATTN_B_QKV};
        for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++) {
            setup->inputs[unused[i]] = (attn_tensor){0};
        }
    }
    return ATTN_OK;
}

/** Cells that were edited; one that these sizes no longer have is passed over with a note. */
static enum attn_status apply_edits(struct setup *setup, const struct config *config,
                                    struct attn_error *err)
{
    struct config_edit *const was =
        config->n_edits > 0 ? malloc((size_t)config->n_edits * sizeof *was) : NULL;
    if (config->n_edits > 0 && (was == NULL || !own(setup, was))) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    setup->edited = was;
    for (int i = 0; i < config->n_edits; i++) {
        const struct attn_cell *const cell = &config->edits[i].cell;
        const attn_tensor *const t = &setup->inputs[cell->tensor];
        bool inside = t->data != NULL;
        for (int k = 0; inside && k < 3; k++) {
            inside = cell->at[k] >= 0 && cell->at[k] < t->dims[k];
        }
        if (inside) {
            float *const number = attn_tensor_at(t, cell->at[0], cell->at[1], cell->at[2]);
            was[setup->n_edited++] = (struct config_edit){*cell, *number};
            *number = config->edits[i].value;
            const attn_tensor *const part = &setup->inputs[ATTN_UNPADDED];
            if (cell->tensor == ATTN_MASK && part->data != NULL) {
                *attn_tensor_at(part, cell->at[0], cell->at[1], cell->at[2]) =
                    config->edits[i].value;
            }
        } else {
            setup_note(setup, "an edit of %s[%d,%d,%d] has no place in these sizes",
                       attn_tensors[cell->tensor].name, cell->at[0], cell->at[1], cell->at[2]);
        }
    }
    return ATTN_OK;
}

static enum attn_status copy_labels(struct setup *setup, const struct config *config,
                                    struct attn_error *err)
{
    const attn_sizes *const z = &setup->config.sizes;
    const bool shared =
        !attn_variants[config->variant].has_memory && config->memory_tokens.n == 0 && z->S == z->T;
    const struct config_tokens *const keys = shared ? &config->tokens : &config->memory_tokens;
    if (!config_tokens_copy(&setup->tokens, &config->tokens) ||
        !config_tokens_copy(&setup->memory_tokens, keys)) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    memcpy(setup->seed_text, config->seed_text, sizeof setup->seed_text);
    return ATTN_OK;
}

static enum attn_status build(struct setup *setup, struct load_set *set,
                              const struct config *config, struct attn_error *err)
{
    attn_sizes sizes = {0};
    enum attn_status status = check_variant(config, err);
    if (status == ATTN_OK) {
        status = load_all(set, setup, config, err);
    }
    if (status == ATTN_OK) {
        status = sizes_resolve(&sizes, config, set, err);
    }
    if (status == ATTN_OK) {
        configure(&setup->config, config, set, &sizes);
        status = check_memory(setup, config, set, err);
    }
    for (int id = 0; status == ATTN_OK && id < ATTN_N_TENSORS; id++) {
        setup->loaded_tensor[id] = set->tensors[id].data != NULL && !set->tensors[id].carried;
        setup->loaded = setup->loaded || setup->loaded_tensor[id];
    }
    if (status == ATTN_OK) {
        status = check_keep(&set->tensors[ATTN_KEEP], err);
    }
    if (status == ATTN_OK) {
        status = draw_all(setup, config, set, err);
    }
    if (status == ATTN_OK) {
        status = mask_build(setup, config, set, err);
    }
    if (status == ATTN_OK) {
        status = replace(setup, config, set, err);
    }
    if (status == ATTN_OK) {
        status = apply_edits(setup, config, err);
    }
    if (status == ATTN_OK) {
        status = copy_labels(setup, config, err);
    }
    return status;
}

enum attn_status config_build(struct setup *setup, const struct config *config,
                              struct attn_error *err)
{
    struct setup built = {0};
    struct load_set set = {0};
    const enum attn_status status = build(&built, &set, config, err);
    load_finish(&set);
    if (status != ATTN_OK) {
        setup_finish(&built);
        return status;
    }
    *setup = built;
    return ATTN_OK;
}

/** Refuse a bug that makes no difference to what is right. */
static enum attn_status check_bugs(const struct setup *setup, struct attn_error *err)
{
    attn_config right = setup->config;
    attn_trace *trace = NULL;
    right.n_bugs = 0;
    enum attn_status status = attn_trace_create(&trace, &right, setup->inputs, err);
    if (status == ATTN_OK) {
        status =
            attn_bugs_apply(trace, setup->inputs, setup->config.bugs, setup->config.n_bugs, err);
        attn_trace_destroy(trace);
    }
    if (status == ATTN_E_UNSUPPORTED && err != NULL) {
        char why[ATTN_MESSAGE_MAX];
        char bug[sizeof err->what];
        memcpy(why, err->message, sizeof why);
        memcpy(bug, err->what, sizeof bug);
        return attn_fail(err, status, config_options[CONFIG_BUG].name, "%s: %s", bug, why);
    }
    return status;
}

static void ignore(void *whose, const attn_config *config)
{
    (void)whose;
    (void)config;
}

enum attn_status config_trace(struct setup *setup, attn_trace **trace, const struct config *config,
                              struct attn_error *err)
{
    return config_trace_watched(setup, trace, config, (struct config_watch){ignore, NULL}, err);
}

enum attn_status config_trace_watched(struct setup *setup, attn_trace **trace,
                                      const struct config *config, struct config_watch watch,
                                      struct attn_error *err)
{
    struct setup built = {0};
    enum attn_status status = config_build(&built, config, err);
    if (status != ATTN_OK) {
        return status;
    }
    watch.begins(watch.whose, &built.config);
    status = built.config.n_bugs > 0 ? check_bugs(&built, err) : ATTN_OK;
    if (status == ATTN_OK) {
        status = attn_trace_create(trace, &built.config, built.inputs, err);
    }
    if (status != ATTN_OK) {
        setup_finish(&built);
        return status;
    }
    *setup = built;
    return ATTN_OK;
}

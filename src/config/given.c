#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

void config_given_finish(struct config_given *given, int n)
{
    for (int i = 0; i < n; i++) {
        free(given[i].data);
    }
    free(given);
}

/** A row-major copy of any view. @return NULL if there is no memory. */
static float *copy_floats(const attn_tensor *from)
{
    float *const data = malloc(attn_tensor_count(from) * sizeof *data);
    size_t n = 0;
    for (int b = 0; data != NULL && b < from->dims[0]; b++) {
        for (int r = 0; r < from->dims[1]; r++) {
            for (int c = 0; c < from->dims[2]; c++) {
                data[n++] = *attn_tensor_at(from, b, r, c);
            }
        }
    }
    return data;
}

void config_ungive(struct config *config, enum attn_tensor_id id)
{
    for (int i = 0; i < config->n_given; i++) {
        if (config->given[i].id == id) {
            free(config->given[i].data);
            config->given[i] = config->given[--config->n_given];
            return;
        }
    }
}

enum attn_status config_give(struct config *config, enum attn_tensor_id id, const attn_tensor *from,
                             bool from_file)
{
    struct config_given one = {.id = id, .rank = from->rank, .from_file = from_file};
    memcpy(one.dims, from->dims, sizeof one.dims);
    one.data = copy_floats(from);
    if (one.data == NULL) {
        return ATTN_E_NOMEM;
    }
    struct config_given *const grown =
        realloc(config->given, ((size_t)config->n_given + 1) * sizeof *grown);
    if (grown == NULL) {
        free(one.data);
        return ATTN_E_NOMEM;
    }
    config->given = grown;
    config_ungive(config, id);
    config->given[config->n_given++] = one;
    return ATTN_OK;
}

enum attn_status config_edit(struct config *config, struct attn_cell cell, float value)
{
    for (int i = 0; i < config->n_edits; i++) {
        const struct attn_cell *const other = &config->edits[i].cell;
        if (other->tensor == cell.tensor && memcmp(other->at, cell.at, sizeof cell.at) == 0) {
            config->edits[i].value = value;
            return ATTN_OK;
        }
    }
    struct config_edit *const grown =
        realloc(config->edits, ((size_t)config->n_edits + 1) * sizeof *grown);
    if (grown == NULL) {
        return ATTN_E_NOMEM;
    }
    config->edits = grown;
    config->edits[config->n_edits++] = (struct config_edit){cell, value};
    return ATTN_OK;
}

bool config_given_copy(struct config *out, const struct config *config)
{
    for (int i = 0; i < config->n_given; i++) {
        const struct config_given *const g = &config->given[i];
        const attn_tensor view = attn_tensor_view(g->data, g->rank, g->dims + 3 - g->rank);
        if (config_give(out, g->id, &view, g->from_file) != ATTN_OK) {
            return false;
        }
    }
    return true;
}

static void forget_files(struct config *config)
{
    for (int i = 0; i < config->n_loads; i++) {
        free(config->loads[i].name);
        free(config->loads[i].path);
    }
    free(config->loads);
    config->loads = NULL;
    config->n_loads = 0;
}

enum attn_status config_hold(struct config *config, const struct setup *setup)
{
    bool files = false;
    for (int i = 0; i < config->n_mask; i++) {
        files = files || config->mask[i].kind == CONFIG_MASK_FILE;
    }
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const bool mask = id == ATTN_MASK && files;
        if ((setup->loaded_tensor[id] || mask) && setup->inputs[id].data != NULL) {
            const enum attn_status status =
                config_give(config, (enum attn_tensor_id)id, &setup->inputs[id], true);
            if (status != ATTN_OK) {
                return status;
            }
        }
    }
    const bool mask_held = setup->loaded_tensor[ATTN_MASK] || files;
    if (mask_held) { /* every part is in the tensor now, which keeps with 1 */
        config_mask_finish(config->mask, config->n_mask);
        config->mask = NULL;
        config->n_mask = 0;
        config->mask_keeps = 1;
    }
    if (setup->loaded && !config->dropout_given &&
        attn_variant_has(config->variant, ATTN_STAGE_DROP)) {
        config->dropout_given = true; /* a file may have given the rate */
        config->dropout_p = setup->config.dropout_p;
    }
    forget_files(config);
    return ATTN_OK;
}

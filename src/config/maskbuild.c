#include <stdio.h>
#include <string.h>

#include "config.h"
#include "internal.h"
#include "io.h"

/** A rank-2 mask where B = T could have been meant either way: say how it was read. */
static void note_ambiguity(struct setup *setup, const char *path, const attn_tensor *mask)
{
    const attn_sizes *const z = &setup->config.sizes;
    if (mask->rank == 2 && z->B == z->T && z->T > 1 && mask->dims[1] == z->T) {
        setup_note(setup,
                   "%s: the mask [%d,%d] was taken as [T,S], queries by keys, and not as [B,S] "
                   "(give [B,1,S] for padding)",
                   path, mask->dims[1], mask->dims[2]);
    }
}

static enum attn_status merge(struct setup *setup, attn_tensor *keep, const attn_tensor *mask,
                              int keeps, const char *path, struct attn_error *err)
{
    const enum attn_status status = attn_mask_merge(keep, mask, keeps, err);
    if (status != ATTN_OK) {
        if (err != NULL) {
            snprintf(err->what, sizeof err->what, "%s", path);
        }
        return status;
    }
    note_ambiguity(setup, path, mask);
    return ATTN_OK;
}

/** The one array of a mask's file, or the one called mask. */
static const struct io_array *mask_array(const struct io_archive *archive, struct attn_error *err)
{
    const struct io_array *const named = io_archive_find(archive, "mask");
    if (named != NULL || archive->n == 1) {
        return named != NULL ? named : &archive->arrays[0];
    }
    attn_fail(err, ATTN_E_VALUE, archive->path, "holds %d arrays and none is called mask",
              archive->n);
    return NULL;
}

static enum attn_status merge_array(struct setup *setup, attn_tensor *keep,
                                    const struct io_array *array, int keeps, const char *path,
                                    struct attn_error *err)
{
    int dims[3] = {1, 1, 1};
    const int rank = array->rank < 1 ? 1 : array->rank;
    if (rank > 3) {
        return attn_fail(err, ATTN_E_SHAPE, path,
                         "the mask has %d dimensions and does not broadcast to [B,T,S] (there is "
                         "one head: expected [S], [T,S], [B,1,S] or [B,T,S])",
                         rank);
    }
    for (int i = 0; i < array->rank; i++) {
        if (array->dims[i] > ATTN_DIM_MAX) {
            return attn_fail(err, ATTN_E_LIMIT, path, "a dimension of the mask is above %d",
                             ATTN_DIM_MAX);
        }
        dims[i] = (int)array->dims[i];
    }
    const attn_tensor mask = attn_tensor_view(array->data, rank, dims);
    return merge(setup, keep, &mask, keeps, path, err);
}

static enum attn_status merge_file(struct setup *setup, attn_tensor *keep, const char *path,
                                   int keeps, struct attn_error *err)
{
    struct io_archive archive = {0};
    enum attn_status status = io_read(&archive, path, err);
    if (status == ATTN_OK) {
        const struct io_array *const array = mask_array(&archive, err);
        status = array != NULL ? merge_array(setup, keep, array, keeps, path, err) : ATTN_E_VALUE;
    }
    io_archive_finish(&archive);
    return status;
}

static enum attn_status merge_part(struct setup *setup, attn_tensor *keep,
                                   const struct config *config, const struct config_mask_part *part,
                                   struct attn_error *err)
{
    enum attn_status status = ATTN_OK;
    switch (part->kind) {
    case CONFIG_MASK_CAUSAL:
        attn_mask_causal(keep, config->causal_align);
        return ATTN_OK;
    case CONFIG_MASK_PADDING:
        status = attn_mask_padding(keep, part->lengths, part->n_lengths, err);
        if (status != ATTN_OK && err != NULL) {
            snprintf(err->what, sizeof err->what, "--mask");
        }
        return status;
    case CONFIG_MASK_FILE:
        return merge_file(setup, keep, part->path, config->mask_keeps, err);
    }
    return status;
}

/** "causal+padding", each kind once. */
static void name_mask(struct setup *setup, const struct config *config, bool loaded)
{
    static const char *const words[] = {[CONFIG_MASK_CAUSAL] = "causal",
                                        [CONFIG_MASK_PADDING] = "padding",
                                        [CONFIG_MASK_FILE] = "file"};
    bool has[3] = {false, false, loaded};
    size_t n = 0;
    for (int i = 0; i < config->n_mask; i++) {
        has[config->mask[i].kind] = true;
    }
    snprintf(setup->mask_text, sizeof setup->mask_text, "none");
    for (int kind = 0; kind < 3; kind++) {
        if (has[kind]) {
            n += (size_t)snprintf(setup->mask_text + n, sizeof setup->mask_text - n, "%s%s",
                                  n > 0 ? "+" : "", words[kind]);
        }
    }
}

/** A mask that hides nothing yet. */
static enum attn_status make(struct setup *setup, attn_tensor *keep, int rank, const int *dims,
                             struct attn_error *err)
{
    *keep = attn_tensor_view(NULL, rank, dims);
    const size_t n = attn_tensor_count(keep);
    keep->data = setup_floats(setup, n);
    if (keep->data == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, "--mask", "out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        keep->data[i] = 1;
    }
    return ATTN_OK;
}

/** The parts of --mask that are padding, or those that are not, and what was loaded. */
static enum attn_status merge_parts(struct setup *setup, attn_tensor *keep, bool padding,
                                    const struct config *config, const struct loaded *loaded,
                                    struct attn_error *err)
{
    enum attn_status status = ATTN_OK;
    for (int i = 0; status == ATTN_OK && i < config->n_mask; i++) {
        if ((config->mask[i].kind == CONFIG_MASK_PADDING) == padding) {
            status = merge_part(setup, keep, config, &config->mask[i], err);
        }
    }
    if (status == ATTN_OK && !padding && loaded->data != NULL) {
        const int rank = loaded->rank < 1 ? 1 : loaded->rank;
        const attn_tensor mask = attn_tensor_view(loaded->data, rank, loaded->dims + 3 - rank);
        status = merge(setup, keep, &mask, config->mask_keeps, loaded->path, err);
    }
    return status;
}

/** Keep the padding part and the rest apart: what mixes up their axes needs to know. */
static enum attn_status build_padding(struct setup *setup, const struct config *config,
                                      attn_tensor *keep, struct attn_error *err)
{
    const attn_sizes *const z = &setup->config.sizes;
    attn_tensor *const unpadded = &setup->inputs[ATTN_UNPADDED];
    attn_tensor *const padding = &setup->inputs[ATTN_PADDING];
    enum attn_status status = make(setup, unpadded, 3, keep->dims, err);
    if (status == ATTN_OK) {
        status = make(setup, padding, 2, (int[]){z->B, z->S}, err);
    }
    if (status == ATTN_OK) {
        memcpy(unpadded->data, keep->data, attn_tensor_count(keep) * sizeof *keep->data);
        attn_tensor rows = attn_tensor_view(padding->data, 3, (int[]){z->B, 1, z->S});
        status = merge_parts(setup, &rows, true, config, NULL, err);
    }
    return status;
}

enum attn_status mask_build(struct setup *setup, const struct config *config,
                            const struct load_set *set, struct attn_error *err)
{
    const struct loaded *const loaded = &set->tensors[ATTN_MASK];
    name_mask(setup, config, loaded->data != NULL);
    if (config->n_mask == 0 && loaded->data == NULL) {
        return ATTN_OK;
    }
    const attn_sizes *const z = &setup->config.sizes;
    bool padded = false;
    for (int i = 0; i < config->n_mask; i++) {
        padded = padded || config->mask[i].kind == CONFIG_MASK_PADDING;
    }
    attn_tensor keep;
    enum attn_status status = make(setup, &keep, 3, (int[]){z->B, z->T, z->S}, err);
    if (status == ATTN_OK) {
        status = merge_parts(setup, &keep, false, config, loaded, err);
    }
    if (status == ATTN_OK && padded) {
        status = build_padding(setup, config, &keep, err);
    }
    if (status == ATTN_OK) {
        status = merge_parts(setup, &keep, true, config, loaded, err);
    }
    if (status == ATTN_OK) {
        setup->inputs[ATTN_MASK] = keep;
    }
    return status;
}

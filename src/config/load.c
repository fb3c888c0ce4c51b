#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"
#include "io.h"

enum { LISTED_MAX = 12 };

void load_finish(struct load_set *set)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        free(set->tensors[id].data);
        set->tensors[id].data = NULL;
    }
}

/** "q [1,4,4], meta [137], …": what is in a file. */
static char *list_archive(const struct io_archive *archive, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; i < archive->n && i < LISTED_MAX && n < size; i++) {
        const struct io_array *const a = &archive->arrays[i];
        char shape[96];
        load_dims(a->rank, a->dims, shape, sizeof shape);
        n += (size_t)snprintf(out + n, size - n, "%s%.40s%s%s", i > 0 ? ", " : "",
                              a->name[0] != '\0' ? a->name : "", a->name[0] != '\0' ? " " : "",
                              shape);
    }
    if (archive->n > LISTED_MAX && n < size) {
        snprintf(out + n, size - n, " and %d more", archive->n - LISTED_MAX);
    }
    return out;
}

/** Names that the variant loads, for a suggestion. @return how many. */
static int known_names(enum attn_variant variant, char names[][48])
{
    int n = 0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const bool given = id == ATTN_Q || id == ATTN_K || id == ATTN_V;
        const bool stage = attn_tensors[id].group == ATTN_GROUP_STAGE;
        if (given || (!stage && attn_variant_has_tensor(variant, (enum attn_tensor_id)id))) {
            attn_tensor_name(variant, (enum attn_tensor_id)id, names[n++], 48);
        }
    }
    return n;
}

static enum attn_status fail_name(enum attn_variant variant, const char *name,
                                  struct attn_error *err)
{
    char names[ATTN_N_TENSORS + 1][48];
    const char *pointers[ATTN_N_TENSORS + 1];
    char all[512] = "";
    const int n = known_names(variant, names);
    for (int i = 0; i < n; i++) {
        pointers[i] = names[i];
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? " " : "", names[i]);
    }
    const char *const near = config_nearest(name, pointers, n);
    return attn_fail(err, ATTN_E_VALUE, "--load", "%s has no '%s' to load (%s%s%s%s, p)",
                     attn_variants[variant].name, name, near != NULL ? "did you mean " : "",
                     near != NULL ? near : "", near != NULL ? "? it takes " : "", all);
}

/** A mask or a dropout pattern for a variant that has none is refused, never left out quietly. */
static enum attn_status check_variant(enum attn_variant variant, enum attn_tensor_id id,
                                      const char *path, struct attn_error *err)
{
    const bool mask = id == ATTN_MASK && !attn_variant_has(variant, ATTN_STAGE_MASK);
    const bool keep = id == ATTN_KEEP && !attn_variant_has(variant, ATTN_STAGE_DROP);
    if (!mask && !keep) {
        return ATTN_OK;
    }
    char who[64];
    config_variants_with(mask ? ATTN_STAGE_MASK : ATTN_STAGE_DROP, who, sizeof who);
    return attn_fail(err, ATTN_E_UNSUPPORTED, "--load",
                     "%s has %s, and %s has no %s (%s; or choose what to take with NAME=FILE)",
                     path, mask ? "a mask" : "a dropout pattern, keep", attn_variants[variant].name,
                     mask ? "mask" : "dropout", who);
}

static bool is_result(enum attn_tensor_id id)
{
    return id != ATTN_NO_TENSOR && attn_tensors[id].group == ATTN_GROUP_STAGE;
}

/** What an array of an archive is, by its name alone. mask and keep are known to every variant. */
static enum attn_tensor_id identify(enum attn_variant variant, const char *name)
{
    if (strcmp(name, attn_tensors[ATTN_MASK].name) == 0) {
        return ATTN_MASK;
    }
    if (strcmp(name, attn_tensors[ATTN_KEEP].name) == 0) {
        return ATTN_KEEP;
    }
    return attn_tensor_find(variant, name);
}

static enum attn_status fail_nothing(const struct io_archive *archive, const struct config *config,
                                     struct attn_error *err)
{
    char list[600];
    list_archive(archive, list, sizeof list);
    if (archive->n == 1 && archive->arrays[0].name[0] == '\0') {
        return attn_fail(err, ATTN_E_VALUE, archive->path,
                         "holds one array without a name, %s (say which tensor it is: --load "
                         "x=FILE)",
                         list);
    }
    for (int i = 0; i < archive->n; i++) {
        char prefix[IO_NAME_MAX];
        if (load_suggest_prefix(config->variant, archive->arrays[i].name, prefix, sizeof prefix)) {
            return attn_fail(
                err, ATTN_E_VALUE, archive->path,
                "holds nothing that %s loads by these names (it has %s; try --prefix %s)",
                attn_variants[config->variant].name, list, prefix);
        }
    }
    return attn_fail(err, ATTN_E_VALUE, archive->path,
                     "holds nothing that %s loads (it has %s; name one with --load NAME=FILE)",
                     attn_variants[config->variant].name, list[0] != '\0' ? list : "no arrays");
}

/** Is this a weight of another variant? It is told once a file. */
static bool strangers(const struct config *config, const char *name, const char *path,
                      struct setup *setup)
{
    for (int v = 0; v < ATTN_N_VARIANTS; v++) {
        const enum attn_tensor_id id =
            attn_tensor_find((enum attn_variant)v, load_local_name(config, name));
        if (id == ATTN_NO_TENSOR || attn_tensors[id].group != ATTN_GROUP_WEIGHT) {
            continue;
        }
        const char *const last = setup->n_notes > 0 ? setup->notes[setup->n_notes - 1] : "";
        if (strstr(last, "belongs to") == NULL) {
            setup_note(setup,
                       "%s: '%s' belongs to %s: %s leaves it out and takes the seed's numbers",
                       path, name, attn_variants[v].name, attn_variants[config->variant].name);
        }
        return true;
    }
    return false;
}

/** In timm's modules proj is the output's layer, beside qkv: its weight is square then. */
static bool has_timm_names(const struct config *config, const struct io_archive *archive)
{
    bool qkv = false;
    bool square = false;
    for (int i = 0; i < archive->n; i++) {
        const struct io_array *const a = &archive->arrays[i];
        const char *const name = load_local_name(config, a->name);
        qkv = qkv || strcmp(name, "qkv.weight") == 0;
        square = square ||
                 (strcmp(name, "proj.weight") == 0 && a->rank == 2 && a->dims[0] == a->dims[1]);
    }
    return qkv && square && attn_variant_has(config->variant, ATTN_STAGE_OUTPUT);
}

/** What an array of this archive is. */
static enum attn_tensor_id identify_in(const struct config *config,
                                       const struct io_archive *archive, const char *name)
{
    const char *const local = load_local_name(config, name);
    if (strncmp(local, "proj.", 5) == 0 && has_timm_names(config, archive)) {
        return strcmp(local, "proj.weight") == 0 ? ATTN_W_OUT : ATTN_B_OUT;
    }
    return identify(config->variant, local);
}

/** Is this the name of dropout's rate? */
static bool is_rate(const struct config *config, const char *name)
{
    return strcmp(load_local_name(config, name), "p") == 0;
}

static enum attn_status fail_twice(const char *first, const char *second, const char *path,
                                   struct attn_error *err)
{
    return attn_fail(err, ATTN_E_VALUE, path, "%s and %s are the same tensor (keep one)", first,
                     second);
}

/** --load FILE: everything in it by name. */
static enum attn_status take_archive(struct load_set *set, struct setup *setup,
                                     const struct config *config, const struct io_archive *archive,
                                     const char *path, struct attn_error *err)
{
    const char *seen[ATTN_N_TENSORS] = {NULL};
    const char *seen_rate = NULL;
    int n_taken = 0;
    for (int i = 0; i < archive->n; i++) {
        const struct io_array *const a = &archive->arrays[i];
        const bool rate = is_rate(config, a->name);
        const enum attn_tensor_id id =
            rate ? ATTN_NO_TENSOR : identify_in(config, archive, a->name);
        enum attn_status status = ATTN_OK;
        if (rate && attn_variant_has(config->variant, ATTN_STAGE_DROP)) {
            status = seen_rate != NULL ? fail_twice(seen_rate, a->name, path, err)
                                       : load_take_p(set, a, path, err);
            seen_rate = a->name;
            n_taken++;
        } else if (id == ATTN_NO_TENSOR || is_result(id)) {
            if (strangers(config, a->name, path, setup)) {
                /* told: a person will think that they were loaded */
            } else if (config->verbose && a->name[0] != '\0') {
                setup_note(setup, "%s: '%s' was left out (%s)", path, a->name,
                           id == ATTN_NO_TENSOR ? "this variant does not know it"
                                                : "a result, computed here");
            }
        } else if (seen[id] != NULL) {
            status = fail_twice(seen[id], a->name, path, err);
        } else {
            status = check_variant(config->variant, id, path, err);
            if (status == ATTN_OK) {
                status = load_take(set, id, config->in_out, a->name, a, path, err);
            }
            seen[id] = a->name;
            n_taken++;
        }
        if (status != ATTN_OK) {
            return status;
        }
    }
    return n_taken > 0 ? ATTN_OK : fail_nothing(archive, config, err);
}

/** The array that NAME= means: the one of that name, or another name of the same tensor, or the
 * only one. */
static const struct io_array *pick(const struct io_archive *archive, const struct config *config,
                                   const char *name, enum attn_tensor_id id)
{
    const struct io_array *const exact = io_archive_find(archive, name);
    if (exact != NULL) {
        return exact;
    }
    for (int i = 0; i < archive->n; i++) {
        const char *const other = archive->arrays[i].name;
        if (id == ATTN_NO_TENSOR ? is_rate(config, other)
                                 : identify_in(config, archive, other) == id) {
            return &archive->arrays[i];
        }
    }
    return archive->n == 1 ? &archive->arrays[0] : NULL;
}

/** --load NAME=FILE: one tensor. */
static enum attn_status take_named(struct load_set *set, const struct config *config,
                                   const struct io_archive *archive, const char *name,
                                   const char *path, struct attn_error *err)
{
    const bool rate = strcmp(name, "p") == 0;
    const enum attn_tensor_id id = rate ? ATTN_NO_TENSOR : identify(config->variant, name);
    const struct io_array *const a = pick(archive, config, name, id);
    if (a == NULL) {
        char list[600];
        list_archive(archive, list, sizeof list);
        return attn_fail(err, ATTN_E_VALUE, path,
                         "holds no '%s' (it has %s; NAME=FILE takes the array called NAME, or the "
                         "only one)",
                         name, list);
    }
    return rate ? load_take_p(set, a, path, err)
                : load_take(set, id, config->in_out, name, a, path, err);
}

/** What messages call a file. */
static const char *shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/** Refuse a NAME that cannot be loaded before its file is opened. */
static enum attn_status check_name(const struct config *config, const struct config_load *load,
                                   struct attn_error *err)
{
    const enum attn_variant variant = config->variant;
    if (strcmp(load->name, "p") == 0) {
        return attn_variant_has(variant, ATTN_STAGE_DROP)
                   ? ATTN_OK
                   : check_variant(variant, ATTN_KEEP, shown(load->path), err);
    }
    const enum attn_tensor_id id = identify(variant, load->name);
    const bool given = id == ATTN_Q || id == ATTN_K || id == ATTN_V;
    if (id == ATTN_NO_TENSOR) {
        return fail_name(variant, load->name, err);
    }
    if (is_result(id) && !given) {
        return attn_fail(err, ATTN_E_VALUE, "--load",
                         "%s is computed, not loaded (load x and the weights, or q, k and v)",
                         load->name);
    }
    return check_variant(variant, id, shown(load->path), err);
}

static enum attn_status load_one(struct load_set *set, struct setup *setup,
                                 const struct config *config, const struct config_load *load,
                                 struct attn_error *err)
{
    struct io_archive archive = {0};
    enum attn_status status = load->name != NULL ? check_name(config, load, err) : ATTN_OK;
    if (status == ATTN_OK) {
        status = io_read(&archive, load->path, err);
    }
    if (status == ATTN_OK) {
        for (int i = 0; i < archive.n_notes; i++) {
            if (config->verbose || !archive.notes[i].left_out) {
                setup_note(setup, "%s: %s", shown(load->path), archive.notes[i].text);
            }
        }
        status = load->name != NULL
                     ? take_named(set, config, &archive, load->name, shown(load->path), err)
                     : take_archive(set, setup, config, &archive, load->path, err);
    }
    io_archive_finish(&archive);
    return status;
}

/** q, k and v come all three or not at all; what they replace is dropped. */
static enum attn_status settle_qkv(struct load_set *set, struct setup *setup,
                                   const struct config *config, struct attn_error *err)
{
    static const enum attn_tensor_id used[] = {ATTN_Q,    ATTN_K,     ATTN_V,    ATTN_MASK,
                                               ATTN_KEEP, ATTN_W_OUT, ATTN_B_OUT};
    const struct loaded *const t = set->tensors;
    const int n = (t[ATTN_Q].data != NULL) + (t[ATTN_K].data != NULL) + (t[ATTN_V].data != NULL);
    if (n != 0 && n != 3) {
        return attn_fail(err, ATTN_E_VALUE, "--load",
                         "q, k and v are loaded together, and %s%s%s %s missing (load all three)",
                         t[ATTN_Q].data == NULL ? "q" : "",
                         t[ATTN_K].data == NULL ? (t[ATTN_Q].data == NULL ? " and k" : "k") : "",
                         t[ATTN_V].data == NULL ? (n == 1 ? " and v" : "v") : "",
                         n == 1 ? "are" : "is");
    }
    set->given_qkv = n == 3;
    for (int id = 0; set->given_qkv && id < ATTN_N_TENSORS; id++) {
        bool keep = false;
        for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) {
            keep = keep || (int)used[i] == id;
        }
        if (!keep && t[id].data != NULL) {
            if (config->verbose) {
                setup_note(setup, "%s: '%s' was left out (q, k and v were given)", t[id].path,
                           t[id].name);
            }
            free(set->tensors[id].data);
            set->tensors[id].data = NULL;
        }
    }
    return ATTN_OK;
}

/** What is held in memory stands over what files gave, where the variant has such a tensor. */
static enum attn_status take_given(struct load_set *set, const struct config *config,
                                   struct attn_error *err)
{
    for (int i = 0; i < config->n_given; i++) {
        const struct config_given *const g = &config->given[i];
        const bool given_qkv = g->id == ATTN_Q || g->id == ATTN_K || g->id == ATTN_V;
        if (!given_qkv && !attn_variant_has_tensor(config->variant, g->id)) {
            continue;
        }
        const size_t n = (size_t)g->dims[0] * (size_t)g->dims[1] * (size_t)g->dims[2];
        float *const data = malloc(n * sizeof *data);
        if (data == NULL) {
            return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
        }
        memcpy(data, g->data, n * sizeof *data);
        struct loaded *const to = &set->tensors[g->id];
        free(to->data);
        *to = (struct loaded){.data = data, .rank = g->rank, .path = "this walk"};
        to->carried = !g->from_file;
        memcpy(to->dims, g->dims, sizeof to->dims);
        attn_tensor_name(config->variant, g->id, to->name, sizeof to->name);
    }
    return ATTN_OK;
}

/** Half a layer from a file, and half from the seed, is seldom what was meant. */
static void note_lone_weights(const struct load_set *set, struct setup *setup,
                              const struct config *config)
{
    const struct attn_variant_info *const info = &attn_variants[config->variant];
    char names[128] = "";
    size_t n = 0;
    const char *path = NULL;
    for (const enum attn_layer *layer = info->layers; *layer != ATTN_N_LAYERS; layer++) {
        const struct loaded *const weight = &set->tensors[attn_layers[*layer].weight];
        const bool lone = weight->data != NULL && !weight->carried &&
                          set->tensors[attn_layers[*layer].bias].data == NULL;
        if (info->bias && lone && n < sizeof names) {
            path = weight->path;
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s.bias", n > 0 ? ", " : "",
                                  info->layer_names[*layer]);
        }
    }
    if (path != NULL) {
        setup_note(setup, "%s: a weight without its bias: the seed gives %s", shown(path), names);
    }
}

enum attn_status load_all(struct load_set *set, struct setup *setup, const struct config *config,
                          struct attn_error *err)
{
    for (int i = 0; i < config->n_loads; i++) {
        const enum attn_status status = load_one(set, setup, config, &config->loads[i], err);
        if (status != ATTN_OK) {
            return status;
        }
    }
    enum attn_status status = take_given(set, config, err);
    if (status == ATTN_OK) {
        status = settle_qkv(set, setup, config, err);
    }
    if (status == ATTN_OK) {
        note_lone_weights(set, setup, config);
    }
    return status;
}

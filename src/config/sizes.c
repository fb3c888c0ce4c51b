#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "internal.h"

/* The sizes that can be claimed, by the axis that stands for each. */
enum { N_AXES = ATTN_AXIS_3D + 1 };

/** Who fixed a size. */
struct claim {
    int value; /* 0: nobody yet */
    const struct loaded *by;
};

struct claims {
    const struct config *config;
    const struct load_set *set;
    struct claim axes[N_AXES];
};

/** The axis whose size is the same as this one's in this variant. */
static enum attn_axis canonical(const struct claims *c, enum attn_axis axis)
{
    const struct attn_variant_info *const info = &attn_variants[c->config->variant];
    const bool qkv = c->set->given_qkv;
    if (axis == ATTN_AXIS_I && info->square) {
        return ATTN_AXIS_D;
    }
    if (axis == ATTN_AXIS_V &&
        (!qkv || attn_variant_has_layer(c->config->variant, ATTN_LAYER_OUT))) {
        return ATTN_AXIS_D;
    }
    if (axis == ATTN_AXIS_S && !qkv && !info->has_memory) {
        return ATTN_AXIS_T;
    }
    return axis;
}

/** "[12,4]": the shape that a tensor would have to have, free axes as it has them. */
static char *expected_shape(const struct claims *c, enum attn_tensor_id id,
                            const struct loaded *loaded, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "[");
    for (int i = 3 - loaded->rank; i < 3; i++) {
        const enum attn_axis own = attn_tensors[id].axes[i];
        const enum attn_axis axis = own == ATTN_AXIS_3D ? ATTN_AXIS_D : canonical(c, own);
        const int factor = own == ATTN_AXIS_3D ? 3 : 1;
        const int value = c->axes[axis].value > 0 ? factor * c->axes[axis].value : loaded->dims[i];
        n += (size_t)snprintf(out + n, size - n, "%s%d", n > 1 ? "," : "", value);
    }
    snprintf(out + n, size - n, "]");
    return out;
}

static enum attn_status fail_claim(const struct claims *c, enum attn_tensor_id id,
                                   const struct loaded *loaded, const struct loaded *by,
                                   struct attn_error *err)
{
    char shape[48];
    char other[48];
    char expected[48];
    load_shape(loaded, shape, sizeof shape);
    load_shape(by, other, sizeof other);
    expected_shape(c, id, loaded, expected, sizeof expected);
    if (by == loaded) {
        const bool weight = attn_tensors[id].group == ATTN_GROUP_WEIGHT;
        return attn_fail(err, ATTN_E_SHAPE, loaded->path, "%s is %s, and %s has %s (expected %s)",
                         loaded->name, shape, attn_variants[c->config->variant].name,
                         weight ? "one width, d_in = d" : "a key for each query, S = T", expected);
    }
    const bool elsewhere = strcmp(by->path, loaded->path) != 0;
    char turned[48];
    snprintf(turned, sizeof turned, "[%d,%d]", loaded->dims[2], loaded->dims[1]);
    const bool round = loaded->rank == 2 && strcmp(turned, expected) == 0 &&
                       attn_tensors[id].group == ATTN_GROUP_WEIGHT;
    return attn_fail(err, ATTN_E_SHAPE, loaded->path,
                     "%s is %s, which does not fit %s %s%s%s (expected %s%s)", loaded->name, shape,
                     by->name, other, elsewhere ? " of " : "", elsewhere ? by->path : "", expected,
                     round ? "; --layout turns weights round" : "");
}

/** The rows of a merged weight are q's, k's and v's: 3d, of width d. */
static enum attn_status check_merged(const struct claims *c, const struct loaded *loaded,
                                     struct attn_error *err)
{
    const int rows = loaded->dims[1];
    const int columns = loaded->dims[2];
    if (loaded->data == NULL || rows == 3 * columns) {
        return ATTN_OK;
    }
    const bool turned = columns == 3 * rows;
    return attn_fail(err, ATTN_E_SHAPE, loaded->path,
                     "%s is [%d,%d], and its rows are not 3×d (expected [%d,%d]: %s's q, k and v "
                     "one below the other%s)",
                     loaded->name, rows, columns, turned ? columns : 3 * columns,
                     turned ? rows : columns, attn_variants[c->config->variant].name,
                     turned ? "; it lies as [in,out]: --layout in-out turns it" : "");
}

static enum attn_status check_merged_bias(const struct loaded *loaded, struct attn_error *err)
{
    if (loaded->data == NULL || loaded->dims[2] % 3 == 0) {
        return ATTN_OK;
    }
    return attn_fail(err, ATTN_E_SHAPE, loaded->path,
                     "%s is [%d], which is not 3×d (expected q's, k's and v's d numbers, one after "
                     "the other)",
                     loaded->name, loaded->dims[2]);
}

static enum attn_status claim_tensor(struct claims *c, enum attn_tensor_id id,
                                     struct attn_error *err)
{
    const struct loaded *const loaded = &c->set->tensors[id];
    for (int i = 0; loaded->data != NULL && i < 3; i++) {
        const enum attn_axis own = attn_tensors[id].axes[i];
        if (own == ATTN_AXIS_NONE) {
            continue;
        }
        const enum attn_axis axis = own == ATTN_AXIS_3D ? ATTN_AXIS_D : canonical(c, own);
        const int value = own == ATTN_AXIS_3D ? loaded->dims[i] / 3 : loaded->dims[i];
        struct claim *const claim = &c->axes[axis];
        if (claim->value == 0) {
            *claim = (struct claim){.value = value, .by = loaded};
        } else if (claim->value != value) {
            return fail_claim(c, id, loaded, claim->by, err);
        }
    }
    return ATTN_OK;
}

/** Files first: weights, then inputs, in this order. */
static enum attn_status claim_files(struct claims *c, struct attn_error *err)
{
    static const enum attn_tensor_id order[] = {
        ATTN_W_QKV, ATTN_W_Q,   ATTN_W_K, ATTN_W_V,    ATTN_W_OUT, ATTN_B_QKV, ATTN_B_Q, ATTN_B_K,
        ATTN_B_V,   ATTN_B_OUT, ATTN_X,   ATTN_MEMORY, ATTN_Q,     ATTN_K,     ATTN_V,   ATTN_KEEP};
    enum attn_status status = check_merged(c, &c->set->tensors[ATTN_W_QKV], err);
    if (status == ATTN_OK) {
        status = check_merged_bias(&c->set->tensors[ATTN_B_QKV], err);
    }
    for (size_t i = 0; status == ATTN_OK && i < sizeof order / sizeof order[0]; i++) {
        status = claim_tensor(c, order[i], err);
    }
    return status;
}

/** A size from an option: it may agree with a file, and fixes what no file did. */
static enum attn_status claim_option(struct claims *c, enum config_option_id option, int value,
                                     enum attn_axis own, struct attn_error *err)
{
    struct claim *const claim = &c->axes[canonical(c, own)];
    if (value != 0 && claim->value == 0) {
        claim->value = value;
    }
    if (value == 0 || claim->value == value) {
        return ATTN_OK;
    }
    assert(claim->by != NULL); /* two options for one axis were held against each other before */
    const char *const name = config_options[option].name;
    char shape[48];
    return attn_fail(err, ATTN_E_VALUE, name,
                     "%d contradicts %s %s of %s, which gives %d (leave %s out)", value,
                     claim->by->name, load_shape(claim->by, shape, sizeof shape), claim->by->path,
                     claim->value, name);
}

/** Tokens set the size of their axis, against a file's and a length that was asked for. */
static enum attn_status claim_tokens(struct claims *c, enum config_option_id option,
                                     const struct config_tokens *tokens, enum attn_axis own,
                                     enum config_option_id length_option, int length,
                                     struct attn_error *err)
{
    const struct claim *const claim = &c->axes[canonical(c, own)];
    const char *const name = config_options[option].name;
    if (tokens->n > 0 && claim->by != NULL && claim->value != tokens->n) {
        char shape[48];
        return attn_fail(err, ATTN_E_VALUE, name,
                         "%d token%s, but %s %s of %s has %d %s (give %d tokens)", tokens->n,
                         tokens->n == 1 ? "" : "s", claim->by->name,
                         load_shape(claim->by, shape, sizeof shape), claim->by->path, claim->value,
                         attn_axis_name(own), claim->value);
    }
    if (tokens->n > 0 && length != 0 && length != tokens->n) {
        return attn_fail(err, ATTN_E_VALUE, name, "%d token%s, but %s is %d (leave %s out)",
                         tokens->n, tokens->n == 1 ? "" : "s", config_options[length_option].name,
                         length, config_options[length_option].name);
    }
    return claim_option(c, option, tokens->n, own, err);
}

/** Keys of another number than the queries: cross, or q, k and v given. */
static enum attn_status check_memory(const struct claims *c, struct attn_error *err)
{
    const struct config *const config = c->config;
    const struct attn_variant_info *const info = &attn_variants[config->variant];
    const bool asked = config->memory_length != 0 || config->memory_tokens.n > 0;
    if (!asked || info->has_memory || c->set->given_qkv) {
        return ATTN_OK;
    }
    const enum config_option_id option =
        config->memory_length != 0 ? CONFIG_MEMORY_LENGTH : CONFIG_MEMORY_TOKENS;
    return attn_fail(err, ATTN_E_UNSUPPORTED, config_options[option].name,
                     "%s takes its keys from x, so S is T (only cross has a memory; use %s)",
                     info->name, option == CONFIG_MEMORY_LENGTH ? "--length" : "--tokens");
}

static enum attn_status check_dim_in(const struct claims *c, int d, struct attn_error *err)
{
    const struct config *const config = c->config;
    if (!attn_variants[config->variant].square || config->dim_in == 0 || config->dim_in == d) {
        return ATTN_OK;
    }
    return attn_fail(err, ATTN_E_UNSUPPORTED, "--dim-in",
                     "%d, but %s has d_in = d, here %d (single and cross take another; or use "
                     "--dim)",
                     config->dim_in, attn_variants[config->variant].name, d);
}

static enum attn_status claim_options(struct claims *c, struct attn_error *err)
{
    const struct config *const o = c->config;
    const bool square = attn_variants[o->variant].square;
    const struct {
        enum config_option_id option;
        int value;
        enum attn_axis axis;
    } rows[] = {{CONFIG_BATCH, o->batch, ATTN_AXIS_B},
                {CONFIG_LENGTH, o->length, ATTN_AXIS_T},
                {CONFIG_MEMORY_LENGTH, o->memory_length, ATTN_AXIS_S},
                {CONFIG_DIM, o->dim, ATTN_AXIS_D},
                {CONFIG_DIM_IN, square ? 0 : o->dim_in, ATTN_AXIS_I}};
    enum attn_status status =
        claim_tokens(c, CONFIG_TOKENS, &o->tokens, ATTN_AXIS_T, CONFIG_LENGTH, o->length, err);
    if (status == ATTN_OK) {
        status = claim_tokens(c, CONFIG_MEMORY_TOKENS, &o->memory_tokens, ATTN_AXIS_S,
                              CONFIG_MEMORY_LENGTH, o->memory_length, err);
    }
    for (size_t i = 0; status == ATTN_OK && i < sizeof rows / sizeof rows[0]; i++) {
        status = claim_option(c, rows[i].option, rows[i].value, rows[i].axis, err);
    }
    return status;
}

/** A loaded mask, which may be broadcast, fixes what nothing else does. */
static void claim_mask(struct claims *c)
{
    const struct loaded *const mask = &c->set->tensors[ATTN_MASK];
    static const enum attn_axis axes[] = {ATTN_AXIS_B, ATTN_AXIS_T, ATTN_AXIS_S};
    for (int i = 0; mask->data != NULL && i < 3; i++) {
        struct claim *const claim = &c->axes[canonical(c, axes[i])];
        if (claim->value == 0 && mask->dims[i] > 1) {
            *claim = (struct claim){.value = mask->dims[i], .by = mask};
        }
    }
}

static int or_default(const struct claims *c, enum attn_axis axis, int fallback)
{
    const int value = c->axes[canonical(c, axis)].value;
    return value > 0 ? value : fallback;
}

enum attn_status sizes_resolve(attn_sizes *out, const struct config *config,
                               const struct load_set *set, struct attn_error *err)
{
    struct claims c = {.config = config, .set = set};
    enum attn_status status = check_memory(&c, err);
    if (status == ATTN_OK) {
        status = claim_files(&c, err);
    }
    if (status == ATTN_OK) {
        status = claim_options(&c, err);
    }
    if (status != ATTN_OK) {
        return status;
    }
    claim_mask(&c);
    attn_sizes sizes = {.B = or_default(&c, ATTN_AXIS_B, 1),
                        .T = or_default(&c, ATTN_AXIS_T, 4),
                        .S = or_default(&c, ATTN_AXIS_S, 4),
                        .d = or_default(&c, ATTN_AXIS_D, 4)};
    sizes.d_in = or_default(&c, ATTN_AXIS_I, sizes.d);
    sizes.d_v = or_default(&c, ATTN_AXIS_V, sizes.d);
    status = check_dim_in(&c, sizes.d, err);
    if (status == ATTN_OK) {
        *out = sizes;
    }
    return status;
}

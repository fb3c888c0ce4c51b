/* The tensor and layer tables, and what can be asked of them. */
#include "attn/tables.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "attn/tensor.h"

#define AXES(a, b, c)                                                                              \
    {                                                                                              \
        ATTN_AXIS_##a, ATTN_AXIS_##b, ATTN_AXIS_##c                                                \
    }

#define INPUT(name_, symbol_, meaning_, axes_, kind_, fallback_)                                   \
    {                                                                                              \
        .name = (name_), .symbol = (symbol_), .meaning = (meaning_), .axes = axes_,                \
        .kind = (kind_), .group = ATTN_GROUP_INPUT, .stage = ATTN_NO_STAGE,                        \
        .fallback = (fallback_), .layer = ATTN_N_LAYERS                                            \
    }

#define WEIGHT(name_, symbol_, meaning_, axes_, layer_)                                            \
    {                                                                                              \
        .name = (name_), .symbol = (symbol_), .meaning = (meaning_), .axes = axes_,                \
        .kind = ATTN_KIND_REAL, .group = ATTN_GROUP_WEIGHT, .stage = ATTN_NO_STAGE,                \
        .fallback = ATTN_NO_TENSOR, .layer = (layer_)                                              \
    }

#define STAGE(name_, symbol_, meaning_, axes_, kind_, stage_, fallback_)                           \
    {                                                                                              \
        .name = (name_), .symbol = (symbol_), .meaning = (meaning_), .axes = axes_,                \
        .kind = (kind_), .group = ATTN_GROUP_STAGE, .stage = (stage_), .fallback = (fallback_),    \
        .layer = ATTN_N_LAYERS                                                                     \
    }

const struct attn_tensor_info attn_tensors[ATTN_N_TENSORS] = {
    [ATTN_X] = INPUT("x", "X", "the input: one vector for each token", AXES(B, T, I),
                     ATTN_KIND_REAL, ATTN_NO_TENSOR),
    [ATTN_MEMORY] =
        INPUT("memory", "Y", "the other sequence, which the keys and values are made from",
              AXES(B, S, I), ATTN_KIND_REAL, ATTN_X),
    [ATTN_MASK] = INPUT("mask", "M", "which keys each query may see: 1 keeps a key, 0 hides it",
                        AXES(B, T, S), ATTN_KIND_MASK, ATTN_NO_TENSOR),
    [ATTN_KEEP] = INPUT("keep", "R", "dropout's pattern: 1 keeps a weight, 0 drops it",
                        AXES(B, T, S), ATTN_KIND_MASK, ATTN_NO_TENSOR),
    [ATTN_PADDING] =
        INPUT("padding", "P", "which keys of each sequence are real: 1 is, 0 is padding",
              AXES(NONE, B, S), ATTN_KIND_MASK, ATTN_NO_TENSOR),
    [ATTN_UNPADDED] = INPUT("unpadded", "U", "the mask without its padding part", AXES(B, T, S),
                            ATTN_KIND_MASK, ATTN_NO_TENSOR),
    [ATTN_W_Q] = WEIGHT("w_q", "W_q", "the query layer's weight, one row for each output",
                        AXES(NONE, D, I), ATTN_LAYER_Q),
    [ATTN_B_Q] = WEIGHT("b_q", "b_q", "the query layer's bias", AXES(NONE, NONE, D), ATTN_LAYER_Q),
    [ATTN_W_K] = WEIGHT("w_k", "W_k", "the key layer's weight, one row for each output",
                        AXES(NONE, D, I), ATTN_LAYER_K),
    [ATTN_B_K] = WEIGHT("b_k", "b_k", "the key layer's bias: it cancels in the softmax",
                        AXES(NONE, NONE, D), ATTN_LAYER_K),
    [ATTN_W_V] = WEIGHT("w_v", "W_v", "the value layer's weight, one row for each output",
                        AXES(NONE, V, I), ATTN_LAYER_V),
    [ATTN_B_V] = WEIGHT("b_v", "b_v", "the value layer's bias", AXES(NONE, NONE, V), ATTN_LAYER_V),
    [ATTN_W_QKV] = WEIGHT("w_qkv", "W_qkv", "the merged weight: rows for q, then k, then v",
                          AXES(NONE, 3D, I), ATTN_LAYER_QKV),
    [ATTN_B_QKV] = WEIGHT("b_qkv", "b_qkv", "the merged bias: for q, then k, then v",
                          AXES(NONE, NONE, 3D), ATTN_LAYER_QKV),
    [ATTN_W_OUT] = WEIGHT("w_out", "W_o", "the output layer's weight, one row for each output",
                          AXES(NONE, D, V), ATTN_LAYER_OUT),
    [ATTN_B_OUT] =
        WEIGHT("b_out", "b_o", "the output layer's bias", AXES(NONE, NONE, D), ATTN_LAYER_OUT),
    [ATTN_QKV] =
        STAGE("qkv", "QKV", "query, key and value of each token side by side, from one product",
              AXES(B, T, 3D), ATTN_KIND_REAL, ATTN_STAGE_PROJECT_MERGED, ATTN_NO_TENSOR),
    [ATTN_Q] = STAGE("q", "Q", "queries: what each token looks for", AXES(B, T, D), ATTN_KIND_REAL,
                     ATTN_STAGE_PROJECT, ATTN_NO_TENSOR),
    [ATTN_K] = STAGE("k", "K", "keys: what each token can be found by", AXES(B, S, D),
                     ATTN_KIND_REAL, ATTN_STAGE_PROJECT, ATTN_NO_TENSOR),
    [ATTN_V] = STAGE("v", "V", "values: what each token hands over when it is found", AXES(B, S, V),
                     ATTN_KIND_REAL, ATTN_STAGE_PROJECT, ATTN_NO_TENSOR),
    [ATTN_SCORES] = STAGE("scores", "QKᵀ", "how well each query matches each key", AXES(B, T, S),
                          ATTN_KIND_LOGIT, ATTN_STAGE_SCORE, ATTN_NO_TENSOR),
    [ATTN_SCALED] = STAGE("scaled", "Z", "scores whose spread no longer grows with d_k",
                          AXES(B, T, S), ATTN_KIND_LOGIT, ATTN_STAGE_SCALE, ATTN_NO_TENSOR),
    [ATTN_MASKED] = STAGE("masked", "Z'", "scaled scores, with the fill where the mask hides a key",
                          AXES(B, T, S), ATTN_KIND_LOGIT, ATTN_STAGE_MASK, ATTN_SCALED),
    [ATTN_WEIGHTS] =
        STAGE("weights", "A", "how much of each key's value each query takes", AXES(B, T, S),
              ATTN_KIND_PROBABILITY, ATTN_STAGE_SOFTMAX, ATTN_NO_TENSOR),
    [ATTN_DROPPED] = STAGE("dropped", "A'", "weights after dropout: some 0, the others larger",
                           AXES(B, T, S), ATTN_KIND_PROBABILITY, ATTN_STAGE_DROP, ATTN_WEIGHTS),
    [ATTN_CONTEXT] = STAGE("context", "C", "for each query the values, mixed by its weights",
                           AXES(B, T, V), ATTN_KIND_REAL, ATTN_STAGE_MIX, ATTN_NO_TENSOR),
    [ATTN_OUTPUT] = STAGE("output", "O", "the context, mapped once more by the output layer",
                          AXES(B, T, D), ATTN_KIND_REAL, ATTN_STAGE_OUTPUT, ATTN_CONTEXT),
};

#define NAMES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

const struct attn_layer_info attn_layers[ATTN_N_LAYERS] = {
    [ATTN_LAYER_Q] = {.role = "q",
                      .weight = ATTN_W_Q,
                      .bias = ATTN_B_Q,
                      .aliases = NAMES("w_q", "query_proj", "q_proj", "W_query", "query", "W_q",
                                       "wq", "to_q", "q_linear", "linear_q"),
                      .weight_names = NAMES("w_q", "W_q", "Wq", "wq", "W_Q", "W_query"),
                      .bias_names = NAMES("b_q", "bq", "b_Q", "b_query")},
    [ATTN_LAYER_K] = {.role = "k",
                      .weight = ATTN_W_K,
                      .bias = ATTN_B_K,
                      .aliases = NAMES("w_k", "key_proj", "k_proj", "W_key", "key", "W_k", "wk",
                                       "to_k", "k_linear", "linear_k"),
                      .weight_names = NAMES("w_k", "W_k", "Wk", "wk", "W_K", "W_key"),
                      .bias_names = NAMES("b_k", "bk", "b_K", "b_key")},
    [ATTN_LAYER_V] = {.role = "v",
                      .weight = ATTN_W_V,
                      .bias = ATTN_B_V,
                      .aliases = NAMES("w_v", "value_proj", "v_proj", "W_value", "value", "W_v",
                                       "wv", "to_v", "v_linear", "linear_v"),
                      .weight_names = NAMES("w_v", "W_v", "Wv", "wv", "W_V", "W_value"),
                      .bias_names = NAMES("b_v", "bv", "b_V", "b_value")},
    [ATTN_LAYER_QKV] = {.role = "qkv",
                        .weight = ATTN_W_QKV,
                        .bias = ATTN_B_QKV,
                        .aliases = NAMES("proj", "qkv", "qkv_proj", "in_proj", "w_qkv", "W_qkv",
                                         "to_qkv", "c_attn", "query_key_value"),
                        .weight_names = NAMES("w_qkv", "W_qkv", "Wqkv", "in_proj_weight"),
                        .bias_names = NAMES("b_qkv", "bqkv", "in_proj_bias")},
    [ATTN_LAYER_OUT] = {.role = "out",
                        .weight = ATTN_W_OUT,
                        .bias = ATTN_B_OUT,
                        .aliases = NAMES("output_proj", "out_proj", "o_proj", "w_out", "w_o", "W_o",
                                         "wo", "to_out", "c_proj"),
                        .weight_names = NAMES("w_out", "w_o", "W_o", "Wo", "wo", "W_O"),
                        .bias_names = NAMES("b_out", "b_o", "bo", "b_O")},
};

int attn_axis_size(const attn_sizes *sizes, enum attn_axis axis)
{
    switch (axis) {
    case ATTN_AXIS_NONE:
        return 1;
    case ATTN_AXIS_B:
        return sizes->B;
    case ATTN_AXIS_T:
        return sizes->T;
    case ATTN_AXIS_S:
        return sizes->S;
    case ATTN_AXIS_I:
        return sizes->d_in;
    case ATTN_AXIS_D:
        return sizes->d;
    case ATTN_AXIS_V:
        return sizes->d_v;
    case ATTN_AXIS_3D:
        return 3 * sizes->d;
    }
    return 1;
}

const char *attn_axis_name(enum attn_axis axis)
{
    static const char *const names[] = {
        [ATTN_AXIS_NONE] = "",  [ATTN_AXIS_B] = "batch", [ATTN_AXIS_T] = "queries",
        [ATTN_AXIS_S] = "keys", [ATTN_AXIS_I] = "d_in",  [ATTN_AXIS_D] = "d",
        [ATTN_AXIS_V] = "d_v",  [ATTN_AXIS_3D] = "3d",
    };
    return names[axis];
}

int attn_tensor_dims(enum attn_tensor_id id, const attn_sizes *sizes, int dims[3])
{
    int rank = 0;
    for (int i = 0; i < ATTN_RANK_MAX; i++) {
        const enum attn_axis axis = attn_tensors[id].axes[i];
        dims[i] = attn_axis_size(sizes, axis);
        rank += axis != ATTN_AXIS_NONE;
    }
    return rank;
}

/** Append text to the n bytes in out, or what there is room for. @return the bytes there now. */
static size_t append(char *out, size_t size, size_t n, const char *text)
{
    while (*text != '\0' && n + 1 < size) {
        out[n++] = *text++;
    }
    out[n] = '\0';
    return n;
}

char *attn_tensor_name(enum attn_variant variant, enum attn_tensor_id id, char *out, size_t size)
{
    assert(size > 0);
    const struct attn_tensor_info *const info = &attn_tensors[id];
    const char *layer = NULL;
    if (info->layer != ATTN_N_LAYERS) {
        layer = attn_variants[variant].layer_names[info->layer];
    }
    if (layer != NULL) {
        const bool is_weight = attn_layers[info->layer].weight == id;
        append(out, size, append(out, size, 0, layer), is_weight ? ".weight" : ".bias");
    } else {
        append(out, size, 0, info->name);
    }
    return out;
}

static bool listed(const char *const *names, const char *name, size_t length)
{
    for (; *names != NULL; names++) {
        if (strlen(*names) == length && memcmp(*names, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The weight or bias of this layer that people call so, or NO_TENSOR. */
static enum attn_tensor_id find_in_layer(const struct attn_layer_info *layer, const char *name)
{
    const size_t length = strlen(name);
    if (listed(layer->weight_names, name, length)) {
        return layer->weight;
    }
    if (listed(layer->bias_names, name, length)) {
        return layer->bias;
    }
    const char *const dot = strrchr(name, '.');
    if (dot == NULL || !listed(layer->aliases, name, (size_t)(dot - name))) {
        return ATTN_NO_TENSOR;
    }
    if (strcmp(dot, ".weight") == 0) {
        return layer->weight;
    }
    return strcmp(dot, ".bias") == 0 ? layer->bias : ATTN_NO_TENSOR;
}

enum attn_tensor_id attn_tensor_find(enum attn_variant variant, const char *name)
{
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        char own[64];
        if (attn_variant_has_tensor(variant, id) &&
            (strcmp(name, attn_tensors[id].name) == 0 ||
             strcmp(name, attn_tensor_name(variant, id, own, sizeof own)) == 0)) {
            return id;
        }
    }
    for (int i = 0; i < ATTN_N_LAYERS; i++) {
        if (attn_variant_has_layer(variant, (enum attn_layer)i)) {
            const enum attn_tensor_id id = find_in_layer(&attn_layers[i], name);
            if (id != ATTN_NO_TENSOR && attn_variant_has_tensor(variant, id)) {
                return id;
            }
        }
    }
    return ATTN_NO_TENSOR;
}

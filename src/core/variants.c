/* The variants: which stages in which order, which layers under which names. */
#include "attn/tables.h"

#include <string.h>

const struct attn_variant_info attn_variants[ATTN_N_VARIANTS] = {
    [ATTN_SINGLE] =
        {.name = "single",
         .title = "Single head: scaled dot-product self-attention",
         .summary = "Three projections without a bias from d_in to d_k, an optional "
                    "mask, softmax, and the weighted sum.",
         .class_name = "SingleHeadSelfAttention",
         .stages = {ATTN_STAGE_PROJECT, ATTN_STAGE_SCORE, ATTN_STAGE_SCALE, ATTN_STAGE_MASK,
                    ATTN_STAGE_SOFTMAX, ATTN_STAGE_MIX, ATTN_NO_STAGE},
         .layers = {ATTN_LAYER_Q, ATTN_LAYER_K, ATTN_LAYER_V, ATTN_N_LAYERS},
         .layer_names = {[ATTN_LAYER_Q] = "w_q", [ATTN_LAYER_K] = "w_k", [ATTN_LAYER_V] = "w_v"}},
    [ATTN_CROSS] =
        {.name = "cross",
         .title = "Cross-attention: queries from x, keys and values from memory",
         .summary = "The single head with two sequences: x asks, and memory, which may "
                    "have another length, is asked.",
         .class_name = "SingleHeadCrossAttention",
         .stages = {ATTN_STAGE_PROJECT, ATTN_STAGE_SCORE, ATTN_STAGE_SCALE, ATTN_STAGE_MASK,
                    ATTN_STAGE_SOFTMAX, ATTN_STAGE_MIX, ATTN_NO_STAGE},
         .layers = {ATTN_LAYER_Q, ATTN_LAYER_K, ATTN_LAYER_V, ATTN_N_LAYERS},
         .layer_names = {[ATTN_LAYER_Q] = "w_q", [ATTN_LAYER_K] = "w_k", [ATTN_LAYER_V] = "w_v"},
         .has_memory = true},
    [ATTN_V1] = {.name = "v1",
                 .title = "V1: the formula, with three projections",
                 .summary = "Three layers of the same width with a bias, then the formula as it is "
                            "written: no mask, no dropout.",
                 .class_name = "SelfAttentionV1",
                 .stages = {ATTN_STAGE_PROJECT, ATTN_STAGE_SCORE, ATTN_STAGE_SCALE,
                            ATTN_STAGE_SOFTMAX, ATTN_STAGE_MIX, ATTN_NO_STAGE},
                 .layers = {ATTN_LAYER_Q, ATTN_LAYER_K, ATTN_LAYER_V, ATTN_N_LAYERS},
                 .layer_names = {[ATTN_LAYER_Q] = "query_proj",
                                 [ATTN_LAYER_K] = "key_proj",
                                 [ATTN_LAYER_V] = "value_proj"},
                 .bias = true,
                 .square = true},
    [ATTN_V2] = {.name = "v2",
                 .title = "V2: one merged projection, then split",
                 .summary = "One layer of three times the width makes q, k and v at once; from the "
                            "same weights it gives V1's numbers (a seed draws others for it).",
                 .class_name = "SelfAttentionV2",
                 .stages = {ATTN_STAGE_PROJECT_MERGED, ATTN_STAGE_SPLIT, ATTN_STAGE_SCORE,
                            ATTN_STAGE_SCALE, ATTN_STAGE_SOFTMAX, ATTN_STAGE_MIX, ATTN_NO_STAGE},
                 .layers = {ATTN_LAYER_QKV, ATTN_N_LAYERS},
                 .layer_names = {[ATTN_LAYER_QKV] = "proj"},
                 .bias = true,
                 .square = true},
    [ATTN_V3] = {.name = "v3",
                 .title = "V3: mask, dropout, output projection",
                 .summary = "V2 with what a model needs: a mask on the scores, dropout on the "
                            "weights in training, and an output projection.",
                 .class_name = "SelfAttentionV3",
                 .stages = {ATTN_STAGE_PROJECT_MERGED, ATTN_STAGE_SPLIT, ATTN_STAGE_SCORE,
                            ATTN_STAGE_SCALE, ATTN_STAGE_MASK, ATTN_STAGE_SOFTMAX, ATTN_STAGE_DROP,
                            ATTN_STAGE_MIX, ATTN_STAGE_OUTPUT, ATTN_NO_STAGE},
                 .layers = {ATTN_LAYER_QKV, ATTN_LAYER_OUT, ATTN_N_LAYERS},
                 .layer_names = {[ATTN_LAYER_QKV] = "proj", [ATTN_LAYER_OUT] = "output_proj"},
                 .bias = true,
                 .square = true},
};

bool attn_variant_has(enum attn_variant variant, enum attn_stage stage)
{
    for (const enum attn_stage *s = attn_variants[variant].stages; *s != ATTN_NO_STAGE; s++) {
        if (*s == stage) {
            return true;
        }
    }
    return false;
}

bool attn_variant_has_layer(enum attn_variant variant, enum attn_layer layer)
{
    for (const enum attn_layer *l = attn_variants[variant].layers; *l != ATTN_N_LAYERS; l++) {
        if (*l == layer) {
            return true;
        }
    }
    return false;
}

static bool stage_writes(enum attn_stage stage, enum attn_tensor_id id)
{
    for (const enum attn_tensor_id *t = attn_stages[stage].outputs; *t != ATTN_NO_TENSOR; t++) {
        if (*t == id) {
            return true;
        }
    }
    return false;
}

bool attn_variant_has_tensor(enum attn_variant variant, enum attn_tensor_id id)
{
    const struct attn_variant_info *const info = &attn_variants[variant];
    const struct attn_tensor_info *const tensor = &attn_tensors[id];
    switch (tensor->group) {
    case ATTN_GROUP_INPUT:
        return id == ATTN_X || (id == ATTN_MEMORY && info->has_memory) ||
               (id == ATTN_MASK && attn_variant_has(variant, ATTN_STAGE_MASK)) ||
               (id == ATTN_KEEP && attn_variant_has(variant, ATTN_STAGE_DROP));
    case ATTN_GROUP_WEIGHT:
        return attn_variant_has_layer(variant, tensor->layer) &&
               (info->bias || attn_layers[tensor->layer].weight == id);
    case ATTN_GROUP_STAGE:
        for (const enum attn_stage *s = info->stages; *s != ATTN_NO_STAGE; s++) {
            if (stage_writes(*s, id)) {
                return true;
            }
        }
        return false;
    }
    return false;
}

int attn_variant_find(const char *name)
{
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        if (strcmp(attn_variants[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

enum attn_stage attn_stage_find(enum attn_variant variant, const char *key)
{
    for (const enum attn_stage *s = attn_variants[variant].stages; *s != ATTN_NO_STAGE; s++) {
        if (strcmp(attn_stages[*s].key, key) == 0) {
            return *s;
        }
    }
    return ATTN_NO_STAGE;
}

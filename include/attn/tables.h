/**
 * The tables that everything is made from: tensors, stages, variants, layers.
 *
 * Axes: B batch, T queries, S keys, I width of the input (d_in), D width of q and k (d, d_k),
 * V width of the values (D unless q, k, v are given), 3D the merged projection.
 *
 * Commands, the pipeline on the screen, file and JSON names, lessons, generated code and tests loop
 * over these rows; a new stage or variant is a new row.
 */
#ifndef ATTN_TABLES_H
#define ATTN_TABLES_H

#include <stdbool.h>
#include <stddef.h>

enum attn_axis {
    ATTN_AXIS_NONE, /**< The tensor's rank does not reach this far. */
    ATTN_AXIS_B,
    ATTN_AXIS_T,
    ATTN_AXIS_S,
    ATTN_AXIS_I,
    ATTN_AXIS_D,
    ATTN_AXIS_V,
    ATTN_AXIS_3D
};

enum attn_kind {
    ATTN_KIND_REAL,        /**< Any real number; drawn on a diverging scale. */
    ATTN_KIND_LOGIT,       /**< A score; -INFINITY is a masked one. */
    ATTN_KIND_PROBABILITY, /**< 0…1 (beyond 1 after dropout); a sequential scale. */
    ATTN_KIND_MASK         /**< 1 keeps, 0 masks. */
};

enum attn_group {
    ATTN_GROUP_INPUT,  /**< x, memory, mask, keep; padding and unpadded. */
    ATTN_GROUP_WEIGHT, /**< A layer's weight or bias; its name depends on the variant. */
    ATTN_GROUP_STAGE   /**< Computed by a stage (q, k, v may be given instead). */
};

enum attn_tensor_id {
    ATTN_X,
    ATTN_MEMORY,
    ATTN_MASK,
    ATTN_KEEP,
    ATTN_PADDING,  /**< The mask's padding part: [B,S]. Only for the bug that gets it wrong. */
    ATTN_UNPADDED, /**< The mask without it: [B,T,S]. Likewise. */
    ATTN_W_Q,
    ATTN_B_Q,
    ATTN_W_K,
    ATTN_B_K,
    ATTN_W_V,
    ATTN_B_V,
    ATTN_W_QKV,
    ATTN_B_QKV,
    ATTN_W_OUT,
    ATTN_B_OUT,
    ATTN_QKV,
    ATTN_Q,
    ATTN_K,
    ATTN_V,
    ATTN_SCORES,
    ATTN_SCALED,
    ATTN_MASKED,
    ATTN_WEIGHTS,
    ATTN_DROPPED,
    ATTN_CONTEXT,
    ATTN_OUTPUT,
    ATTN_N_TENSORS,
    ATTN_NO_TENSOR = -1
};

/**
 * The stages' implementations. Two of them, PROJECT and PROJECT_MERGED, share the key "project":
 * a variant has one or the other.
 */
enum attn_stage {
    ATTN_STAGE_PROJECT,
    ATTN_STAGE_PROJECT_MERGED,
    ATTN_STAGE_SPLIT,
    ATTN_STAGE_SCORE,
    ATTN_STAGE_SCALE,
    ATTN_STAGE_MASK,
    ATTN_STAGE_SOFTMAX,
    ATTN_STAGE_DROP,
    ATTN_STAGE_MIX,
    ATTN_STAGE_OUTPUT,
    ATTN_N_STAGES,
    ATTN_NO_STAGE = -1
};

enum attn_lang { ATTN_LANG_MATH, ATTN_LANG_PYTORCH, ATTN_LANG_NUMPY, ATTN_LANG_C, ATTN_N_LANGS };

enum attn_variant { ATTN_SINGLE, ATTN_CROSS, ATTN_V1, ATTN_V2, ATTN_V3, ATTN_N_VARIANTS };

enum attn_layer {
    ATTN_LAYER_Q,
    ATTN_LAYER_K,
    ATTN_LAYER_V,
    ATTN_LAYER_QKV,
    ATTN_LAYER_OUT,
    ATTN_N_LAYERS
};

/** B, T, S, d_in, d (= d_k) and d_v, each 1…ATTN_DIM_MAX. */
typedef struct attn_sizes {
    int B, T, S, d_in, d, d_v;
} attn_sizes;

struct attn_tensor_info {
    const char *name;       /**< "scores"; for a weight its role, "w_q" (see attn_tensor_name). */
    const char *symbol;     /**< Short, as in a formula: "QKᵀ", "A", "W_q"; UTF-8. */
    const char *meaning;    /**< A line for help: "how well each query matches each key". */
    enum attn_axis axes[3]; /**< Right-aligned, leading ATTN_AXIS_NONE where the rank is lower. */
    enum attn_kind kind;
    enum attn_group group;
    enum attn_stage
        stage; /**< That writes it (PROJECT_MERGED for qkv, PROJECT for q, k, v), or NO_STAGE. */
    enum attn_tensor_id
        fallback; /**< What stands in for it where it does not exist (masked → scaled). */
    enum attn_layer layer; /**< Of a weight; ATTN_N_LAYERS for the rest. */
};

struct attn_trace;

enum { ATTN_STAGE_INPUTS_MAX = 8, ATTN_STAGE_OUTPUTS_MAX = 3 };

struct attn_stage_info {
    const char *key;   /**< "project split score scale mask softmax drop mix output". */
    const char *title; /**< "Scores: every query with every key". */
    const char *box;   /**< A few columns for the pipeline: "QKᵀ", UTF-8. */
    const char *box_ascii;
    const char *formula;      /**< "scores[t,s] = Σ_i q[t,i]·k[s,i]", UTF-8. */
    const char *formula_bare; /**< Where no layer has a bias; NULL: the same. */
    enum attn_tensor_id inputs[ATTN_STAGE_INPUTS_MAX + 1];   /**< Ended by ATTN_NO_TENSOR. */
    enum attn_tensor_id outputs[ATTN_STAGE_OUTPUTS_MAX + 1]; /**< Ended by ATTN_NO_TENSOR. */
    const char
        *snippet[ATTN_N_LANGS]; /**< Lines of code with {placeholders}: see attn_trace_snippet. */
    void (*run)(struct attn_trace *trace); /**< Computes every output; its tensors are allocated. */
};

struct attn_layer_info {
    const char *role; /**< "q", "k", "v", "qkv", "out". */
    enum attn_tensor_id weight, bias;
    const char *const
        *aliases; /**< Names that people give the layer, ended by NULL; "NAME.weight" is read. */
    const char *const
        *weight_names; /**< Whole names of the weight ("in_proj_weight"), ended by NULL. */
    const char *const *bias_names;
};

struct attn_variant_info {
    const char *name;                          /**< "v3". */
    const char *title;                         /**< "V3: mask, dropout, output projection". */
    const char *summary;                       /**< One sentence. */
    const char *class_name;                    /**< For generated code: "SelfAttentionV3". */
    enum attn_stage stages[ATTN_N_STAGES + 1]; /**< In order, ended by ATTN_NO_STAGE. */
    enum attn_layer
        layers[ATTN_N_LAYERS + 1];          /**< In the module's order, ended by ATTN_N_LAYERS. */
    const char *layer_names[ATTN_N_LAYERS]; /**< state_dict names by layer; NULL: it has none. */
    bool bias;                              /**< Its layers have a bias. */
    bool has_memory;                        /**< Keys and values come from memory [B,S,d_in]. */
    bool square;                            /**< d_in = d. */
};

extern const struct attn_tensor_info attn_tensors[ATTN_N_TENSORS];
extern const struct attn_stage_info attn_stages[ATTN_N_STAGES];
extern const struct attn_layer_info attn_layers[ATTN_N_LAYERS];
extern const struct attn_variant_info attn_variants[ATTN_N_VARIANTS];
extern const char *const attn_lang_names[ATTN_N_LANGS]; /**< "math", "pytorch", "numpy", "c". */

/** Does the variant's list hold this stage? (It takes a mask if it has MASK, dropout if it has
 * DROP.) */
bool attn_variant_has(enum attn_variant variant, enum attn_stage stage);

/** Does the variant have this layer? */
bool attn_variant_has_layer(enum attn_variant variant, enum attn_layer layer);

/** Can this tensor occur in this variant? (memory in cross only, biases where it has them, …) */
bool attn_variant_has_tensor(enum attn_variant variant, enum attn_tensor_id id);

/** Find a variant by name. @return the variant, or -1. */
int attn_variant_find(const char *name);

/** The stage of this variant with this key, or ATTN_NO_STAGE. */
enum attn_stage attn_stage_find(enum attn_variant variant, const char *key);

/**
 * The tensor's name in this variant: "scores"; "query_proj.weight" for v1's ATTN_W_Q.
 * @return out, always terminated.
 */
char *attn_tensor_name(enum attn_variant variant, enum attn_tensor_id id, char *out, size_t size);

/**
 * Find a tensor of this variant by its own name, a state_dict name or an alias ("q_proj.weight").
 * @return the tensor, or ATTN_NO_TENSOR.
 */
enum attn_tensor_id attn_tensor_find(enum attn_variant variant, const char *name);

/** The size of an axis; 1 for ATTN_AXIS_NONE. */
int attn_axis_size(const attn_sizes *sizes, enum attn_axis axis);

/** The name of an axis in words: "queries", "keys", "batch", "d_in", "d", "d_v", "3d". */
const char *attn_axis_name(enum attn_axis axis);

/** Rank and right-aligned dims of a tensor with these sizes. @return the rank. */
int attn_tensor_dims(enum attn_tensor_id id, const attn_sizes *sizes, int dims[3]);

#endif

/**
 * A trace: one computation of attention with every intermediate tensor kept.
 *
 * A configuration and inputs in, every tensor out, in one block of memory. A trace is immutable:
 * an edit makes a new one. The same configuration and inputs give the same bits on every machine.
 *
 * attn/attn.h has an example.
 */
#ifndef ATTN_TRACE_H
#define ATTN_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attn/bugs.h"
#include "attn/kernels.h"
#include "attn/mask.h"
#include "attn/status.h"
#include "attn/tables.h"
#include "attn/tensor.h"

enum attn_empty_row {
    ATTN_EMPTY_ZEROS, /**< A row whose every score is -INFINITY gets weights of 0, and a flag. */
    ATTN_EMPTY_NAN    /**< It gets NaN, as a plain softmax gives; flagged too. */
};

typedef struct attn_config {
    enum attn_variant variant;
    attn_sizes sizes;
    bool scale_given; /**< false: scores are divided by (float)√d; true: multiplied by scale. */
    float scale;      /**< The factor if scale_given; 1 for none. */
    float mask_fill;  /**< What a masked score becomes; -INFINITY by default. */
    enum attn_empty_row empty_row;
    bool training;    /**< Dropout acts only in training. */
    double dropout_p; /**< 0…1, the probability of dropping a weight. */
    bool keep_given;  /**< keep was chosen and not drawn: the snippets then say so. */
    bool causal;      /**< The mask has a causal part, aligned as causal_align says. */
    enum attn_causal_align causal_align;
    enum attn_bug bugs[ATTN_BUGS_MAX]; /**< What to get wrong, on purpose. */
    int n_bugs;
    bool row_maximum;      /**< With softmax-queries: the sum alone goes over the queries, and the
                              maximum that is taken off is the row's. For diagnosis. */
    unsigned wrong_layers; /**< Bits by enum attn_layer: the layers that a bug of layers is in; 0,
                              the default: every one. For diagnosis. */
    uint64_t max_bytes;    /**< A trace that would be larger is refused. Default 4 GiB. */
    enum attn_cpu cpu;     /**< ATTN_CPU_AUTO by default; the numbers do not depend on it. */
} attn_config;

/** The defaults of a variant: sizes 1,4,4,4,4,4, divided by √d, fill -INFINITY, zeros, p 0.1,
 * evaluation. */
void attn_config_default(attn_config *config, enum attn_variant variant);

typedef struct attn_trace attn_trace;

enum attn_flag_kind {
    ATTN_FLAG_EMPTY_ROW, /**< No key is left for this query: its weights are zeros or NaN by policy.
                          */
    ATTN_FLAG_UNIFORM_ROW, /**< Every key is masked with a finite fill: the weights are 1/S each. */
    ATTN_FLAG_NAN,         /**< The first NaN of a tensor that its inputs did not have. */
    ATTN_FLAG_INF          /**< The first infinity likewise (a masked score is none). */
};

/** Something that a person should be told about a result; no failure. */
struct attn_flag {
    enum attn_flag_kind kind;
    enum attn_tensor_id tensor;
    int at[3];    /**< The first such cell; for a row its column is 0. */
    size_t count; /**< How many cells (or rows) of this tensor. */
};

/** A cell of a tensor of a trace; at is right-aligned as in attn/tensor.h. */
struct attn_cell {
    enum attn_tensor_id tensor;
    int at[3];
};

/**
 * The bytes that a trace with these inputs would take, overflow-checked.
 *
 * @param inputs  As for attn_trace_create; only which of them exist matters.
 * @return ATTN_OK, or ATTN_E_LIMIT when a dimension is outside 1…65,536 or the sum overflows 64
 * bits.
 */
enum attn_status attn_trace_bytes(uint64_t *bytes, const attn_config *config,
                                  const attn_tensor inputs[ATTN_N_TENSORS], struct attn_error *err);

/**
 * Compute a trace. The inputs are copied; the caller keeps his own.
 *
 * Inputs: x (and memory), every weight (and bias) of the variant; or q, k and v, all three, and the
 * walk starts at the scores (v3 still needs its output projection, and d_v = d there; T and S are
 * free then in every variant). mask [B,T,S] (1 keeps) where the variant takes one. keep [B,T,S]
 * where it has dropout; without it a training trace with p > 0 is refused (drawing it is
 * the caller's: see src/torch). With p = 1 in training, keep may be absent. In evaluation keep is
 * left alone, but for a bug that drops there too. padding [B,S] and unpadded [B,T,S], the mask's
 * two parts, are read by the bug that needs them and left alone otherwise.
 *
 * Bugs: a trace with config.bugs runs changed rows of the stage table. A bug that has nothing to
 * change in this variant is no error here; attn_bugs_apply tells.
 *
 * @param out     Receives the trace; the caller destroys it.
 * @param inputs  Indexed by attn_tensor_id; data NULL where not given. Any strides.
 * @return ATTN_OK, ATTN_E_NOMEM, ATTN_E_LIMIT (the message has the figure), ATTN_E_SHAPE (both
 * shapes), ATTN_E_VALUE (p outside 0…1, a mask or keep that is neither 0 nor 1, a missing input),
 * or ATTN_E_UNSUPPORTED (a mask or dropout for a variant that has none: who takes it is named;
 *         a config.cpu that this machine is not; two bugs that exclude each other).
 */
enum attn_status attn_trace_create(attn_trace **out, const attn_config *config,
                                   const attn_tensor inputs[ATTN_N_TENSORS],
                                   struct attn_error *err);

/** Free a trace. NULL is fine. */
void attn_trace_destroy(attn_trace *trace);

/** The configuration that it was made with. */
const attn_config *attn_trace_config(const attn_trace *trace);

/** A tensor of the trace, contiguous; NULL where this trace has none (no mask given, say). */
const attn_tensor *attn_trace_tensor(const attn_trace *trace, enum attn_tensor_id id);

/** The tensor that stands where id is asked for: itself, or its fallback (masked → scaled), or
 * NO_TENSOR. */
enum attn_tensor_id attn_trace_source(const attn_trace *trace, enum attn_tensor_id id);

/** The number of stages: the variant's, without project and split where q, k, v were given. */
int attn_trace_n_stages(const attn_trace *trace);

/** The i-th stage. */
enum attn_stage attn_trace_stage(const attn_trace *trace, int i);

/** True if the stage has nothing to do in this trace (no mask given; dropout in evaluation or p =
 * 0). */
bool attn_trace_idle(const attn_trace *trace, enum attn_stage stage);

/** The stage that wrote this tensor here (split for v2's q), or ATTN_NO_STAGE if it was given. */
enum attn_stage attn_trace_writer(const attn_trace *trace, enum attn_tensor_id id);

/** Was it computed with this bug? */
bool attn_trace_has_bug(const attn_trace *trace, enum attn_bug bug);

/** Did a bug change this stage's row? */
bool attn_trace_changed(const attn_trace *trace, enum attn_stage stage);

/** May query t see key s of batch element b here? The mask as the trace uses it, bugs and all; true
 * where there is none. */
bool attn_trace_keeps(const attn_trace *trace, int b, int t, int s);

/** What a masked score becomes here, bugs and all. */
float attn_trace_fill(const attn_trace *trace);

/** What the scores are divided by, or multiplied with. @param divides  Out: which of the two. */
float attn_trace_factor(const attn_trace *trace, bool *divides);

/** The column of qkv that the split takes as this column of q, k or v. */
int attn_trace_split_column(const attn_trace *trace, enum attn_tensor_id part, int column);

/** The last tensor: output, or context. */
enum attn_tensor_id attn_trace_result(const attn_trace *trace);

/** The flags, in the order of the stages. @param n  Out: how many. @return owned by the trace. */
const struct attn_flag *attn_trace_flags(const attn_trace *trace, int *n);

/**
 * The stage's code with its placeholders filled in for this trace: layer names ({q} {k} {v} {qkv}
 * {out}), the source of keys ({kv}), the logits that the softmax takes ({logits}), the weights that
 * the mix takes ({probs}), the divisor or factor ({scale_expr}), the fill ({fill}), dropout
 * ({drop_expr}).
 *
 * @return the number of lines, separated by '\n'; out is always terminated.
 */
int attn_trace_snippet(const attn_trace *trace, enum attn_stage stage, enum attn_lang lang,
                       char *out, size_t size);

#endif

/**
 * The classic mistakes, each as a change to a row of the stage table: what a trace computes with
 * one of them in it, and when it makes a difference.
 *
 * z = QKᵀ/√d_k; K the keep mask; m = z where K, else −∞; A = softmax over the keys of m;
 * D = keep/(1−p).
 */
#ifndef ATTN_BUGS_H
#define ATTN_BUGS_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/status.h"
#include "attn/tables.h"
#include "attn/tensor.h"

enum attn_bug {
    ATTN_BUG_NO_SCALE,
    ATTN_BUG_SCALE_DK,
    ATTN_BUG_SCALE_INVERSE,
    ATTN_BUG_SCALE_DIM_IN,
    ATTN_BUG_SOFTMAX_QUERIES,
    ATTN_BUG_SOFTMAX_UNSAFE,
    ATTN_BUG_NO_MASK,
    ATTN_BUG_MASK_AFTER_SOFTMAX,
    ATTN_BUG_MASK_TINY_FILL,
    ATTN_BUG_MASK_INVERTED,
    ATTN_BUG_MASK_ADDED,
    ATTN_BUG_MASK_QUERIES,
    ATTN_BUG_CAUSAL_NO_DIAGONAL,
    ATTN_BUG_NO_TRANSPOSE,
    ATTN_BUG_QKV_ORDER,
    ATTN_BUG_QKV_INTERLEAVED,
    ATTN_BUG_WEIGHT_TRANSPOSED,
    ATTN_BUG_NO_BIAS,
    ATTN_BUG_DROPOUT_UNSCALED,
    ATTN_BUG_DROPOUT_SCORES,
    ATTN_BUG_DROPOUT_EVAL,
    ATTN_BUG_NO_OUTPUT,
    ATTN_N_BUGS
};

/** How many a trace can have at once, and how many rows one may change. */
enum { ATTN_BUGS_MAX = 2, ATTN_BUG_STAGES_MAX = 4 };

struct attn_bug_info {
    const char *name;     /**< "mask-tiny-fill", as --bug takes it. */
    const char *title;    /**< A line: "1e-20 where −∞ is meant". */
    const char *computes; /**< As a formula, UTF-8. */
    const char *notice;   /**< What one would see in practice: a sentence or two. */
    const char *seen; /**< Public issues where it happened ("owner/name#65", "owner/name PR#6"); may
                         be empty. */
    const char *fix;  /**< What to do instead: a sentence. */
    const char *where; /**< When it makes a difference: "needs a padding mask, …". */
    /** The rows that it changes, ended by ATTN_NO_STAGE; the first one that a variant has is where
     * it shows first. */
    enum attn_stage stages[ATTN_BUG_STAGES_MAX + 1];
};

extern const struct attn_bug_info attn_bugs[ATTN_N_BUGS];

struct attn_trace;

/** Find a bug by name. @return the bug, or -1. */
int attn_bug_find(const char *name);

/** The first row of this variant that the bug changes, or ATTN_NO_STAGE. */
enum attn_stage attn_bug_stage(enum attn_variant variant, enum attn_bug bug);

/** Can a trace have both? Not if they are two ways to get the same thing wrong. */
bool attn_bugs_together(enum attn_bug a, enum attn_bug b);

/**
 * Would these bugs, together, make a difference here?
 *
 * @param right   A trace without bugs.
 * @param inputs  What it was made from (it may hold more than the trace kept: dropout's pattern in
 *                evaluation, the mask's padding part).
 * @param bugs    1…ATTN_BUGS_MAX of them.
 * @return ATTN_OK, or ATTN_E_UNSUPPORTED with the reason; err->what is the bug's name.
 */
enum attn_status attn_bugs_apply(const struct attn_trace *right,
                                 const attn_tensor inputs[ATTN_N_TENSORS],
                                 const enum attn_bug *bugs, int n, struct attn_error *err);

/**
 * The lines of code as people write them wrong, in a small example of a variant that it applies to
 * (attn_trace_snippet gives those of a trace that has the bug).
 *
 * @return the number of lines, separated by '\n', or 0 where there was no memory; out is always
 * terminated.
 */
int attn_bug_line(enum attn_bug bug, enum attn_lang lang, char *out, size_t size);

#endif

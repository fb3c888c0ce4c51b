/** Private to walk: the rows of the stages that a bug changed. */
#ifndef WALK_WRONG_H
#define WALK_WRONG_H

#include "walk_stage.h"

/*
 * The terms of a cell in a changed row. A layer, the scores: products, then the bias · split, and
 * an output that is the context: the value · scale: the score, the divisor or factor, and where
 * scores are dropped keep's cell and 1/(1-p) · mask: the score; where the mask is used its cell, or
 * the two that stand for it; then what is added (1 or 0), or the fill where the key is hidden ·
 * softmax over n: the maximum and n differences (not where nothing is taken off), n exponentials,
 * the sum, the quotient; for an empty row or column that is set to zeros the maximum and a
 * constant; then 1 or 0 where the mask comes after it · dropout: the weight, then keep's cell and
 * 1/(1-p).
 */

/** How a changed softmax goes. */
struct walk_wrong_softmax {
    bool columns; /**< Over the queries. */
    bool unsafe;  /**< No maximum is taken off. */
    bool masks;   /**< The mask comes after it. */
    int n;        /**< That are added up. */
    int first;    /**< The term of the first exponential. */
};

struct walk_wrong_softmax walk_wrong_softmax(const attn_trace *trace);
/** Which of the n this cell is. */
static inline int walk_wrong_place(const struct walk_wrong_softmax *softmax, struct attn_cell cell)
{
    return cell.at[softmax->columns ? 1 : 2];
}

/** Is this output its input as it is? */
bool walk_wrong_copies(const attn_trace *trace, enum attn_tensor_id output);
/** Does the mask's row look at the mask? */
bool walk_wrong_masks(const attn_trace *trace);
/** Does dropout act on the scores? */
bool walk_wrong_drops_scores(const attn_trace *trace);
/** What a kept number is multiplied with: 1/(1-p), 1 where that is left out, 0 where p is 1. */
float walk_wrong_keep_factor(const attn_trace *trace);

extern const struct walk_stage walk_wrong_stages[ATTN_N_STAGES];

typedef void walk_wrong_reads(const attn_trace *trace, const struct walk_region *box,
                              struct walk_regions *regions);
walk_wrong_reads walk_wrong_reads_linear, walk_wrong_reads_split, walk_wrong_reads_scores,
    walk_wrong_reads_scale, walk_wrong_reads_mask, walk_wrong_reads_softmax, walk_wrong_reads_drop;

typedef enum attn_status walk_wrong_explain(const attn_trace *trace, struct walk_explanation *e);
walk_wrong_explain walk_wrong_explain_linear, walk_wrong_explain_split, walk_wrong_explain_scores,
    walk_wrong_explain_scale, walk_wrong_explain_mask, walk_wrong_explain_softmax,
    walk_wrong_explain_drop;

typedef float walk_wrong_replay(const attn_trace *trace, const struct walk_explanation *e);
walk_wrong_replay walk_wrong_replay_scale, walk_wrong_replay_mask, walk_wrong_replay_softmax,
    walk_wrong_replay_drop, walk_wrong_replay_output;

typedef void walk_wrong_formula(const struct setup *setup, const attn_trace *trace,
                                struct attn_cell cell, bool brief, struct walk_text *out);
walk_wrong_formula walk_wrong_formula_linear, walk_wrong_formula_split, walk_wrong_formula_scores,
    walk_wrong_formula_scale, walk_wrong_formula_mask, walk_wrong_formula_softmax,
    walk_wrong_formula_drop;

typedef int walk_wrong_arithmetic(const attn_trace *trace, const struct walk_explanation *e,
                                  int width, int max_lines, struct walk_text *out);
walk_wrong_arithmetic walk_wrong_arithmetic_scale, walk_wrong_arithmetic_mask,
    walk_wrong_arithmetic_softmax;

typedef void walk_wrong_slope(const attn_trace *trace, enum attn_tensor_id output,
                              struct walk_gradient *g);
walk_wrong_slope walk_wrong_slope_linear, walk_wrong_slope_split, walk_wrong_slope_scores,
    walk_wrong_slope_scale, walk_wrong_slope_mask, walk_wrong_slope_softmax, walk_wrong_slope_drop;

#endif

/**
 * A position in a trace and what it means: steps, what they read and write, the arithmetic of a
 * cell, invariants, heat, and the words that go with them. No screen, no text layout.
 *
 * A step is a value. At the grain CELL a step writes one cell, at ROW one row of one output, at
 * STAGE all outputs of the stage. Steps run stage by stage; within a stage by batch element,
 * output, row, column. An idle stage (no mask given, dropout in evaluation) is one step at every
 * grain.
 */
#ifndef WALK_H
#define WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/kernels.h"
#include "attn/trace.h"
#include "config.h"

enum walk_grain { WALK_STAGE, WALK_ROW, WALK_CELL, WALK_N_GRAINS };

extern const char *const walk_grain_names[WALK_N_GRAINS]; /**< "stage", "row", "cell". */

struct walk_step {
    int stage; /**< Index into the trace's stages. */
    enum walk_grain grain;
    int output; /**< Index into the stage's outputs; 0 at the grain STAGE. */
    int at[3];  /**< Of the cell; unused parts are 0. */
};

/** A box of cells, lo inclusive, hi exclusive. */
struct walk_region {
    enum attn_tensor_id tensor;
    int lo[3], hi[3];
};

enum { WALK_REGIONS_MAX = 8 };

/* ---- steps (step.c) ---- */

struct walk_step walk_first(const attn_trace *trace, enum walk_grain grain);
struct walk_step walk_last(const attn_trace *trace, enum walk_grain grain);
/** The first step of the i-th stage. i must be within the trace's stages. */
struct walk_step walk_stage_start(const attn_trace *trace, int i, enum walk_grain grain);
/** Move on by one. @return false, and nothing changed, at the end. */
bool walk_next(const attn_trace *trace, struct walk_step *step);
/** Move back by one, exactly undoing walk_next. @return false, and nothing changed, at the start.
 */
bool walk_prev(const attn_trace *trace, struct walk_step *step);
/** How many steps the whole trace has at this grain. */
size_t walk_count(const attn_trace *trace, enum walk_grain grain);
/** The number of this step, from 0. */
size_t walk_index(const attn_trace *trace, const struct walk_step *step);
/** The step with this number at this grain; a number beyond the end gives the last. */
struct walk_step walk_seek(const attn_trace *trace, enum walk_grain grain, size_t index);
/** The same place at another grain: coarser contains it, finer is its first part. */
struct walk_step walk_regrain(const attn_trace *trace, const struct walk_step *step,
                              enum walk_grain grain);
/** The step that writes this cell. @return false if it is an input (nothing changed). */
bool walk_writer(const attn_trace *trace, struct attn_cell cell, enum walk_grain grain,
                 struct walk_step *step);

/** The regions that the step fills. @return how many (0 for an idle stage). */
int walk_writes(const attn_trace *trace, const struct walk_step *step,
                struct walk_region out[WALK_REGIONS_MAX]);
/** The regions that it uses, inputs included. @return how many. */
int walk_reads(const attn_trace *trace, const struct walk_step *step,
               struct walk_region out[WALK_REGIONS_MAX]);
bool walk_region_has(const struct walk_region *region, struct attn_cell cell);
/** True if the cell exists before the first step or was written by this step or an earlier one. */
bool walk_computed(const attn_trace *trace, const struct walk_step *step, struct attn_cell cell);

/* ---- the arithmetic of one cell (explain.c) ---- */

enum walk_term_kind {
    WALK_TERM_PRODUCT,  /**< operand[0] × operand[1], both cells. */
    WALK_TERM_BIAS,     /**< A cell, added last. */
    WALK_TERM_VALUE,    /**< A cell taken as it is (split, the score to be scaled, the weight to be
                           dropped). */
    WALK_TERM_CONSTANT, /**< No cell: √d_k, a factor, the fill, 1/(1-p). */
    WALK_TERM_MAXIMUM,  /**< Of a row; from lists the cell that has it. */
    WALK_TERM_DIFFERENCE, /**< operand[0] − the maximum. */
    WALK_TERM_EXP,        /**< e to the difference. */
    WALK_TERM_SUM,        /**< Of the exponentials. */
    WALK_TERM_QUOTIENT    /**< This cell's exponential × (1 / the sum). */
};

struct walk_term {
    enum walk_term_kind kind;
    char label[80]; /**< "q[0,2,1] × k[0,1,1]", UTF-8. */
    float value;
    float operand[2];         /**< The values of from[0], from[1]. */
    struct attn_cell from[2]; /**< Where the operands come from. */
    int n_from;
};

struct walk_explanation {
    struct attn_cell cell;
    float value;
    char formula[256]; /**< "scores[0,2,1] = Σ_d q[0,2,d] · k[0,1,d]", UTF-8. */
    const char
        *note; /**< Why it is as it is where that is odd (masked, empty row, dropped), or NULL. */
    enum attn_order order;   /**< Of the products' or exponentials' sum. */
    struct walk_term *terms; /**< Owned. */
    int n_terms;
};

/**
 * The arithmetic of one cell of a stage tensor, every operand with the cell it came from.
 * @param out  The caller calls walk_explanation_finish.
 * @return ATTN_OK, ATTN_E_VALUE for a tensor or an index that this trace does not have,
 * ATTN_E_NOMEM.
 */
enum attn_status walk_explain(const attn_trace *trace, struct attn_cell cell,
                              struct walk_explanation *out, struct attn_error *err);
void walk_explanation_finish(struct walk_explanation *e);
/** The cell's value computed again from the terms alone, in the stage's order: equal to the bit. */
float walk_replay(const attn_trace *trace, const struct walk_explanation *e);

/* ---- invariants, ranges, heat (invariant.c) ---- */

/** Statistics of one batch element of one tensor; finite values only where a mean is formed. */
struct walk_stats {
    size_t count, masked, nan, inf, zero;
    double mean, sd;
    float min, max, max_abs;         /**< Over finite values; 0 where there are none. */
    float row_sum_min, row_sum_max;  /**< Of a probability tensor. */
    double entropy_min, entropy_max; /**< Of its rows, in nats. */
};

void walk_statistics(const attn_trace *trace, enum attn_tensor_id id, int b,
                     struct walk_stats *out);
/** The sum of one row, as the softmax's order would add it. */
float walk_row_sum(const attn_trace *trace, enum attn_tensor_id id, int b, int row);
/** Entropy of one row of weights, in nats; 0 log 0 is 0. */
double walk_row_entropy(const attn_trace *trace, enum attn_tensor_id id, int b, int row);
/** Is this cell masked (its keep is 0), in a tensor that has keys as columns, from `masked` on? */
bool walk_masked(const attn_trace *trace, struct attn_cell cell);

enum walk_verdict { WALK_PLAIN, WALK_HOLDS, WALK_BROKEN };

/** One invariant of the step's outputs for the line at the foot: "rows sum to 1" ✓. */
struct walk_invariant {
    char text[96];
    enum walk_verdict verdict;
};

enum { WALK_INVARIANTS_MAX = 8 };
/** What holds of this tensor's batch element b (shape, row sums, entropy, largest |x|, masked,
 * NaN). @return how many. */
int walk_invariants(const attn_trace *trace, enum attn_tensor_id id, int b,
                    struct walk_invariant out[WALK_INVARIANTS_MAX]);

enum { WALK_HEATS = 9 };
/**
 * The heat of a value, 0…8. Real numbers and logits: 4 is zero, 0 and 8 are ∓ the tensor's largest
 * finite |x|; probabilities: 0 is 0 and 8 is 1 or more. -1 for NaN, infinities and masked cells.
 */
int walk_heat(const attn_trace *trace, struct attn_cell cell);

/* ---- words (words.c) ---- */

/** The label of an index of an axis: its token, or its number. Never empty; owned by setup or by
 * buf. */
const char *walk_label(const struct setup *setup, enum attn_axis axis, int index, char buf[16]);

/**
 * What happens in this step and why, in two or three sentences with the tokens' names, at most size
 * bytes. For an idle stage: that it has nothing to do, and the key that would change it.
 */
void walk_words(const struct setup *setup, const attn_trace *trace, const struct walk_step *step,
                char *out, size_t size);

/** A sentence about a flag, in full: "query 2 (\"sat\") has no key left: …". */
void walk_flag_text(const struct setup *setup, const attn_trace *trace,
                    const struct attn_flag *flag, char *out, size_t size);

#endif

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
/**
 * The regions that it uses, inputs included; no region comes twice. An idle stage reads what it
 * passes on (the scaled scores, the weights). @return how many.
 */
int walk_reads(const attn_trace *trace, const struct walk_step *step,
               struct walk_region out[WALK_REGIONS_MAX]);
bool walk_region_has(const struct walk_region *region, struct attn_cell cell);
/** All cells of a tensor that this trace has. */
struct walk_region walk_region_whole(const attn_trace *trace, enum attn_tensor_id id);
/** The number in a cell that this trace has. */
float walk_value(const attn_trace *trace, struct attn_cell cell);
/** True if the trace has this tensor and the index lies within it. */
bool walk_has(const attn_trace *trace, struct attn_cell cell);
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
    WALK_TERM_DIFFERENCE, /**< operand[0], of the row, − operand[1], its maximum: both cells. */
    WALK_TERM_EXP,        /**< e to operand[1], the difference; operand[0] is the row's cell. */
    WALK_TERM_SUM,        /**< Of the exponentials. */
    WALK_TERM_QUOTIENT    /**< operand[0], this cell's exponential, × (1 / operand[1], the sum). */
};

struct walk_term {
    enum walk_term_kind kind;
    char label[80]; /**< As walk_term_text takes it, which is to be asked; "" of a product. */
    float value;
    float operand[2];         /**< The values of from[0], from[1]; from n_from on, no cell's. */
    struct attn_cell from[2]; /**< Where the operands come from. */
    int n_from;
};

/*
 * The terms of a cell, in this order: a linear layer, the scores and the mix: products, then the
 * bias if there is one · split: the value · scale: the score, the divisor or factor · mask: the
 * score, the mask's cell, and where that is 0 the fill · softmax over S keys: the maximum, S
 * differences, S exponentials, the sum, the quotient; for an empty row that is set to zeros the
 * maximum and a constant · dropout: the weight, keep's cell, 1/(1-p); with p = 1 the weight and 0.
 */

struct walk_explanation {
    struct attn_cell cell;
    float value;
    char formula[256]; /**< "scores[0,2,1] = Σ_i q[0,2,i] · k[0,1,i]", UTF-8. */
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

/* ---- cells and arithmetic as text (label.c, arithmetic.c) ---- */

enum { WALK_NUMBER_MAX = 24 };
/**
 * A finite number with 0 to 4 decimals, as printf's %.*f writes it, and quickly where it is a
 * float.
 * @param out  WALK_NUMBER_MAX bytes, which also end it; fewer do where the number is known to be
 *             shorter. @return out.
 */
char *walk_fixed(double value, int decimals, char *out);
/** A constant as an option takes it: "-1e9", "1e-20", "0.5", "-inf". @return out. */
char *walk_constant(double value, char out[WALK_NUMBER_MAX]);
/**
 * A number as people read it: four decimals, never "-0.0000"; from a million on "1e9"; "nan",
 * "inf", "-inf". @return out.
 */
char *walk_number(double value, char out[WALK_NUMBER_MAX]);
/**
 * "q[2,1]"; with a setup that has tokens, "q[sat,1]"; with the batch index where B > 1. The name is
 * the tensor's own in this variant. @param setup  May be NULL. @return out, always terminated.
 */
char *walk_cell_text(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                     char *out, size_t size);
/**
 * The short formula of a cell: "scores[sat,cat] = q[sat] · k[cat]". Empty for an input.
 * @param setup  May be NULL: numbers then. @return out, always terminated.
 */
char *walk_formula(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                   char *out, size_t size);
/** The label of one of its terms, with the names that walk_cell_text gives: "e^(masked[sat,the] -
 * max)". @return out, always terminated. */
char *walk_term_text(const struct setup *setup, const attn_trace *trace,
                     const struct walk_term *term, char *out, size_t size);
/**
 * The arithmetic with its numbers, without the result: "0.7388×-0.3979 + -0.0020×0.0414 + …".
 *
 * Every character is one column wide. What does not fit is left out in the middle: "… 56 more …".
 *
 * @param width      Columns a line, 16 or more.
 * @param max_lines  1 or more.
 * @return the number of lines in out, separated by '\n'; out is always terminated.
 */
int walk_arithmetic(const attn_trace *trace, const struct walk_explanation *e, int width,
                    int max_lines, char *out, size_t size);

/* ---- invariants, ranges, heat (invariant.c) ---- */

/**
 * Statistics of one batch element of one tensor. Means and extremes are of its finite values, among
 * logits only of those that no mask hides.
 */
struct walk_stats {
    size_t count, masked, nan, inf, zero; /**< A masked logit is no infinity. */
    double mean, sd;
    float min, max, max_abs;         /**< Over finite values; 0 where there are none. */
    float row_sum_min, row_sum_max;  /**< Of a probability tensor. */
    double entropy_min, entropy_max; /**< Of its rows, in nats. */
    double entropy_mean;             /**< Of its rows that are no NaN. */
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
/** The |x| that is 0 and 8 on the heat scale of a tensor: take it once, then walk_heat_in for each
 * cell (walk_heat looks through the whole tensor every time). */
float walk_heat_range(const attn_trace *trace, enum attn_tensor_id id);
/**
 * The fewest decimals, 0…4, that show every number of a tensor as four would, but for zeros at the
 * end: 0 for a matrix of whole numbers.
 */
int walk_decimals(const attn_trace *trace, enum attn_tensor_id id);
/** walk_heat with the range known. */
int walk_heat_in(const attn_trace *trace, struct attn_cell cell, float range);
/** The heat of a bare value of a kind of tensor, within a range. */
int walk_heat_of(enum attn_kind kind, float value, float range);

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

/**
 * What the number in a cell is that the step does not write: an input, or made by an earlier stage.
 */
void walk_cell_words(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                     char *out, size_t size);

/** A sentence about a flag, in full: "query 2 (\"sat\") has no key left: …". */
void walk_flag_text(const struct setup *setup, const attn_trace *trace,
                    const struct attn_flag *flag, char *out, size_t size);

/* ---- two traces (compare.c) ---- */

/** How one tensor differs between two traces. */
struct walk_difference {
    enum attn_tensor_id tensor;
    enum attn_tensor_id source[2]; /**< What is compared: itself or, where one trace has it not, its
                                      stand-in there (masked → scaled). */
    bool comparable;               /**< Both exist and have the same shape; else the rest is 0. */
    size_t cells;                  /**< That differ by more than the tolerance. */
    double largest; /**< Largest |a − b|; infinite for NaN or ∞ against anything else. */
    struct attn_cell largest_at; /**< Of tensor; the same index in both traces. */
    struct attn_cell first_at;
};

struct walk_diff {
    struct walk_difference tensors[ATTN_N_TENSORS]; /**< Those that either trace has, inputs first,
                                                       then in the order of the steps. */
    int n;
    int first; /**< Of tensors: the computed one in which a step differs first, or -1. */
    struct attn_cell first_at; /**< That step's cell, if first >= 0. */
};

/** What this tensor of a is held against in b: itself, or its stand-in there; ATTN_NO_TENSOR where
 * there is nothing of its shape. */
enum attn_tensor_id walk_counterpart(const attn_trace *a, const attn_trace *b,
                                     enum attn_tensor_id id);
/** Compare two traces cell by cell. Two NaN are equal. @param tolerance  0: any difference. */
void walk_compare(const attn_trace *a, const attn_trace *b, double tolerance,
                  struct walk_diff *out);
/**
 * Does this cell differ? @param other  Out, may be NULL: the number in b (or its stand-in).
 * @return false also where the two cannot be compared (other is then NaN).
 */
bool walk_differs(const attn_trace *a, const attn_trace *b, struct attn_cell cell, double tolerance,
                  float *other);

/* ---- a large matrix in a small place (pool.c) ---- */

enum walk_pool_kind {
    WALK_POOL_PEAK, /**< The value with the largest |x| in the block, with its sign. */
    WALK_POOL_MEAN
};

/** One block of cells. */
struct walk_pooled {
    float value; /**< Over its finite cells that no mask hides; 0 where there are none. */
    int heat;    /**< Of value, 0…8; -1 where there are none. */
    bool masked; /**< Every cell is masked. */
    bool nan;    /**< Some cell is NaN. */
};

/** The cells lo…hi-1 of n that block i of n_blocks covers; none is empty while n_blocks <= n. */
void walk_pool_bounds(int n, int n_blocks, int i, int *lo, int *hi);
/**
 * Pool batch element b of a tensor into rows × columns blocks.
 * @param out  rows · columns, row-major. rows and columns are 1 … those of the tensor.
 * @param range  As from walk_heat_range.
 */
void walk_pool(const attn_trace *trace, enum attn_tensor_id id, int b, enum walk_pool_kind kind,
               float range, int rows, int columns, struct walk_pooled *out);

#endif

/**
 * How one number moves when an input is moved: the gradient of a cell with respect to every number
 * that it was computed from.
 *
 * Units:  a slope is the change of the cell for each +1 on the input, for a small change; it is
 *         ∂cell/∂input, exact for the computation as it ran: this mask, this dropout pattern, this
 *         scale, the bugs that are on.
 * Method: the chain rule backwards over the stages (reverse-mode differentiation, as autograd does
 *         it), summed in double from the trace's own numbers. Through the softmax ∂p_i/∂z_j =
 *         p_i (δ_ij − p_j): the maximum that is taken off cancels. A mask and a dropout pattern are
 *         constants; a hidden score's fill has slope 0. Like walk_explain it takes no notice of
 *         config.row_maximum and config.wrong_layers, which are for diagnosis.
 */
#ifndef WALK_SLOPE_H
#define WALK_SLOPE_H

#include <stddef.h>

#include "walk.h"

/** The part of a gradient that belongs to one tensor: rows × columns of the cell's own batch
 * element; rows lo…hi-1 were reached, the others are 0. */
struct walk_gradient_part {
    double *data; /**< NULL: the cell does not depend on this tensor. */
    int rows, columns, lo, hi;
};

struct walk_gradient {
    struct attn_cell cell;
    struct walk_gradient_part of[ATTN_N_TENSORS]; /**< Data owned. */
    double products;                              /**< Multiplications that it took, at most. */
    double products_max;
};

/** The multiplications that a gradient may take as a rule: a few seconds. */
#define WALK_SLOPE_PRODUCTS_MAX 2e9

/**
 * The gradient of a computed cell, with respect to the inputs and to every tensor between.
 *
 * @param products_max  What it may take; more is refused before it is done.
 * @param out           The caller calls walk_gradient_finish.
 * @return ATTN_OK; ATTN_E_VALUE for a cell that this trace does not have, or that nothing computes;
 * ATTN_E_LIMIT beyond products_max, the figure in the message; ATTN_E_NOMEM.
 */
enum attn_status walk_gradient(const attn_trace *trace, struct attn_cell cell, double products_max,
                               struct walk_gradient *out, struct attn_error *err);
void walk_gradient_finish(struct walk_gradient *gradient);
/** ∂cell/∂at, for any cell of the trace; 0 where it does not depend on it. */
double walk_gradient_at(const struct walk_gradient *gradient, struct attn_cell at);

/** An input number and what it does to the cell. */
struct walk_slope {
    struct attn_cell
        cell; /**< Of x, memory, a weight, a bias; of q, k, v where these were given. */
    float value;
    double slope;
};

struct walk_slopes {
    struct attn_cell cell;
    float value;
    struct walk_slope
        *top;      /**< Owned. The largest |slope| first; equal ones in the order of the
                      tensors, then of the index; a NaN counts as the largest. None is 0. */
    int n;         /**< Of top. */
    size_t inputs; /**< Input numbers of this computation. */
    size_t moving; /**< Of these, the ones whose slope is not 0. */
};

enum { WALK_SLOPES_MAX = 1000 };

/**
 * The input numbers that move a cell the most.
 *
 * @param max  How many at most, 1…WALK_SLOPES_MAX.
 * @param out  The caller calls walk_slopes_finish.
 * @return as walk_gradient with WALK_SLOPE_PRODUCTS_MAX.
 */
enum attn_status walk_slopes(const attn_trace *trace, struct attn_cell cell, int max,
                             struct walk_slopes *out, struct attn_error *err);
/** Zeroed slopes, and finished ones, are fine. */
void walk_slopes_finish(struct walk_slopes *slopes);
/** Why no input moves this cell, in a sentence. Of a cell for which walk_slopes found none. */
const char *walk_slope_none(const attn_trace *trace, struct attn_cell cell);
/** A slope as people read it, with a sign always: "+0.5311", "-3.1e-05"; 0 is "0.0000". @return
 * out. */
char *walk_slope_text(double slope, char out[WALK_NUMBER_MAX]);

#endif

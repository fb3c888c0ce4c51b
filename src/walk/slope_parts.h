/** Private to walk: the chain rule, a stage at a time. */
#ifndef SLOPE_PARTS_H
#define SLOPE_PARTS_H

#include <stdbool.h>

#include "walk_slope.h"
#include "walk_stage.h"

/** What was gathered for a row so far; NULL where that is nothing but zeros. */
const double *walk_slope_row(const struct walk_gradient *g, enum attn_tensor_id id, int row);
/** A row to add to. Its tensor is one that the stage reads. */
double *walk_slope_into(struct walk_gradient *g, enum attn_tensor_id id, int row);
/** Count the multiplications of an output whose cells are sums of n products. @return false where
 * that is too many: nothing is to be done then. */
bool walk_slope_spend(struct walk_gradient *g, enum attn_tensor_id output, int n);
/** A number of the trace, of the gradient's batch element. */
const float *walk_slope_values(const attn_trace *trace, const struct walk_gradient *g,
                               enum attn_tensor_id id, int row);
/** n products a[i]·b[i·step], whose sum has this slope: each operand's grows by the other's value.
 */
void walk_slope_products(double *da, double *db, const float *a, const float *b, ptrdiff_t step,
                         int n, double slope);
/** A layer's product input · weightᵀ, and its bias. */
void walk_slope_weight(const attn_trace *trace, enum attn_tensor_id output,
                       enum attn_tensor_id input, enum attn_tensor_id weight,
                       struct walk_gradient *g);
void walk_slope_bias(enum attn_tensor_id output, enum attn_tensor_id bias, struct walk_gradient *g);

#endif

/*
 * Attention with any of the classic bugs, written from their definitions in double and as directly
 * as can be: what the core is held against.
 */
#ifndef BUG_REFERENCE_H
#define BUG_REFERENCE_H

#include "attn/tables.h"

enum { BUG_REFERENCE_MAX = 6 };

typedef double bug_matrix[BUG_REFERENCE_MAX][3 * BUG_REFERENCE_MAX];

/** The last tensor of the rig's computation, its bugs included, for one batch element. */
void bug_reference(bug_matrix result, int b);

/** Begin the rig anew with a random computation of the variant: sizes up to the maximum, a mask of
 * any kind or none, training or evaluation, both policies for emptied rows. */
void bug_reference_problem(enum attn_variant variant, int seed);

#endif

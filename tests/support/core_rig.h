/*
 * A configuration and inputs for a trace, filled from a seed, for the tests of the core. One rig a
 * process: Check runs each test in its own.
 */
#ifndef CORE_RIG_H
#define CORE_RIG_H

#include <stdint.h>

#include "attn/trace.h"

enum { RIG_ROOM = 60000 };

struct rig {
    attn_config config;
    attn_tensor inputs[ATTN_N_TENSORS];
    float room[RIG_ROOM];
    size_t used;
    uint64_t random;
    struct attn_error err;
};

extern struct rig rig;

/** The next number in -1 … 1. */
float rig_real(void);
/** Give the rig this input, with random values; a mask gets 0s and 1s. @return its data. */
float *rig_give(enum attn_tensor_id id);
/** Begin anew with these sizes and every input of the variant, but mask and keep. */
void rig_start(enum attn_variant variant, int B, int T, int S, int d_in, int d);
/** Begin anew with q, k and v of width 3 (and v3's output projection) instead of x. */
void rig_start_given(enum attn_variant variant, int T, int S, int d_v);
/** v3 with a mask that hides every key of query 1 in both batch elements, and of (1,2). */
void rig_start_empty_rows(void);
/** The trace of the rig; the test fails if there is none. */
attn_trace *rig_trace(void);
/** One cell of a tensor that the trace must have. */
float rig_cell(const attn_trace *trace, enum attn_tensor_id id, int b, int r, int c);

#endif

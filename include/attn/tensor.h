/**
 * A tensor: a view of floats that somebody else owns.
 *
 * Every tensor of single-head attention is a stack of matrices, so a view always has three
 * dimensions [stack, rows, columns]; where its rank is lower, the leading ones are 1. An index is
 * written the same way, aligned at the right: a bias of shape [4] has cells (0,0,0) … (0,0,3).
 */
#ifndef ATTN_TENSOR_H
#define ATTN_TENSOR_H

#include <stdbool.h>
#include <stddef.h>

enum { ATTN_RANK_MAX = 3, ATTN_DIM_MAX = 65536 };

typedef struct attn_tensor {
    float *data;                      /**< Not owned. NULL: there is no such tensor. */
    int rank;                         /**< 1…3: how many of dims are its own; the rest are 1. */
    int dims[ATTN_RANK_MAX];          /**< Right-aligned, each 1…ATTN_DIM_MAX. */
    ptrdiff_t strides[ATTN_RANK_MAX]; /**< In elements; 0 repeats (a broadcast dimension). */
} attn_tensor;

/** A contiguous, row-major view of data. @param dims  rank sizes, outermost first. */
attn_tensor attn_tensor_view(float *data, int rank, const int *dims);

/** The number of elements. Never overflows for dimensions within ATTN_DIM_MAX and 64-bit size_t. */
size_t attn_tensor_count(const attn_tensor *t);

/** The address of one cell. b, r and c must be within dims. */
float *attn_tensor_at(const attn_tensor *t, int b, int r, int c);

/** True if the elements lie row-major without gaps. */
bool attn_tensor_contiguous(const attn_tensor *t);

/** Write "[2,4,4]" (rank numbers) to out. @return out, always terminated. */
char *attn_tensor_shape(const attn_tensor *t, char *out, size_t size);

#endif

/*
 * The kernels as a table: simd/kernels.c is compiled once for every kind of CPU and each time gives
 * one of these. All of them give the same bits.
 */
#ifndef KERNEL_SET_H
#define KERNEL_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/kernels.h"

struct core_kernels {
    float (*fma)(float a, float b, float c);
    float (*exp)(float x);
    float (*dot)(enum attn_order order, const float *a, ptrdiff_t a_step, const float *b,
                 ptrdiff_t b_step, int n);
    float (*sum)(enum attn_order order, const float *a, int n);
    /** out[M][N] = a[M][K] b[N][K]ᵀ (+ bias[N], which may be NULL). */
    void (*product_nt)(enum attn_order order, float *out, const float *a, const float *b,
                       const float *bias, size_t M, int N, int K);
    /** out[M][N] = a[M][K] b[K][N]; not in the order LANES16. */
    void (*product_nn)(enum attn_order order, float *out, const float *a, const float *b, size_t M,
                       int N, int K);
    void (*divide)(float *out, const float *in, float divisor, size_t n);
    void (*multiply)(float *out, const float *in, float factor, size_t n);
    void (*mask)(float *masked, const float *scaled, const float *keep, float fill, size_t n);
    void (*softmax_row)(float *weights, const float *scores, int n_keys, bool *empty);
    void (*dropout)(float *dropped, const float *weights, const float *keep, double p, size_t n);
};

extern const struct core_kernels core_kernels_baseline;
#if defined(__x86_64__)
extern const struct core_kernels core_kernels_avx2;
#endif

/** The kernels for this kind of CPU, or NULL where the build or the machine does not have them. */
const struct core_kernels *core_kernels_for(enum attn_cpu cpu);

#endif

/* The public kernels: which order of operations a stage has, and the best code that this CPU runs.
 */
#include "attn/kernels.h"

#include <stdint.h>

#include "kernel_set.h"

/* From this many multiplications on, and from this width on, torch 1.13 takes other kernels. */
enum { SMALL_PRODUCT = 400, WIDE = 32, LONG_ROW = 8 };

static bool small_product(int M, int N, int K)
{
    return (uint64_t)M * (uint64_t)N * (uint64_t)K < SMALL_PRODUCT;
}

enum attn_order attn_order_linear(int n_in)
{
    return n_in < WIDE ? ATTN_ORDER_FMA : ATTN_ORDER_LANES16;
}

enum attn_order attn_order_scores(int T, int S, int d)
{
    if (small_product(T, S, d)) {
        return ATTN_ORDER_PLAIN;
    }
    return d < WIDE ? ATTN_ORDER_FMA : ATTN_ORDER_LANES16;
}

enum attn_order attn_order_softmax(int S)
{
    return S < LONG_ROW ? ATTN_ORDER_PLAIN : ATTN_ORDER_LANES8;
}

enum attn_order attn_order_mix(int T, int S, int d_v)
{
    return small_product(T, S, d_v) ? ATTN_ORDER_PLAIN : ATTN_ORDER_FMA;
}

static const struct core_kernels *best(void)
{
    return core_kernels_for(ATTN_CPU_AUTO);
}

float attn_dot(enum attn_order order, const float *a, ptrdiff_t a_step, const float *b,
               ptrdiff_t b_step, int n)
{
    return best()->dot(order, a, a_step, b, b_step, n);
}

float attn_sum(enum attn_order order, const float *a, int n)
{
    return best()->sum(order, a, n);
}

float attn_expf(float x)
{
    return best()->exp(x);
}

float attn_fmaf(float a, float b, float c)
{
    return best()->fma(a, b, c);
}

void attn_linear(float *out, const float *in, const float *weight, const float *bias, size_t rows,
                 int n_in, int n_out)
{
    best()->product_nt(attn_order_linear(n_in), out, in, weight, bias, rows, n_out, n_in);
}

void attn_scores(float *scores, const float *q, const float *k, int T, int S, int d)
{
    best()->product_nt(attn_order_scores(T, S, d), scores, q, k, NULL, (size_t)T, S, d);
}

void attn_scale_divide(float *scaled, const float *scores, float divisor, size_t n)
{
    best()->divide(scaled, scores, divisor, n);
}

void attn_scale_multiply(float *scaled, const float *scores, float factor, size_t n)
{
    best()->multiply(scaled, scores, factor, n);
}

void attn_mask_apply(float *masked, const float *scaled, const float *keep, float fill, size_t n)
{
    best()->mask(masked, scaled, keep, fill, n);
}

void attn_softmax_row(float *weights, const float *scores, int n_keys, bool *empty)
{
    best()->softmax_row(weights, scores, n_keys, empty);
}

void attn_dropout(float *dropped, const float *weights, const float *keep, double p, size_t n)
{
    best()->dropout(dropped, weights, keep, p, n);
}

void attn_mix(float *context, const float *weights, const float *v, int T, int S, int d_v)
{
    best()->product_nn(attn_order_mix(T, S, d_v), context, weights, v, (size_t)T, d_v, S);
}

/**
 * The arithmetic of each stage, one plain function a layer, in a fixed order of operations.
 *
 * All arrays are contiguous, row-major, float32; outputs come first. The same bits on every CPU and
 * compiler: sums follow an attn_order, fused steps are fmaf (in hardware or exactly emulated), and
 * exp is attn_expf. Source of the orders: measured against torch 1.13 (Debian, AVX2); see
 * CONTRIBUTING.md.
 */
#ifndef ATTN_KERNELS_H
#define ATTN_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

/** Which CPU's instructions to compute with. The results are the same. */
enum attn_cpu {
    ATTN_CPU_AUTO,     /**< The best that this machine has. */
    ATTN_CPU_BASELINE, /**< What every machine of this architecture has. */
    ATTN_CPU_AVX2      /**< AVX2 and FMA, on x86-64. */
};

/** Can this machine and this build compute so? */
bool attn_cpu_supported(enum attn_cpu cpu);

/** How a sum of n terms (products, for a dot) is formed. */
enum attn_order {
    ATTN_ORDER_PLAIN,   /**< s = s + a·b, product rounded, ascending, from 0. For a sum: s + a. */
    ATTN_ORDER_FMA,     /**< s = fma(a, b, s), ascending, from 0. */
    ATTN_ORDER_LANES16, /**< 16 lanes (k mod 16) of fma, folded (g₀+g₁)+(g₂+g₃), gᵢ =
                           (l₄ᵢ+l₄ᵢ₊₁)+(l₄ᵢ₊₂+l₄ᵢ₊₃). */
    ATTN_ORDER_LANES8 /**< Sums only: 8 lanes (s mod 8), folded ((l₀+l₄)+(l₂+l₆))+((l₁+l₅)+(l₃+l₇)).
                       */
};

/** The order of a linear layer with this many inputs. The bias is added last, a plain add. */
enum attn_order attn_order_linear(int n_in);
/** The order of scores = q kᵀ, T×d times d×S. */
enum attn_order attn_order_scores(int T, int S, int d);
/** The order of the softmax's sum over S keys. */
enum attn_order attn_order_softmax(int S);
/** The order of context = weights v, T×S times S×d_v. */
enum attn_order attn_order_mix(int T, int S, int d_v);

/** One dot product Σ a[i·a_step]·b[i·b_step] in the given order (not LANES8). */
float attn_dot(enum attn_order order, const float *a, ptrdiff_t a_step, const float *b,
               ptrdiff_t b_step, int n);
/** One sum Σ a[i] in the order PLAIN or LANES8. */
float attn_sum(enum attn_order order, const float *a, int n);
/** e^x in float32, the same bits everywhere (N. Shibata's Sleef, u10 form). NaN gives NaN, x < -104
 * gives 0. */
float attn_expf(float x);
/** fma(a, b, c) in float32, correctly rounded on every machine. */
float attn_fmaf(float a, float b, float c);

/** out[rows][n_out] = in[rows][n_in] weight[n_out][n_in]ᵀ + bias[n_out]; bias may be NULL. */
void attn_linear(float *out, const float *in, const float *weight, const float *bias, size_t rows,
                 int n_in, int n_out);
/** scores[T][S] = q[T][d] k[S][d]ᵀ. */
void attn_scores(float *scores, const float *q, const float *k, int T, int S, int d);
/** scaled[n] = scores[n] / divisor. May be in place. */
void attn_scale_divide(float *scaled, const float *scores, float divisor, size_t n);
/** scaled[n] = scores[n] · factor. May be in place. */
void attn_scale_multiply(float *scaled, const float *scores, float factor, size_t n);
/** masked[n] = keep[n] != 0 ? scaled[n] : fill. May be in place. */
void attn_mask_apply(float *masked, const float *scaled, const float *keep, float fill, size_t n);
/**
 * Turn one row of scaled, masked scores into attention weights.
 *
 * Shape:  scores[S] -> weights[S].
 * Units:  scores are logits, -INFINITY = masked; weights are probabilities that sum to 1.
 * Method: subtract the row's maximum, exponentiate, divide by the sum; keys in ascending order.
 *
 * @param weights  Out, caller-owned; may be the same array as scores.
 * @param empty    Out; set to true, never cleared, if every score is -INFINITY (weights are then
 * zeros).
 */
void attn_softmax_row(float *weights, const float *scores, int n_keys, bool *empty);
/** dropped[n] = weights[n] · (keep[n] / (float)(1-p)); p = 1 gives weights[n] · 0, keep may be NULL
 * then. */
void attn_dropout(float *dropped, const float *weights, const float *keep, double p, size_t n);
/** context[T][d_v] = weights[T][S] v[S][d_v]. */
void attn_mix(float *context, const float *weights, const float *v, int T, int S, int d_v);

#endif

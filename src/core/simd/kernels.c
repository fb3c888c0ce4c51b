/*
 * The kernels, compiled once for every kind of CPU (CORE_KERNELS names the table). What may be done
 * side by side is only ever different outputs or different lanes: each sum keeps its order.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernel_set.h"
#include "vec.h"

enum {
    LANES = 16,        /* of ATTN_ORDER_LANES16 */
    SUM_LANES = 8,     /* of ATTN_ORDER_LANES8 */
    PANEL = 16,        /* columns of the right operand that are packed side by side */
    DEPTH = 256,       /* terms of a sum that are packed at a time */
    BLOCK_BYTES = 8192 /* of the left operand that stay in the cache in lanes_product */
};

static float fma_one(float a, float b, float c)
{
    return core_fma(a, b, c);
}

/*
 * e^x: 2^q·e^s with q = rint(x·log2 e), and a polynomial for e^s. N. Shibata's Sleef, form u10.
 * Without branches, so that a loop over it becomes vector code.
 */
static inline float exp_one(float x)
{
    const float rounder = 12582912.0F; /* 1.5·2^23: adding it rounds to a whole number */
    union {
        float value;
        uint32_t bits;
    } whole = {x * 1.442695040888963407359924681001892137426645954152985934135449406931F + rounder},
      low, high;
    const uint32_t q = whole.bits - 0x4B400000U; /* q as two's complement */
    const float qf = whole.value - rounder;
    float s = core_fma(qf, -0.693145751953125F, x);
    s = core_fma(qf, -1.428606765330187045e-06F, s);
    float u = 0.000198527617612853646278381F;
    u = core_fma(u, s, 0.00139304355252534151077271F);
    u = core_fma(u, s, 0.00833336077630519866943359F);
    u = core_fma(u, s, 0.0416664853692054748535156F);
    u = core_fma(u, s, 0.166666671633720397949219F);
    u = core_fma(u, s, 0.5F);
    u = 1.0F + core_fma(s * s, u, s);
    /* 2^q in two factors, since q may go beyond a normal exponent. The bias keeps q unsigned. */
    const uint32_t half = ((q + 512U) >> 1U) - 256U;
    low.bits = (half + 127U) << 23U;
    high.bits = (q - half + 127U) << 23U;
    u = u * low.value * high.value;
    u = x < -104.0F ? 0.0F : u;
    u = x > 100.0F ? INFINITY : u;
    return x != x ? x : u;
}

static float exp_call(float x)
{
    return exp_one(x);
}

static float fold16(const float l[LANES])
{
    float g[4];
    for (int i = 0; i < 4; i++) {
        g[i] = (l[4 * i] + l[4 * i + 1]) + (l[4 * i + 2] + l[4 * i + 3]);
    }
    return (g[0] + g[1]) + (g[2] + g[3]);
}

static float fold8(const float l[SUM_LANES])
{
    return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

static float dot(enum attn_order order, const float *a, ptrdiff_t a_step, const float *b,
                 ptrdiff_t b_step, int n)
{
    assert(order != ATTN_ORDER_LANES8);
    const int n_lanes = order == ATTN_ORDER_LANES16 ? LANES : 1;
    float lanes[LANES] = {0};
    for (int k = 0; k < n; k++) {
        float *const lane = &lanes[k % n_lanes];
        const float x = a[k * a_step];
        const float y = b[k * b_step];
        *lane = order == ATTN_ORDER_PLAIN ? *lane + x * y : core_fma(x, y, *lane);
    }
    return n_lanes == 1 ? lanes[0] : fold16(lanes);
}

static float sum(enum attn_order order, const float *a, int n)
{
    assert(order == ATTN_ORDER_PLAIN || order == ATTN_ORDER_LANES8);
    if (order == ATTN_ORDER_PLAIN) {
        float total = 0.0F;
        for (int s = 0; s < n; s++) {
            total += a[s];
        }
        return total;
    }
    float lanes[SUM_LANES] = {0};
    int s = 0;
    for (; s + SUM_LANES <= n; s += SUM_LANES) {
        for (int l = 0; l < SUM_LANES; l++) {
            lanes[l] += a[s + l];
        }
    }
    for (int l = 0; s + l < n; l++) {
        lanes[l] += a[s + l];
    }
    return fold8(lanes);
}

/* ---- one chain of additions an output: PLAIN and FMA ---- */

static inline vec chain_step(bool fused, vec a, vec b, vec sum_so_far)
{
    return fused ? vec_fma(a, b, sum_so_far) : vec_multiply_add(a, b, sum_so_far);
}

/* sums[4][PANEL] go on over depth terms: a is four rows with step K, panel is [depth][PANEL]. */
static inline void chain_four(bool fused, float *sums, const float *a, size_t K, const float *panel,
                              int depth)
{
    vec s00 = vec_load(sums);
    vec s01 = vec_load(sums + 8);
    vec s10 = vec_load(sums + 16);
    vec s11 = vec_load(sums + 24);
    vec s20 = vec_load(sums + 32);
    vec s21 = vec_load(sums + 40);
    vec s30 = vec_load(sums + 48);
    vec s31 = vec_load(sums + 56);
    for (int k = 0; k < depth; k++) {
        const vec b0 = vec_load(panel + (ptrdiff_t)k * PANEL);
        const vec b1 = vec_load(panel + (ptrdiff_t)k * PANEL + 8);
        vec left = vec_all(a[k]);
        s00 = chain_step(fused, left, b0, s00);
        s01 = chain_step(fused, left, b1, s01);
        left = vec_all(a[K + (size_t)k]);
        s10 = chain_step(fused, left, b0, s10);
        s11 = chain_step(fused, left, b1, s11);
        left = vec_all(a[2 * K + (size_t)k]);
        s20 = chain_step(fused, left, b0, s20);
        s21 = chain_step(fused, left, b1, s21);
        left = vec_all(a[3 * K + (size_t)k]);
        s30 = chain_step(fused, left, b0, s30);
        s31 = chain_step(fused, left, b1, s31);
    }
    vec_store(sums, s00);
    vec_store(sums + 8, s01);
    vec_store(sums + 16, s10);
    vec_store(sums + 24, s11);
    vec_store(sums + 32, s20);
    vec_store(sums + 40, s21);
    vec_store(sums + 48, s30);
    vec_store(sums + 56, s31);
}

static inline void chain_one(bool fused, float *sums, const float *a, const float *panel, int depth)
{
    vec s0 = vec_load(sums);
    vec s1 = vec_load(sums + 8);
    for (int k = 0; k < depth; k++) {
        const vec left = vec_all(a[k]);
        s0 = chain_step(fused, left, vec_load(panel + (ptrdiff_t)k * PANEL), s0);
        s1 = chain_step(fused, left, vec_load(panel + (ptrdiff_t)k * PANEL + 8), s1);
    }
    vec_store(sums, s0);
    vec_store(sums + 8, s1);
}

/* A part of the right operand: depth terms of up to PANEL columns, packed, the rest zeros. */
struct panel {
    int depth, columns;
    bool first; /* The sums start here. */
    float data[DEPTH * PANEL];
};

/* Go on with the sums of out[M][columns], whose rows are N apart; a's rows are K apart. */
static inline void chain_panel(bool fused, float *out, const float *a, const struct panel *panel,
                               size_t M, size_t N, size_t K)
{
    const size_t width = (size_t)panel->columns;
    for (size_t t = 0; t < M;) {
        const size_t rows = M - t >= 4 ? 4 : 1;
        float sums[4 * PANEL] = {0};
        for (size_t i = 0; i < rows && !panel->first; i++) {
            memcpy(sums + i * PANEL, out + (t + i) * N, width * sizeof *out);
        }
        if (rows == 4) {
            chain_four(fused, sums, a + t * K, K, panel->data, panel->depth);
        } else {
            chain_one(fused, sums, a + t * K, panel->data, panel->depth);
        }
        for (size_t i = 0; i < rows; i++) {
            memcpy(out + (t + i) * N, sums + i * PANEL, width * sizeof *out);
        }
        t += rows;
    }
}

/* out[M][N] = a[M][K] b, b[k,j] at b[k·k_step + j·j_step]. */
static void chain_product(enum attn_order order, float *out, const float *a, const float *b,
                          size_t k_step, size_t j_step, size_t M, int N, int K)
{
    struct panel panel;
    for (int j0 = 0; j0 < N; j0 += PANEL) {
        panel.columns = N - j0 < PANEL ? N - j0 : PANEL;
        for (int k0 = 0; k0 < K; k0 += DEPTH) {
            panel.depth = K - k0 < DEPTH ? K - k0 : DEPTH;
            panel.first = k0 == 0;
            const float *const corner = b + (size_t)k0 * k_step + (size_t)j0 * j_step;
            for (int k = 0; k < panel.depth; k++) {
                float *const row = panel.data + (ptrdiff_t)k * PANEL;
                for (int j = 0; j < PANEL; j++) {
                    row[j] =
                        j < panel.columns ? corner[(size_t)k * k_step + (size_t)j * j_step] : 0.0F;
                }
            }
            if (order == ATTN_ORDER_FMA) {
                chain_panel(true, out + j0, a + k0, &panel, M, (size_t)N, (size_t)K);
            } else {
                chain_panel(false, out + j0, a + k0, &panel, M, (size_t)N, (size_t)K);
            }
        }
    }
}

/* ---- sixteen lanes an output: LANES16 ---- */

/* out[n] (n <= 4) = a·b[0], a·b[1], … with rows of b K apart. */
static inline void lanes_four(float *out, const float *a, const float *b, int K, int n)
{
    const size_t step = (size_t)K;
    const float *const b0 = b;
    const float *const b1 = n > 1 ? b0 + step : b0;
    const float *const b2 = n > 2 ? b1 + step : b1;
    const float *const b3 = n > 3 ? b2 + step : b2;
    vec l00 = vec_zero(), l01 = l00, l10 = l00, l11 = l00, l20 = l00, l21 = l00, l30 = l00,
        l31 = l00;
    int k = 0;
    for (; k + LANES <= K; k += LANES) {
        const vec a0 = vec_load(a + k);
        const vec a1 = vec_load(a + k + 8);
        l00 = vec_fma(a0, vec_load(b0 + k), l00);
        l01 = vec_fma(a1, vec_load(b0 + k + 8), l01);
        l10 = vec_fma(a0, vec_load(b1 + k), l10);
        l11 = vec_fma(a1, vec_load(b1 + k + 8), l11);
        l20 = vec_fma(a0, vec_load(b2 + k), l20);
        l21 = vec_fma(a1, vec_load(b2 + k + 8), l21);
        l30 = vec_fma(a0, vec_load(b3 + k), l30);
        l31 = vec_fma(a1, vec_load(b3 + k + 8), l31);
    }
    vec lanes[4][2] = {{l00, l01}, {l10, l11}, {l20, l21}, {l30, l31}};
    const float *const rows[4] = {b0, b1, b2, b3};
    for (int half = 0; half < 2 && k < K; half++) {
        const int rest = K - k < VEC_WIDTH ? K - k : VEC_WIDTH;
        for (int i = 0; i < n; i++) {
            lanes[i][half] = vec_fma_part(a + k, rows[i] + k, lanes[i][half], rest);
        }
        k += rest;
    }
    float folded[4];
    vec_fold4(folded, (const vec(*)[2])lanes);
    for (int i = 0; i < n; i++) {
        out[i] = folded[i];
    }
}

static void lanes_product(float *out, const float *a, const float *b, size_t M, int N, int K)
{
    const size_t fit = BLOCK_BYTES / sizeof *a / (size_t)K;
    const size_t block = fit > 8 ? fit : 8;
    for (size_t t0 = 0; t0 < M; t0 += block) {
        const size_t end = M - t0 < block ? M : t0 + block;
        for (int s = 0; s < N; s += 4) {
            const int n = N - s < 4 ? N - s : 4;
            for (size_t t = t0; t < end; t++) {
                lanes_four(out + t * (size_t)N + s, a + t * (size_t)K, b + (size_t)s * (size_t)K, K,
                           n);
            }
        }
    }
}

/* ---- the table's functions ---- */

static void product_nt(enum attn_order order, float *out, const float *a, const float *b,
                       const float *bias, size_t M, int N, int K)
{
    if (order == ATTN_ORDER_LANES16) {
        lanes_product(out, a, b, M, N, K);
    } else {
        chain_product(order, out, a, b, 1, (size_t)K, M, N, K);
    }
    for (size_t t = 0; t < M && bias != NULL; t++) {
        float *const row = out + t * (size_t)N;
        for (int j = 0; j < N; j++) {
            row[j] += bias[j];
        }
    }
}

static void product_nn(enum attn_order order, float *out, const float *a, const float *b, size_t M,
                       int N, int K)
{
    assert(order == ATTN_ORDER_PLAIN || order == ATTN_ORDER_FMA);
    chain_product(order, out, a, b, (size_t)N, 1, M, N, K);
}

static void divide(float *out, const float *in, float divisor, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = in[i] / divisor;
    }
}

static void multiply(float *out, const float *in, float factor, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = in[i] * factor;
    }
}

static void mask(float *masked, const float *scaled, const float *keep, float fill, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float score = scaled[i];
        masked[i] = keep[i] != 0.0F ? score : fill;
    }
}

/* The largest score; a NaN is passed over unless it is the first. */
static float row_maximum(const float *scores, int n)
{
    float lanes[SUM_LANES];
    for (int l = 0; l < SUM_LANES; l++) {
        lanes[l] = scores[0];
    }
    int s = 0;
    for (; s + SUM_LANES <= n; s += SUM_LANES) {
        for (int l = 0; l < SUM_LANES; l++) {
            lanes[l] = scores[s + l] > lanes[l] ? scores[s + l] : lanes[l];
        }
    }
    float maximum = lanes[0];
    for (int l = 1; l < SUM_LANES; l++) {
        maximum = lanes[l] > maximum ? lanes[l] : maximum;
    }
    for (; s < n; s++) {
        maximum = scores[s] > maximum ? scores[s] : maximum;
    }
    return maximum;
}

static bool all_hidden(const float *scores, int n)
{
    for (int s = 0; s < n; s++) {
        if (scores[s] != -INFINITY) {
            return false;
        }
    }
    return true;
}

/* weights = e^(scores - maximum). Eight at a time are read before any is written: it may be in
 * place, which the compiler cannot know. */
static void exponentials(float *weights, const float *scores, float maximum, int n)
{
    int s = 0;
    for (; s + VEC_WIDTH <= n; s += VEC_WIDTH) {
        float e[VEC_WIDTH];
        for (int i = 0; i < VEC_WIDTH; i++) {
            e[i] = exp_one(scores[s + i] - maximum);
        }
        memcpy(weights + s, e, sizeof e);
    }
    for (; s < n; s++) {
        weights[s] = exp_one(scores[s] - maximum);
    }
}

static void softmax_row(float *weights, const float *scores, int n_keys, bool *empty)
{
    const float maximum = row_maximum(scores, n_keys);
    if (maximum == -INFINITY && all_hidden(scores, n_keys)) {
        memset(weights, 0, (size_t)n_keys * sizeof *weights);
        *empty = true;
        return;
    }
    exponentials(weights, scores, maximum, n_keys);
    const float total = sum(attn_order_softmax(n_keys), weights, n_keys);
    multiply(weights, weights, 1.0F / total, (size_t)n_keys);
}

static void dropout(float *dropped, const float *weights, const float *keep, double p, size_t n)
{
    const float survives = (float)(1.0 - p);
    if (p == 1.0) {
        multiply(dropped, weights, 0.0F, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        dropped[i] = weights[i] * (keep[i] / survives);
    }
}

const struct core_kernels CORE_KERNELS = {
    .fma = fma_one,
    .exp = exp_call,
    .dot = dot,
    .sum = sum,
    .product_nt = product_nt,
    .product_nn = product_nn,
    .divide = divide,
    .multiply = multiply,
    .mask = mask,
    .softmax_row = softmax_row,
    .dropout = dropout,
};

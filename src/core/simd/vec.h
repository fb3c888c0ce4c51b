/* Eight floats side by side: AVX2's where it is compiled for that, else loops that say the same. */
#ifndef VEC_H
#define VEC_H

#include "fma.h"

enum { VEC_WIDTH = 8 };

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

typedef __m256 vec;

static inline vec vec_zero(void)
{
    return _mm256_setzero_ps();
}

static inline vec vec_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void vec_store(float *p, vec v)
{
    _mm256_storeu_ps(p, v);
}

static inline vec vec_all(float x)
{
    return _mm256_set1_ps(x);
}

static inline vec vec_fma(vec a, vec b, vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline vec vec_multiply_add(vec a, vec b, vec c)
{
    return _mm256_add_ps(_mm256_mul_ps(a, b), c);
}

/* c, with the first n lanes (n <= 8) replaced by fma(a, b, c); no more than n floats are read. */
static inline vec vec_fma_part(const float *a, const float *b, vec c, int n)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(n), lane);
    const vec sum = _mm256_fmadd_ps(_mm256_maskload_ps(a, mask), _mm256_maskload_ps(b, mask), c);
    return _mm256_blendv_ps(c, sum, _mm256_castsi256_ps(mask));
}

/* The pairs (l0+l1)+(l2+l3) … of two sets of 16 lanes: set a's g0 g2, set b's, then g1 g3. */
static inline __m128 vec_fold_pair(const vec a[2], const vec b[2])
{
    const vec halves = _mm256_hadd_ps(_mm256_hadd_ps(a[0], a[1]), _mm256_hadd_ps(b[0], b[1]));
    return _mm_add_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps(halves, 1));
}

/* out[i] = the 16 lanes of lanes[i], folded as ATTN_ORDER_LANES16 says. */
static inline void vec_fold4(float out[4], const vec lanes[4][2])
{
    _mm_storeu_ps(
        out, _mm_hadd_ps(vec_fold_pair(lanes[0], lanes[1]), vec_fold_pair(lanes[2], lanes[3])));
}

#else

typedef struct {
    float f[VEC_WIDTH];
} vec;

static inline vec vec_all(float x)
{
    vec v;
    for (int i = 0; i < VEC_WIDTH; i++) {
        v.f[i] = x;
    }
    return v;
}

static inline vec vec_zero(void)
{
    return vec_all(0.0F);
}

static inline vec vec_load(const float *p)
{
    vec v;
    for (int i = 0; i < VEC_WIDTH; i++) {
        v.f[i] = p[i];
    }
    return v;
}

static inline void vec_store(float *p, vec v)
{
    for (int i = 0; i < VEC_WIDTH; i++) {
        p[i] = v.f[i];
    }
}

static inline vec vec_fma(vec a, vec b, vec c)
{
    for (int i = 0; i < VEC_WIDTH; i++) {
        c.f[i] = core_fma(a.f[i], b.f[i], c.f[i]);
    }
    return c;
}

static inline vec vec_multiply_add(vec a, vec b, vec c)
{
    for (int i = 0; i < VEC_WIDTH; i++) {
        c.f[i] = a.f[i] * b.f[i] + c.f[i];
    }
    return c;
}

static inline vec vec_fma_part(const float *a, const float *b, vec c, int n)
{
    for (int i = 0; i < n; i++) {
        c.f[i] = core_fma(a[i], b[i], c.f[i]);
    }
    return c;
}

static inline float vec_fold_quad(const float *l)
{
    return (l[0] + l[1]) + (l[2] + l[3]);
}

static inline void vec_fold4(float out[4], const vec lanes[4][2])
{
    for (int i = 0; i < 4; i++) {
        const float *const low = lanes[i][0].f;
        const float *const high = lanes[i][1].f;
        out[i] = (vec_fold_quad(low) + vec_fold_quad(low + 4)) +
                 (vec_fold_quad(high) + vec_fold_quad(high + 4));
    }
}

#endif

#endif

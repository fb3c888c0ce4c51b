/* fma(a, b, c) in float32, correctly rounded, whatever the CPU has. */
#ifndef FMA_H
#define FMA_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#if defined(__FAST_MATH__)
#error "attn needs IEEE arithmetic: build without options for inexact arithmetic"
#endif
#if FLT_EVAL_METHOD != 0
#error "attn needs float arithmetic in float: on 32-bit x86 build with -msse2 -mfpmath=sse"
#endif

#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA) ||                   \
    defined(__aarch64__)
static inline float core_fma(float a, float b, float c)
{
    return fmaf(a, b, c);
}
#else
/*
 * The product of two floats is exact in double. The sum is rounded to odd there: if it was inexact
 * and its last bit is even, it moves to the neighbour on the other side of the exact sum. Rounding
 * that to float is then right, since double has more than two bits beyond float's.
 */
static inline float core_fma(float a, float b, float c)
{
    const double product = (double)a * (double)b;
    const double addend = (double)c;
    union {
        double value;
        uint64_t bits;
    } sum = {product + addend};
    const double part = sum.value - product;
    const double rest = (product - (sum.value - part)) + (addend - part);
    const uint64_t above = rest > 0.0; /* Both are 0 for an exact sum, an infinity and a NaN. */
    const uint64_t below = rest < 0.0;
    const uint64_t negative = sum.value < 0.0;
    const uint64_t even = ~sum.bits & 1U;
    const uint64_t outward = above ^ negative;
    sum.bits += ((above | below) & even) * (2U * outward - 1U);
    return (float)sum.value;
}
#endif

#endif

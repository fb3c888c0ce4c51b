#include "torch.h"

#include <math.h>
#include <string.h>

#include "attn/kernels.h"
#include "unit.h"

/* PyTorch has two methods: below this many elements a scalar one in double, from it on blocks. */
enum { BLOCK = 16, HALF = BLOCK / 2 };

static const double two_pi = 6.283185307179586476925286766559;

/*
 * log, sin and cos in single precision: polynomials by S. Moshier (Cephes), in the operation order
 * of avx_mathfun by J. Pommier (zlib licence) as a compiler with FMA contracts it. Every rounding
 * counts, so the steps stand one a line.
 */

/** Natural logarithm of a normal x > 0. */
static float cephes_log(float x)
{
    static const float p[] = {7.0376836292e-2f,  -1.1514610310e-1f, 1.1676998740e-1f,
                              -1.2420140846e-1f, 1.4249322787e-1f,  -1.6668057665e-1f,
                              2.0000714765e-1f,  -2.4999993993e-1f, 3.3333331174e-1f};
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    float e = (float)((int)(bits >> 23) - 126);
    bits = (bits & UINT32_C(0x007FFFFF)) | UINT32_C(0x3F000000);
    float m; /* x = m·2^e, m in [0.5,1) */
    memcpy(&m, &bits, sizeof m);
    if (m < 0.707106781186547524f) {
        e -= 1.0f;
        x = (m - 1.0f) + m;
    } else {
        x = m - 1.0f;
    }
    const float z = x * x;
    float y = p[0];
    for (size_t i = 1; i < sizeof p / sizeof p[0]; i++) {
        y = attn_fmaf(y, x, p[i]);
    }
    y = y * x;
    y = attn_fmaf(y, z, e * -2.12194440e-4f);
    y = attn_fmaf(-z, 0.5f, y);
    x = x + y;
    return attn_fmaf(e, 0.693359375f, x);
}

/** Sine and cosine of x in [0, 2π]. */
static void cephes_sincos(float x, float *sine, float *cosine)
{
    const int j = ((int)(x * 1.27323954473516f) + 1) & ~1; /* the octant, rounded up to even */
    const float octant = (float)j;
    x = attn_fmaf(octant, -0.78515625f, x);
    x = attn_fmaf(octant, -2.4187564849853515625e-4f, x);
    x = attn_fmaf(octant, -3.77489497744594108e-8f, x);
    const float z = x * x;
    float p = attn_fmaf(2.443315711809948e-5f, z, -1.388731625493765e-3f);
    p = attn_fmaf(p, z, 4.166664568298827e-2f) * z;
    p = attn_fmaf(p, z, -(z * 0.5f)) + 1.0f;
    float q = attn_fmaf(-1.9515295891e-4f, z, 8.3321608736e-3f);
    q = attn_fmaf(q, z, -1.6666654611e-1f) * z;
    q = attn_fmaf(q, x, x);
    const float s = (j & 2) ? p : q;
    const float c = (j & 2) ? q : p;
    *sine = (j & 4) ? -s : s;
    *cosine = ((j - 2) & 4) ? c : -c;
}

/** Turn 16 uniform numbers into 16 normal ones, in place (Box–Muller). */
static void normal_block(float *d)
{
    for (int j = 0; j < HALF; j++) {
        const float u1 = 1.0f - d[j];
        const float u2 = d[j + HALF];
        const float radius = sqrtf(-2.0f * cephes_log(u1));
        float sine, cosine;
        cephes_sincos((float)two_pi * u2, &sine, &cosine);
        /* Adding the mean of 0 turns -0 into 0. */
        d[j] = radius * cosine + 0.0f;
        d[j + HALF] = radius * sine + 0.0f;
    }
}

/** One normal number in double; every second one was kept from the one before. */
static double normal_scalar(struct torch_generator *g)
{
    if (g->has_normal) {
        g->has_normal = false;
        return g->normal;
    }
    const double u1 = torch_unit_f64(g);
    const double u2 = torch_unit_f64(g);
    const double radius = sqrt(-2.0 * log1p(-u2));
    const double angle = two_pi * u1;
    g->normal = radius * sin(angle);
    g->has_normal = true;
    return radius * cos(angle);
}

void torch_randn(struct torch_generator *g, float *out, size_t n)
{
    if (n < BLOCK) {
        for (size_t i = 0; i < n; i++) {
            out[i] = (float)normal_scalar(g);
        }
        return;
    }
    torch_rand(g, out, n);
    const size_t whole = n - n % BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK) {
        normal_block(out + i);
    }
    if (whole < n) { /* the rest is no block: PyTorch draws the last 16 again */
        float *const last = out + (n - BLOCK);
        torch_rand(g, last, BLOCK);
        normal_block(last);
    }
}

#include "torch.h"

#include <assert.h>
#include <math.h>

#include "unit.h"

void torch_linear(struct torch_generator *g, float *weight, float *bias, int n_in, int n_out)
{
    assert(n_in > 0 && n_out > 0);
    const double root = sqrt((double)n_in);
    /* Kaiming's uniform rule with a slope of √5, as nn.Linear.reset_parameters asks for. */
    const double bound = sqrt(3.0) * (sqrt(2.0 / 6.0) / root);
    torch_uniform(g, weight, (size_t)n_in * (size_t)n_out, -bound, bound);
    if (bias != NULL) {
        torch_uniform(g, bias, (size_t)n_out, -1.0 / root, 1.0 / root);
    }
}

static void keep_mt(struct torch_generator *g, float *keep, size_t n, double q)
{
    for (size_t i = 0; i < n; i++) {
        keep[i] = torch_unit_f64(g) < q ? 1.0f : 0.0f;
    }
}

/** MKL's multiplicative generator MCG31m1, seeded with one word for the whole call. */
static void keep_mkl(struct torch_generator *g, float *keep, size_t n, double q)
{
    const uint64_t modulus = (UINT64_C(1) << 31) - 1;
    const uint64_t factor = 1132489760;
    uint64_t x = torch_u32(g) % modulus;
    if (x == 0) {
        x = 1;
    }
    for (size_t i = 0; i < n; i++) {
        keep[i] = (double)x / (double)modulus < q ? 1.0f : 0.0f;
        x = factor * x % modulus;
    }
}

void torch_dropout_keep(struct torch_generator *g, float *keep, size_t n, double p,
                        enum torch_dropout build)
{
    assert(p >= 0.0 && p <= 1.0);
    if (p == 0.0 || p == 1.0) { /* nothing is drawn */
        for (size_t i = 0; i < n; i++) {
            keep[i] = p == 0.0 ? 1.0f : 0.0f;
        }
        return;
    }
    switch (build) {
    case TORCH_DROPOUT_MT:
        keep_mt(g, keep, n, 1.0 - p);
        break;
    case TORCH_DROPOUT_MKL:
        keep_mkl(g, keep, n, 1.0 - p);
        break;
    }
}

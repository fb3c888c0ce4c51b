#include "torch.h"

#include "attn/kernels.h"
#include "unit.h"

/* MT19937 by M. Matsumoto and T. Nishimura, with 32-bit seeding. */
enum { WORDS = 624, SHIFT = 397 };

void torch_seed(struct torch_generator *g, uint64_t seed)
{
    g->state[0] = (uint32_t)(seed & UINT32_MAX);
    for (uint32_t j = 1; j < WORDS; j++) {
        const uint32_t before = g->state[j - 1];
        g->state[j] = UINT32_C(1812433253) * (before ^ (before >> 30)) + j;
    }
    g->next = WORDS;
    g->has_normal = false;
    g->normal = 0.0;
}

static uint32_t twist(uint32_t high, uint32_t low, uint32_t far)
{
    const uint32_t mixed = (high & UINT32_C(0x80000000)) | (low & UINT32_C(0x7FFFFFFF));
    return far ^ (mixed >> 1) ^ ((low & 1) ? UINT32_C(0x9908B0DF) : 0);
}

static void refill(struct torch_generator *g)
{
    uint32_t *const s = g->state;
    for (int j = 0; j < WORDS; j++) {
        s[j] = twist(s[j], s[(j + 1) % WORDS], s[(j + SHIFT) % WORDS]);
    }
    g->next = 0;
}

uint32_t torch_u32(struct torch_generator *g)
{
    if (g->next >= WORDS) {
        refill(g);
    }
    uint32_t y = g->state[g->next++];
    y ^= y >> 11;
    y ^= (y << 7) & UINT32_C(0x9D2C5680);
    y ^= (y << 15) & UINT32_C(0xEFC60000);
    return y ^ (y >> 18);
}

uint64_t torch_u64(struct torch_generator *g)
{
    const uint64_t high = torch_u32(g);
    return high << 32 | torch_u32(g);
}

void torch_rand(struct torch_generator *g, float *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = torch_unit_f32(g);
    }
}

void torch_uniform(struct torch_generator *g, float *out, size_t n, double low, double high)
{
    const float from = (float)low;
    const float width = (float)high - from;
    for (size_t i = 0; i < n; i++) {
        out[i] = attn_fmaf(torch_unit_f32(g), width, from);
    }
}

void torch_randint(struct torch_generator *g, int64_t *out, size_t count, uint32_t n)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = torch_u32(g) % n;
    }
}

void torch_randperm(struct torch_generator *g, int64_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (int64_t)i;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        const size_t z = torch_u32(g) % (n - i);
        const int64_t held = out[i];
        out[i] = out[i + z];
        out[i + z] = held;
    }
}

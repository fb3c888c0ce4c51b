/** Numbers within [0,1) from the generator's words, as ATen's uniform distribution makes them. */
#ifndef TORCH_UNIT_H
#define TORCH_UNIT_H

#include "torch.h"

/** 24 bits of one word. */
static inline float torch_unit_f32(struct torch_generator *g)
{
    return (float)(torch_u32(g) & 0xFFFFFFu) * 0x1p-24f;
}

/** 53 bits of two words. */
static inline double torch_unit_f64(struct torch_generator *g)
{
    return (double)(torch_u64(g) & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
}

#endif

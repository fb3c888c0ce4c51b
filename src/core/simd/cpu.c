/* Which kernels this machine can run. Asked anew each time: the library keeps no state. */
#include "kernel_set.h"

static bool has_avx2(void)
{
#if defined(__x86_64__)
    /* the compiler's run-time library has looked before main */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

bool attn_cpu_supported(enum attn_cpu cpu)
{
    return cpu == ATTN_CPU_AUTO || cpu == ATTN_CPU_BASELINE || has_avx2();
}

const struct core_kernels *core_kernels_for(enum attn_cpu cpu)
{
    switch (cpu) {
    case ATTN_CPU_BASELINE:
        return &core_kernels_baseline;
    case ATTN_CPU_AUTO:
    case ATTN_CPU_AVX2:
#if defined(__x86_64__)
        if (has_avx2()) {
            return &core_kernels_avx2;
        }
#endif
        return cpu == ATTN_CPU_AUTO ? &core_kernels_baseline : NULL;
    }
    return NULL;
}

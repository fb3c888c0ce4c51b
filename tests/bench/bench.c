#include "bench.h"

#include <stdlib.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

double bench_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double bench_cpu(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void bench_add(struct bench_times *times, double us)
{
    if (times->n < BENCH_TIMES_MAX) {
        times->us[times->n++] = us;
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(struct bench_times *times, double share)
{
    if (times->n == 0) {
        return 0;
    }
    qsort(times->us, times->n, sizeof times->us[0], compare);
    const size_t i = (size_t)(share * (double)times->n);
    return times->us[i < times->n ? i : times->n - 1];
}

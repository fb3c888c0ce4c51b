/** What the benchmarks share: clocks, and the middle of many measurements. */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>

/** Microseconds of a clock that only goes forward. */
double bench_now(void);
/** Microseconds that this process has computed: what others do on the machine is not in it. */
double bench_cpu(void);

enum { BENCH_TIMES_MAX = 512 };

struct bench_times {
    double us[BENCH_TIMES_MAX];
    size_t n;
};

/** One more; beyond BENCH_TIMES_MAX it is left out. */
void bench_add(struct bench_times *times, double us);
/** The time that this share of all is at or below: 0.5 the median. Sorts. 0 where there is none. */
double bench_quantile(struct bench_times *times, double share);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/host.h"

#include <omp.h>
#include <string.h>

#include "bench/data.h"
#include "system/clock.h"

void bench_host_copy(void *dst, const void *src, size_t bytes, unsigned threads) {
#pragma omp parallel for schedule(static) num_threads((int)threads)
    for (unsigned k = 0; k < threads; ++k) {
        const size_t from = bytes / threads * k, to = k + 1 < threads ? bytes / threads * (k + 1) : bytes;
        memcpy((char *)dst + from, (const char *)src + from, to - from);
    }
}

/* One that a moment's interruption would double is timed more often. */
unsigned bench_host_repeats(double seconds, unsigned wanted) {
    const double long_run = 1, short_run = 1e-3;
    if (wanted > 0) return wanted < BENCH_MAX_REPEAT ? wanted : BENCH_MAX_REPEAT;
    return seconds > long_run ? 3 : seconds > short_run ? 7 : 101;
}

riffle_status bench_host_first(const bench_host_mover *mover, void *dst, const void *src, double *seconds) {
    const double began = seconds_now();
    const riffle_status status = mover->move(mover->by, dst, src);
    *seconds = seconds_now() - began;
    return status;
}

riffle_status bench_host_time(const bench_host_mover *mover, size_t bytes, unsigned repeat, double first,
                              void *dst, const void *src, bench_result *out) {
    double times[BENCH_MAX_REPEAT], copy_times[BENCH_MAX_REPEAT];
    riffle_status status = RIFFLE_OK;
    repeat = bench_host_repeats(first, repeat);
    for (unsigned k = 0; k < repeat && status == RIFFLE_OK; ++k) {
        const double began = seconds_now();
        bench_host_copy(dst, src, bytes, out->threads);
        const double copied = seconds_now();
        status = mover->move(mover->by, dst, src);
        times[k] = seconds_now() - copied;
        copy_times[k] = copied - began;
    }
    out->seconds = bench_median(times, repeat);
    out->copy_seconds = bench_median(copy_times, repeat);
    return status;
}

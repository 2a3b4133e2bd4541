/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/host.h"

#include <omp.h>
#include <string.h>

#include "bench/data.h"
#include "system/clock.h"

void bench_host_copy(void *dst, const void *src, size_t bytes, unsigned threads) {
    if (threads <= 1) {
        memcpy(dst, src, bytes); /* a region of one thread takes longer than 1 KiB */
        return;
    }
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

riffle_status bench_host_move_copy(const void *copying, void *dst, const void *src) {
    const bench_host_copying *const c = copying;
    bench_host_copy(dst, src, c->bytes, c->threads);
    return RIFFLE_OK;
}

/* Seconds of one of `times` moves. */
static riffle_status time_some(const bench_host_mover *mover, unsigned times, void *dst, const void *src,
                               double *seconds) {
    riffle_status status = RIFFLE_OK;
    const double began = seconds_now();
    for (unsigned k = 0; k < times && status == RIFFLE_OK; ++k) status = mover->move(mover->by, dst, src);
    *seconds = (seconds_now() - began) / times;
    return status;
}

/* How many moves there are between two looks at the clock: one, of short ones so many that they take 20 us. */
static riffle_status find_times(const bench_host_mover *mover, void *dst, const void *src, unsigned *times) {
    const double long_enough = 2e-5;
    const unsigned most = 1u << 16;
    double each = 0;
    riffle_status status = RIFFLE_OK;
    for (*times = 1; status == RIFFLE_OK && *times < most; *times *= 2) {
        status = time_some(mover, *times, dst, src, &each);
        if (each * *times >= long_enough) break;
    }
    return status;
}

riffle_status bench_host_time_in_turn(const bench_host_mover *movers, unsigned count, unsigned repeat,
                                      void *dst, const void *src, double *seconds) {
    double times[BENCH_MOST_MOVERS][BENCH_MAX_REPEAT];
    unsigned moves[BENCH_MOST_MOVERS];
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k < count && status == RIFFLE_OK; ++k)
        status = find_times(&movers[k], dst, src, &moves[k]);
    for (unsigned round = 0; round < repeat; ++round)
        for (unsigned k = 0; k < count && status == RIFFLE_OK; ++k)
            status = time_some(&movers[k], moves[k], dst, src, &times[k][round]);
    for (unsigned k = 0; k < count && status == RIFFLE_OK; ++k) seconds[k] = bench_median(times[k], repeat);
    return status;
}

riffle_status bench_host_time(const bench_host_mover *mover, size_t bytes, unsigned repeat, double first,
                              void *dst, const void *src, bench_result *out) {
    const bench_host_copying all = {bytes, out->threads};
    const bench_host_mover both[] = {{bench_host_move_copy, &all}, *mover};
    double seconds[2] = {0};
    const riffle_status status =
        bench_host_time_in_turn(both, 2, bench_host_repeats(first, repeat), dst, src, seconds);
    out->copy_seconds = seconds[0];
    out->seconds = seconds[1];
    return status;
}

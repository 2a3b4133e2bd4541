/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that moves on the host take, beside copies: both move the same bytes between the same buffers with as many
 * threads, in turn, and of each the median counts.
 */
#ifndef RIFFLE_CLI_BENCH_HOST_H
#define RIFFLE_CLI_BENCH_HOST_H

#include "bench/result.h"

/** Who moves src to dst on the host. */
typedef struct bench_host_mover {
    riffle_status (*move)(const void *by, void *dst, const void *src);
    const void *by;
} bench_host_mover;

/** Moves once, which warms everything, between buffers that a copy has touched; says how long it took. */
riffle_status bench_host_first(const bench_host_mover *mover, void *dst, const void *src, double *seconds);

/** Then sets out->seconds and copy_seconds: medians of `repeat` moves (0: as many as bench_settings says of one that took
 *  `first` seconds) and as many copies, in turn, with out->threads each. */
riffle_status bench_host_time(const bench_host_mover *mover, size_t bytes, unsigned repeat, double first,
                              void *dst, const void *src, bench_result *out);

/** Movers in turn, at most. */
enum { BENCH_MOST_MOVERS = 32 };

/** Sets seconds[k] to the median of `repeat` moves (at most BENCH_MAX_REPEAT) by mover k of `count`, which move in turn; short
 *  moves are done so often between two looks at the clock that they take 20 us. */
riffle_status bench_host_time_in_turn(const bench_host_mover *movers, unsigned count, unsigned repeat,
                                      void *dst, const void *src, double *seconds);

/** A copy of so many bytes by so many threads: a mover's `by`; bench_host_move_copy is its move. */
typedef struct bench_host_copying {
    size_t bytes;
    unsigned threads;
} bench_host_copying;
riffle_status bench_host_move_copy(const void *copying, void *dst, const void *src);

/** How often a row is timed: `wanted` times, or 0: as bench_settings says of one that took `first` seconds. */
unsigned bench_host_repeats(double first, unsigned wanted);

/** The copy that a ratio is to: every thread copies one contiguous part. */
void bench_host_copy(void *dst, const void *src, size_t bytes, unsigned threads);

#endif

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

/** How often a row is timed: `wanted` times, or 0: as bench_settings says of one that took `first` seconds. */
unsigned bench_host_repeats(double first, unsigned wanted);

/** The copy that a ratio is to: every thread copies one contiguous part. */
void bench_host_copy(void *dst, const void *src, size_t bytes, unsigned threads);

#endif

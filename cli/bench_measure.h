/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring one plan beside a copy: both move the same bytes between the same buffers with the same
 * number of threads, in turn, and of each the median counts.
 */
#ifndef RIFFLE_CLI_BENCH_MEASURE_H
#define RIFFLE_CLI_BENCH_MEASURE_H

#include <stdbool.h>

#include "bench_suites.h"

typedef struct bench_settings {
    riffle_engine engine;
    unsigned threads; /**< at least 1 */
    unsigned repeat;  /**< timed runs; 0: 7, or 3 where one takes over a second */
} bench_settings;

typedef struct bench_result {
    riffle_algorithm algorithm; /**< the one that ran */
    double seconds, copy_seconds, plan_seconds;
    size_t plan_bytes, workspace_bytes;
    bool right; /**< dst[P(i)] == src[i] for all of a sample of i */
} bench_result;

/** Plans, checks and times one row. RIFFLE_ERROR_... of the first library call that failed. */
riffle_status bench_measure(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif

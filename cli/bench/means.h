/* SPDX-License-Identifier: Apache-2.0
 *
 * Geometric means of the ratios of a suite's groups.
 */
#ifndef RIFFLE_CLI_BENCH_MEANS_H
#define RIFFLE_CLI_BENCH_MEANS_H

#include "bench/report.h"

enum { BENCH_MOST_GROUPS = 16 };

/** While rows are added `ratio` is the sum of the ratios' logarithms. */
typedef struct bench_means {
    size_t count;
    bench_mean of[BENCH_MOST_GROUPS];
} bench_means;

/** Takes a row in that was moved right. Rows of a group come one after the other. */
void bench_means_add(bench_means *means, const bench_row *row, const bench_result *result);

void bench_means_end(bench_means *means);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring one plan beside a copy: both move the same bytes between the same buffers with as many threads as
 * the plan takes, in turn, and of each the median counts.
 */
#ifndef RIFFLE_CLI_BENCH_MEASURE_H
#define RIFFLE_CLI_BENCH_MEASURE_H

#include "bench/result.h"

/** Plans, checks and times one row. On failure out->problem says what was wrong. */
riffle_status bench_measure(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * An array along a permutation, on the host, beside a copy: both move the same bytes between the same buffers with as many threads as
 * the plan takes, in turn, and of each the median counts.
 */
#ifndef RIFFLE_CLI_BENCH_ARRAY_H
#define RIFFLE_CLI_BENCH_ARRAY_H

#include "bench/result.h"

/** Plans, checks and times one row. On failure out->problem says what was wrong. */
bench_measure bench_array_on_host;

#endif

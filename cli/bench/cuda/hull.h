/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of convex hulls on a GPU.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_HULL_H
#define RIFFLE_CLI_BENCH_CUDA_HULL_H

#include "bench/result.h"

/** Measures a row of kind HULL, of points in the device's memory. */
riffle_status bench_cuda_hull(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif

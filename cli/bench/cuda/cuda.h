/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring on a GPU: moves between device arrays, timed by CUDA's events, each beside cudaMemcpy. A build
 * without CUDA has bench/cuda/absent.c instead.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_CUDA_H
#define RIFFLE_CLI_BENCH_CUDA_CUDA_H

#include "bench/result.h"

/** bench_measure for the cuda engine, any kind of row. */
riffle_status bench_cuda_measure(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of array programs on a GPU.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_PROGRAM_H
#define RIFFLE_CLI_BENCH_CUDA_PROGRAM_H

#include "bench/result.h"

/** Measures a row of kind PROGRAM. */
riffle_status bench_cuda_program(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMM paper's experiment: arrays that are permuted in shared memory, many times over.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_BLOCKS_H
#define RIFFLE_CLI_BENCH_CUDA_BLOCKS_H

#include "bench/result.h"

/** Measures a row of kind BLOCKS; seconds are of one repetition by all blocks, copy_seconds of a copy. */
riffle_status bench_cuda_blocks(const bench_row *row, bench_result *out);

#endif

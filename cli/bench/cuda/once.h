/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of indices that are used once: riffle_cuda_take, riffle_cuda_put and riffle_cuda_shuffle, whose every call does all
 * that has to be done.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_ONCE_H
#define RIFFLE_CLI_BENCH_CUDA_ONCE_H

#include "bench/result.h"

/** Measures a row of kind ONCE, along random:1. */
riffle_status bench_cuda_once(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif

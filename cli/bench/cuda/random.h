/* SPDX-License-Identifier: Apache-2.0
 *
 * The HMM paper's Table III: one algorithm along many random permutations of one length.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_RANDOM_H
#define RIFFLE_CLI_BENCH_CUDA_RANDOM_H

#include "bench/result.h"

/** Measures a row of kind RANDOM along random:1, random:2, ... for settings->permutations of them, or as many
 *  as a third of settings->seconds lets it begin. For scatter also D_w(P) is noted. */
riffle_status bench_cuda_random(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif

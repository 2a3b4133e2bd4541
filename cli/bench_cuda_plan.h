/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of measuring one plan on the GPU: make it, check it, time it beside a copy.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_PLAN_H
#define RIFFLE_CLI_BENCH_CUDA_PLAN_H

#include "bench_cuda_arrays.h"

/** Plans and times the planning. *plan stays as it was on failure. */
riffle_status bench_cuda_plan(const riffle_perm *perm, const bench_row *row, const bench_settings *settings,
                              riffle_plan **plan, bench_result *out);

/** Executes once and sets out->right. */
riffle_status bench_cuda_check(const riffle_plan *plan, const riffle_perm *perm, size_t elem_bytes,
                               cuda_arrays *arrays, bench_result *out);

/** Sets out->seconds, copy_seconds and batch: medians of `repeat` batches of moves and as many of copies, in
 *  turn. */
riffle_status bench_cuda_time(const riffle_plan *plan, unsigned repeat, cuda_arrays *arrays, bench_result *out);

#endif

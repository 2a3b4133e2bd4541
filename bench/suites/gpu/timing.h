/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of measuring one plan on the GPU: make it, check it, time it beside copies.
 */
#ifndef RIFFLE_BENCH_SUITES_GPU_PLAN_H
#define RIFFLE_BENCH_SUITES_GPU_PLAN_H

#include "bench/data.h"
#include "gpu/arrays.h"

/** Plans `perm`, or its `table` in device memory where that is not NULL, and times the planning: 20 times over,
 *  where the plan has tables only as often as 0.1 s allows, of which the median counts, since the first one may
 *  load kernels. *plan stays as it was on failure. */
riffle_status bench_cuda_plan(const riffle_perm *perm, const void *table, const bench_row *row,
                              const bench_settings *settings, riffle_plan **plan, bench_result *out);

/** Executes once and sets out->right: all of what moved is compared, or of more than 2^26 elements a sample of
 *  2^20; by the GPU all along an order of axes. */
riffle_status bench_cuda_check(const cuda_mover *mover, const bench_move *move, cuda_arrays *arrays,
                               bench_result *out);

/** Sets out->seconds, copy_seconds, copy_kernel_seconds, moves_timed and in_l2: medians of `repeat` times of moves and
 *  as many of each kind of copy, in turn, after as many rounds of them as take 0.1 s between these arrays, one at least. The
 *  kernel's is the faster one of two. */
riffle_status bench_cuda_time(const cuda_mover *mover, unsigned repeat, cuda_arrays *arrays, bench_result *out);

/** Makes the row's arrays, checks and times the move by `plan` along `perm`. */
riffle_status bench_cuda_measure_move(const riffle_plan *plan, const riffle_perm *perm, const bench_row *row,
                                      const bench_settings *settings, bench_result *out);

#endif

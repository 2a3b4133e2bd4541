/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop of each kind of pass on the host (what a pass does stands with its schedule in plan/).
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_LOOPS_H
#define RIFFLE_MOVE_CPU_PASSES_LOOPS_H

#include "base/threads/team.h"
#include "check/kernels/hash.h"
#include "plan/pass.h"
#include "riffle/indices.h"

/** One array on its way through one pass. dst and src do not overlap, or are the same where the pass is in place; they
 *  may begin at any address. */
typedef struct cpu_move {
    const pass *p;
    void *dst;
    const void *src;
    void *
        staging; /**< for each member what its pass wants, bucket_staging_bytes(), spread_staging_bytes(), affine_tile_pair_bytes(), in_rows_bytes() or
                          in_columns_bytes(); may be NULL for other passes */
    uint64_t *taken; /**< for team_take, 0 at the beginning */
    check_sums *
        compared; /**< to which passes that compare add what they write, and from which they take what they read */
} cpu_move;

/** Does member `me`'s part of a move; together the members do all of it. */
typedef void cpu_loop(const cpu_move *move, team_member me);

cpu_loop cpu_copy, cpu_reverse_ends, cpu_scatter, cpu_gather, cpu_affine_lines, cpu_affine_tile, cpu_axes_tile,
    cpu_bucket, cpu_bucket_checked, cpu_bucket_rows, cpu_transpose, cpu_row_wise, cpu_in_rows, cpu_in_columns, cpu_once_spread,
    cpu_once_place;

/** Moves one array through pass p on `threads` threads, at least one. `compared` may be NULL where no pass compares. */
void cpu_run_pass(const pass *p, unsigned threads, void *staging, void *dst, const void *src,
                  check_sums *compared);

/** Rows along indices that are used once, all of them right. */
typedef struct cpu_rows {
    const riffle_indices *indices;
    size_t row_bytes;
    void *dst;
    const void *src;
} cpu_rows;

void cpu_take(const cpu_rows *rows, team_member me);
void cpu_put(const cpu_rows *rows, team_member me);

#endif

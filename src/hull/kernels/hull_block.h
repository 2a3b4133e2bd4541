/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that blocks of the kernels of hulls share.
 */
#ifndef RIFFLE_HULL_KERNELS_HULL_BLOCK_H
#define RIFFLE_HULL_KERNELS_HULL_BLOCK_H

#include "hull/kernels/hull_points.h"

/** Candidates of list 0 after hull_filter, of list 1, of list 0 after the second round. */
static __device__ inline uint32_t hull_listed(const hull_table *t, uint32_t list) {
    return t->state->record.listed[list] + 1;
}

/** All threads of the block wait for each other, each for itself: lanes that left a loop at different turns may come one after the
 *  other, which __syncthreads does not allow. */
static __device__ inline void hull_meet() {
#ifdef __CUDACC__
    asm volatile("barrier.sync 0;" ::: "memory");
#else
    __syncwarp();
    __syncthreads();
#endif
}

/** The sum of the values of all threads before this one; *all gets the sum of all. `sums` has a word a warp, of which there are
 *  as many as lanes, at most. Every thread of the block must come here. */
static __device__ inline uint32_t hull_sum_before(uint32_t value, uint32_t *sums, uint32_t *all) {
    const uint32_t warp = threadIdx.x / WARP_LANES, up = warp_sum_up(value);
    if (warp_lane() == WARP_LANES - 1) sums[warp] = up;
    hull_meet();
    const uint32_t mine = warp_lane() < blockDim.x / WARP_LANES ? sums[warp_lane()] : 0;
    const uint32_t warps = warp_sum_up(mine);
    *all = __shfl_sync(WARP_ALL_LANES, warps, WARP_LANES - 1);
    hull_meet();
    return __shfl_sync(WARP_ALL_LANES, warps - mine, warp) + up - value;
}

/** Appends the index of each lane that keeps one to a list of the table: an atomic a warp. All lanes come here. */
static __device__ inline void hull_append(const hull_table *t, uint32_t list, uint32_t *to, bool is_kept,
                                          uint32_t index) {
    const uint32_t kept = __ballot_sync(WARP_ALL_LANES, is_kept);
    uint32_t at = 0;
    if (kept == 0) return;
    if (warp_lane() == 0) at = ATOMIC_ADD(&t->state->record.listed[list], (uint32_t)__popc(kept)) + 1;
    at = __shfl_sync(WARP_ALL_LANES, at, 0);
    if (is_kept) to[at + (uint32_t)__popc(kept & ((1u << warp_lane()) - 1))] = index;
}

#endif

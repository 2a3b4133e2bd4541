/* SPDX-License-Identifier: Apache-2.0
 *
 * What blocks of the kernels of hulls share.
 */
#ifndef RIFFLE_KERNELS_HULL_HULL_BLOCK_H
#define RIFFLE_KERNELS_HULL_HULL_BLOCK_H

#include "kernels/hull/hull_points.h"

/** Candidates of list 0 after hull_filter, of list 1, of list 0 after the second round. */
static __device__ inline uint32_t hull_listed(const hull_table *t, uint32_t list) {
    return t->state->record.listed[list] + 1;
}

/** The sum of the values of all threads before this one; *all gets the sum of all. `sums` has a word a warp. Every thread of
 *  the block must come here. */
static __device__ inline uint32_t hull_sum_before(uint32_t value, uint32_t *sums, uint32_t *all) {
    const uint32_t warp = threadIdx.x / HULL_LANES, warps = (blockDim.x + HULL_LANES - 1) / HULL_LANES;
    uint32_t up = value, before = 0;
    UNROLL
    for (uint32_t by = 1; by < HULL_LANES; by *= 2) {
        const uint32_t other = __shfl_up_sync(HULL_ALL_LANES, up, by);
        if (hull_lane() >= by) up += other;
    }
    if (hull_lane() == HULL_LANES - 1) sums[warp] = up;
    __syncthreads();
    *all = 0;
    for (uint32_t k = 0; k < warps; ++k) {
        if (k == warp) before = *all;
        *all += sums[k];
    }
    __syncthreads();
    return before + up - value;
}

/** Appends the index of each lane that keeps one to a list of the table: an atomic a warp. All lanes come here. */
static __device__ inline void hull_append(const hull_table *t, uint32_t list, uint32_t *to, bool is_kept,
                                          uint32_t index) {
    const uint32_t kept = __ballot_sync(HULL_ALL_LANES, is_kept);
    uint32_t at = 0;
    if (kept == 0) return;
    if (hull_lane() == 0) at = ATOMIC_ADD(&t->state->record.listed[list], (uint32_t)__popc(kept)) + 1;
    at = __shfl_sync(HULL_ALL_LANES, at, 0);
    if (is_kept) to[at + (uint32_t)__popc(kept & ((1u << hull_lane()) - 1))] = index;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of a block's threads for hulls: the best of their records, sums before each, records appended.
 */
#ifndef RIFFLE_HULL_KERNELS_BLOCK_H
#define RIFFLE_HULL_KERNELS_BLOCK_H

#include "hull/kernels/record.h"

enum { HULL_WARP = 32 };
#define HULL_ALL 0xffffffffu

HULL_DEVICE uint32_t hull_lane() { return threadIdx.x % HULL_WARP; }
HULL_DEVICE uint32_t hull_warp() { return threadIdx.x / HULL_WARP; }
HULL_DEVICE uint32_t hull_warps() { return blockDim.x / HULL_WARP; }

/* The sum of the values of the warp's lanes up to this one. */
HULL_DEVICE uint32_t hull_warp_sums(uint32_t value) {
    for (uint32_t by = 1; by < HULL_WARP; by *= 2) {
        const uint32_t before = __shfl_up_sync(HULL_ALL, value, by);
        if (hull_lane() >= by) value += before;
    }
    return value;
}

/* The sum of the block's values before this thread's, and of all. `shared` has a word more than there are warps. */
HULL_DEVICE uint32_t hull_block_sums(uint32_t value, uint32_t *total, uint32_t *shared) {
    const uint32_t sum = hull_warp_sums(value);
    __syncthreads();
    if (hull_lane() == HULL_WARP - 1) shared[hull_warp()] = sum;
    __syncthreads();
    if (threadIdx.x < HULL_WARP) {
        const uint32_t own = threadIdx.x < hull_warps() ? shared[threadIdx.x] : 0;
        const uint32_t warps = hull_warp_sums(own);
        if (threadIdx.x < hull_warps()) shared[threadIdx.x] = warps - own;
        if (threadIdx.x == HULL_WARP - 1) shared[hull_warps()] = warps;
    }
    __syncthreads();
    *total = shared[hull_warps()];
    return shared[hull_warp()] + sum - value;
}

#endif

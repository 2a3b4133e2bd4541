/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of a block's threads for hulls: the best of their records, sums before each, records appended.
 */
#ifndef RIFFLE_HULL_KERNELS_BLOCK_H
#define RIFFLE_HULL_KERNELS_BLOCK_H

#include "device/kernels/warp.h"
#include "hull/kernels/record.h"

HULL_DEVICE uint32_t hull_warp() { return threadIdx.x / WARP_LANES; }
HULL_DEVICE uint32_t hull_warps() { return blockDim.x / WARP_LANES; }

/* The sum of the block's values before this thread's, and of all. `shared` has a word more than there are warps. */
HULL_DEVICE uint32_t hull_block_sums(uint32_t value, uint32_t *total, uint32_t *shared) {
    const uint32_t sum = warp_sum_up(value);
    __syncthreads();
    if (warp_lane() == WARP_LANES - 1) shared[hull_warp()] = sum;
    __syncthreads();
    if (threadIdx.x < WARP_LANES) {
        const uint32_t own = threadIdx.x < hull_warps() ? shared[threadIdx.x] : 0;
        const uint32_t warps = warp_sum_up(own);
        if (threadIdx.x < hull_warps()) shared[threadIdx.x] = warps - own;
        if (threadIdx.x == WARP_LANES - 1) shared[hull_warps()] = warps;
    }
    __syncthreads();
    *total = shared[hull_warps()];
    return shared[hull_warp()] + sum - value;
}

#endif

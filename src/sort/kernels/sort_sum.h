/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_SORT_KERNELS_SORT_SUM_H
#define RIFFLE_SORT_KERNELS_SORT_SUM_H

#include "sort/kernels/sort_record.h"

/** The sum of the values of all threads before this one; *all gets that of all. `sums` has a word a warp. */
static __device__ inline uint32_t sort_sum_before(uint32_t value, uint32_t *sums, uint32_t *all) {
    const uint32_t up = warp_sum_up(value);
    uint32_t before = 0;
    *all = 0;
    __syncthreads();
    if (warp_lane() == WARP_LANES - 1) sums[threadIdx.x / WARP_LANES] = up;
    __syncthreads();
    for (uint32_t k = 0; k < blockDim.x / WARP_LANES; ++k) {
        const uint32_t sum = sums[k];
        if (k < threadIdx.x / WARP_LANES) before += sum;
        *all += sum;
    }
    return before + up - value;
}

#endif

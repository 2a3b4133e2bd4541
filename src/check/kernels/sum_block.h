/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's sums are added to a record at once: atomic additions of each warp would take as long as reading what the warps add up.
 *
 *     lanes' sums --check_put_warp--> block's shared memory --barrier, check_add_block--> record
 */
#ifndef RIFFLE_CHECK_KERNELS_SUM_BLOCK_H
#define RIFFLE_CHECK_KERNELS_SUM_BLOCK_H

#include "check/kernels/block.h"
#include "check/kernels/sum.h"

/** Leaves the warp's sums. All lanes come to it. */
static __device__ inline void check_put_warp(check_block *block, check_sums sums) {
    sums = check_sum_lanes<WARP_LANES>(sums);
    if (warp_lane() != 0) return;
    block->first[threadIdx.x / WARP_LANES] = sums.first;
    block->second[threadIdx.x / WARP_LANES] = sums.second;
}

/** Adds the sums of all warps, which have left them, to the record, or takes them from it. All threads come to it. */
static __device__ inline void check_add_block(check_record *record, const check_block *block, bool is_taken) {
    if (threadIdx.x >= WARP_LANES) return;
    check_sums sums = {0, 0};
    if (threadIdx.x < blockDim.x / WARP_LANES)
        sums = check_sums{block->first[threadIdx.x], block->second[threadIdx.x]};
    sums = check_sum_lanes<CHECK_BLOCK_WARPS>(sums);
    if (threadIdx.x == 0) check_add_to(record, blockIdx.x, sums, is_taken);
}

/** All of it. All threads come to it. */
static __device__ inline void check_end_block(check_record *record, check_block *block, check_sums sums,
                                              bool is_taken) {
    check_put_warp(block, sums);
    __syncthreads();
    check_add_block(record, block, is_taken);
}

#endif

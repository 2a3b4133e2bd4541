/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's records sorted in registers: each warp sorts its own, then groups of 2, 4, ... warps merge. Warps
 * exchange through shared memory, register by register, so that neighbouring lanes meet neighbouring words.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_BLOCK_H
#define RIFFLE_SORT_KERNELS_SORT_BLOCK_H

#include "sort/kernels/sort_registers.h"

/* Register r is compared with that of thread `other`, register r or, mirrored, each - 1 - r. */
template <uint32_t threads, bool mirrored, uint32_t each, class record>
static __device__ inline void sort_exchange_warps(record (&k)[each], record *shared, uint32_t other,
                                                  bool later) {
    constexpr uint32_t half = each < SORT_AT_ONCE ? each / 2 : SORT_AT_ONCE / 2;
    UNROLL
    for (uint32_t first = 0; first < each / 2; first += half) {
        __syncthreads();
        UNROLL
        for (uint32_t i = 0; i < half; ++i) {
            shared[2 * i * threads + threadIdx.x] = k[first + i];
            shared[(2 * i + 1) * threads + threadIdx.x] = k[each - 1 - first - i];
        }
        __syncthreads();
        UNROLL
        for (uint32_t i = 0; i < half; ++i) {
            const record a = shared[(2 * i + (mirrored ? 1 : 0)) * threads + other];
            const record b = shared[(2 * i + (mirrored ? 0 : 1)) * threads + other];
            k[first + i] = sort_keep(k[first + i], a, later);
            k[each - 1 - first - i] = sort_keep(k[each - 1 - first - i], b, later);
        }
    }
}

/** The records of a block in order of threads, and of a thread's registers. `shared` has SORT_AT_ONCE records a
 *  thread. */
template <uint32_t threads, uint32_t each, class record>
static __device__ inline void sort_block(record (&k)[each], record *shared) {
    sort_warp(k);
    ROLL for (uint32_t group = 2 * WARP_LANES; group <= threads; group *= 2) {
        sort_exchange_warps<threads, true>(k, shared, threadIdx.x ^ (group - 1),
                                           (threadIdx.x & group / 2) != 0);
        ROLL for (uint32_t by = group / 4; by >= WARP_LANES; by /= 2)
            sort_exchange_warps<threads, false>(k, shared, threadIdx.x ^ by, (threadIdx.x & by) != 0);
        sort_merge_lanes(k, WARP_LANES / 2);
    }
    __syncthreads();
}

#endif

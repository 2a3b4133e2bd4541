/* SPDX-License-Identifier: Apache-2.0
 *
 * A check's numbers in kernels, and how warps add them to a record.
 */
#ifndef RIFFLE_CHECK_KERNELS_SUM_H
#define RIFFLE_CHECK_KERNELS_SUM_H

#include "check/kernels/hash.h"
#include "check/kernels/table.h"
#include "device/kernels/warp.h"

/** Takes up to 16 bytes. */
template <class element> static __device__ inline void check_take(check_hash *hash, const element &part) {
    union {
        uint64_t word[2];
        element whole;
    } of;
    of.word[0] = 0;
    of.whole = part;
    check_hash_take(hash, of.word[0]);
    if (sizeof(element) == 16) check_hash_take(hash, of.word[1]);
}

/** The number of a part that lies at a place. */
template <class element> static __device__ inline uint64_t check_part(uint64_t place, const element &part) {
    check_hash hash = check_hash_begin(place);
    check_take(&hash, part);
    return check_hash_end(&hash);
}

/** Adds the lanes' numbers to a record's sums. All lanes come to it. */
static __device__ inline void check_add(uint64_t *sums, uint64_t number) {
    UNROLL
    for (uint32_t by = WARP_LANES / 2; by > 0; by /= 2) number += warp_across(number, by);
    const uint32_t warp = blockIdx.x * (blockDim.x / WARP_LANES) + threadIdx.x / WARP_LANES;
    if (warp_lane() == 0)
        ATOMIC_ADD((unsigned long long *)&sums[warp % CHECK_SUMS], (unsigned long long)number);
}

#endif

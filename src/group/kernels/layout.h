/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups laid out one behind the other, by one block: from how many entries each has to where it begins, and where what it keeps ends.
 */
#ifndef RIFFLE_GROUP_KERNELS_LAYOUT_H
#define RIFFLE_GROUP_KERNELS_LAYOUT_H

#include "group/kernels/keys.h"

/** Results of one group; how many of its entries are left out. */
static __device__ inline uint64_t group_lay_out_one(const group_table &t, uint32_t group, uint64_t total,
                                                    uint64_t kept, uint64_t first) {
    t.first[group] = first;
    t.end[group] = first + kept;
    if (t.offsets != nullptr) t.offsets[group] = first;
    if (t.kept != nullptr) t.kept[group] = kept;
    return total - kept;
}

/** Lays out all groups, of so many entries each, and says how many entries are left out. `sums` is shared, a number for each warp. */
static __device__ inline void group_lay_out(const group_table &t, const uint32_t *totals, uint64_t outside,
                                            uint64_t *sums) {
    const uint32_t groups = t.columns;
    uint64_t next = 0, overflowed = 0, all;
    for (uint32_t base = 0; base < groups; base += blockDim.x) {
        const uint32_t group = base + threadIdx.x;
        const uint64_t total = group < groups ? totals[group] : 0,
                       kept = total < t.capacity ? total : t.capacity;
        const uint64_t first = next + group_sum_before(group_round_up(kept, t.multiple), sums, &all);
        if (group < groups) overflowed += group_lay_out_one(t, group, total, kept, first);
        next += all;
        __syncthreads();
    }
    group_sum_before(overflowed, sums, &all);
    if (threadIdx.x > 0) return;
    t.first[groups] = next;
    if (t.offsets != nullptr) t.offsets[groups] = next;
    if (t.left_out == nullptr) return;
    t.left_out[0] = outside;
    t.left_out[1] = all;
}

#endif

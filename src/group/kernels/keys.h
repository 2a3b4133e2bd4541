/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries' groups and places, for kernels; and the lanes of a warp whose entries have one group.
 */
#ifndef RIFFLE_GROUP_KERNELS_KEYS_H
#define RIFFLE_GROUP_KERNELS_KEYS_H

#include "device/kernels/rows_map.h"
#include "device/kernels/warp.h"
#include "group/kernels/table.h"

static __device__ inline uint64_t group_key(const group_table &t, uint64_t entry) {
    const bool is_signed = t.keys_are_signed != 0;
    switch (t.key_bytes) {
    case 1: {
        const uint8_t key = ((const uint8_t *)t.keys)[entry];
        return is_signed ? (uint64_t)(int64_t)(int8_t)key : key;
    }
    case 2: {
        const uint16_t key = ((const uint16_t *)t.keys)[entry];
        return is_signed ? (uint64_t)(int64_t)(int16_t)key : key;
    }
    case 4: {
        const uint32_t key = ((const uint32_t *)t.keys)[entry];
        return is_signed ? (uint64_t)(int64_t)(int32_t)key : key;
    }
    default: return ((const uint64_t *)t.keys)[entry];
    }
}

/** The entry's group; t.rule.groups for an entry outside, and for none. */
static __device__ inline uint32_t group_of(const group_table &t, uint64_t entry, uint64_t end) {
    return entry < end ? group_number(&t.rule, group_key(t, entry)) : t.rule.groups;
}

static __device__ inline uint64_t group_row(const group_table &t, uint64_t entry) {
    return t.keys_per_row == 1 ? entry : rows_quotient(entry, t.row_reciprocal, t.row_shift);
}

static const uint64_t GROUP_NO_PLACE = ~(uint64_t)0;

static __device__ inline void group_set_place(const group_table &t, uint64_t entry, uint64_t place) {
    if (t.index_bytes == 8)
        ((uint64_t *)t.places)[entry] = place;
    else if (t.index_bytes == 4)
        ((uint32_t *)t.places)[entry] = (uint32_t)place;
}

static __device__ inline uint64_t group_place(const void *places, uint32_t index_bytes, uint64_t entry) {
    if (index_bytes == 8) return ((const uint64_t *)places)[entry];
    const uint32_t place = ((const uint32_t *)places)[entry];
    return place == ~(uint32_t)0 ? GROUP_NO_PLACE : place;
}

/** True if a group has so much room. */
static __device__ inline bool group_keeps(const group_table &t, uint32_t group, uint64_t place) {
    return t.capacity == GROUP_NO_PLACE || place < t.end[group];
}

/** The lanes that are in a group, and in the same as this one. All lanes come to it. */
static __device__ inline uint32_t group_lanes(const group_table &t, uint32_t group) {
    uint32_t same = __ballot_sync(WARP_ALL_LANES, group < t.rule.groups);
    UNROLL
    for (uint32_t bit = 0; bit < GROUP_MOST_BITS; ++bit) {
        if (bit >= t.bits) break;
        const bool is_set = (group >> bit & 1) != 0;
        const uint32_t set = __ballot_sync(WARP_ALL_LANES, is_set);
        same &= is_set ? set : ~set;
    }
    return same;
}

static __device__ inline uint32_t group_lanes_before(uint32_t lanes) {
    return (uint32_t)__popc(lanes & (((uint32_t)1 << warp_lane()) - 1));
}

/** The sum of the values of the lanes up to this one. */
template <class word> static __device__ inline word group_sum_up(word value) {
    UNROLL
    for (uint32_t by = 1; by < WARP_LANES; by *= 2) {
        const word other = warp_from_lane(value, warp_lane() >= by ? warp_lane() - by : 0);
        if (warp_lane() >= by) value += other;
    }
    return value;
}

/** The sum of the values of the block's threads before this one, and of all in *all. `sums` has room for a number for each warp; the
 *  block has met before it is used again. */
template <class word> static __device__ inline word group_sum_before(word value, word *sums, word *all) {
    const uint32_t warp = threadIdx.x / WARP_LANES, warps = blockDim.x / WARP_LANES;
    const word up_to = group_sum_up(value);
    if (warp_lane() == WARP_LANES - 1) sums[warp] = up_to;
    __syncthreads();
    word before = up_to - value;
    *all = 0;
    for (uint32_t w = 0; w < warps; ++w) {
        if (w < warp) before += sums[w];
        *all += sums[w];
    }
    return before;
}

#endif

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

/* Keys of up to 4 bytes are what is added to them first, less that. */
static __device__ inline uint32_t group_key_sign(const group_table &t) {
    return t.keys_are_signed != 0 ? (uint32_t)1 << (8 * t.key_bytes - 1) % 32 : 0;
}

template <class key, uint32_t items, uint32_t apart>
static __device__ inline void group_load_keys(const key *keys, uint32_t at, uint32_t left, uint32_t none,
                                              uint32_t (&held)[items]) {
    if (at + (items - 1) * apart < left) {
        UNROLL
        for (uint32_t i = 0; i < items; ++i) held[i] = LOAD_STREAMED(keys + i * apart);
    } else {
        UNROLL
        for (uint32_t i = 0; i < items; ++i)
            held[i] = at + i * apart < left ? (uint32_t)LOAD_STREAMED(keys + i * apart) : none;
    }
}

/** Loads keys of up to 4 bytes of a thread's entries at, at + apart, ... behind the first, of which there are `left`; group_name makes groups of
 *  them, and of keys of 8 bytes, which it loads. An entry behind the last is outside. */
template <uint32_t items, uint32_t apart>
static __device__ inline void group_load(const group_table &t, uint64_t first, uint32_t at, uint32_t left,
                                         uint32_t (&held)[items]) {
    const uint32_t sign = group_key_sign(t), none = (t.rule.groups + sign) ^ sign;
    const uint64_t from = first + at;
    switch (t.key_bytes) {
    case 1: group_load_keys<uint8_t, items, apart>((const uint8_t *)t.keys + from, at, left, none, held); break;
    case 2: group_load_keys<uint16_t, items, apart>((const uint16_t *)t.keys + from, at, left, none, held); break;
    case 4: group_load_keys<uint32_t, items, apart>((const uint32_t *)t.keys + from, at, left, none, held); break;
    default: break;
    }
}

template <uint32_t items, uint32_t apart>
static __device__ inline void group_name(const group_table &t, uint64_t first, uint32_t at, uint32_t left,
                                         uint32_t (&held)[items]) {
    const uint32_t groups = t.rule.groups, sign = group_key_sign(t);
    if (t.key_bytes == 8 || t.rule.by != 0) {
        UNROLL
        for (uint32_t i = 0; i < items; ++i) {
            const uint32_t key = (held[i] ^ sign) - sign;
            uint64_t whole = sign != 0 && key >> 31 != 0 ? ~(uint64_t)0 << 32 | key : key;
            const bool is_in = at + i * apart < left;
            if (t.key_bytes == 8) whole = is_in ? ((const uint64_t *)t.keys)[first + at + i * apart] : 0;
            held[i] = is_in ? group_number(&t.rule, whole) : groups;
        }
        return;
    }
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t key = (held[i] ^ sign) - sign;
        held[i] = key < groups ? key : groups;
    }
}

/** How many of so many entries from the first on there are. */
static __device__ inline uint32_t group_left(const group_table &t, uint64_t first, uint32_t most) {
    const uint64_t entries = t.count != nullptr ? *t.count : t.entries;
    if (first >= entries) return 0;
    return entries - first < most ? (uint32_t)(entries - first) : most;
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

/** The lanes that are in a column, and in the same as this one. All lanes come to it. */
static __device__ inline uint32_t group_lanes(const group_table &t, uint32_t group) {
    uint32_t same = __ballot_sync(WARP_ALL_LANES, group < t.columns);
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
    const word of_warps = group_sum_up(warp_lane() < warps ? sums[warp_lane()] : (word)0),
               before = warp_from_lane(of_warps, warp > 0 ? warp - 1 : 0);
    *all = warp_from_lane(of_warps, warps - 1);
    return up_to - value + (warp > 0 ? before : 0);
}

#endif

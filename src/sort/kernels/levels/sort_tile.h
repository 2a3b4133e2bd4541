/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that both k-partitions share: a block's shared memory, and how a tile in order of buckets is written.
 *
 *     staged    | the tile's keys in order of buckets |       or, before, counts
 *     the guide | goes | starts | sums | buckets of the staged keys, 16 bits each
 *
 * goes[b] + slot is where the staged key of bucket b goes.
 */
#ifndef RIFFLE_SORT_KERNELS_LEVELS_SORT_TILE_H
#define RIFFLE_SORT_KERNELS_LEVELS_SORT_TILE_H

#include "sort/kernels/levels/sort_guide.h"

template <class element> struct sort_tile {
    sort_guide<element> guide;
    element *staged;
    uint32_t *goes, *starts, *sums;
    uint16_t *buckets;
};

/** The arrays behind `room` bytes for what is staged. */
template <class element>
static __device__ inline sort_tile<element> sort_tile_at(const sort_splitters &all, uint64_t *shared,
                                                         uint32_t room) {
    sort_tile<element> s;
    s.staged = (element *)shared;
    s.goes = (uint32_t *)sort_guide_at(all, (char *)shared + room, s.guide);
    s.starts = s.goes + all.row;
    s.sums = s.starts + all.row;
    s.buckets = (uint16_t *)(s.sums + WARP_LANES);
    return s;
}

/** The sum of the values of all threads before this one. `sums` has a word a warp; the last of them must have been read. */
static __device__ inline uint32_t sort_tile_sum(uint32_t value, uint32_t *sums) {
    const uint32_t warp = threadIdx.x / WARP_LANES, up = warp_sum_up(value);
    if (warp_lane() == WARP_LANES - 1) sums[warp] = up;
    __syncthreads();
    uint32_t before = warp_lane() < warp ? sums[warp_lane()] : 0;
    UNROLL
    for (uint32_t by = 1; by < WARP_LANES; by *= 2) before += warp_across(before, by);
    return before + up - value;
}

/** Reads the keys from `first` on and before `last`; behind them the last key. They are no codes yet: what is done with them
 *  waits for them. */
template <uint32_t threads, uint32_t each, class element>
static __device__ inline void sort_tile_read(const element *a, uint32_t first, uint32_t last,
                                             typename sort_of<element>::key (&value)[each]) {
    const element *const from = a + first + threadIdx.x;
    UNROLL
    for (uint32_t i = 0; i < each; ++i)
        value[i] = threadIdx.x + i * threads < last - first ? sort_of<element>::get(from[i * threads])
                                                            : sort_of<element>::last();
}

/** The codes of what was read; what lies behind may have any. */
template <uint32_t each, class key>
static __device__ inline void sort_tile_encode(const sort_coder &by, key (&value)[each]) {
    if (!by.encodes) return;
    UNROLL
    for (uint32_t i = 0; i < each; ++i) value[i] = sort_encode(by.coding, value[i]);
}

/** Writes the staged elements, `count` of them. */
template <uint32_t threads, uint32_t each, class element, class kind>
static __device__ inline void sort_tile_write(const sort_tile<kind> &s, element *b, const element *staged,
                                              uint32_t count) {
    constexpr uint32_t some = each % 8 == 0 ? 8 : 4;
    UNROLL
    for (uint32_t first = 0; first < each; first += some) {
        uint32_t to[some];
        element held[some];
        UNROLL
        for (uint32_t i = 0; i < some; ++i) {
            const uint32_t slot = threadIdx.x + (first + i) * threads, here = slot < count ? slot : 0;
            to[i] = s.goes[s.buckets[here]] + slot;
            held[i] = staged[here];
        }
        UNROLL
        for (uint32_t i = 0; i < some; ++i)
            if (threadIdx.x + (first + i) * threads < count) b[to[i]] = held[i];
    }
}

#endif

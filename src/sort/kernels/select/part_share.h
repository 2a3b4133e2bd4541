/* SPDX-License-Identifier: Apache-2.0
 *
 * A warp's share of all elements, which it counts, and moves: vectors side by side, a tile of a few for each lane at a time.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_PART_SHARE_H
#define RIFFLE_SORT_KERNELS_SELECT_PART_SHARE_H

#include "sort/kernels/select/part_code.h"

/** A share's vectors: `first` to end - 1. */
struct part_share {
    uint32_t first, end;

    template <class element>
    static __device__ inline part_share of(const select_table &t, const element *a, uint32_t share) {
        const uint32_t vectors = t.vectors / PART_SHARES, all = (uint32_t)vector_count(a, t.n);
        const uint64_t from = (uint64_t)share * vectors, to = from + vectors;
        return part_share{(uint32_t)(from < all ? from : all), (uint32_t)(to < all ? to : all)};
    }
};

/** A lane's vectors of a tile. */
template <class element> struct part_seen {
    enum { EACH = vector_of<element>::ELEMENTS, VECTORS = PART_SHARE_VECTORS * WARP_LANES };
    /* candidates that a warp holds back: no fewer than a vector of each lane has elements */
    enum { STAGED = EACH * WARP_LANES > SELECT_STAGED ? EACH *WARP_LANES : SELECT_STAGED };
    typename vector_of<element>::held v[PART_SHARE_VECTORS];

    __device__ inline void read(const element *a, uint32_t n, uint32_t first, uint32_t end) {
        UNROLL
        for (uint32_t i = 0; i < PART_SHARE_VECTORS; ++i) {
            const uint32_t own = first + i * WARP_LANES + warp_lane();
            const int64_t at = (int64_t)own * EACH - vector_lead(a);
            if (own < end && at >= 0 && at + EACH <= n) {
                v[i].whole =
                    *(const vector16 *)(a + at); /* streamed loads and stores of shares take a twentieth more */
            } else {
                vector_of<element> x;
                vector_read(a, n, own, own < end, x);
                v[i] = x.of;
            }
        }
    }
};

/** Where a tile lies: the first of its elements that is there, how many are, and elements of its first vector that are before all. */
struct part_place {
    uint32_t first, count, skipped;

    template <class element>
    static __device__ inline part_place of(const element *a, uint32_t n, const part_share &s, uint32_t at) {
        typedef part_seen<element> seen;
        const uint32_t lead = vector_lead(a), next = at + seen::VECTORS < s.end ? at + seen::VECTORS : s.end;
        const uint64_t end = (uint64_t)next * seen::EACH - lead;
        part_place p;
        p.skipped = at == 0 ? lead : 0;
        p.first = (uint32_t)((uint64_t)at * seen::EACH - lead + p.skipped);
        p.count = (uint32_t)(end < n ? end : n) - p.first;
        return p;
    }
    /** The number of an element in the tile, and whether it is there: a lane's vector i, and its element j. */
    template <class element> __device__ inline uint32_t number(uint32_t i, uint32_t j) const {
        return (i * WARP_LANES + warp_lane()) * vector_of<element>::ELEMENTS + j - skipped;
    }
    template <class element> __device__ inline bool has(uint32_t i, uint32_t j) const {
        return number<element>(i, j) < count;
    }
    template <class element> __device__ inline bool is_whole() const {
        return count == part_seen<element>::VECTORS * vector_of<element>::ELEMENTS;
    }
};

#endif

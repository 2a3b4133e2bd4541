/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements to their side of the pivot, in their order, by a warp alone: what comes before it, and what comes behind, gather in a ring of shared
 * memory each, where they lie in their vectors as in the result. Whole stretches of a ring go out as soon as they are full.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_PART_RINGS_H
#define RIFFLE_SORT_KERNELS_SELECT_PART_RINGS_H

#include "sort/kernels/select/part_share.h"
#include "sort/kernels/select/part_tiles.h"

/* Elements on their way to one side. Places are counted from where a stretch begins. */
template <class element> struct part_ring {
    enum { EACH = vector_of<element>::ELEMENTS, ROOM = PART_RING * EACH, STRETCH = WARP_LANES * EACH };
    element *slots, *b;
    uint32_t begin, end; /* the warp's elements so far, */
    uint32_t out;        /* and the first of the next stretch that goes out */

    __device__ inline part_ring(element *to, element *own, uint32_t place)
        : slots(own), begin((uint32_t)(((uint64_t)place + vector_lead(to)) % STRETCH)), out(0) {
        b = to + ((int64_t)place - begin);
        end = begin;
    }

    __device__ inline void write() const {
        const uint32_t at = out + warp_lane() * EACH;
        const element *const from = slots + at % ROOM;
        if (at >= begin && at + EACH <= end) {
            *(vector16 *)(b + at) = *(const vector16 *)from;
            return;
        }
        UNROLL
        for (uint32_t j = 0; j < EACH; ++j)
            if (at + j >= begin && at + j < end) b[at + j] = from[j];
    }
    /* Whole stretches, and all that is left. */
    __device__ inline void write_whole() {
        for (; end - out >= STRETCH; out += STRETCH) write();
    }
    __device__ inline void write_rest() const {
        if (end > out) write();
    }
};

/* How many elements of each vector come before the pivot, among those of the warp's tile; their sum. */
static __device__ inline uint32_t part_scan_warp(const uint32_t (&fronts)[PART_SHARE_VECTORS],
                                                 uint32_t (&begin)[PART_SHARE_VECTORS]) {
    uint32_t all = 0;
    UNROLL
    for (uint32_t i = 0; i < PART_SHARE_VECTORS; i += 2) {
        const uint32_t own = part_pair(fronts[i], fronts[i + 1]), up = warp_sum_up(own);
        const part_ranks before = part_of_pair(up - own),
                         sum = part_of_pair(warp_from_lane(up, WARP_LANES - 1));
        begin[i] = all + before.less;
        begin[i + 1] = all + sum.less + before.equal;
        all += sum.less + sum.equal;
    }
    return all;
}

/* The number of no element of a tile. */
static const uint32_t PART_NO_HOLE = 0x7fffffff;

/* Which of a lane's elements come before the pivot, and which equal it, by a bit each of a vector's. */
template <class element> struct part_sides {
    enum { EACH = vector_of<element>::ELEMENTS };
    uint32_t less[PART_SHARE_VECTORS], equal[PART_SHARE_VECTORS];

    template <bool is_by_rank, bool is_whole, class number>
    __device__ inline void compare(const select_coder &by, const part_seen<element> &seen, const part_place &at,
                                   const part_stretch<number> &pivot) {
        UNROLL
        for (uint32_t i = 0; i < PART_SHARE_VECTORS; ++i) {
            less[i] = equal[i] = 0;
            UNROLL
            for (uint32_t j = 0; j < EACH; ++j) {
                const number code = part_code(by, seen.v[i].part[j]);
                const bool is = is_whole || at.has<element>(i, j), is_less = is && code < pivot.first;
                less[i] |= (is_less ? 1u : 0u) << j;
                if (is_by_rank) equal[i] |= (is && !is_less && code <= pivot.last ? 1u : 0u) << j;
            }
        }
    }

    /* Elements that equal the pivot and come before it are made less, and the pivot goes to its place: its number in the tile, or that of none. */
    __device__ inline uint32_t pick(const part_seen<element> &seen, const part_place &at, part_way &way,
                                    element *b) {
        uint32_t begin[PART_SHARE_VECTORS], hole = PART_NO_HOLE;
        const uint32_t all = part_scan_warp(equal, begin);
        UNROLL
        for (uint32_t i = 0; i < PART_SHARE_VECTORS; ++i) {
            uint32_t rank = way.before.equal + begin[i];
            UNROLL
            for (uint32_t j = 0; j < EACH; ++j) {
                const bool is = (equal[i] >> j & 1) != 0;
                if (is && rank < way.wanted) less[i] |= 1u << j;
                if (is && rank == way.wanted) {
                    hole = at.number<element>(i, j);
                    b[way.pivot] = seen.v[i].part[j];
                }
                rank += is ? 1 : 0;
            }
        }
        const bool has_pivot = way.has_pivot(way.before.equal + all);
        way.before.equal += all;
        return has_pivot ? warp_min(hole) : PART_NO_HOLE;
    }
};

/* A warp's elements of a tile to their rings. `hole`: the element of the tile that goes to neither. */
template <bool is_whole, class element>
static __device__ inline void part_to_rings(const part_seen<element> &seen, const part_sides<element> &sides,
                                            const part_place &at, const uint32_t (&begin)[PART_SHARE_VECTORS],
                                            uint32_t hole, const part_ring<element> &front,
                                            const part_ring<element> &behind) {
    constexpr uint32_t room = part_ring<element>::ROOM;
    UNROLL
    for (uint32_t i = 0; i < PART_SHARE_VECTORS; ++i) {
        uint32_t to = front.end + begin[i], other = behind.end + at.number<element>(i, 0) - begin[i];
        UNROLL
        for (uint32_t j = 0; j < seen.EACH; ++j) {
            const uint32_t number = at.number<element>(i, j);
            const bool is_front = (sides.less[i] >> j & 1) != 0;
            const uint32_t behind_hole = !is_whole && (int32_t)number > (int32_t)hole ? 1 : 0;
            element *const slot =
                is_front ? front.slots + to % room : behind.slots + (other - behind_hole) % room;
            if (is_whole || (number < at.count && number != hole)) *slot = seen.v[i].part[j];
            to += is_front ? 1 : 0;
            other += is_front ? 0 : 1;
        }
    }
}

/** A warp's share. b receives elements, from the n at a; `slots` has two rings. Unless what equals the pivot goes to either side, by rank, `pivot`
 *  begins behind all that comes before. */
template <bool is_by_rank, class element>
static __device__ inline void
part_rings(const select_coder &by, const part_stretch<typename select_of<element>::word> &pivot, part_way way,
           element *b, const element *a, uint32_t n, const part_share &share, element *slots) {
    part_ring<element> front(b, slots, way.front()), behind(b, slots + part_ring<element>::ROOM, way.behind());
    part_seen<element> seen;
    seen.read(a, n, share.first, share.end);
    for (uint32_t first = share.first; first < share.end; first += seen.VECTORS) {
        const part_place at = part_place::of(a, n, share, first);
        const bool is_whole = at.is_whole<element>();
        uint32_t begin[PART_SHARE_VECTORS], hole = PART_NO_HOLE;
        part_sides<element> sides;
        if (is_whole)
            sides.template compare<is_by_rank, true>(by, seen, at, pivot);
        else
            sides.template compare<is_by_rank, false>(by, seen, at, pivot);
        if (is_by_rank) hole = sides.pick(seen, at, way, b);
        const uint32_t sum = part_scan_warp(sides.less, begin);
        if (is_whole && hole == PART_NO_HOLE)
            part_to_rings<true>(seen, sides, at, begin, hole, front, behind);
        else
            part_to_rings<false>(seen, sides, at, begin, hole, front, behind);
        seen.read(a, n, first + seen.VECTORS, share.end);
        front.end += sum;
        behind.end += at.count - sum - (hole != PART_NO_HOLE ? 1 : 0);
        __syncwarp();
        front.write_whole();
        behind.write_whole();
        __syncwarp();
    }
    front.write_rest();
    behind.write_rest();
}

#endif

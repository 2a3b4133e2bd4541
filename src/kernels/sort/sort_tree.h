/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for a key's bucket among a segment's splitters, which lie in order in shared memory, with a gap
 * before each 32nd, so that those that keys are compared with in one step are in different banks:
 *
 *     cell      0    1   2        31   32   33   34
 *     splitter  -    0   1  ...   30   31   31   32  ...
 *
 * The gap has the splitter behind it once more: so the one behind cell c is always in cell c + 1.
 *
 * Splitters are keys with places. A key is looked up by itself; where it equals the splitter behind its bucket and comes
 * from behind it, which is seldom, its warp searches again, by keys and places.
 */
#ifndef RIFFLE_KERNELS_SORT_SORT_TREE_H
#define RIFFLE_KERNELS_SORT_SORT_TREE_H

#include "kernels/sort/sort_record.h"

/** A segment, or a block's piece of it: keys first to last - 1. */
typedef struct sort_part {
    uint32_t segment, begin, end; /* of the segment */
    uint32_t first, last;
    uint32_t ways, levels;
} sort_part;

/** How many buckets a segment of that length has. */
static __device__ inline uint32_t sort_ways(const sort_table *t, uint32_t length) {
    const uint32_t ways = (length + t->bucket - 1) / t->bucket;
    return ways < 1 ? 1 : ways < t->ways ? ways : t->ways;
}

static __device__ inline uint32_t sort_levels(uint32_t ways) {
    uint32_t levels = 0;
    while (1u << levels < ways) ++levels;
    return levels;
}

static __device__ inline sort_part sort_segment(const sort_table *t, uint32_t segment) {
    sort_part p = {segment, 0, t->n, 0, t->n, 1, 0};
    if (t->begin != nullptr) {
        p.begin = p.first = t->begin[segment];
        p.end = p.last = t->begin[segment + 1];
    }
    p.ways = sort_ways(t, p.end - p.begin);
    p.levels = sort_levels(p.ways);
    return p;
}

/** How many pieces there are before those of a segment. */
static __device__ inline uint32_t sort_pieces_before(const sort_table *t, uint32_t segment) {
    if (t->first_piece != nullptr) return t->first_piece[segment];
    return segment == 0 ? 0 : (uint32_t)(((uint64_t)t->n + t->piece - 1) / t->piece);
}

/** The block's piece, without keys if there is none. */
static __device__ inline sort_part sort_piece(const sort_table *t) {
    uint32_t low = 0, high = t->segments; /* the piece is of the last segment that begins at or before it */
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (sort_pieces_before(t, middle) <= blockIdx.x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    sort_part p = sort_segment(t, low);
    const uint32_t ahead = blockIdx.x - sort_pieces_before(t, low);
    const uint64_t first = p.begin + (uint64_t)ahead * t->piece;
    p.first = first < p.end ? (uint32_t)first : p.end;
    p.last = p.end - p.first < t->piece ? p.end : p.first + t->piece;
    return p;
}

/** The cell behind which splitter s begins, and 1 less than its own: additive where s / 32 or s % 32 is 0. */
static __device__ inline uint32_t sort_gap(uint32_t s) { return s + s / SORT_LANES; }

/** Cells of a tree of so many levels. */
static __device__ inline uint32_t sort_cells(uint32_t levels) { return sort_gap(1u << levels) + 1; }

/** Copies the segment's splitters into shared memory; behind them comes what no key is behind. */
template <class element>
static __device__ inline void sort_load_splitters(const sort_table *t, const sort_part &p,
                                                  typename sort_of<element>::key *splitter, uint32_t *place) {
    typedef sort_of<element> of;
    const element *const from = (const element *)t->splitters + (uint64_t)p.segment * t->row;
    const uint32_t *const places = t->places + (uint64_t)p.segment * t->row;
    for (uint32_t s = threadIdx.x; s < 1u << p.levels; s += blockDim.x) {
        const bool is = s + 1 < p.ways;
        const typename of::key k = is ? of::get(from[s]) : of::last();
        const uint32_t at = is ? places[s] : ~0u, cell = sort_gap(s + 1);
        const uint32_t first = (s + 1) % SORT_LANES == 0 ? cell - 1 : cell;
        splitter[cell] = splitter[first] = k;
        place[cell] = place[first] = at;
    }
}

/* One step of all keys' searches: cell[i] goes on by `step` splitters where they are all before the key. */
template <uint32_t step, uint32_t count, class key>
static __device__ inline void sort_search(const key *splitter, uint32_t levels, const key (&value)[count],
                                          uint32_t (&cell)[count]) {
    constexpr uint32_t by = step + step / SORT_LANES;
    if (step < 1u << levels) {
        UNROLL
        for (uint32_t i = 0; i < count; ++i)
            if (sort_before(splitter[cell[i] + by], value[i])) cell[i] += by;
    }
    if constexpr (step > 1) sort_search<step / 2>(splitter, levels, value, cell);
}

/* The same by keys and places at(i). */
template <uint32_t count, class key, class places>
static __device__ inline void sort_search_places(const key *splitter, const uint32_t *place, uint32_t levels,
                                                 const key (&value)[count], const places &at,
                                                 uint32_t (&cell)[count]) {
    UNROLL
    for (uint32_t i = 0; i < count; ++i) cell[i] = 0;
    ROLL for (uint32_t step = 1u << levels >> 1; step >= 1; step /= 2) {
        const uint32_t by = sort_gap(step);
        UNROLL
        for (uint32_t i = 0; i < count; ++i) {
            const key s = splitter[cell[i] + by];
            if (sort_before(s, value[i]) || (sort_same(s, value[i]) && place[cell[i] + by] < at(i)))
                cell[i] += by;
        }
    }
}

/* The buckets of `count` keys at places at(i) of the segment. */
template <uint32_t count, class key, class places>
static __device__ inline void sort_find_some(const key *splitter, const uint32_t *place, uint32_t levels,
                                             const key (&value)[count], const places &at,
                                             uint32_t (&cell)[count]) {
    bool equals = false;
    UNROLL
    for (uint32_t i = 0; i < count; ++i) cell[i] = 0;
    sort_search<SORT_MOST_WAYS / 2>(splitter, levels, value, cell);
    UNROLL
    for (uint32_t i = 0; i < count; ++i)
        equals |= sort_same(splitter[cell[i] + 1], value[i]) && place[cell[i] + 1] < at(i);
    if (!__all_sync(SORT_ALL_LANES, !equals)) sort_search_places(splitter, place, levels, value, at, cell);
    UNROLL
    for (uint32_t i = 0; i < count; ++i) cell[i] -= cell[i] / (SORT_LANES + 1);
}

/** The same of any number, SORT_SEARCHES at a time. All lanes of a warp must come here. */
template <uint32_t count, class key, class places>
static __device__ inline void sort_find(const key *splitter, const uint32_t *place, uint32_t levels,
                                        const key (&value)[count], const places &at,
                                        uint32_t (&bucket)[count]) {
    constexpr uint32_t most = SORT_SEARCHES, some = count < most ? count : most;
    UNROLL
    for (uint32_t first = 0; first < count; first += some) {
        key v[some];
        uint32_t found[some];
        UNROLL
        for (uint32_t i = 0; i < some; ++i) v[i] = value[first + i];
        sort_find_some(
            splitter, place, levels, v, [&](uint32_t i) { return at(first + i); }, found);
        UNROLL
        for (uint32_t i = 0; i < some; ++i) bucket[first + i] = found[i];
    }
}

#endif

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
 * Keys of more than 4 bytes are looked up by 4 bytes each: how far they are behind the first splitter, the last 31 bits of
 * it that differ among splitters. Splitters are keys with places. Where what is looked up equals the splitter behind its bucket
 * and the key comes from behind it, its warp goes on by keys and places. Where no splitters are equal that is seldom. Where
 * some are, a block knows for each run of equal ones how many have a place before its tile: few are left to be compared.
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

/** A block's splitters, in shared memory. */
template <class element> struct sort_tree {
    typedef typename sort_of<element>::key key;
    key *splitter;
    uint32_t *place, *near; /* what is looked up, of each splitter: itself, of 4 bytes */
    uint32_t *equal;        /* whether some splitters are */
    uint16_t *start;        /* of each splitter, the first that equals it */
    uint16_t *skip, *until; /* of such ones: how many have a place before the tile, and before its end */
    uint32_t levels, ways;
    bool has_equal; /* what is said there */
};

/* ------------------------------------------------------------ what is looked up */

/* By how much differences up to the one of these two are shifted to have at most 31 bits. */
static __device__ inline uint32_t sort_near_shift(uint64_t low, uint64_t high) {
    const uint32_t bits = sort_bits(high - low);
    return bits > 31 ? bits - 31 : 0;
}
static __device__ inline sort_wide sort_less(const sort_wide &a, const sort_wide &b) {
    return sort_wide{a.low - b.low, a.high - b.high - (a.low < b.low ? 1 : 0)};
}
static __device__ inline uint32_t sort_near_shift(const sort_wide &low, const sort_wide &high) {
    const sort_wide d = sort_less(high, low);
    const uint32_t bits = d.high != 0 ? 64 + sort_bits(d.high) : sort_bits(d.low);
    return bits > 31 ? bits - 31 : 0;
}

static __device__ inline uint32_t sort_near_bits(uint64_t low, uint64_t k, uint32_t shift) {
    return (uint32_t)((k - low) >> shift);
}
static __device__ inline uint32_t sort_near_bits(const sort_wide &low, const sort_wide &k, uint32_t shift) {
    const sort_wide d = sort_less(k, low);
    if (shift >= 64) return (uint32_t)(d.high >> (shift - 64));
    return (uint32_t)(d.low >> shift | (d.high << 1) << (63 - shift));
}

/* Splitters lie between `low` and `high`; where a is before b, near a is not behind near b. */
template <class key>
static __device__ inline uint32_t sort_near(const key &low, const key &high, uint32_t shift, const key &k) {
    if constexpr (sizeof(key) == 4)
        return k;
    else
        return sort_before(k, low) ? 0 : sort_before(high, k) ? ~1u : 1 + sort_near_bits(low, k, shift);
}

/* ------------------------------------------------------------------ the tree */

/** The arrays of a tree from `room` on; what is behind them. */
template <class element>
static __device__ inline char *sort_tree_at(const sort_table *t, const sort_part &p, char *room,
                                            sort_tree<element> &tree) {
    typedef typename sort_of<element>::key key;
    const uint32_t cells = sort_cells(t->levels);
    tree.splitter = (key *)room;
    tree.place = (uint32_t *)(tree.splitter + cells);
    tree.near = sizeof(key) == 4 ? (uint32_t *)room : tree.place + cells;
    tree.equal = tree.place + (sizeof(key) == 4 ? 1 : 2) * cells;
    tree.start = (uint16_t *)(tree.equal + 1);
    tree.skip = tree.start + (1u << t->levels);
    tree.until = tree.skip + (1u << t->levels);
    tree.levels = p.levels, tree.ways = p.ways;
    return (char *)(tree.until + (2u << t->levels)); /* whole words, of one way too */
}

/** What is between the splitters of a tree. */
template <class key> struct sort_range {
    key low, high;
    uint32_t shift;
};

template <class element>
static __device__ inline sort_range<typename sort_of<element>::key>
sort_range_of(const sort_tree<element> &tree) {
    sort_range<typename sort_of<element>::key> r = {};
    if constexpr (sizeof(element) > 4) {
        r.low = tree.splitter[1];
        r.high = tree.splitter[sort_gap(tree.ways > 1 ? tree.ways - 1 : 1)];
        r.shift = sort_near_shift(r.low, r.high);
    }
    return r;
}

/** Copies the segment's splitters into shared memory; behind them comes what no key is behind. All threads come here. */
template <class element>
static __device__ inline void sort_load_tree(const sort_table *t, const sort_part &p,
                                             sort_tree<element> &tree) {
    typedef sort_of<element> of;
    const element *const from = (const element *)t->splitters + (uint64_t)p.segment * t->row;
    const uint32_t *const places = t->places + (uint64_t)p.segment * t->row;
    if (threadIdx.x == 0) *tree.equal = 0;
    __syncthreads();
    for (uint32_t s = threadIdx.x; s < 1u << p.levels; s += blockDim.x) {
        const bool is = s + 1 < p.ways;
        const typename of::key k = is ? of::get(from[s]) : of::last();
        const uint32_t at = is ? places[s] : ~0u, cell = sort_gap(s + 1);
        const uint32_t first = (s + 1) % SORT_LANES == 0 ? cell - 1 : cell;
        tree.splitter[cell] = tree.splitter[first] = k;
        tree.place[cell] = tree.place[first] = at;
        if (is && s > 0 && sort_same(of::get(from[s - 1]), k)) ATOMIC_OR(tree.equal, 1u);
    }
    __syncthreads();
    tree.has_equal = *tree.equal != 0;
    if constexpr (sizeof(element) > 4) {
        const sort_range<typename of::key> range = sort_range_of(tree);
        for (uint32_t s = threadIdx.x; s < 1u << p.levels; s += blockDim.x) {
            const uint32_t cell = sort_gap(s + 1), first = (s + 1) % SORT_LANES == 0 ? cell - 1 : cell;
            const bool is = s + 1 < p.ways;
            const uint32_t near = is ? sort_near(range.low, range.high, range.shift, tree.splitter[cell]) : ~0u;
            tree.near[cell] = tree.near[first] = near;
        }
    }
    for (uint32_t s = threadIdx.x; tree.has_equal && s + 1 < p.ways; s += blockDim.x) {
        const typename of::key k = tree.splitter[sort_gap(s + 1)];
        uint32_t low = 0, high = s;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (sort_before(tree.splitter[sort_gap(middle + 1)], k)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        tree.start[s] = (uint16_t)low;
    }
}

/* Of each run of equal splitters, how many have a place before `limit`. */
template <class element>
static __device__ inline void sort_count_runs(const sort_tree<element> &tree, uint32_t limit,
                                              uint16_t *counts) {
    for (uint32_t s = threadIdx.x; s + 1 < tree.ways; s += blockDim.x) {
        const uint32_t start = tree.start[s];
        const bool is = tree.place[sort_gap(s + 1)] < limit;
        const bool next_is =
            s + 2 < tree.ways && tree.start[s + 1] == start && tree.place[sort_gap(s + 2)] < limit;
        if (is && !next_is) counts[start] = (uint16_t)(s + 1 - start);
        if (!is && s == start) counts[s] = 0;
    }
}

/** Before `tile` keys from place `ahead` of the segment on are looked up, where splitters are equal. A barrier has to be before and
 *  behind. */
template <class element>
static __device__ inline void sort_skip(const sort_tree<element> &tree, uint32_t ahead, uint32_t tile) {
    sort_count_runs(tree, ahead, tree.skip);
    sort_count_runs(tree, ahead + tile, tree.until);
}

/* ---------------------------------------------------------------- the search */

/* One step of all keys' searches: cell[i] goes on by `step` splitters where they are all before the key. */
template <uint32_t step, uint32_t count>
static __device__ inline void sort_search(const uint32_t *splitter, uint32_t levels,
                                          const uint32_t (&value)[count], uint32_t (&cell)[count]) {
    constexpr uint32_t by = step + step / SORT_LANES;
    if (step < 1u << levels) {
        UNROLL
        for (uint32_t i = 0; i < count; ++i)
            if (splitter[cell[i] + by] < value[i]) cell[i] += by;
    }
    if constexpr (step > 1) sort_search<step / 2>(splitter, levels, value, cell);
}

/* Whether the splitter of a cell comes before the key from place `at`. */
template <class element, class key>
static __device__ inline bool sort_is_behind(const sort_tree<element> &tree, uint32_t cell, const key &k,
                                             uint32_t at) {
    const key s = tree.splitter[cell];
    return sort_before(s, k) || (sort_same(s, k) && tree.place[cell] < at);
}

/* The whole search by keys and places at(i). */
template <class element, uint32_t count, class key, class places>
static __device__ inline void sort_search_places(const sort_tree<element> &tree, const key (&value)[count],
                                                 const places &at, uint32_t (&bucket)[count]) {
    UNROLL
    for (uint32_t i = 0; i < count; ++i) bucket[i] = 0;
    ROLL for (uint32_t step = 1u << tree.levels >> 1; step >= 1; step /= 2) {
        UNROLL
        for (uint32_t i = 0; i < count; ++i)
            if (sort_is_behind(tree, sort_gap(bucket[i] + step), value[i], at(i))) bucket[i] += step;
    }
}

/* Buckets go on from the first splitter that may be equal: past those before the tile, and then by the places of those in it. False
 * where a key is behind a splitter that is looked up alike and not equal. */
template <class element, uint32_t count, class key, class places>
static __device__ inline bool sort_go_on(const sort_tree<element> &tree, const key (&value)[count],
                                         const places &at, uint32_t (&bucket)[count]) {
    bool goes = true;
    uint32_t end[count];
    UNROLL
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t s = bucket[i], cell = sort_gap(s) + 1;
        end[i] = s;
        if (s + 1 >= tree.ways) continue;
        if (sort_same(tree.splitter[cell], value[i])) {
            bucket[i] += tree.skip[s];
            end[i] += tree.until[s];
        } else if (sort_before(tree.splitter[cell], value[i])) {
            return false;
        }
    }
    ROLL while (goes) {
        goes = false;
        UNROLL
        for (uint32_t i = 0; i < count; ++i) {
            if (bucket[i] >= end[i]) continue;
            const uint32_t middle = (bucket[i] + end[i]) / 2;
            if (tree.place[sort_gap(middle) + 1] < at(i)) {
                bucket[i] = middle + 1;
            } else {
                end[i] = middle;
            }
            goes |= bucket[i] < end[i];
        }
    }
    return true;
}

/* The buckets of `count` keys at places at(i) of the segment. */
template <class element, uint32_t count, class key, class places>
static __device__ inline void sort_find_some(const sort_tree<element> &tree, const sort_range<key> &range,
                                             const key (&value)[count], const places &at,
                                             uint32_t (&bucket)[count]) {
    bool goes = false;
    uint32_t near[count], cell[count];
    UNROLL
    for (uint32_t i = 0; i < count; ++i) {
        near[i] = sort_near(range.low, range.high, range.shift, value[i]);
        cell[i] = 0;
    }
    sort_search<SORT_MOST_WAYS / 2>(tree.near, tree.levels, near, cell);
    UNROLL
    for (uint32_t i = 0; i < count; ++i) {
        if (tree.near[cell[i] + 1] == near[i]) goes |= sort_is_behind(tree, cell[i] + 1, value[i], at(i));
        bucket[i] = cell[i] - cell[i] / (SORT_LANES + 1);
    }
    if (__all_sync(SORT_ALL_LANES, !goes)) return;
    if (tree.has_equal && __all_sync(SORT_ALL_LANES, sort_go_on(tree, value, at, bucket))) return;
    sort_search_places(tree, value, at, bucket);
}

/** The same of any number, SORT_SEARCHES at a time, of which `here` are keys. All lanes of a warp must come here. */
template <class element, uint32_t count, class key, class places>
static __device__ inline void sort_find(const sort_tree<element> &tree, uint32_t here,
                                        const key (&value)[count], const places &at,
                                        uint32_t (&bucket)[count]) {
    constexpr uint32_t most = SORT_SEARCHES, some = count % most == 0 ? most : most / 2;
    const sort_range<key> range = sort_range_of(tree);
    UNROLL
    for (uint32_t first = 0; first < count; first += some) {
        key v[some];
        uint32_t found[some] = {};
        UNROLL
        for (uint32_t i = 0; i < some; ++i) v[i] = value[first + i];
        if (first < here)
            sort_find_some(
                tree, range, v, [&](uint32_t i) { return at(first + i); }, found);
        UNROLL
        for (uint32_t i = 0; i < some; ++i) bucket[first + i] = found[i];
    }
}

#endif

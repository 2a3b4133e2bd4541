/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for a key's bucket among a segment's splitters. It is not bisection: what lies between the first and the last
 * splitter is cut into cells, and a table, the guide, says of each how many splitters come before it:
 *
 *     splitters      s0      s1        s2 s3          s4
 *     cells      |  0  |  1  |  2  |  3  |  4  |  5  |  6  |
 *     guide         0     0     1     2*    4     4     5
 *
 * A cell with one splitter goes to the bucket before it as a whole: where the sample says nothing of a border's last bits, it
 * may as well be a cell's. So most keys are compared with nothing. In a cell with several (*) keys are compared with these.
 *
 * Cells are stretches of equal length of the keys, or of their logarithms (the bits of a float): whichever tells more splitters
 * apart. Keys of more than 4 bytes go by the 32 bits with which their distance from the first splitter begins.
 *
 * Where splitters are equal, the keys equal to them have a bucket of their own, alike: it is not sorted any more. So no input makes a
 * bucket long that is to be sorted, only chance does.
 */
#ifndef RIFFLE_SORT_KERNELS_LEVELS_SORT_GUIDE_H
#define RIFFLE_SORT_KERNELS_LEVELS_SORT_GUIDE_H

#include "sort/kernels/sort_record.h"
#include "sort/kernels/tables/level.h"

/** A segment, or a block's piece of it: keys first to last - 1. */
typedef struct sort_part {
    uint32_t segment, begin, end; /* the segment's */
    uint32_t first, last, step; /* keys that are read, and from the beginning of one tile of them to the next */
    uint32_t ways, levels;
} sort_part; /* one bucket: of a segment whose keys are alike, too */

/** How many buckets a segment of that length has. */
static __device__ inline uint32_t sort_ways(const sort_segments &of, uint32_t length) {
    const uint32_t ways = (length + of.bucket - 1) / of.bucket;
    return ways < 1 ? 1 : ways < of.ways ? ways : of.ways;
}

static __device__ inline uint32_t sort_levels(uint32_t ways) {
    uint32_t levels = 0;
    while (1u << levels < ways) ++levels;
    return levels;
}

static __device__ inline sort_part sort_segment(const sort_segments &of, uint32_t segment) {
    sort_part p = {segment, 0, of.n, 0, of.n, 0, 1, 0};
    if (of.begin != nullptr) {
        p.begin = p.first = of.begin[segment];
        p.end = p.last = of.begin[segment + 1];
    }
    p.ways = of.is_alike != nullptr && of.is_alike[segment] ? 1 : sort_ways(of, p.end - p.begin);
    p.levels = sort_levels(p.ways);
    return p;
}

/** How many pieces there are before those of a segment. */
static __device__ inline uint32_t sort_pieces_before(const sort_cuts &cuts, uint32_t segment) {
    if (cuts.first_piece != nullptr) return cuts.first_piece[segment];
    return segment == 0 ? 0 : (uint32_t)(((uint64_t)cuts.of.n + cuts.piece - 1) / cuts.piece);
}

/* The segment of the block's piece, the last that begins at or before it. A warp asks 32 at a time. */
static __device__ inline uint32_t sort_piece_segment(const sort_cuts &cuts) {
    uint32_t low = 0, high = cuts.segments;
    ROLL while (high - low > 1) {
        const uint32_t step = (high - low + WARP_LANES - 1) / WARP_LANES, at = low + warp_lane() * step;
        const bool is = at < high && sort_pieces_before(cuts, at) <= blockIdx.x;
        const uint32_t begun = (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, is));
        low += (begun > 0 ? begun - 1 : 0) * step;
        high = high - low < step ? high : low + step;
    }
    return low;
}

/** The block's piece, without keys if there is none, in tiles of so many keys. */
static __device__ inline sort_part sort_piece(const sort_cuts &cuts, uint32_t tile) {
    sort_part p = sort_segment(cuts.of, cuts.first_piece != nullptr ? sort_piece_segment(cuts) : 0);
    const uint32_t ahead = blockIdx.x - sort_pieces_before(cuts, p.segment);
    const uint64_t first = p.begin + (uint64_t)ahead * cuts.piece;
    p.first = first < p.end ? (uint32_t)first : p.end;
    p.last = p.end - p.first < cuts.piece ? p.end : p.first + cuts.piece;
    p.step = tile;
    return p;
}

/** The same where no order is kept: of one segment blocks take tiles in turn, so that they write side by side. */
static __device__ inline sort_part sort_share(const sort_cuts &cuts, uint32_t tile) {
    if (cuts.first_piece != nullptr) return sort_piece(cuts, tile);
    sort_part p = sort_segment(cuts.of, 0);
    const uint64_t first = p.begin + (uint64_t)blockIdx.x * tile, step = (uint64_t)gridDim.x * tile;
    p.first = first < p.end ? (uint32_t)first : p.end;
    p.step = step < p.end ? (uint32_t)step : p.end;
    return p;
}

/** The tile behind the one at `first`. */
static __device__ inline uint32_t sort_next(const sort_part &p, uint32_t first) {
    return p.last - first > p.step ? first + p.step : p.last;
}

/* ----------------------------------------------------------------- the cells */

enum {
    SORT_COMPARED = 0x8000, /* a guide's entry: keys of the cell are compared, */
    SORT_SEVERAL = 0x4000,  /* and with splitters that differ */
    SORT_BEFORE = 0x3fff,   /* how many splitters are in cells before */
};

/** How keys become cells: the first before `low`, the last behind `high`. */
template <class key> struct sort_scale {
    key low, high;
    uint32_t lead, factor;
    bool is_log;
};

static __device__ inline sort_wide sort_less(const sort_wide &a, const sort_wide &b) {
    return sort_wide{a.low - b.low, a.high - b.high - (a.low < b.low ? 1 : 0)};
}

/* Zeros before the first bit of a distance that is a 1; 0 of none. */
static __device__ inline uint32_t sort_lead(uint32_t span) {
    return span == 0 ? 0 : (uint32_t)__clz((int)span);
}
static __device__ inline uint32_t sort_lead(uint64_t span) { return span == 0 ? 0 : 64 - sort_bits(span); }
static __device__ inline uint32_t sort_lead(const sort_wide &span) {
    return span.high != 0 ? sort_lead(span.high) : span.low != 0 ? 64 + sort_lead(span.low) : 0;
}

static __device__ inline uint32_t sort_distance(uint32_t k, uint32_t low) { return k - low; }
static __device__ inline uint64_t sort_distance(uint64_t k, uint64_t low) { return k - low; }
static __device__ inline sort_wide sort_distance(const sort_wide &k, const sort_wide &low) {
    return sort_less(k, low);
}

/* The 32 bits behind `lead` zeros. */
static __device__ inline uint32_t sort_leading(uint32_t d, uint32_t lead) { return d << lead; }
static __device__ inline uint32_t sort_leading(uint64_t d, uint32_t lead) {
    return (uint32_t)(d << lead >> 32);
}
static __device__ inline uint32_t sort_leading(const sort_wide &d, uint32_t lead) {
    return sort_leading(lead >= 64 ? d.low : d.high << lead | d.low >> 1 >> (63 - lead),
                        lead >= 64 ? lead - 64 : 0);
}

/* Keys between the first splitter and the last have all cells but two. */
template <class key>
static __device__ inline sort_scale<key> sort_scale_of(const key &low, const key &high, uint32_t bits) {
    sort_scale<key> s = {low, high, 0, 0, false};
    s.lead = sort_lead(sort_distance(high, low));
    const uint32_t span = sort_leading(sort_distance(high, low), s.lead);
    s.factor = (((1u << bits) - 2) << (32 - bits)) / ((span >> bits) + 1);
    return s;
}

/* The cell by the logarithm of x + 1, as a float has it: it doubles 32 times at most, in 2^23 steps each. */
static __device__ inline uint32_t sort_log_cell(uint32_t x, uint32_t bits) {
    union {
        float number;
        uint32_t code;
    } f;
    f.number = (float)x + 1.0f;
    const uint32_t cell = (f.code - 0x3f800000u) >> (28 - bits), last = (1u << bits) - 3;
    return cell < last ? cell : last;
}

/* Keys in order have cells in order. */
template <bool is_log, class key>
static __device__ inline uint32_t sort_cell_of(const sort_scale<key> &s, uint32_t bits, const key &k) {
    const uint32_t x = sort_leading(sort_distance(k, s.low), s.lead);
    const uint32_t inside = 1 + (is_log ? sort_log_cell(x, bits) : (uint32_t)((uint64_t)x * s.factor >> 32));
    return sort_before(k, s.low) ? 0 : sort_before(s.high, k) ? (1u << bits) - 1 : inside;
}

/* ----------------------------------------------------------------- the guide */

/** A block's splitters and their guide, in shared memory. */
template <class element> struct sort_guide {
    typedef typename sort_of<element>::key key;
    key *splitter;
    uint16_t *entry; /* for each cell */
    uint32_t
        *ties; /* neighbouring splitters that are in one cell and differ: of keys, and of their logarithms */
    sort_scale<key> scale;
};

/** The arrays of a guide from `room` on; what is behind them. */
template <class element>
static __device__ inline char *sort_guide_at(const sort_splitters &all, char *room,
                                             sort_guide<element> &guide) {
    guide.splitter = (typename sort_guide<element>::key *)room;
    guide.entry = (uint16_t *)(guide.splitter + (1u << all.levels));
    guide.ties = (uint32_t *)(guide.entry + (1u << all.cell_bits));
    return (char *)(guide.ties + 4); /* all have 16 bytes, as keys may have */
}

/* Splitters' cells in both scales, one above the other, and how often they tie. */
template <class element>
static __device__ inline void sort_place_splitters(const sort_guide<element> &guide, uint32_t bits,
                                                   uint32_t splitters, uint32_t *cells) {
    for (uint32_t s = threadIdx.x; s < splitters; s += blockDim.x) {
        const typename sort_of<element>::key k = guide.splitter[s];
        const uint32_t cell = sort_cell_of<false>(guide.scale, bits, k),
                       log = sort_cell_of<true>(guide.scale, bits, k);
        cells[s] = cell | log << 16;
        if (s + 1 == splitters) continue;
        const typename sort_of<element>::key next = guide.splitter[s + 1];
        if (sort_same(k, next)) continue;
        if (sort_cell_of<false>(guide.scale, bits, next) == cell) ATOMIC_ADD(&guide.ties[0], 1u);
        if (sort_cell_of<true>(guide.scale, bits, next) == log) ATOMIC_ADD(&guide.ties[1], 1u);
    }
}

/* Entries of `each` cells: splitters before a cell are found by bisection. */
template <uint32_t each, class element>
static __device__ inline void sort_fill_cells(const sort_guide<element> &guide, const sort_part &p,
                                              const uint32_t *cells, uint32_t first) {
    const uint32_t half = guide.scale.is_log ? 16 : 0;
    uint32_t before[each + 1] = {};
    ROLL for (uint32_t step = 1u << p.levels >> 1; step >= 1; step /= 2) {
        UNROLL
        for (uint32_t i = 0; i <= each; ++i) {
            const uint32_t next = before[i] + step;
            if (next < p.ways && (cells[next - 1] >> half & 0xffff) < first + i) before[i] = next;
        }
    }
    UNROLL
    for (uint32_t i = 0; i < each; ++i) {
        uint32_t entry = before[i];
        if (before[i + 1] - before[i] > 1) {
            entry |= SORT_COMPARED;
            if (!sort_same(guide.splitter[before[i]], guide.splitter[before[i + 1] - 1])) entry |= SORT_SEVERAL;
        }
        guide.entry[first + i] = (uint16_t)entry;
    }
}

/** Makes the guide of a segment's splitters. `cells` has room for a word a splitter, until the next barrier. All threads come here,
 *  and meet before they look up. */
template <class element>
static __device__ inline void sort_make_guide(const sort_splitters &all, const sort_part &p, uint32_t *cells,
                                              sort_guide<element> &guide) {
    typedef sort_of<element> of;
    constexpr uint32_t each = 4;
    const element *const from = (const element *)all.keys + (uint64_t)p.segment * all.row;
    const uint32_t splitters = p.ways - 1;
    if (threadIdx.x < 2) guide.ties[threadIdx.x] = 0;
    for (uint32_t s = threadIdx.x; s < 1u << p.levels; s += blockDim.x)
        guide.splitter[s] = s < splitters ? of::get(from[s]) : of::last();
    __syncthreads();
    guide.scale =
        sort_scale_of(guide.splitter[0], guide.splitter[splitters > 0 ? splitters - 1 : 0], all.cell_bits);
    sort_place_splitters(guide, all.cell_bits, splitters, cells);
    __syncthreads();
    guide.scale.is_log = guide.ties[1] < guide.ties[0];
    for (uint32_t c = threadIdx.x * each; c < 1u << all.cell_bits; c += blockDim.x * each)
        sort_fill_cells<each>(guide, p, cells, c);
}

/* ---------------------------------------------------------------- the search */

/* The bucket of a key whose cell is compared: behind all splitters that are not behind it, or, of splitters equal to it, before
 * the last. */
template <class element, class key>
static __device__ inline uint32_t sort_compare(const sort_guide<element> &guide, uint32_t cell, uint32_t entry,
                                               const key &k) {
    uint32_t low = entry & SORT_BEFORE, high = guide.entry[cell + 1] & SORT_BEFORE;
    if ((entry & SORT_SEVERAL) == 0) {
        const key s = guide.splitter[low];
        return sort_before(k, s) ? low : sort_same(k, s) ? high - 1 : high;
    }
    const uint32_t first = low;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (sort_before(k, guide.splitter[middle])) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    const bool is_own =
        low >= first + 2 && sort_same(guide.splitter[low - 1], k) && sort_same(guide.splitter[low - 2], k);
    return is_own ? low - 1 : low;
}

template <bool is_log, class element, uint32_t count, class key>
static __device__ inline void sort_find_all(const sort_guide<element> &guide, uint32_t bits,
                                            const key (&value)[count], uint32_t (&bucket)[count]) {
    constexpr uint32_t some = count % SORT_SEARCHES == 0 ? SORT_SEARCHES : 1;
    UNROLL
    for (uint32_t first = 0; first < count; first += some) {
        uint32_t cell[some];
        UNROLL
        for (uint32_t i = 0; i < some; ++i) cell[i] = sort_cell_of<is_log>(guide.scale, bits, value[first + i]);
        uint32_t any = 0;
        UNROLL
        for (uint32_t i = 0; i < some; ++i) any |= bucket[first + i] = guide.entry[cell[i]];
        if ((any & SORT_COMPARED) == 0) continue;
        UNROLL
        for (uint32_t i = 0; i < some; ++i)
            if ((bucket[first + i] & SORT_COMPARED) != 0)
                bucket[first + i] = sort_compare(guide, cell[i], bucket[first + i], value[first + i]);
    }
}

/** The buckets of `count` keys. */
template <class element, uint32_t count, class key>
static __device__ inline void sort_find(const sort_splitters &all, const sort_guide<element> &guide,
                                        const key (&value)[count], uint32_t (&bucket)[count]) {
    if (guide.scale.is_log) {
        sort_find_all<true>(guide, all.cell_bits, value, bucket);
    } else {
        sort_find_all<false>(guide, all.cell_bits, value, bucket);
    }
}

#endif

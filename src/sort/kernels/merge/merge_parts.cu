/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithm 9 (dissertation, section 4.2): a warp merges a part of at most 32 streams. Its memory is 64 blocks in
 * registers. Half of them are the largest of what has been read; the other half are read in a round, a block a lane, in
 * order of rank: that of a block is the last key before it in its stream. Then all are sorted, and one half is written.
 *
 *     read     | block | block | ...  32, each in order        |   sorted by lanes
 *     held     | the largest of the rounds before, in order    |   merged: the least are written, the largest held
 *
 * There are at most 32 - 1 blocks of keys that are larger than the least rank (Theorem 4.2), so what is written comes
 * before all that is not read. As ranks do not depend on what is held, those of all of the part's blocks are sorted
 * first, and each round's blocks are on their way while the one before is sorted.
 *
 * Blocks begin where the array's lines do. Keys of a first block before the part count as least, and those behind it as
 * last; the memory begins full of least ones, but for as few last ones as make rounds write whole lines.
 */
#include "device/kernels/copy_async.h"
#include "sort/kernels/merge/merge_device.h"

/* ------------------------------------------------------------ shared memory */

/** A warp's: rows of a block each, 16 bytes apart, so that lanes with a row each and lanes side by side in rows do
 *  not meet in a bank; the same room takes what a round writes. */
template <uint32_t block, class unit> struct merge_rows {
    static constexpr uint32_t pieces = block * sizeof(unit) / 16; /* pieces of 16 bytes */
    static constexpr uint32_t units = 16 / sizeof(unit);          /* units of a piece */
    vector16 row[WARP_LANES][pieces + 1];
};

/** merge_warp_bytes: the order of blocks, then rows for two rounds. */
template <class kind, class element> struct merge_memory {
    uint32_t *order;
    merge_rows<kind::block, element> *keys;
    merge_rows<kind::block, uint32_t> *places; /* where records have them */
};

template <class kind, class element>
static __device__ inline merge_memory<kind, element> merge_memory_of(vector16 *shared) {
    const uint32_t own = threadIdx.x / WARP_LANES * merge_warp_bytes(sizeof(element), kind::has_places) / 16;
    merge_memory<kind, element> m;
    m.order = (uint32_t *)(shared + own);
    m.keys = (merge_rows<kind::block, element> *)(shared + own + MERGE_ORDER_BYTES / 16);
    m.places = (merge_rows<kind::block, uint32_t> *)(m.keys + 2);
    return m;
}

/* ------------------------------------------------------------------ streams */

/** A lane's stream: places of keys, counted from a line's begin; blocks, of all streams one after the other. */
typedef struct merge_stream {
    uint32_t low, high;   /* the part's */
    uint32_t before, up;  /* blocks of the streams before, and with its own */
    uint32_t first_block; /* less `before`: a block's number and this is where it is */
} merge_stream;

/** A block that a lane reads, of the part [low, high) of its stream. */
typedef struct merge_block {
    uint32_t begin, low, high;
    bool is_none;
} merge_block;

template <uint32_t block> static __device__ inline merge_stream merge_stream_of(uint32_t low, uint32_t high) {
    merge_stream s = {low, high, 0, 0, low / block};
    const uint32_t count = low < high ? (high - 1) / block - s.first_block + 1 : 0;
    s.up = warp_sum_up(count);
    s.before = s.up - count;
    s.first_block -= s.before;
    return s;
}

/* How many blocks there are; of streams in no order as many as there are ranks. */
static __device__ inline uint32_t merge_blocks(const merge_stream &s) {
    const uint32_t blocks = warp_from_lane(s.up, WARP_LANES - 1), most = WARP_LANES * MERGE_ORDER;
    return blocks < most ? blocks : most;
}

/* Which stream block q of all is of: how many end at or before it. */
static __device__ inline uint32_t merge_stream_at(const merge_stream &s, uint32_t q) {
    uint32_t stream = 0;
    UNROLL
    for (uint32_t step = WARP_LANES / 2; step > 0; step /= 2)
        if (warp_from_lane(s.up, stream + step - 1) <= q) stream += step;
    return stream;
}

/* In a rank's tag: the block is not its stream's first, whose rank is less than any. */
static const uint32_t MERGE_LATER = 1u << 31;

/** Writes the numbers of all blocks, with those of their streams, in order of rank. */
template <uint32_t block, class element>
static __device__ inline void merge_order(const merge_stream &s, const element *a, uint32_t shift,
                                          uint32_t *order) {
    typedef sort_of<element> of;
    const uint32_t lane = warp_lane(), blocks = merge_blocks(s);
    typename of::tagged rank[MERGE_ORDER];
    UNROLL
    for (uint32_t r = 0; r < MERGE_ORDER; ++r) {
        const uint32_t q = r * WARP_LANES + lane, stream = merge_stream_at(s, q);
        const uint32_t at = (q + warp_from_lane(s.first_block, stream)) * block - shift;
        const bool is_first = warp_from_lane(s.before, stream) == q;
        typename of::key key = {};
        if (q < blocks && !is_first) key = of::get(a[at - 1]);
        rank[r] = q < blocks ? of::tag(key, (is_first ? 0 : MERGE_LATER) | q << 5 | stream)
                             : of::tag(of::last(), ~0u);
    }
    sort_warp(rank);
    UNROLL
    for (uint32_t r = 0; r < MERGE_ORDER; ++r)
        order[sort_cell<MERGE_ORDER, uint32_t>(lane * MERGE_ORDER + r)] = of::tag_of(rank[r]);
    __syncwarp();
}

/** The lane's block of a round. */
template <uint32_t block>
static __device__ inline merge_block merge_block_at(const merge_stream &s, const uint32_t *order,
                                                    uint32_t round) {
    const uint32_t blocks = merge_blocks(s), k = round * WARP_LANES + warp_lane();
    const uint32_t entry = k < blocks ? order[sort_cell<MERGE_ORDER, uint32_t>(k)] : 0,
                   stream = entry % WARP_LANES;
    return merge_block{(entry % MERGE_LATER / WARP_LANES + warp_from_lane(s.first_block, stream)) * block,
                       warp_from_lane(s.low, stream), warp_from_lane(s.high, stream), k >= blocks};
}

/** All streams of the level: from where, how many keys. */
typedef struct merge_span {
    uint32_t begin, count;
} merge_span;

/** Has the warp's blocks copied to its rows: neighbouring lanes have neighbouring pieces. At the array's ends only existing
 *  keys are copied. */
template <uint32_t block, class unit>
static __device__ inline void merge_fetch(merge_rows<block, unit> *to, const unit *a, uint32_t shift,
                                          const merge_span &all, const merge_block &own) {
    constexpr uint32_t pieces = merge_rows<block, unit>::pieces, units = merge_rows<block, unit>::units;
    const uint32_t piece = warp_lane() % pieces;
    UNROLL
    for (uint32_t v = 0; v < pieces; ++v) {
        const uint32_t row = warp_lane() - piece + v;
        const uint32_t at = warp_from_lane(own.begin, row) + piece * units - shift; /* wraps before the array */
        if (warp_from_lane(own.is_none ? 1u : 0u, row) != 0) continue;
        if (at - all.begin < all.count && all.count - (at - all.begin) >= units &&
            (uintptr_t)(a + at) % 16 == 0) {
            COPY_ASYNC(&to->row[row][piece], (const vector16 *)(a + at));
            continue;
        }
        for (uint32_t u = 0; u < units; ++u)
            ((unit *)&to->row[row][piece])[u] = at + u - all.begin < all.count ? a[at + u] : unit{};
    }
}

/** The lane's own row. */
template <uint32_t block, class unit>
static __device__ inline void merge_read(const merge_rows<block, unit> *from, unit (&own)[block]) {
    constexpr uint32_t pieces = merge_rows<block, unit>::pieces, units = merge_rows<block, unit>::units;
    union piece {
        vector16 whole;
        unit unit_of[units];
    };
    UNROLL
    for (uint32_t v = 0; v < pieces; ++v) {
        piece p;
        p.whole = from->row[warp_lane()][v];
        UNROLL
        for (uint32_t u = 0; u < units; ++u) own[v * units + u] = p.unit_of[u];
    }
}

/* ------------------------------------------------------------------- rounds */

/** Two ordered warps of records: the least half to x, the rest to held, each in order. */
template <uint32_t each, class record>
static __device__ inline void merge_halves(record (&x)[each], record (&held)[each]) {
    record turned[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) turned[r] = warp_across(held[each - 1 - r], WARP_LANES - 1);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        held[r] = sort_keep(x[r], turned[r], true);
        x[r] = sort_keep(x[r], turned[r], false);
    }
    sort_merge_lanes(x, WARP_LANES / 2);
    sort_merge_lanes(held, WARP_LANES / 2);
}

/** Where a round's records go: the record of rank p to place `first` + p, where that is in the part. Places are counted
 *  from a line's begin, and wrap. */
typedef struct merge_target {
    uint32_t first, begin, end, shift;
} merge_target;

/** Writes one unit of each record of a round, from lanes by way of shared memory to neighbours by neighbours. */
template <uint32_t each, class unit>
static __device__ inline void merge_write(unit *b, const merge_target &to, unit *shared,
                                          const unit (&own)[each]) {
    const uint32_t lane = warp_lane();
    __syncwarp();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) shared[sort_cell<each, unit>(lane * each + r)] = own[r];
    __syncwarp();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t rank = r * WARP_LANES + lane, at = to.first + rank;
        if (at - to.begin < to.end - to.begin) b[at - to.shift] = shared[sort_cell<each, unit>(rank)];
    }
}

/** Writes a round's records. */
template <class kind, class element>
static __device__ inline void merge_put(element *b, const merge_table *t, const merge_target &to,
                                        const merge_memory<kind, element> &own, uint32_t half,
                                        const typename kind::record (&x)[kind::block]) {
    element key[kind::block];
    UNROLL
    for (uint32_t r = 0; r < kind::block; ++r) key[r] = kind::of::put(kind::key_of(x[r]));
    merge_write(b, to, (element *)&own.keys[half], key);
    if constexpr (kind::has_places) {
        uint32_t place[kind::block];
        UNROLL
        for (uint32_t r = 0; r < kind::block; ++r) place[r] = kind::place_of(x[r]);
        merge_write(t->to_places, to, (uint32_t *)&own.places[half], place);
    }
}

/** Has the blocks of a round copied. */
template <class kind, class element>
static __device__ inline void merge_fetch_round(const element *a, const merge_table *t, uint32_t shift,
                                                const merge_span &all, const merge_memory<kind, element> &own,
                                                uint32_t half, const merge_block &block) {
    merge_fetch(&own.keys[half], a, shift, all, block);
    if constexpr (kind::has_places)
        if (t->from_places != nullptr) merge_fetch(&own.places[half], t->from_places, shift, all, block);
}

/** The lane's block of a round as records: what is before the part is least, what is behind it is last. */
template <class kind, class element>
static __device__ inline void merge_take(const merge_table *t, uint32_t shift,
                                         const merge_memory<kind, element> &own, uint32_t half,
                                         const merge_block &block, typename kind::record (&x)[kind::block]) {
    element key[kind::block] = {};
    uint32_t place[kind::block];
    UNROLL
    for (uint32_t r = 0; r < kind::block; ++r) place[r] = block.begin + r - shift;
    if (!block.is_none) merge_read(&own.keys[half], key);
    if constexpr (kind::has_places)
        if (t->from_places != nullptr && !block.is_none) merge_read(&own.places[half], place);
    UNROLL
    for (uint32_t r = 0; r < kind::block; ++r) {
        const uint32_t at = block.begin + r;
        x[r] = kind::make(kind::of::get(key[r]), place[r]);
        if (at < block.low) x[r] = kind::make({}, 0);
        if (block.is_none || at >= block.high) x[r] = kind::make(kind::of::last(), ~0u);
    }
}

/* Elements from the begin of a line of the array's to the array. */
template <uint32_t block, class element> static __device__ inline uint32_t merge_shift(const element *array) {
    return (uint32_t)((uintptr_t)array % (block * sizeof(element)) / sizeof(element));
}

/** b is what t.part keys each of all groups become, a the streams. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(MERGE_THREADS, 1)
    merge_parts(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT merge_table t) {
    constexpr uint32_t block = kind::block, half = WARP_LANES * block;
    extern __shared__ uint64_t shared_memory[];
    const uint32_t p = blockIdx.x * (MERGE_THREADS / WARP_LANES) + threadIdx.x / WARP_LANES, lane = warp_lane();
    const merge_part part = merge_part_of(&t, p);
    if (part.is_none) return;
    const merge_memory<kind, element> own = merge_memory_of<kind, element>((vector16 *)shared_memory);
    const uint32_t shift = merge_shift<block>(a), to_shift = merge_shift<block>(b);
    const uint32_t begin = merge_first(&t, 0);
    const merge_span all = {begin, merge_first(&t, t.streams) - begin};
    uint32_t low, high;
    merge_ends(&t, part, p, &low, &high);
    const merge_stream stream = merge_stream_of<block>(low + shift, high + shift);
    merge_order<block>(stream, a, shift, own.order);

    const uint32_t blocks = merge_blocks(stream);
    const uint32_t least = merge_sum(low < high ? (low + shift) % block : 0);
    merge_target to = {0, part.begin + to_shift, part.end + to_shift, to_shift};
    const uint32_t last = (least - to.begin) % block; /* among those that are held at first */
    to.first = to.begin - (half - last + least);
    typename kind::record held[block], x[block];
    UNROLL
    for (uint32_t r = 0; r < block; ++r)
        held[r] = lane * block + r < half - last ? kind::make({}, 0) : kind::make(kind::of::last(), ~0u);

    merge_block next = merge_block_at<block>(stream, own.order, 0);
    merge_fetch_round<kind>(a, &t, shift, all, own, 0, next);
    for (uint32_t round = 0; round * WARP_LANES < blocks; ++round) {
        const merge_block now = next;
        WAIT_FOR_COPIES();
        __syncwarp();
        merge_take<kind, element>(&t, shift, own, round % 2, now, x);
        next = merge_block_at<block>(stream, own.order, round + 1);
        merge_fetch_round<kind>(a, &t, shift, all, own, (round + 1) % 2, next);
        sort_lanes(x);
        merge_halves(x, held);
        merge_put<kind>(b, &t, to, own, round % 2, x);
        to.first += half;
    }
    merge_put<kind>(b, &t, to, own, 0, held);
}

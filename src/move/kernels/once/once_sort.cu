/* SPDX-License-Identifier: Apache-2.0
 *
 * A piece of indices sorted by tile in shared memory, a block a piece:
 *
 *     slots    | low half: index k's low part | ... |          a word an element, or a place in the order
 *              | high half: its tile; then the low part that comes t-th in order |
 *     counts   | indices of each tile, then where the tile's run begins |    16 bits each
 *
 * Indices are read, or computed, once. A thread has ONCE_QUADS groups of four neighbours, and keeps the place of
 * each in the order in registers, 16 bits. The rank within a tile is the order in which threads came to count:
 * what is written may differ from launch to launch, what is moved in the end does not.
 *
 * once_requests writes the places, once_values the elements that go along.
 */
#include "move/kernels/once/once_piece.h"

/* The slots of a thread's four neighbours are blockDim.x apart, so that a warp's lie side by side. */
static __device__ inline uint32_t once_slot(uint32_t quad, uint32_t i) {
    return (quad * 4 + i) * blockDim.x + threadIdx.x;
}

/* Indices of a random permutation (perm/random.c), which a thread computes into its slots first. It goes to the next one when
 * the walk of the last has come below n, so that a warp waits for its threads' sums of walks and not for the longest at each
 * index. */
struct once_random {
    static constexpr uint32_t at_once = 4;
    typedef once_words<uint32_t, 4> loaded;
    static __device__ inline void begin(const once_table *t, uint64_t first, uint32_t length, uint32_t *slots) {
        uint32_t k = 0; /* the thread's k-th index */
        uint32_t value = once_random_start(t, (uint32_t)first + once_element(0));
        while (once_element(k / 4) + k % 4 < length) {
            value = once_random_step(t, value);
            if (value >= t->n) continue;
            slots[once_slot(k / 4, k % 4)] = value <= 1 ? value ^ t->swap_after : value;
            ++k;
            value = once_random_start(t, (uint32_t)first + once_element(k / 4) + k % 4);
        }
    }
    static __device__ inline void load(loaded *out, const once_table *, const uint32_t *slots, uint32_t quad,
                                       uint64_t, uint32_t count) {
        UNROLL
        for (uint32_t i = 0; i < 4; ++i)
            if (i < count) out->unit[i] = slots[once_slot(quad, i)];
    }
    static __device__ inline uint64_t index(const loaded &held, uint32_t i) { return held.unit[i]; }
    static __device__ inline void fetch_early(const once_table *, uint64_t, uint32_t) {}
};

/* The indices of one quad into their slots, their ranks into own. */
template <class source>
static __device__ inline void once_rank_quad(const once_table *t, uint64_t first, uint32_t length,
                                             uint32_t quad, const typename source::loaded &held,
                                             uint32_t *slots, uint32_t *counts, once_places *own) {
    const uint32_t k = once_element(quad), count = once_count_at(length, k);
    uint32_t tile[4], rank[4];
    UNROLL
    for (uint32_t i = 0; i < 4; ++i) {
        uint64_t given = i < count ? source::index(held, i) : 0;
        if (given >= t->n) {
            once_lower(&t->record->out_of_range, first + k + i);
            given = 0;
        }
        tile[i] = once_tile(t, (uint32_t)given);
        slots[once_slot(quad, i)] = tile[i] << 16 | ((uint32_t)given - tile[i] * t->tile);
    }
    once_count(counts, tile, count, rank);
    own->pair[2 * quad] = rank[0] | rank[1] << 16;
    own->pair[2 * quad + 1] = rank[2] | rank[3] << 16;
}

/* All indices into their slots. */
template <class source>
static __device__ inline void once_rank(const once_table *t, uint64_t first, uint32_t length, uint32_t *slots,
                                        uint32_t *counts, once_places *own) {
    constexpr uint32_t at_once = source::at_once;
    const uint32_t step = 4 * blockDim.x;
    source::begin(t, first, length, slots);
    UNROLL
    for (uint32_t some = 0; some < ONCE_QUADS; some += at_once) {
        typename source::loaded held[at_once];
        if (some * step >= length) break;
        UNROLL
        for (uint32_t i = 0; i < at_once; ++i) {
            const uint32_t k = once_element(some + i), count = once_count_at(length, k);
            if (count > 0) source::load(&held[i], t, slots, some + i, first + k, count);
        }
        UNROLL
        for (uint32_t i = 0; i < at_once; ++i)
            if ((some + i) * step < length)
                once_rank_quad<source>(t, first, length, some + i, held[i], slots, counts, own);
    }
    const uint64_t later = first + (uint64_t)t->ahead * t->piece;
    if (later < t->m) source::fetch_early(t, later, once_length(later, t->m, t->piece));
    __syncthreads();
}

/* Ranks become places in the order, and the high halves of the slots low parts in that order, `pad` behind the runs
 * whose length is odd. */
static __device__ inline void once_order(uint32_t length, uint32_t *slots, const uint32_t *counts, uint32_t pad,
                                         const once_tiles &mine, once_places *own) {
    const uint16_t *const start = (const uint16_t *)counts;
    uint16_t *const half = (uint16_t *)slots;
    const uint32_t step = 4 * blockDim.x;
    UNROLL
    for (uint32_t quad = 0; quad < ONCE_QUADS; ++quad) {
        uint32_t begin[4];
        if (quad * step >= length) break;
        UNROLL
        for (uint32_t i = 0; i < 4; ++i) begin[i] = start[half[2 * once_slot(quad, i) + 1]];
        own->pair[2 * quad] += begin[0] | begin[1] << 16;
        own->pair[2 * quad + 1] += begin[2] | begin[3] << 16;
    }
    __syncthreads();
    UNROLL
    for (uint32_t quad = 0; quad < ONCE_QUADS; ++quad) {
        const uint32_t k = once_element(quad);
        if (quad * step >= length) break;
        UNROLL
        for (uint32_t i = 0; i < 4; ++i)
            if (k + i < length) half[2 * once_place_at(*own, quad, i) + 1] = half[2 * once_slot(quad, i)];
    }
    for (uint32_t k = mine.begin; k < mine.end; ++k)
        if (mine.odd >> (k - mine.begin) & 1) half[2 * (start[k + 1] - 1) + 1] = (uint16_t)pad;
    __syncthreads();
}

/* Writes the high halves of the first `length` slots, an even number, eight at a time. */
static __device__ inline void once_write_lows(uint16_t *to, const uint32_t *slots, uint32_t length) {
    for (uint32_t k = threadIdx.x; k < length / 8; k += blockDim.x) {
        once_words<uint32_t, 4> in[2];
        once_words<uint16_t, 8> out;
        UNROLL
        for (uint32_t i = 0; i < 2; ++i) in[i].whole[0] = ((const vector16 *)slots)[2 * k + i];
        UNROLL
        for (uint32_t i = 0; i < 8; ++i) out.unit[i] = (uint16_t)(in[i / 4].unit[i % 4] >> 16);
        ((vector16 *)to)[k] = out.whole[0];
    }
    for (uint32_t k = length / 8 * 8 + threadIdx.x; k < length; k += blockDim.x)
        to[k] = (uint16_t)(slots[k] >> 16);
}

/* Sorts the block's piece and writes starts and low parts; returns the length of its order. */
template <class source>
static __device__ inline uint32_t once_sort(const once_table *t, uint32_t *slots, uint32_t pad, uint16_t *lows,
                                            once_places *own) {
    const uint64_t first = (uint64_t)blockIdx.x * t->piece;
    const uint32_t length = once_length(first, t->m, t->piece), words = t->tiles / 2 + 1;
    uint32_t *const counts = slots + t->slots, *const sums = counts + words;
    for (uint32_t k = threadIdx.x; k < words; k += blockDim.x) counts[k] = 0;
    __syncthreads();
    once_rank<source>(t, first, length, slots, counts, own);
    once_tiles mine;
    const uint32_t ordered = once_write_starts(t, counts, sums, &mine);
    once_order(length, slots, counts, pad, mine, own);
    once_write_lows(lows + (uint64_t)blockIdx.x * t->room, slots, ordered);
    return ordered;
}

/** For a take: low parts to b in each piece's order, and the places in it of all indices. */
template <class source, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    once_requests(element *__restrict__ b, const element *, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint64_t first = (uint64_t)blockIdx.x * t.piece;
    const uint32_t length = once_length(first, t.m, t.piece);
    once_places own;
    once_sort<source>(&t, (uint32_t *)shared_memory, 0, b, &own);
    once_write_places<ONCE_QUADS>(&t, first, length, own);
}

/** For a put: low parts, and the elements of a to b, both in each piece's order. */
template <class source, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    once_values(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const values = (element *)shared_memory;
    const uint64_t first = (uint64_t)blockIdx.x * t.piece;
    const uint32_t length = once_length(first, t.m, t.piece);
    once_places own;
    once_fetch_early(a + first, length * sizeof(element));
    for (uint32_t k = length / 4 * 4 + threadIdx.x; k < t.slots; k += blockDim.x)
        ((uint32_t *)shared_memory)[k] = 0; /* for pads, which take slots of no index */
    __syncthreads();
    const uint32_t ordered = once_sort<source>(&t, (uint32_t *)shared_memory, ONCE_PAD, t.lows, &own);
    __syncthreads();
    UNROLL
    for (uint32_t quad = 0; quad < ONCE_QUADS; ++quad) {
        const uint32_t k = once_element(quad);
        if (k >= length) break;
        once_words<element, 4> held;
        once_read<4>(&held, a + first + k, length - k);
        UNROLL
        for (uint32_t i = 0; i < 4; ++i)
            if (k + i < length) values[once_place_at(own, quad, i)] = held.unit[i];
    }
    __syncthreads();
    once_write_all(b + (uint64_t)blockIdx.x * t.room, values, ordered);
}

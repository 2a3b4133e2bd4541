/* SPDX-License-Identifier: Apache-2.0
 *
 * A take whose tiles are parts of the second-level cache instead of shared memory: few long runs where tiles of shared
 * memory would be many and their runs short. Indices go whole, for a low part would not say where in so long a tile.
 *
 *     once_indices    a piece of indices sorted by tile        a block a piece
 *     once_look_up    src --indices--> answers                 a block a tile's runs in a span of pieces
 *
 * Blocks run about in order, so that those at work look into one tile or two. Lists of runs (once_sums.cu) and the
 * collecting of answers (once_move.cu) are the same. Indices take half of the shared memory, so that one block loads while
 * another sorts.
 */
#include "move/kernels/once/once_piece.h"

/* A thread's indices, which it reads once, and their places in the order. */
typedef struct once_held_indices {
    uint32_t index[4 * ONCE_CACHED_QUADS];
    once_places place;
} once_held_indices;

/* The indices of one quad into own, with their ranks as places. */
template <class source>
static __device__ inline void once_hold_quad(const once_table *t, uint64_t first, uint32_t length,
                                             uint32_t quad, const typename source::loaded &held,
                                             uint32_t *counts, once_held_indices *own) {
    const uint32_t k = once_element(quad), count = once_count_at(length, k);
    uint32_t tile[4], rank[4];
    UNROLL
    for (uint32_t i = 0; i < 4; ++i) {
        const uint64_t given = i < count ? source::index(held, i) : 0;
        const bool is_right = given < t->n;
        if (!is_right) once_lower(&t->record->out_of_range, first + k + i);
        own->index[4 * quad + i] = is_right ? (uint32_t)given : 0;
        tile[i] = once_tile(t, own->index[4 * quad + i]);
    }
    once_count(counts, tile, count, rank);
    own->place.pair[2 * quad] = rank[0] | rank[1] << 16;
    own->place.pair[2 * quad + 1] = rank[2] | rank[3] << 16;
}

/* All of the thread's. */
template <class source>
static __device__ inline void once_hold(const once_table *t, uint64_t first, uint32_t length, uint32_t *counts,
                                        once_held_indices *own) {
    constexpr uint32_t at_once = source::at_once;
    const uint32_t step = 4 * blockDim.x;
    UNROLL
    for (uint32_t some = 0; some < ONCE_CACHED_QUADS; some += at_once) {
        typename source::loaded held[at_once];
        if (some * step >= length) break;
        UNROLL
        for (uint32_t i = 0; i < at_once; ++i) {
            const uint32_t k = once_element(some + i), count = once_count_at(length, k);
            if (count > 0) source::load(&held[i], t, nullptr, some + i, first + k, count);
        }
        UNROLL
        for (uint32_t i = 0; i < at_once; ++i)
            if ((some + i) * step < length)
                once_hold_quad<source>(t, first, length, some + i, held[i], counts, own);
    }
}

/* Ranks become places, and the indices are put there; index 0 is the pad behind a run whose length is odd. */
static __device__ inline void once_put_in_order(const once_table *t, uint32_t length, uint32_t *slots,
                                                const uint32_t *counts, const once_tiles &mine,
                                                once_held_indices *own) {
    const uint16_t *const start = (const uint16_t *)counts;
    UNROLL
    for (uint32_t quad = 0; quad < ONCE_CACHED_QUADS; ++quad) {
        const uint32_t k = once_element(quad), *const index = own->index + 4 * quad;
        uint32_t begin[4];
        if (k >= length) break;
        UNROLL
        for (uint32_t i = 0; i < 4; ++i) begin[i] = start[once_tile(t, index[i])];
        own->place.pair[2 * quad] += begin[0] | begin[1] << 16;
        own->place.pair[2 * quad + 1] += begin[2] | begin[3] << 16;
        UNROLL
        for (uint32_t i = 0; i < 4; ++i)
            if (k + i < length) slots[once_place_at(own->place, quad, i)] = index[i];
    }
    for (uint32_t k = mine.begin; k < mine.end; ++k)
        if (mine.odd >> (k - mine.begin) & 1) slots[start[k + 1] - 1] = 0;
    __syncthreads();
}

/** Indices to b in each piece's order, and the places in it of all of them. */
template <class source, class element>
__global__ void LAUNCH_BOUNDS(ONCE_CACHED_THREADS, 2)
    once_indices(element *__restrict__ b, const element *, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint64_t first = (uint64_t)blockIdx.x * t.piece;
    const uint32_t length = once_length(first, t.m, t.piece), words = t.tiles / 2 + 1;
    uint32_t *const slots = (uint32_t *)shared_memory, *const counts = slots + t.slots,
                    *const sums = counts + words;
    once_held_indices own;
    once_tiles mine;
    for (uint32_t k = threadIdx.x; k < words; k += blockDim.x) counts[k] = 0;
    __syncthreads();
    once_hold<source>(&t, first, length, counts, &own);
    __syncthreads();
    const uint32_t ordered = once_write_starts(&t, counts, sums, &mine);
    once_put_in_order(&t, length, slots, counts, mine, &own);
    once_write_all(b + (uint64_t)blockIdx.x * t.room, slots, ordered);
    once_write_places<ONCE_CACHED_QUADS>(&t, first, length, own.place);
}

/* The runs of a tile in a span of pieces, side by side as their answers are. */
typedef struct once_span_runs {
    uint32_t end[ONCE_SPAN];  /* end of the run, in pairs of all of them */
    uint32_t from[ONCE_SPAN]; /* where in the indices the pair 0 of all would be, if it were this run's */
} once_span_runs;

static __device__ inline void once_list_span(const once_table *t, uint32_t tile, uint32_t span,
                                             once_span_runs *runs) {
    const uint32_t piece = span * ONCE_SPAN + warp_lane();
    const uint32_t run = t->runs[(uint64_t)tile * t->column + piece], end = warp_sum_up(run >> 16);
    runs->end[warp_lane()] = end;
    runs->from[warp_lane()] = (uint32_t)((uint64_t)piece * t->room / 2) + (run & 0xffff) - (end - (run >> 16));
}

/* Where in the indices pair k of all runs is: its run is the first that ends behind it. */
static __device__ inline uint32_t once_pair_of_span(const once_span_runs *runs, uint32_t k) {
    uint32_t run = 0;
    UNROLL
    for (uint32_t by = ONCE_SPAN / 2; by > 0; by /= 2)
        if (runs->end[run + by - 1] <= k) run += by;
    return runs->from[run] + k;
}

/** b gets the answers, a is src. */
template <class element>
__global__ void LAUNCH_BOUNDS(ONCE_COUNT_THREADS, 1)
    once_look_up(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    once_span_runs *const runs = (once_span_runs *)shared_memory;
    typedef once_words<uint32_t, 2> index_pair;
    const uint32_t spans = once_spans(&t), tile = blockIdx.x / spans, span = blockIdx.x % spans;
    if (threadIdx.x < WARP_LANES) once_list_span(&t, tile, span, runs);
    __syncthreads();
    const uint32_t pairs = runs->end[ONCE_SPAN - 1];
    element *const answers = b + (t.totals[tile] + t.sums[(uint64_t)span * t.row + tile]);
    for (uint32_t first = threadIdx.x; first < pairs; first += AT_ONCE * blockDim.x) {
        index_pair index[AT_ONCE];
        once_words<element, 2> found[AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) {
            const uint32_t k = first + i * blockDim.x;
            if (k < pairs) index[i].whole[0] = ((const uint64_t *)t.lows)[once_pair_of_span(runs, k)];
        }
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) {
            if (first + i * blockDim.x >= pairs) continue;
            found[i].unit[0] = a[index[i].unit[0]];
            found[i].unit[1] = a[index[i].unit[1]];
        }
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) {
            const uint32_t k = first + i * blockDim.x;
            if (k < pairs) once_write<2>(answers + 2 * k, found[i], 2);
        }
    }
}

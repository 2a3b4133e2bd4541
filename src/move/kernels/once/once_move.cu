/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves in shared memory by runs of sorted indices (once_sort.cu), a block a tile or a piece:
 *
 *     once_answer    src tile --low parts--> answers, tile after tile     reads runs of low parts
 *     once_collect   runs of answers --places--> a piece of dst           reads runs of answers
 *     once_place     runs of values --low parts--> a tile of dst          reads runs of both
 *
 * Runs are read and never stored: every store is part of a stream.
 */
#include "move/kernels/once/once_device.h"

/* The runs of a tile, a span of pieces a warp: a lane's is read early, and moved once the warp has moved those before. */
typedef struct once_column {
    const uint32_t *runs;
    uint32_t span, end; /* numbers of spans */
    uint32_t run;
} once_column;

static __device__ inline once_column once_begin_column(const once_table *t, uint32_t tile, uint32_t begin,
                                                       uint32_t end) {
    once_column out = {t->runs + (uint64_t)tile * t->column + warp_lane(), begin + threadIdx.x / WARP_LANES,
                       end, 0};
    if (out.span < end) out.run = out.runs[out.span * ONCE_SPAN];
    return out;
}

/* The lane's run, and the next one's under way. Where it begins is counted in pairs of all pieces. */
static __device__ inline once_run once_next_run(const once_table *t, once_column *c) {
    const uint32_t piece = c->span * ONCE_SPAN + warp_lane();
    const once_run out = {(uint32_t)((uint64_t)piece * t->room / 2 + (c->run & 0xffff)), 0, c->run >> 16};
    c->span += blockDim.x / WARP_LANES;
    if (c->span < c->end) c->run = c->runs[c->span * ONCE_SPAN];
    return out;
}

static __device__ inline uint32_t once_warp_start() { return threadIdx.x / WARP_LANES * WARP_LANES; }

/* Shared memory behind `count` elements. */
template <class element> static __device__ inline uint64_t *once_behind(uint64_t *shared, uint32_t count) {
    return shared + ((uint64_t)count * sizeof(element) + 7) / 8;
}

template <class element> struct once_answering {
    static constexpr uint32_t at_once = 10;
    typedef uint32_t loaded;
    const element *tile;
    const uint32_t *lows;
    element *answers;
    __device__ inline void load(loaded *low, uint32_t from, uint32_t) const { *low = lows[from]; }
    __device__ inline void store(loaded low, uint32_t to) const {
        once_words<element, 2> out;
        out.unit[0] = tile[low & 0xffff];
        out.unit[1] = tile[low >> 16];
        once_write<2>(answers + 2 * (uint64_t)to, out, 2);
    }
};

/** b gets the answers, of a block's item; a is src. */
template <class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    once_answer(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const tile = (element *)shared_memory;
    const uint32_t items = t.totals[t.tiles];
    if (blockIdx.x >= items) return;
    const once_item item = t.list[blockIdx.x];
    const uint64_t first = (uint64_t)item.tile * t.tile;
    const uint32_t begin = (uint32_t)((uint64_t)once_spans(&t) * item.part / item.parts);
    const uint32_t end = (uint32_t)((uint64_t)once_spans(&t) * (item.part + 1) / item.parts);
    const once_runs own = once_begin_runs(once_behind<element>(shared_memory, t.tile));
    once_stage(tile, a + first, once_length(first, t.n, t.tile));
    if (blockIdx.x + t.ahead < items) {
        const uint64_t later = (uint64_t)t.list[blockIdx.x + t.ahead].tile * t.tile;
        once_fetch_early(a + later, once_length(later, t.n, t.tile) * sizeof(element));
    }
    once_column column = once_begin_column(&t, item.tile, begin, end);
    WAIT_FOR_COPIES();
    __syncthreads();
    const once_answering<element> move = {tile, (const uint32_t *)t.lows, b};
    const uint32_t answers = t.totals[item.tile];
    while (column.span < end) {
        const uint32_t before = answers + t.sums[(uint64_t)column.span * t.row + item.tile];
        const once_run mine = once_next_run(&t, &column);
        once_move_runs(move, own, mine.from, mine.count, before / 2);
    }
    once_move_long(move, own);
}

template <class word> static __device__ inline void once_copy_word(word *to, const word *from) {
    COPY_ASYNC(to, from);
}
/* Too little for that. */
static __device__ inline void once_copy_word(uint16_t *to, const uint16_t *from) { *to = *from; }

/* Pairs are copied to where they are staged without anybody waiting for them. */
template <class element> struct once_collecting {
    static constexpr uint32_t at_once = 1;
    typedef uint32_t loaded;
    element *staged;
    const element *answers;
    __device__ inline void load(loaded *, uint32_t from, uint32_t to) const {
        typedef once_words<element, 2> pair;
        UNROLL
        for (uint32_t i = 0; i < pair::words; ++i)
            once_copy_word((typename pair::word *)staged + pair::words * to + i,
                           (const typename pair::word *)answers + pair::words * (uint64_t)from + i);
    }
    __device__ inline void store(loaded, uint32_t) const {}
};

/* A thread's places of a piece's elements, read long before they are needed. */
typedef struct once_held_places {
    once_words<uint16_t, 4> quad[ONCE_QUADS];
} once_held_places;

/* The lane's run of answers among a piece's. */
static __device__ inline once_run once_answered_run(const once_table *t, uint32_t tile) {
    const uint64_t row = (uint64_t)blockIdx.x * t->row;
    if (tile >= t->tiles) return once_run{0, 0, 0};
    const uint32_t begin = t->starts[row + tile];
    return once_run{t->before[row + tile] / 2, begin / 2, (t->starts[row + tile + 1] - begin) / 2};
}

/** b is dst, a the answers. */
template <class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    once_collect(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t first = (uint64_t)blockIdx.x * t.piece;
    const uint32_t length = once_length(first, t.m, t.piece);
    const once_runs own = once_begin_runs(once_behind<element>(shared_memory, t.room));
    once_run next = once_answered_run(&t, once_warp_start() + warp_lane());
    once_held_places place;
    UNROLL
    for (uint32_t quad = 0; quad < ONCE_QUADS; ++quad) {
        const uint32_t k = (quad * blockDim.x + threadIdx.x) * 4;
        if (k < length) once_read<4>(&place.quad[quad], t.places + first + k, length - k);
    }
    if (blockIdx.x + t.ahead < t.pieces) {
        const uint64_t later = blockIdx.x + t.ahead;
        once_fetch_early(t.places + later * t.piece,
                         once_length(later * t.piece, t.m, t.piece) * sizeof *t.places);
        once_fetch_early(t.starts + later * t.row, t.row * sizeof *t.starts);
        once_fetch_early(t.before + later * t.row, t.row * sizeof *t.before);
    }
    __syncthreads();
    const once_collecting<element> move = {staged, a};
    for (uint32_t round = once_warp_start(); round < t.tiles; round += blockDim.x) {
        const once_run mine = next;
        next = once_answered_run(&t, round + blockDim.x + warp_lane());
        once_move_runs(move, own, mine.from, mine.count, __shfl_sync(WARP_ALL_LANES, mine.to, 0));
    }
    once_move_long(move, own);
    WAIT_FOR_COPIES();
    __syncthreads();
    UNROLL
    for (uint32_t quad = 0; quad < ONCE_QUADS; ++quad) {
        const uint32_t k = (quad * blockDim.x + threadIdx.x) * 4;
        once_words<element, 4> out;
        if (k >= length) break;
        UNROLL
        for (uint32_t i = 0; i < 4; ++i)
            if (k + i < length) out.unit[i] = staged[place.quad[quad].unit[i]];
        once_write<4>(b + first + k, out, length - k);
    }
}

template <class element> struct once_low_pair {
    once_words<element, 2> value;
    uint32_t low;
};

template <class element> struct once_placing {
    static constexpr uint32_t at_once = sizeof(element) < 16 ? 6 : 2;
    typedef once_low_pair<element> loaded;
    element *tile;
    uint32_t *bits;
    const uint32_t *lows;
    const element *values;
    once_record *record;
    uint64_t first;
    __device__ inline void load(loaded *held, uint32_t from, uint32_t) const {
        held->low = lows[from];
        once_read<2>(&held->value, values + 2 * (uint64_t)from, 2);
    }
    __device__ inline void place(uint32_t low, const element &value) const {
        const uint32_t bit = 1u << low % 32;
        if (low == ONCE_PAD) return;
        if (ATOMIC_OR(&bits[low / 32], bit) & bit) {
            once_lower(&record->clash, first + low);
        } else {
            tile[low] = value;
        }
    }
    __device__ inline void store(const loaded &held, uint32_t) const {
        place(held.low & 0xffff, held.value.unit[0]);
        place(held.low >> 16, held.value.unit[1]);
    }
};

/* Writes the elements of a tile that something was put to, vectors where it was to all of one. */
template <class element>
static __device__ inline void once_write_marked(element *to, const element *tile, const uint32_t *bits,
                                                uint32_t length) {
    constexpr uint32_t units = 16 / sizeof(element), all = (1u << units) - 1;
    const bool is_aligned = (uintptr_t)to % 16 == 0;
    for (uint32_t k = threadIdx.x; k * units < length; k += blockDim.x) {
        const uint32_t marked = bits[k * units / 32] >> (k * units % 32) & all;
        if (is_aligned && marked == all) {
            ((vector16 *)to)[k] = ((const vector16 *)tile)[k];
            continue;
        }
        for (uint32_t i = 0; i < units; ++i)
            if (marked >> i & 1) to[k * units + i] = tile[k * units + i];
    }
}

/** b is dst, a the values in each piece's order. */
template <class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    once_place(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const tile = (element *)shared_memory;
    uint64_t *const behind = once_behind<element>(shared_memory, t.tile);
    uint32_t *const bits = (uint32_t *)behind;
    const once_runs own = once_begin_runs(behind + t.tile / 64 + 1);
    const uint64_t first = (uint64_t)blockIdx.x * t.tile;
    const uint32_t length = once_length(first, t.n, t.tile);
    once_column column = once_begin_column(&t, blockIdx.x, 0, once_spans(&t));
    for (uint32_t k = threadIdx.x; k < t.tile / 32 + 1; k += blockDim.x) bits[k] = 0;
    __syncthreads();
    const once_placing<element> move = {tile, bits, (const uint32_t *)t.lows, a, t.record, first};
    while (column.span < column.end) {
        const once_run mine = once_next_run(&t, &column);
        once_move_runs(move, own, mine.from, mine.count, 0);
    }
    once_move_long(move, own);
    __syncthreads();
    once_write_marked(b + first, tile, bits, length);
}

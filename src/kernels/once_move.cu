/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done in shared memory with runs of sorted indices (once_sort.cu), a block a tile or a piece:
 *
 *     once_answer    src tile --low parts--> answers, tile after tile     reads runs of low parts
 *     once_collect   runs of answers --places--> a piece of dst           reads runs of answers
 *     once_place     runs of values --low parts--> a tile of dst          reads runs of both
 *
 * Runs are read and never stored: every store is part of a stream.
 */
#include "kernels/once_device.h"

/* A tile's run in a piece; where it goes to is not said. */
static __device__ inline once_run once_run_of(const once_table *t, uint32_t piece, uint32_t tile) {
    const uint16_t *const start = t->starts + (uint64_t)piece * t->row + tile;
    const uint32_t begin = start[0];
    return once_run{(uint32_t)(((uint64_t)piece * t->room + begin) / 2), 0, (start[1] - begin) / 2};
}

static __device__ inline uint32_t once_warp_start() { return threadIdx.x / ONCE_LANES * ONCE_LANES; }

/* Shared memory behind `count` elements. */
template <class element> static __device__ inline uint64_t *once_behind(uint64_t *shared, uint32_t count) {
    return shared + ((uint64_t)count * sizeof(element) + 7) / 8;
}

template <class element> struct once_answering {
    static constexpr uint32_t at_once = 6;
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
    const uint32_t begin = (uint32_t)((uint64_t)t.pieces * item.part / item.parts);
    const uint32_t end = (uint32_t)((uint64_t)t.pieces * (item.part + 1) / item.parts);
    const once_runs own = once_begin_runs(once_behind<element>(shared_memory, t.tile));
    once_stage(tile, a + first, once_length(first, t.n, t.tile));
    if (blockIdx.x + t.ahead < items) {
        const uint64_t later = (uint64_t)t.list[blockIdx.x + t.ahead].tile * t.tile;
        once_fetch_early(a + later, once_length(later, t.n, t.tile) * sizeof(element));
    }
    WAIT_FOR_COPIES();
    __syncthreads();
    const once_answering<element> move = {tile, (const uint32_t *)t.lows, b};
    for (uint32_t round = begin + once_warp_start(); round < end; round += blockDim.x) {
        const uint32_t piece = round + once_lane();
        once_run mine = {0, 0, 0};
        if (piece < end) {
            mine = once_run_of(&t, piece, item.tile);
            mine.to = t.before[(uint64_t)piece * t.row + item.tile] / 2;
        }
        once_move_runs(move, own, mine);
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

/** b is dst, a the answers. */
template <class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    once_collect(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t first = (uint64_t)blockIdx.x * t.piece;
    const uint32_t length = once_length(first, t.m, t.piece);
    const uint16_t *const starts = t.starts + (uint64_t)blockIdx.x * t.row;
    const uint32_t *const before = t.before + (uint64_t)blockIdx.x * t.row;
    const once_runs own = once_begin_runs(once_behind<element>(shared_memory, t.room));
    once_fetch_early(t.places + first, length * sizeof *t.places);
    __syncthreads();
    const once_collecting<element> move = {staged, a};
    for (uint32_t round = once_warp_start(); round < t.tiles; round += blockDim.x) {
        const uint32_t tile = round + once_lane();
        once_run mine = {0, 0, 0};
        if (tile < t.tiles) {
            const uint32_t begin = starts[tile];
            mine = once_run{before[tile] / 2, begin / 2, (starts[tile + 1] - begin) / 2};
        }
        once_move_runs(move, own, mine);
    }
    once_move_long(move, own);
    WAIT_FOR_COPIES();
    __syncthreads();
    for (uint32_t k = threadIdx.x * 4; k < length; k += blockDim.x * 4) {
        once_words<uint16_t, 4> place;
        once_words<element, 4> out;
        once_read<4>(&place, t.places + first + k, length - k);
        UNROLL
        for (uint32_t i = 0; i < 4; ++i)
            if (k + i < length) out.unit[i] = staged[place.unit[i]];
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
    for (uint32_t k = threadIdx.x; k < t.tile / 32 + 1; k += blockDim.x) bits[k] = 0;
    __syncthreads();
    const once_placing<element> move = {tile, bits, (const uint32_t *)t.lows, a, t.record, first};
    for (uint32_t round = once_warp_start(); round < t.pieces; round += blockDim.x) {
        const uint32_t piece = round + once_lane();
        once_run mine = {0, 0, 0};
        if (piece < t.pieces) mine = once_run_of(&t, piece, blockIdx.x);
        once_move_runs(move, own, mine);
    }
    once_move_long(move, own);
    __syncthreads();
    once_write_marked(b + first, tile, bits, length);
}

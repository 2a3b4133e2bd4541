/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the kernels for indices used once share (move/kernels/once/once.h).
 */
#ifndef RIFFLE_MOVE_KERNELS_ONCE_ONCE_DEVICE_H
#define RIFFLE_MOVE_KERNELS_ONCE_ONCE_DEVICE_H

#include "device/kernels/copy_async.h"
#include "device/kernels/warp.h"
#include "move/kernels/once/once.h"

/** The tile of an index, which is below n: exact while n times what is odd of a tile's length is below 2^32
 *  times the rest of it. */
static __device__ inline uint32_t once_tile(const once_table *t, uint32_t index) {
    return (uint32_t)((uint64_t)(index >> t->tile_shift) * t->tile_factor >> 32);
}

/** Where a random permutation sends an index (perm/random.c): its start, then steps until one is below n. */
static __device__ inline uint32_t once_random_start(const once_table *t, uint32_t index) {
    return index <= 1 ? index ^ t->swap_before : index;
}

static __device__ inline uint32_t once_random_step(const once_table *t, uint32_t value) {
    uint32_t a = value >> t->net.a_shift & ((1u << t->net.a_width) - 1);
    uint32_t b = value >> t->net.b_shift & ((1u << t->net.b_width) - 1);
    feistel_rounds(&t->net, &a, &b);
    return a << t->net.a_shift | b << t->net.b_shift;
}

static __device__ inline uint32_t once_random_at(const once_table *t, uint32_t index) {
    uint32_t value = once_random_step(t, once_random_start(t, index));
    while (value >= t->n) value = once_random_step(t, value);
    return value <= 1 ? value ^ t->swap_after : value;
}

/** The sum of the values of all threads before this one; *all gets the sum of all. `sums` has a word a warp. Every
 *  thread of the block must come here. */
static __device__ inline uint32_t once_sum_before(uint32_t value, uint32_t *sums, uint32_t *all) {
    const uint32_t up = warp_sum_up(value), warp = threadIdx.x / WARP_LANES, warps = blockDim.x / WARP_LANES;
    uint32_t before = 0;
    *all = 0;
    if (warp_lane() == WARP_LANES - 1) sums[warp] = up;
    __syncthreads();
    for (uint32_t k = 0; k < warps; ++k) {
        const uint32_t sum = sums[k];
        if (k < warp) before += sum;
        *all += sum;
    }
    __syncthreads();
    return before + up - value;
}

/** How many spans the pieces make. */
static __device__ inline uint32_t once_spans(const once_table *t) {
    return (t->pieces + ONCE_SPAN - 1) / ONCE_SPAN;
}

/** How many elements a tile or a piece has. */
static __device__ inline uint32_t once_length(uint64_t first, uint64_t end, uint32_t most) {
    return end - first < most ? (uint32_t)(end - first) : most;
}

static __device__ inline void once_lower(uint64_t *to, uint64_t value) {
    ATOMIC_MIN((unsigned long long *)to, (unsigned long long)value);
}

/* The word by which so many bytes are read and written. */
template <uint32_t bytes> struct once_word { typedef vector16 type; };
template <> struct once_word<8> { typedef uint64_t type; };
template <> struct once_word<4> { typedef uint32_t type; };
template <> struct once_word<2> { typedef uint16_t type; };

/** `units` neighbours as words. */
template <class element, uint32_t units> union once_words {
    typedef typename once_word<units * sizeof(element)>::type word;
    static constexpr uint32_t words = units * sizeof(element) / sizeof(word);
    word whole[words];
    element unit[units];
};

/** The first elements of `from`, `units` or as many as there are; at once where they begin on a word. */
template <uint32_t units, class element>
static __device__ inline void once_read(once_words<element, units> *out, const element *from, uint32_t count) {
    typedef once_words<element, units> group;
    if (count >= units && (uintptr_t)from % sizeof(typename group::word) == 0) {
        UNROLL
        for (uint32_t i = 0; i < group::words; ++i) out->whole[i] = ((const typename group::word *)from)[i];
        return;
    }
    UNROLL
    for (uint32_t i = 0; i < units; ++i)
        if (i < count) out->unit[i] = from[i];
}

/** Writes to `to` in the same way. */
template <uint32_t units, class element>
static __device__ inline void once_write(element *to, const once_words<element, units> &from, uint32_t count) {
    typedef once_words<element, units> group;
    if (count >= units && (uintptr_t)to % sizeof(typename group::word) == 0) {
        UNROLL
        for (uint32_t i = 0; i < group::words; ++i) ((typename group::word *)to)[i] = from.whole[i];
        return;
    }
    UNROLL
    for (uint32_t i = 0; i < units; ++i)
        if (i < count) to[i] = from.unit[i];
}

/** Has the second-level cache fetch what a later block will read. */
static __device__ inline void once_fetch_early(const void *start, uint64_t bytes) {
    for (uint64_t at = (uint64_t)threadIdx.x * 128; at < bytes; at += (uint64_t)blockDim.x * 128)
        FETCH_EARLY((const char *)start + at);
}

/** Copies `count` elements out of shared memory, by vectors where both sides begin on one. */
template <class element>
static __device__ inline void once_write_all(element *to, const element *from, uint32_t count) {
    constexpr uint32_t units = 16 / sizeof(element);
    const uint32_t whole = (uintptr_t)to % 16 == 0 ? count / units : 0;
    for (uint32_t k = threadIdx.x; k < whole; k += blockDim.x)
        ((vector16 *)to)[k] = ((const vector16 *)from)[k];
    for (uint32_t k = whole * units + threadIdx.x; k < count; k += blockDim.x) to[k] = from[k];
}

/** Copies `count` elements into shared memory likewise, and waits for nothing: WAIT_FOR_COPIES does. */
template <class element>
static __device__ inline void once_stage(element *to, const element *from, uint32_t count) {
    constexpr uint32_t units = 16 / sizeof(element);
    const uint32_t whole = (uintptr_t)from % 16 == 0 ? count / units : 0;
    for (uint32_t k = threadIdx.x; k < whole; k += blockDim.x)
        COPY_ASYNC((vector16 *)to + k, (const vector16 *)from + k);
    for (uint32_t k = whole * units + threadIdx.x; k < count; k += blockDim.x) to[k] = from[k];
}

/* ---------------------------------------------------------------- runs */

/** `count` pairs from pair `from` on, which go to pairs from `to` on. */
typedef struct once_run {
    uint32_t from, to, count;
} once_run;

/** Runs that are too long for a warp, which all of the block's move together at last. */
typedef struct once_long_runs {
    uint32_t count;
    once_run run[ONCE_LONG_RUNS];
} once_long_runs;

/** The runs of a block's warps, behind its elements in shared memory. */
typedef struct once_runs {
    uint64_t *heads; /**< the warp's, a word a lane */
    once_long_runs *later;
} once_runs;

static __device__ inline once_runs once_begin_runs(uint64_t *behind_elements) {
    const once_runs own = {behind_elements + threadIdx.x / WARP_LANES * WARP_LANES,
                           (once_long_runs *)(behind_elements + blockDim.x)};
    if (threadIdx.x == 0) own.later->count = 0;
    return own;
}

/* Takes the lane's run out, if it is long and there is room. */
static __device__ inline void once_put_off(once_long_runs *later, once_run *mine) {
    if (mine->count < ONCE_LONG_RUN) return;
    const uint32_t slot = ATOMIC_ADD(&later->count, 1u);
    if (slot >= ONCE_LONG_RUNS) return;
    later->run[slot] = *mine;
    mine->count = 0;
}

/** Moves the runs of a warp's lanes, `count` pairs each, to one place after the other from `base` on, 32 pairs at a time
 *  whatever their lengths: which run a pair is in follows from the bits of those that begin among the 32. The pairs of
 *  mover::at_once such groups are loaded before the first is stored. */
template <class mover>
static __device__ inline void once_move_runs(const mover &move, const once_runs &own, uint32_t from,
                                             uint32_t count, uint32_t base) {
    const uint32_t lane = warp_lane(), up_to_lane = (2u << lane) - 1, align = base % WARP_LANES;
    uint32_t up = warp_sum_up(count);
    once_run mine = {from, base + up - count, count};
    if (!__all_sync(WARP_ALL_LANES, count < ONCE_LONG_RUN)) {
        once_put_off(own.later, &mine);
        up = warp_sum_up(mine.count);
    }
    const uint32_t offset = up - mine.count, total = __shfl_sync(WARP_ALL_LANES, up, WARP_LANES - 1);
    const uint32_t some = __ballot_sync(WARP_ALL_LANES, mine.count > 0);
    uint32_t seen = 0;
    __syncwarp();
    if (mine.count > 0)
        own.heads[__popc(some & up_to_lane >> 1)] = (uint64_t)(mine.to - offset) << 32 | (mine.from - offset);
    __syncwarp();
    /* Places among the warp's pairs are counted from `align` before the first, so that groups are whole lines. */
    for (uint32_t first = 0; first < align + total; first += WARP_LANES * mover::at_once) {
        typename mover::loaded held[mover::at_once];
        uint32_t to[mover::at_once];
        UNROLL
        for (uint32_t i = 0; i < mover::at_once; ++i) {
            const uint32_t begin = first + i * WARP_LANES, k = begin + lane - align;
            const uint32_t ahead = offset + align - begin;
            const uint32_t begins =
                __reduce_or_sync(WARP_ALL_LANES, mine.count > 0 && ahead < WARP_LANES ? 1u << ahead : 0u);
            const uint32_t run = seen + (uint32_t)__popc(begins & up_to_lane) - 1;
            seen += (uint32_t)__popc(begins);
            if (k >= total) continue;
            const uint64_t head = own.heads[run];
            to[i] = (uint32_t)(head >> 32) + k;
            move.load(&held[i], (uint32_t)head + k, to[i]);
        }
        UNROLL
        for (uint32_t i = 0; i < mover::at_once; ++i)
            if (first + i * WARP_LANES + lane - align < total) move.store(held[i], to[i]);
    }
}

/** Moves the runs that were put off. Every thread of the block must come here. */
template <class mover> static __device__ inline void once_move_long(const mover &move, const once_runs &own) {
    __syncthreads();
    const uint32_t most = ONCE_LONG_RUNS, runs = own.later->count < most ? own.later->count : most;
    for (uint32_t r = 0; r < runs; ++r) {
        const once_run run = own.later->run[r];
        for (uint32_t first = threadIdx.x; first < run.count; first += mover::at_once * blockDim.x) {
            typename mover::loaded held[mover::at_once];
            UNROLL
            for (uint32_t i = 0; i < mover::at_once; ++i) {
                const uint32_t k = first + i * blockDim.x;
                if (k < run.count) move.load(&held[i], run.from + k, run.to + k);
            }
            UNROLL
            for (uint32_t i = 0; i < mover::at_once; ++i) {
                const uint32_t k = first + i * blockDim.x;
                if (k < run.count) move.store(held[i], run.to + k);
            }
        }
    }
}

#endif

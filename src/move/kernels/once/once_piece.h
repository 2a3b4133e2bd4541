/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that both ways to sort a piece of indices share (once_sort.cu, once_cached.cu): how its indices are read, counted by
 * tile, and how counts become starts.
 */
#ifndef RIFFLE_MOVE_KERNELS_ONCE_ONCE_PIECE_H
#define RIFFLE_MOVE_KERNELS_ONCE_ONCE_PIECE_H

#include "move/kernels/once/once_device.h"

static __device__ inline uint32_t once_element(uint32_t quad) { return (quad * blockDim.x + threadIdx.x) * 4; }

static __device__ inline uint32_t once_count_at(uint32_t length, uint32_t k) {
    return k >= length ? 0 : length - k < 4 ? length - k : 4;
}

/* Indices that are given: four from the k-th on, or as many as there are. */
template <class entry> struct once_given {
    static constexpr uint32_t at_once = 16 / sizeof(entry); /* quads whose loads are in flight */
    typedef once_words<entry, 4> loaded;
    static __device__ inline void begin(const once_table *, uint64_t, uint32_t, uint32_t *) {}
    static __device__ inline void load(loaded *out, const once_table *t, const uint32_t *, uint32_t, uint64_t k,
                                       uint32_t count) {
        once_read<4>(out, (const entry *)t->indices + k, count);
    }
    static __device__ inline uint64_t index(const loaded &held, uint32_t i) { return held.unit[i]; }
    static __device__ inline void fetch_early(const once_table *t, uint64_t first, uint32_t length) {
        once_fetch_early((const entry *)t->indices + first, length * sizeof(entry));
    }
};

/* A thread's numbers of 16 bits, four a quad. */
typedef struct once_places {
    uint32_t pair[2 * ONCE_QUADS];
} once_places;

static __device__ inline uint32_t once_place_at(const once_places &own, uint32_t quad, uint32_t i) {
    return own.pair[2 * quad + i / 2] >> (i % 2 * 16) & 0xffff;
}

/* Writes the places of the thread's first `quads` quads. */
template <uint32_t quads>
static __device__ inline void once_write_places(const once_table *t, uint64_t first, uint32_t length,
                                                const once_places &own) {
    UNROLL
    for (uint32_t quad = 0; quad < quads; ++quad) {
        const uint32_t k = once_element(quad);
        if (k >= length) break;
        once_words<uint16_t, 4> out;
        UNROLL
        for (uint32_t i = 0; i < 4; ++i) out.unit[i] = (uint16_t)once_place_at(own, quad, i);
        once_write<4>(t->places + first + k, out, length - k);
    }
}

/* Counts `count` indices of these tiles: into rank[] how many of the tile were counted before. A warp whose indices
 * are all of one tile, as sorted ones are, counts them at once. */
static __device__ inline void once_count(uint32_t *counts, const uint32_t tile[4], uint32_t count,
                                         uint32_t rank[4]) {
    const uint32_t common = __shfl_sync(WARP_ALL_LANES, tile[0], 0);
    const bool same =
        count == 4 && tile[0] == common && tile[1] == common && tile[2] == common && tile[3] == common;
    if (__all_sync(WARP_ALL_LANES, same)) {
        uint32_t old = 0;
        if (warp_lane() == 0) old = ATOMIC_ADD(&counts[common / 2], (4u * WARP_LANES) << common % 2 * 16);
        old = (__shfl_sync(WARP_ALL_LANES, old, 0) >> common % 2 * 16 & 0xffff) + 4 * warp_lane();
        UNROLL
        for (uint32_t i = 0; i < 4; ++i) rank[i] = old + i;
        return;
    }
    UNROLL
    for (uint32_t i = 0; i < 4; ++i)
        rank[i] = i < count
                      ? ATOMIC_ADD(&counts[tile[i] / 2], 1u << tile[i] % 2 * 16) >> tile[i] % 2 * 16 & 0xffff
                      : 0;
}

/* The tiles whose runs a thread sees to. */
typedef struct once_tiles {
    uint32_t begin, end;
    uint64_t odd; /* a bit for each, if its run is to end with a pad */
} once_tiles;

/* Counts become starts, here and in t->starts; where the last run ends comes last, and is returned. */
static __device__ inline uint32_t once_write_starts(const once_table *t, uint32_t *counts, uint32_t *sums,
                                                    once_tiles *mine) {
    uint16_t *const count = (uint16_t *)counts;
    const uint32_t each = t->tiles / blockDim.x + 1, begin = threadIdx.x * each;
    uint32_t sum = 0, all;
    *mine = once_tiles{begin, begin + each < t->tiles ? begin + each : t->tiles, 0};
    for (uint32_t k = begin; k < mine->end; ++k) sum += (count[k] + 1u) / 2 * 2;
    sum = once_sum_before(sum, sums, &all);
    for (uint32_t k = begin; k < mine->end; ++k) {
        const uint32_t here = count[k];
        count[k] = (uint16_t)sum;
        mine->odd |= (uint64_t)(here % 2) << (k - begin);
        sum += (here + 1) / 2 * 2;
    }
    if (threadIdx.x == 0) count[t->tiles] = (uint16_t)all;
    __syncthreads();
    uint32_t *const row = (uint32_t *)(t->starts + (uint64_t)blockIdx.x * t->row);
    for (uint32_t k = threadIdx.x; k < t->tiles / 2 + 1; k += blockDim.x) row[k] = counts[k];
    return all;
}

#endif

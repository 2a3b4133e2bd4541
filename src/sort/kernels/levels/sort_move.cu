/* SPDX-License-Identifier: Apache-2.0
 *
 * A partition of keys alone, in the place of the dissertation's Algorithm 10: a block carries a piece, tile after tile, into its segment's
 * buckets. A tile is put in order of buckets in shared memory first, so that each bucket's keys are written side by
 * side. A key's rank in its bucket is who comes first, and so is a tile's part of a bucket: equal keys cannot be told apart, and
 * what is sorted in the end is the same. Tiles at work at one time so write side by side, and memory gets whole lines.
 */
#include "sort/kernels/levels/sort_tile.h"
#include "sort/kernels/tables/shapes.h"

/* Ranks above the buckets' 16 bits, of keys that side by side often are of one bucket, as sorted ones are: a warp counts those at
 * once. */
template <uint32_t threads, uint32_t each>
static __device__ inline void sort_rank_together(uint32_t *counts, uint32_t count, uint32_t (&bucket)[each]) {
    UNROLL
    for (uint32_t i = 0; i < each; ++i) {
        const bool is = threadIdx.x + i * threads < count;
        const uint32_t first = __shfl_sync(WARP_ALL_LANES, bucket[i], 0);
        const bool together = __all_sync(WARP_ALL_LANES, is && bucket[i] == first);
        uint32_t rank = 0;
        if (together ? warp_lane() == 0 : is)
            rank = ATOMIC_ADD(&counts[bucket[i]], together ? (uint32_t)WARP_LANES : 1u);
        const uint32_t begin = __shfl_sync(WARP_ALL_LANES, rank, 0);
        bucket[i] |= (together ? begin + warp_lane() : rank) << 16;
    }
}

/* Ranks above the buckets' 16 bits. */
template <uint32_t threads, uint32_t each>
static __device__ inline void sort_rank(uint32_t *counts, uint32_t count, uint32_t (&bucket)[each]) {
    const uint32_t first = __shfl_sync(WARP_ALL_LANES, bucket[0], 0);
    if (__all_sync(WARP_ALL_LANES, bucket[0] == first)) {
        sort_rank_together<threads>(counts, count, bucket);
        return;
    }
    constexpr uint32_t some = each % 8 == 0 ? 8 : 4;
    UNROLL
    for (uint32_t i = 0; i < each; i += some) {
        uint32_t rank[some] = {};
        UNROLL
        for (uint32_t j = 0; j < some; ++j)
            if (threadIdx.x + (i + j) * threads < count) rank[j] = ATOMIC_ADD(&counts[bucket[i + j]], 1u);
        UNROLL
        for (uint32_t j = 0; j < some; ++j) bucket[i + j] |= rank[j] << 16;
    }
}

/* Counts, in goes, become starts, and `to` what is to be added to a slot: the tile gets the next places of each of its buckets.
 * A thread has `per` buckets. */
template <uint32_t per, class kind>
static __device__ inline void sort_start(const sort_tile_table &t, const sort_part &p, const sort_tile<kind> &s,
                                         uint32_t (&to)[per]) {
    uint32_t *const cursor = t.counts + (uint64_t)p.segment * t.splitters.row;
    uint32_t own[per], sum = 0;
    UNROLL
    for (uint32_t j = 0; j < per; ++j) {
        const uint32_t k = threadIdx.x * per + j;
        own[j] = k < t.splitters.row ? s.goes[k] : 0;
        to[j] = own[j] > 0 ? ATOMIC_ADD(&cursor[k], own[j]) : 0;
        sum += own[j];
    }
    sum = sort_tile_sum(sum, s.sums);
    UNROLL
    for (uint32_t j = 0; j < per; ++j) {
        const uint32_t k = threadIdx.x * per + j;
        if (k < t.splitters.row) s.starts[k] = sum;
        to[j] -= sum;
        sum += own[j];
    }
}

/** From a, where the segments lie, to b. */
template <class element>
__global__ void LAUNCH_BOUNDS(sort_move_threads(sizeof(element), false),
                              2048 / sort_move_threads(sizeof(element), false) / 2)
    sort_move(element *b, const element *a, const GRID_CONSTANT sort_tile_table t) {
    typedef sort_of<element> of;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t tile = sort_move_tile(sizeof(element)),
                       threads = sort_move_threads(sizeof(element), false), each = tile / threads,
                       per = SORT_MOST_WAYS / threads;
    const sort_part p = sort_share(t.cuts, tile);
    if (p.first == p.last) return;
    sort_tile<element> s = sort_tile_at<element>(t.splitters, shared_memory, tile * sizeof(element));
    typename of::key value[each];
    sort_tile_read<threads>(a, p.first, p.last, value);
    sort_make_guide(t.splitters, p, (uint32_t *)shared_memory, s.guide);
    __syncthreads();
    for (uint32_t first = p.first; first < p.last;) {
        const uint32_t count = p.last - first < tile ? p.last - first : tile;
        uint32_t bucket[each], to[per];
        for (uint32_t k = threadIdx.x; k < t.splitters.row; k += threads) s.goes[k] = 0;
        sort_tile_encode(t.coder, value);
        __syncthreads();
        sort_find(t.splitters, s.guide, value, bucket);
        sort_rank<threads>(s.goes, count, bucket);
        __syncthreads();
        sort_start(t, p, s, to);
        __syncthreads();
        UNROLL
        for (uint32_t i = 0; i < each; ++i) bucket[i] += s.starts[bucket[i] & 0xffff] << 16;
        UNROLL
        for (uint32_t i = 0; i < each; ++i) {
            if (threadIdx.x + i * threads >= count) continue;
            s.staged[bucket[i] >> 16] = of::put(value[i]);
            s.buckets[bucket[i] >> 16] = (uint16_t)bucket[i];
        }
        first = sort_next(p, first);
        sort_tile_read<threads>(a, first, p.last, value);
        UNROLL
        for (uint32_t j = 0; j < per; ++j)
            if (threadIdx.x * per + j < t.splitters.row) s.goes[threadIdx.x * per + j] = to[j];
        __syncthreads();
        sort_tile_write<threads, each>(s, b, s.staged, count);
        __syncthreads();
    }
}

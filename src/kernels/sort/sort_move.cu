/* SPDX-License-Identifier: Apache-2.0
 *
 * k-partition (dissertation, Algorithm 10) of keys alone: a block carries a piece, tile after tile, into its segment's
 * buckets. A tile is put in order of buckets in shared memory first, so that each bucket's keys are written side by
 * side. A key's rank in its bucket is who comes first: equal keys cannot be told apart, and what is sorted in the end is
 * the same.
 */
#include "kernels/sort/sort_tile.h"

/* Ranks above the buckets' 16 bits. A warp some of whose keys, side by side, are all of one bucket, as sorted ones are, counts
 * those at once. */
template <uint32_t threads, uint32_t each>
static __device__ inline void sort_rank(uint32_t *counts, uint32_t count, uint32_t (&bucket)[each]) {
    uint32_t rank[each], common = 0; /* a bit for each i */
    UNROLL
    for (uint32_t i = 0; i < each; ++i) {
        const bool is = threadIdx.x + i * threads < count;
        const uint32_t first = __shfl_sync(SORT_ALL_LANES, bucket[i], 0);
        common |= __all_sync(SORT_ALL_LANES, is && bucket[i] == first) ? 1u << i : 0;
    }
    UNROLL
    for (uint32_t i = 0; i < each; ++i) {
        const bool together = (common >> i & 1) != 0, is = threadIdx.x + i * threads < count;
        rank[i] = 0;
        if (together ? sort_lane() == 0 : is)
            rank[i] = ATOMIC_ADD(&counts[bucket[i]], together ? (uint32_t)SORT_LANES : 1u);
    }
    UNROLL
    for (uint32_t i = 0; i < each; ++i) {
        const uint32_t first = common != 0 ? __shfl_sync(SORT_ALL_LANES, rank[i], 0) : 0;
        if ((common >> i & 1) != 0) rank[i] = first + sort_lane();
        bucket[i] |= rank[i] << 16;
    }
}

/* Counts, in goes, become starts and goes; `to` goes on. A thread has `per` buckets. */
template <uint32_t per, class kind>
static __device__ inline void sort_start(const sort_table *t, const sort_tile<kind> &s, uint32_t (&to)[per]) {
    uint32_t own[per], sum = 0;
    UNROLL
    for (uint32_t j = 0; j < per; ++j) {
        const uint32_t k = threadIdx.x * per + j;
        own[j] = k < t->row ? s.goes[k] : 0;
        sum += own[j];
    }
    sum = sort_tile_sum(sum, s.sums);
    UNROLL
    for (uint32_t j = 0; j < per; ++j) {
        const uint32_t k = threadIdx.x * per + j;
        if (k < t->row) {
            s.starts[k] = sum;
            s.goes[k] = to[j] - sum;
        }
        sum += own[j];
        to[j] += own[j];
    }
}

/* The keys from `first` on, of those before `last`; behind them what comes last. */
template <uint32_t threads, uint32_t each, class element>
static __device__ inline void sort_tile_read(const sort_table &t, const element *a, uint32_t first,
                                             uint32_t last, typename sort_of<element>::key (&value)[each]) {
    UNROLL
    for (uint32_t i = 0; i < each; ++i) {
        const uint32_t k = threadIdx.x + i * threads;
        value[i] = k < last - first ? sort_get(t, a[first + k]) : sort_of<element>::last();
    }
}

/** From a, where the segments lie, to b. */
template <uint32_t threads, uint32_t each, class element>
__global__ void LAUNCH_BOUNDS(threads, 2048 / threads / 2)
    sort_move(element *b, const element *a, const GRID_CONSTANT sort_table t) {
    typedef sort_of<element> of;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t tile = threads * each, per = SORT_MOST_WAYS / threads;
    const sort_part p = sort_piece(&t);
    if (p.first == p.last) return;
    sort_tile<element> s = sort_tile_at<element>(&t, p, shared_memory, tile * sizeof(element));
    uint32_t to[per];
    sort_load_tree(&t, p, s.tree);
    __syncthreads();
    UNROLL
    for (uint32_t j = 0; j < per; ++j) to[j] = sort_tile_begin(&t, p, threadIdx.x * per + j);
    typename of::key value[each];
    sort_tile_read<threads, each>(t, a, p.first, p.last, value);
    for (uint32_t first = p.first; first < p.last; first += tile) {
        const uint32_t count = p.last - first < tile ? p.last - first : tile, ahead = first - p.begin;
        uint32_t bucket[each];
        for (uint32_t k = threadIdx.x; k < t.row; k += threads) s.goes[k] = 0;
        if (s.tree.has_equal) sort_skip(s.tree, ahead, tile);
        __syncthreads();
        sort_find(
            s.tree, (count + threads - 1) / threads, value,
            [&](uint32_t i) { return ahead + threadIdx.x + i * threads; }, bucket);
        sort_rank<threads>(s.goes, count, bucket);
        __syncthreads();
        sort_start(&t, s, to);
        __syncthreads();
        UNROLL
        for (uint32_t i = 0; i < each; ++i) bucket[i] += s.starts[bucket[i] & 0xffff] << 16;
        UNROLL
        for (uint32_t i = 0; i < each; ++i) {
            if (threadIdx.x + i * threads >= count) continue;
            s.staged[bucket[i] >> 16] = of::put(value[i]);
            s.buckets[bucket[i] >> 16] = (uint16_t)bucket[i];
        }
        if (p.last - first > tile) sort_tile_read<threads, each>(t, a, first + tile, p.last, value);
        __syncthreads();
        sort_tile_write<threads, each>(s, b, s.staged, count);
        __syncthreads();
    }
}

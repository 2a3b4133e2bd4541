/* SPDX-License-Identifier: Apache-2.0
 *
 * k-partition that keeps the order of what is in one bucket, and carries along four bytes a key: values, or the places
 * that the keys came from. As sort_move.cu, but a key's rank in its bucket is by place: a warp has a stretch of the tile and
 * its own counts,
 *
 *     counts[warp][bucket]     16 bits each, two buckets a word
 *
 * lanes of one bucket find each other by votes, and each warp's counts become those of the warps before.
 */
#include "check/kernels/sum_block.h"
#include "sort/kernels/levels/sort_tile.h"
#include "sort/kernels/sort_summed.h"
#include "sort/kernels/tables/shapes.h"

/* Lanes with the same bucket, among those that have one. */
static __device__ inline uint32_t sort_peers(uint32_t bucket, uint32_t levels, bool is) {
    uint32_t peers = __ballot_sync(WARP_ALL_LANES, is);
    UNROLL
    for (uint32_t bit = 1; bit < SORT_MOST_WAYS; bit *= 2) {
        const bool one = (bucket & bit) != 0;
        if (bit >> levels == 0) peers &= __ballot_sync(WARP_ALL_LANES, one) ^ (one ? 0 : WARP_ALL_LANES);
    }
    return peers;
}

/* Ranks in the warp above the buckets' 16 bits. */
template <uint32_t each>
static __device__ inline void sort_rank_stable(uint16_t *mine, uint32_t levels, uint32_t count, uint32_t lead,
                                               uint32_t (&bucket)[each]) {
    const uint32_t before_lane = (1u << warp_lane()) - 1;
    UNROLL
    for (uint32_t i = 0; i < each; ++i) {
        const bool is = lead + i * WARP_LANES < count;
        const uint32_t peers = sort_peers(bucket[i], levels, is), old = mine[bucket[i]];
        __syncwarp();
        if (is && (peers & before_lane) == 0) mine[bucket[i]] = (uint16_t)(old + (uint32_t)__popc(peers));
        __syncwarp();
        bucket[i] |= (old + (uint32_t)__popc(peers & before_lane)) << 16;
    }
}

/* A pair's counts become those of the warps before; the sum of all. Several at a time, so that none waits for another. */
template <uint32_t warps> static __device__ inline uint32_t sort_pair_before(uint32_t *counts, uint32_t pairs) {
    constexpr uint32_t some = 8;
    uint32_t sum = 0;
    UNROLL
    for (uint32_t first = 0; first < warps; first += some) {
        uint32_t held[some];
        UNROLL
        for (uint32_t w = 0; w < some; ++w) held[w] = counts[(first + w) * pairs];
        UNROLL
        for (uint32_t w = 0; w < some; ++w) {
            counts[(first + w) * pairs] = sum;
            sum += held[w];
        }
    }
    return sum;
}

/* `more` is added to each of a pair's counts. */
template <uint32_t warps>
static __device__ inline void sort_pair_add(uint32_t *counts, uint32_t pairs, uint32_t more) {
    constexpr uint32_t some = 8;
    UNROLL
    for (uint32_t first = 0; first < warps; first += some) {
        uint32_t held[some];
        UNROLL
        for (uint32_t w = 0; w < some; ++w) held[w] = counts[(first + w) * pairs];
        UNROLL
        for (uint32_t w = 0; w < some; ++w) counts[(first + w) * pairs] = held[w] + more;
    }
}

/* Counts become where each warp's keys of a bucket are staged; `to` goes on. A thread has `per` pairs of buckets. */
template <uint32_t warps, uint32_t per, class kind>
static __device__ inline void sort_start_stable(uint32_t row, const sort_tile<kind> &s, uint32_t *counts,
                                                uint32_t (&to)[2 * per]) {
    const uint32_t pairs = row / 2;
    uint32_t all[per], sum = 0;
    UNROLL
    for (uint32_t j = 0; j < per; ++j) {
        const uint32_t pair = threadIdx.x * per + j;
        all[j] = pair < pairs ? sort_pair_before<warps>(counts + pair, pairs) : 0;
        sum += (all[j] & 0xffff) + (all[j] >> 16);
    }
    sum = sort_tile_sum(sum, s.sums);
    UNROLL
    for (uint32_t j = 0; j < per; ++j) {
        const uint32_t pair = threadIdx.x * per + j, next = sum + (all[j] & 0xffff);
        if (pair < pairs) {
            sort_pair_add<warps>(counts + pair, pairs, sum | next << 16);
            s.goes[2 * pair] = to[2 * j] - sum;
            s.goes[2 * pair + 1] = to[2 * j + 1] - next;
        }
        to[2 * j] += all[j] & 0xffff;
        to[2 * j + 1] += all[j] >> 16;
        sum = next + (all[j] >> 16);
    }
}

/* Where the next keys of bucket b of the block's piece go. */
static __device__ inline uint32_t sort_tile_begin(const sort_carry_table &t, const sort_part &p, uint32_t b) {
    const uint32_t row = t.tile.splitters.row;
    return b < p.ways
               ? t.bucket_begin[(uint64_t)p.segment * row + b] + t.tile.counts[(uint64_t)blockIdx.x * row + b]
               : 0;
}

/* A warp's part of the tile from `first` on, before `last`; behind it the last key. */
template <uint32_t each, class element>
static __device__ inline void sort_stretch_read(const element *a, uint32_t lead, uint32_t first, uint32_t last,
                                                typename sort_of<element>::key (&value)[each]) {
    const element *const from = a + first + lead;
    UNROLL
    for (uint32_t i = 0; i < each; ++i)
        value[i] = lead + i * WARP_LANES < last - first ? sort_of<element>::get(from[i * WARP_LANES])
                                                        : sort_of<element>::last();
}

/** From a, where the segments lie, to b; and likewise what is carried. is_summed: both are added up too. */
template <bool is_summed, class element>
__global__ void LAUNCH_BOUNDS(sort_move_threads(sizeof(element), true),
                              2048 / sort_move_threads(sizeof(element), true) / 2)
    sort_carry(element *b, const element *a, const GRID_CONSTANT sort_carry_table table) {
    typedef sort_of<element> of;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t tile = sort_move_tile(sizeof(element)),
                       threads = sort_move_threads(sizeof(element), true), each = tile / threads,
                       warps = threads / WARP_LANES, per = (SORT_MOST_WAYS / 2 + threads - 1) / threads;
    const sort_tile_table &t = table.tile;
    const sort_part p = sort_piece(t.cuts, tile);
    if (p.first == p.last) return;
    const uint32_t row = t.splitters.row, words = warps * (row / 2);
    sort_tile<element> s =
        sort_tile_at<element>(t.splitters, shared_memory, sort_staged_bytes(sizeof(element), true, row));
    uint32_t *const counts = (uint32_t *)shared_memory, *const staged = (uint32_t *)shared_memory;
    uint16_t *const mine = (uint16_t *)(counts + threadIdx.x / WARP_LANES * (row / 2));
    const uint32_t lead = threadIdx.x / WARP_LANES * WARP_LANES * each + warp_lane();
    uint32_t to[2 * per];
    sort_make_guide(t.splitters, p, (uint32_t *)shared_memory, s.guide);
    __syncthreads();
    UNROLL
    for (uint32_t j = 0; j < 2 * per; ++j) to[j] = sort_tile_begin(table, p, threadIdx.x * 2 * per + j);
    typename of::key value[each];
    check_sums sums = {0, 0};
    sort_stretch_read(a, lead, p.first, p.last, value);
    for (uint32_t first = p.first; first < p.last; first += tile) {
        const uint32_t count = p.last - first < tile ? p.last - first : tile;
        uint32_t bucket[each], carried[each];
        for (uint32_t k = threadIdx.x; k < words; k += threads) counts[k] = 0;
        sort_tile_encode(t.coder, value);
        __syncthreads();
        sort_find(t.splitters, s.guide, value, bucket);
        sort_rank_stable(mine, p.levels, count, lead, bucket);
        __syncthreads();
        sort_start_stable<warps, per>(row, s, counts, to);
        __syncthreads();
        UNROLL
        for (uint32_t i = 0; i < each; ++i) bucket[i] += (uint32_t)mine[bucket[i] & 0xffff] << 16;
        __syncthreads();
        UNROLL
        for (uint32_t i = 0; i < each; ++i) {
            if (lead + i * WARP_LANES >= count) continue;
            s.staged[bucket[i] >> 16] = of::put(value[i]);
            s.buckets[bucket[i] >> 16] = (uint16_t)bucket[i];
        }
        UNROLL
        for (uint32_t i = 0; i < each; ++i) {
            const uint32_t k = lead + i * WARP_LANES;
            carried[i] = k < count && table.carried.from != nullptr ? table.carried.from[first + k] : first + k;
        }
        UNROLL
        for (uint32_t i = 0; is_summed && i < each; ++i)
            if (lead + i * WARP_LANES < count) sort_sum_pair(&sums, value[i], carried[i]);
        if (p.last - first > tile) sort_stretch_read(a, lead, first + tile, p.last, value);
        __syncthreads();
        sort_tile_write<threads, each>(s, b, s.staged, count);
        __syncthreads();
        UNROLL
        for (uint32_t i = 0; i < each; ++i)
            if (lead + i * WARP_LANES < count) staged[bucket[i] >> 16] = carried[i];
        __syncthreads();
        sort_tile_write<threads, each>(s, table.carried.to, staged, count);
        __syncthreads();
    }
    if (is_summed)
        check_end_block(t.summed.record, (check_block *)shared_memory,
                        check_times(sums, sort_summed_times(t.summed, p.segment)), false);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * How many keys of each bucket a piece has, a block a piece, or a segment; and, a block a segment, where buckets begin.
 */
#include "check/kernels/sum_block.h"
#include "sort/kernels/levels/sort_tile.h"
#include "sort/kernels/sort_sum.h"
#include "sort/kernels/sort_summed.h"
#include "sort/kernels/tables/shapes.h"

/** a is where the segments lie. Where something is carried each piece has its counts, by which keys keep their order; else each
 *  segment has: its pieces add theirs. is_summed: codes are added up too; the block's sums lie behind its counts. */
template <bool carries, bool is_summed, class element>
__global__ void LAUNCH_BOUNDS(SORT_COUNT_THREADS, 2)
    sort_count(element *, const element *a, const GRID_CONSTANT sort_tile_table t) {
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t tile = sort_count_tile(sizeof(element)), each = tile / SORT_COUNT_THREADS;
    const sort_part p = carries ? sort_piece(t.cuts, tile) : sort_share(t.cuts, tile);
    if (p.first == p.last) return;
    sort_guide<element> guide;
    uint32_t *const counts = (uint32_t *)sort_guide_at(t.splitters, (char *)shared_memory, guide);
    typename sort_of<element>::key value[each], next[each];
    check_sums sums = {0, 0};
    sort_tile_read<SORT_COUNT_THREADS>(a, p.first, p.last, value);
    sort_make_guide(t.splitters, p, counts, guide);
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < p.ways; k += SORT_COUNT_THREADS) counts[k] = 0;
    __syncthreads();
    for (uint32_t first = p.first; first < p.last;) {
        const uint32_t count = p.last - first;
        uint32_t bucket[each];
        first = sort_next(p, first);
        sort_tile_read<SORT_COUNT_THREADS>(a, first, p.last, next);
        sort_tile_encode(t.coder, value);
        sort_find(t.splitters, guide, value, bucket);
        UNROLL
        for (uint32_t i = 0; i < each; ++i) {
            if (threadIdx.x + i * SORT_COUNT_THREADS < count) {
                ATOMIC_ADD(&counts[bucket[i]], 1u);
                if (is_summed) sort_sum_key(&sums, value[i]);
            }
            value[i] = next[i];
        }
    }
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < p.ways; k += SORT_COUNT_THREADS) {
        if (carries) {
            t.counts[(uint64_t)blockIdx.x * t.splitters.row + k] = counts[k];
        } else if (counts[k] > 0) {
            ATOMIC_ADD(&t.counts[(uint64_t)p.segment * t.splitters.row + k], counts[k]);
        }
    }
    if (is_summed)
        check_end_block(t.summed.record, (check_block *)(counts + t.splitters.row),
                        check_times(sums, sort_summed_times(t.summed, p.segment)), false);
}

/* For the thread's bucket, counts become `sum` and those of the pieces before; returns the sum of all. */
static __device__ inline uint32_t sort_add_up(uint32_t *counts, uint32_t row, uint32_t first, uint32_t last,
                                              uint32_t sum) {
    enum { some = 8 };
    for (uint32_t piece = first; piece < last; piece += some) {
        uint32_t held[some];
        UNROLL
        for (uint32_t i = 0; i < some; ++i)
            held[i] = piece + i < last ? counts[(uint64_t)(piece + i) * row] : 0;
        UNROLL
        for (uint32_t i = 0; i < some; ++i) {
            if (piece + i < last) counts[(uint64_t)(piece + i) * row] = sum;
            sum += held[i];
        }
    }
    return sum;
}

/** For one segment with many pieces, a lane a bucket: counts become those of the pieces before, and bucket_begin gets the sums.
 *  b has the counts. Each warp has a part of the pieces. */
template <class element>
__global__ void LAUNCH_BOUNDS(SORT_SUM_THREADS, 1)
    sort_sums(element *b, const element *, const GRID_CONSTANT sort_sums_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const sums = (uint32_t *)shared_memory; /* [warp][lane] */
    const uint32_t warps = SORT_SUM_THREADS / WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t bucket = blockIdx.x * WARP_LANES + warp_lane(), all = sort_pieces_before(t.cuts, 1);
    const uint32_t per = (all + warps - 1) / warps, first = warp * per,
                   last = first + per < all ? first + per : all;
    const bool is = bucket < sort_segment(t.cuts.of, 0).ways;
    uint32_t sum = 0;
    for (uint32_t piece = first; is && piece < last; ++piece) sum += b[(uint64_t)piece * t.row + bucket];
    sums[threadIdx.x] = sum;
    __syncthreads();
    uint32_t before = 0;
    for (uint32_t w = 0; w < warp; ++w) before += sums[w * WARP_LANES + warp_lane()];
    if (!is) return;
    sum = sort_add_up(b + bucket, t.row, first, last, before);
    if (warp == warps - 1) t.bucket_begin[bucket] = sum;
}

/* True if a bucket has only keys that equal a splitter: where several are equal, the one before the last of them. Buckets
 * before it are empty. */
static __device__ inline bool sort_has_own(const sort_offsets_table &t, const sort_part &p, uint32_t bucket) {
    const uint32_t *const words = t.splitters + (uint64_t)p.segment * t.row * t.key_words;
    if (t.cuts.of.is_alike != nullptr && t.cuts.of.is_alike[p.segment]) return true;
    if (bucket < 1 || bucket + 1 >= p.ways) return false;
    for (uint32_t w = bucket * t.key_words; w < (bucket + 1) * t.key_words; ++w)
        if (words[w] != words[w - t.key_words]) return false;
    return true;
}

/** b has the counts. A thread a bucket. */
template <class element>
__global__ void sort_offsets(element *b, const element *, const GRID_CONSTANT sort_offsets_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const sums = (uint32_t *)shared_memory;
    const sort_part p = sort_segment(t.cuts.of, blockIdx.x);
    const uint32_t bucket = threadIdx.x;
    uint32_t sum = 0, all;
    const uint64_t own = (uint64_t)p.segment * t.row + bucket;
    if (bucket < p.ways && t.is_summed)
        sum = t.bucket_begin[bucket];
    else if (bucket < p.ways && t.are_cursors)
        sum = b[own];
    else if (bucket < p.ways)
        sum = sort_add_up(b + bucket, t.row, sort_pieces_before(t.cuts, p.segment),
                          sort_pieces_before(t.cuts, p.segment + 1), 0);
    const uint32_t before = p.begin + sort_sum_before(sum, sums, &all);
    if (bucket < t.row) {
        t.bucket_begin[own] = before;
        t.are_alike[own] = sort_has_own(t, p, bucket);
        if (t.are_cursors) b[own] = before;
    }
    if (p.segment == t.cuts.segments - 1 && bucket == 0)
        t.bucket_begin[(uint64_t)t.cuts.segments * t.row] = p.end;
    if (p.segment == 0 && bucket < SORT_LEAF_SIZES + SORT_REST) t.turns[bucket] = 0;
    if (t.next_first_piece == nullptr) return; /* else there is one segment */
    const uint32_t pieces = sort_sum_before((sum + t.next_piece - 1) / t.next_piece, sums, &all);
    if (bucket < t.row) t.next_first_piece[bucket] = pieces;
    if (bucket == 0) t.next_first_piece[t.row] = all;
}

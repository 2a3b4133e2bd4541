/* SPDX-License-Identifier: Apache-2.0
 *
 * How many keys of each bucket a piece has, a block a piece; and, a block a segment, where buckets begin.
 */
#include "kernels/sort/sort_sum.h"
#include "kernels/sort/sort_tree.h"

/** a is where the segments lie. */
template <class element>
__global__ void LAUNCH_BOUNDS(SORT_COUNT_THREADS, 3)
    sort_count(element *, const element *a, const GRID_CONSTANT sort_table t) {
    typedef typename sort_of<element>::key key;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = sizeof(element) > 8 ? SORT_COUNT_EACH / 2 : SORT_COUNT_EACH;
    const sort_part p = sort_piece(&t);
    if (p.first == p.last) return;
    sort_tree<element> tree;
    uint32_t *const counts = (uint32_t *)sort_tree_at(&t, p, (char *)shared_memory, tree);
    sort_load_tree(&t, p, tree);
    for (uint32_t k = threadIdx.x; k < p.ways; k += SORT_COUNT_THREADS) counts[k] = 0;
    __syncthreads();
    for (uint32_t first = p.first; first < p.last; first += SORT_COUNT_THREADS * each) {
        key value[each];
        uint32_t bucket[each];
        const uint32_t count = p.last - first, ahead = first - p.begin;
        UNROLL
        for (uint32_t i = 0; i < each; ++i) {
            const uint32_t k = threadIdx.x + i * SORT_COUNT_THREADS;
            value[i] = k < count ? sort_get(t, a[first + k]) : sort_of<element>::last();
        }
        if (tree.has_equal) {
            __syncthreads();
            sort_skip(tree, ahead, SORT_COUNT_THREADS * each);
            __syncthreads();
        }
        sort_find(
            tree, (count + SORT_COUNT_THREADS - 1) / SORT_COUNT_THREADS, value,
            [&](uint32_t i) { return ahead + threadIdx.x + i * SORT_COUNT_THREADS; }, bucket);
        UNROLL
        for (uint32_t i = 0; i < each; ++i)
            if (threadIdx.x + i * SORT_COUNT_THREADS < count) ATOMIC_ADD(&counts[bucket[i]], 1u);
    }
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < p.ways; k += SORT_COUNT_THREADS)
        t.counts[(uint64_t)blockIdx.x * t.row + k] = counts[k];
}

/* Of the thread's bucket: counts become those of the pieces before, and `sum`; the sum of all. */
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

/** Of one segment with many pieces, a lane a bucket: counts become those of the pieces before, and bucket_begin gets the sums.
 *  b is t.counts. Each warp has a part of the pieces. */
template <class element>
__global__ void LAUNCH_BOUNDS(SORT_SUM_THREADS, 1)
    sort_sums(element *b, const element *, const GRID_CONSTANT sort_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const sums = (uint32_t *)shared_memory; /* [warp][lane] */
    const uint32_t warps = SORT_SUM_THREADS / SORT_LANES, warp = threadIdx.x / SORT_LANES;
    const uint32_t bucket = blockIdx.x * SORT_LANES + sort_lane(), all = sort_pieces_before(&t, 1);
    const uint32_t per = (all + warps - 1) / warps, first = warp * per,
                   last = first + per < all ? first + per : all;
    const bool is = bucket < sort_segment(&t, 0).ways;
    uint32_t sum = 0;
    for (uint32_t piece = first; is && piece < last; ++piece) sum += b[(uint64_t)piece * t.row + bucket];
    sums[threadIdx.x] = sum;
    __syncthreads();
    uint32_t before = 0;
    for (uint32_t w = 0; w < warp; ++w) before += sums[w * SORT_LANES + sort_lane()];
    if (!is) return;
    sum = sort_add_up(b + bucket, t.row, first, last, before);
    if (warp == warps - 1) t.bucket_begin[bucket] = sum;
}

/** b is t.counts. A thread a bucket. */
template <class element>
__global__ void sort_offsets(element *b, const element *, const GRID_CONSTANT sort_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const sums = (uint32_t *)shared_memory;
    const sort_part p = sort_segment(&t, blockIdx.x);
    const uint32_t bucket = threadIdx.x;
    uint32_t sum = 0, all;
    if (bucket < p.ways && t.is_summed)
        sum = t.bucket_begin[bucket];
    else if (bucket < p.ways)
        sum = sort_add_up(b + bucket, t.row, sort_pieces_before(&t, p.segment),
                          sort_pieces_before(&t, p.segment + 1), 0);
    const uint32_t before = p.begin + sort_sum_before(sum, sums, &all);
    if (bucket < t.row) t.bucket_begin[(uint64_t)p.segment * t.row + bucket] = before;
    if (p.segment == t.segments - 1 && bucket == 0) t.bucket_begin[(uint64_t)t.segments * t.row] = p.end;
    if (p.segment == 0 && bucket < SORT_LEAF_SIZES + SORT_REST) t.turns[bucket] = 0;
    if (t.next_first_piece == nullptr) return; /* else there is one segment */
    const uint32_t pieces = sort_sum_before((sum + t.next_piece - 1) / t.next_piece, sums, &all);
    if (bucket < t.row) t.next_first_piece[bucket] = pieces;
    if (bucket == 0) t.next_first_piece[t.row] = all;
}

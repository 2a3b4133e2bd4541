/* SPDX-License-Identifier: Apache-2.0
 *
 * How many keys of each bucket a piece has, a block a piece; and, a block a segment, where buckets begin.
 */
#include "kernels/sort/sort_sum.h"
#include "kernels/sort/sort_tree.h"

/** a is where the segments lie. */
template <class element>
__global__ void LAUNCH_BOUNDS(SORT_COUNT_THREADS, 3)
    sort_count(element *__restrict__, const element *__restrict__ a, const GRID_CONSTANT sort_table t) {
    typedef typename sort_of<element>::key key;
    extern __shared__ uint64_t shared_memory[];
    const sort_part p = sort_piece(&t);
    if (p.first == p.last) return;
    key *const splitter = (key *)shared_memory;
    uint32_t *const place = (uint32_t *)(splitter + sort_cells(t.levels)), *const counts =
                                                                               place + sort_cells(t.levels);
    sort_load_splitters<element>(&t, p, splitter, place);
    for (uint32_t k = threadIdx.x; k < p.ways; k += SORT_COUNT_THREADS) counts[k] = 0;
    __syncthreads();
    for (uint32_t first = p.first; first < p.last; first += SORT_COUNT_THREADS * SORT_COUNT_EACH) {
        key value[SORT_COUNT_EACH];
        uint32_t bucket[SORT_COUNT_EACH];
        const uint32_t count = p.last - first, ahead = first - p.begin;
        UNROLL
        for (uint32_t i = 0; i < SORT_COUNT_EACH; ++i) {
            const uint32_t k = threadIdx.x + i * SORT_COUNT_THREADS;
            value[i] = k < count ? sort_get(t, a[first + k]) : sort_of<element>::last();
        }
        sort_find(
            splitter, place, p.levels, value,
            [&](uint32_t i) { return ahead + threadIdx.x + i * SORT_COUNT_THREADS; }, bucket);
        UNROLL
        for (uint32_t i = 0; i < SORT_COUNT_EACH; ++i)
            if (threadIdx.x + i * SORT_COUNT_THREADS < count) ATOMIC_ADD(&counts[bucket[i]], 1u);
    }
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < p.ways; k += SORT_COUNT_THREADS)
        t.counts[(uint64_t)blockIdx.x * t.row + k] = counts[k];
}

/* Of the thread's bucket: counts become those of the pieces before; the sum of all. */
static __device__ inline uint32_t sort_add_up(uint32_t *counts, uint32_t row, uint32_t first, uint32_t last) {
    enum { some = 8 };
    uint32_t sum = 0;
    for (uint32_t piece = first; piece < last; piece += some) {
        uint32_t held[some];
        UNROLL
        for (uint32_t i = 0; i < some; ++i)
            held[i] = piece + i < last ? counts[(uint64_t)(piece + i) * row + threadIdx.x] : 0;
        UNROLL
        for (uint32_t i = 0; i < some; ++i) {
            if (piece + i < last) counts[(uint64_t)(piece + i) * row + threadIdx.x] = sum;
            sum += held[i];
        }
    }
    return sum;
}

/** b is t.counts. A thread a bucket. */
template <class element>
__global__ void sort_offsets(element *__restrict__ b, const element *, const GRID_CONSTANT sort_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const sums = (uint32_t *)shared_memory;
    const sort_part p = sort_segment(&t, blockIdx.x);
    const uint32_t bucket = threadIdx.x;
    uint32_t sum = 0, all;
    if (bucket < p.ways)
        sum = sort_add_up(b, t.row, sort_pieces_before(&t, p.segment), sort_pieces_before(&t, p.segment + 1));
    const uint32_t before = p.begin + sort_sum_before(sum, sums, &all);
    if (bucket < t.row) t.bucket_begin[(uint64_t)p.segment * t.row + bucket] = before;
    if (p.segment == t.segments - 1 && bucket == 0) t.bucket_begin[(uint64_t)t.segments * t.row] = p.end;
    if (p.segment == 0 && bucket <= SORT_LEAF_SIZES) t.turns[bucket] = 0;
    if (t.next_first_piece == nullptr) return; /* else there is one segment */
    const uint32_t pieces = sort_sum_before((sum + t.next_piece - 1) / t.next_piece, sums, &all);
    if (bucket < t.row) t.next_first_piece[bucket] = pieces;
    if (bucket == 0) t.next_first_piece[t.row] = all;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of what is sorted is asked for: pick k is the place, in order, of result k; SORT_NO_PICK where there is no such result.
 *
 *     top         result r of segment s stands at s * count + r
 *     unique      at where the segment begins, + how many others of it there are before
 *     partition   the same for those that come before place `count`; all others come behind it, as they lie
 *
 * Elements that are the first of their like, or come before that place, are marked, and how many marks there are before each element is counted
 * in tiles: rank[i] within element i's tile, sums[tile] before it. So marks before i = rank[i] + sums[i / tile].
 */
#include "sort/kernels/codes/sort_key_bits.h"
#include "sort/kernels/sort_search.h"
#include "sort/kernels/sort_sum.h"
#include "sort/kernels/tables/pick.h"

static __device__ inline uint32_t sort_segment_begin(const sort_ranges &all, uint32_t s) {
    return all.begin != nullptr ? all.begin[s] : s == 0 ? 0 : all.n;
}

/** The segment that an element of any is in. */
static __device__ inline uint32_t sort_segment_of(const sort_ranges &all, uint32_t i) {
    return sort_last_begun([&](uint32_t s) { return sort_segment_begin(all, s); }, all.segments, i);
}

/** b receives picks; a thread a result. */
template <class element>
__global__ void sort_top(element *__restrict__ b, const element *, const GRID_CONSTANT sort_top_table t) {
    const uint64_t k = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (k >= (uint64_t)t.ranges.segments * t.count) return;
    const uint32_t s = (uint32_t)(k / t.count), r = (uint32_t)(k % t.count);
    const uint32_t begin = sort_segment_begin(t.ranges, s),
                   length = sort_segment_begin(t.ranges, s + 1) - begin;
    b[k] = r < length ? begin + r : SORT_NO_PICK;
}

/* True if the element at place i is not like the one before in its segment. */
static __device__ inline bool sort_is_new(const sort_marks_table &t, uint32_t i) {
    if (t.marks != nullptr) return t.marks[i] != 0;
    if (i < sort_segment_begin(t.ranges, 0) || i >= sort_segment_begin(t.ranges, t.ranges.segments))
        return false;
    if (sort_segment_begin(t.ranges, sort_segment_of(t.ranges, i)) == i) return true;
    const uint64_t here = t.order != nullptr ? t.order[i] : i,
                   before = t.order != nullptr ? t.order[i - 1] : i - 1;
    const unsigned char *const e[2] = {t.rows.elements + here * t.rows.elem_bytes,
                                       t.rows.elements + before * t.rows.elem_bytes};
    bool differs = false;
    ROLL for (uint32_t p = 0; p < t.rows.pieces.count && !differs; ++p) {
        uint64_t code[2];
        sort_key_pieces(t.rows, t.rows.pieces.piece[p], e, code);
        differs = code[0] != code[1];
    }
    return differs;
}

/** b receives ranks and t.sums each tile's marks, a block a tile; there are no picks yet. */
template <class element>
__global__ void sort_marks(element *__restrict__ b, const element *, const GRID_CONSTANT sort_marks_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t before = 0, all;
    for (uint32_t k = threadIdx.x; k < SORT_MARKS; k += SORT_ROW_THREADS) {
        const uint64_t i = (uint64_t)blockIdx.x * SORT_MARKS + k;
        const uint32_t mark = i < t.ranges.n && sort_is_new(t, (uint32_t)i) ? 1 : 0;
        const uint32_t rank = before + sort_sum_before(mark, (uint32_t *)shared_memory, &all);
        if (i < t.ranges.n) {
            b[i] = rank;
            t.picks[i] = SORT_NO_PICK;
        }
        before += all;
        __syncthreads();
    }
    if (threadIdx.x == 0) t.sums[blockIdx.x] = before;
}

/** So many sums, at b, become those of the tiles before; behind them all. One block. */
template <class element>
__global__ void sort_add_marks(element *__restrict__ b, const element *, uint32_t count) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t before = 0, all;
    for (uint32_t first = 0; first < count; first += blockDim.x) {
        const uint32_t k = first + threadIdx.x, own = k < count ? b[k] : 0;
        const uint32_t sum = sort_sum_before(own, (uint32_t *)shared_memory, &all);
        if (k < count) b[k] = before + sum;
        before += all;
        __syncthreads();
    }
    if (threadIdx.x == 0) b[count] = before;
}

/* Marks before element i; i may be n. */
static __device__ inline uint32_t sort_marks_before(const sort_pick_table &t, uint32_t i) {
    return i == t.ranges.n ? t.sums[(i + SORT_MARKS - 1) / SORT_MARKS] : t.ranks[i] + t.sums[i / SORT_MARKS];
}

/** b receives picks; a thread an element. */
template <class element>
__global__ void sort_pick(element *__restrict__ b, const element *, const GRID_CONSTANT sort_pick_table t) {
    const uint64_t k = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (k >= t.ranges.n) return;
    const uint32_t i = (uint32_t)k, rank = sort_marks_before(t, i);
    if (sort_marks_before(t, i + 1) == rank) return;
    const uint32_t begin = sort_segment_begin(t.ranges, sort_segment_of(t.ranges, i));
    b[begin + (rank - sort_marks_before(t, begin))] = i;
}

/** b receives how many results each segment has; a thread a segment. */
template <class element>
__global__ void sort_lengths(element *__restrict__ b, const element *, const GRID_CONSTANT sort_pick_table t) {
    const uint64_t s = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (s >= t.ranges.segments) return;
    b[s] = sort_marks_before(t, sort_segment_begin(t.ranges, (uint32_t)s + 1)) -
           sort_marks_before(t, sort_segment_begin(t.ranges, (uint32_t)s));
}

/** b receives marks: of elements that come before place t.count of their segment; a thread a place in the order. */
template <class element>
__global__ void sort_fronts(element *__restrict__ b, const element *, const GRID_CONSTANT sort_partition_table t) {
    const uint64_t k = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (k >= t.ranges.n) return;
    const uint32_t i = (uint32_t)k;
    if (!sort_is_inside(t.ranges, i)) {
        b[i] = 0;
        return;
    }
    b[t.order[i]] = i - sort_segment_begin(t.ranges, sort_segment_of(t.ranges, i)) < t.count ? 1 : 0;
}

/** b receives picks; a thread an element. */
template <class element>
__global__ void sort_partition(element *__restrict__ b, const element *, const GRID_CONSTANT sort_partition_table t) {
    const uint64_t k = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (!sort_is_inside(t.ranges, k)) return;
    const sort_pick_table marks = {t.ranges, t.ranks, t.sums};
    const uint32_t i = (uint32_t)k, s = sort_segment_of(t.ranges, i), begin = sort_segment_begin(t.ranges, s),
                   length = sort_segment_begin(t.ranges, s + 1) - begin;
    const uint32_t rank = sort_marks_before(marks, i), before = rank - sort_marks_before(marks, begin);
    uint32_t to = begin + before;
    if (sort_marks_before(marks, i + 1) == rank) {
        const uint32_t middle = t.order[begin + (t.count < length ? t.count : 0)];
        to = begin + t.count + (i == middle ? 0 : 1 + (i - begin - before) - (middle < i ? 1 : 0));
    }
    b[to] = i;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts leaves that are too long for a warp, a block a leaf: chunks that the block's registers hold are sorted, with their
 * places, and then merged two by two. The two arrays take turns, so that the last merge writes where the result belongs.
 *
 * Sampling makes such leaves seldom, and merging them is not made fast. Arrays of one chunk that no leaf holds come here whole. Segments that
 * are leaves can have any length: those of more than t.most keys are left to all blocks (sort_runs.cu).
 */
#include "sort/kernels/leaves/sort_chunk.h"
#include "sort/kernels/sort_summed.h"

enum { SORT_ALIKE = 1 << 13 }; /* equal keys that one block moves */

/* Runs of `run` keys become runs of twice as many. */
template <bool carries, class element>
static __device__ inline void sort_merge_runs(const sort_coder &by, const sort_arrays<element> &to,
                                              const sort_arrays<element> &from, uint32_t first, uint32_t last,
                                              uint32_t run, bool is_result) {
    for (uint64_t part = (uint64_t)threadIdx.x * SORT_MERGE_EACH; part < last - first;
         part += SORT_LONG_THREADS * SORT_MERGE_EACH) {
        const uint32_t pair = (uint32_t)(part / (2 * (uint64_t)run)) * 2 * run, a = first + pair,
                       left = last - a;
        const uint32_t a_count = left < run ? left : run, b_count = left - a_count < run ? left - a_count : run;
        const uint32_t at = (uint32_t)part - pair, both = a_count + b_count;
        const uint32_t end = at + SORT_MERGE_EACH < both ? at + SORT_MERGE_EACH : both;
        sort_merge_part<carries>(by, to, from, a, a_count, a + a_count, b_count, at, end, is_result);
    }
    __syncthreads();
}

/* Codes that one block sorts, or its part of those that many do: every `stride`-th from the thread's first on. */
template <bool carries, class element>
static __device__ inline void sort_sum_long(const sort_long_table &t, const element *a, uint32_t leaf,
                                            uint64_t first, uint32_t last, uint64_t stride) {
    check_sums sums = {0, 0};
    if (t.summed.record == nullptr) return;
    for (uint64_t i = first + threadIdx.x; i < last; i += stride) {
        if (carries)
            sort_sum_pair(&sums, sort_get(t.coder, a[i]), t.carried.from[i]);
        else
            sort_sum_key(&sums, sort_get(t.coder, a[i]));
    }
    sort_end_warp(t.summed, sums, sort_summed_segment(t.summed, leaf));
}

template <bool carries, class element>
static __device__ inline void sort_one(const sort_long_table &t, element *b, const element *a, uint32_t leaf,
                                       uint32_t first, uint32_t last, uint64_t *shared) {
    const sort_arrays<element> result = {b, t.carried.to};
    const sort_arrays<element> other = {(element *)t.spare.keys, t.spare.carried};
    const uint32_t most = SORT_CHUNK;
    uint32_t rounds = 0;
    sort_sum_long<carries>(t, a, leaf, first, last, SORT_LONG_THREADS);
    while ((uint64_t)SORT_CHUNK << rounds < last - first) ++rounds;
    for (uint32_t chunk = first; chunk < last; chunk += last - chunk < most ? last - chunk : most)
        sort_chunk<carries>(t.coder, rounds % 2 == 0 ? result : other, a, t.carried.from, chunk,
                            last - chunk < most ? last : chunk + most, rounds == 0, shared);
    __syncthreads();
    for (uint32_t round = 0; round < rounds; ++round) {
        const bool to_result = (rounds - round) % 2 == 1;
        sort_merge_runs<carries>(t.coder, to_result ? result : other, to_result ? other : result, first, last,
                                 (uint32_t)SORT_CHUNK << round, round + 1 == rounds);
    }
}

static __device__ inline bool sort_is_alike(const sort_long_table &t, uint32_t leaf) {
    return t.rest != nullptr && t.are_alike != nullptr && t.are_alike[leaf];
}

/* Keys that are all equal are moved, by `blocks` blocks of which this is one. */
template <bool carries, class element>
static __device__ inline void sort_take(const sort_long_table &t, element *b, const element *a, uint32_t leaf,
                                        uint32_t block, uint32_t blocks) {
    const uint32_t first = t.begin[leaf], last = t.begin[leaf + 1];
    sort_sum_long<carries>(t, a, leaf, first + (uint64_t)block * SORT_LONG_THREADS, last,
                           (uint64_t)blocks * SORT_LONG_THREADS);
    for (uint64_t i = first + (uint64_t)block * SORT_LONG_THREADS + threadIdx.x; i < last;
         i += (uint64_t)blocks * SORT_LONG_THREADS) {
        b[i] = sort_put<element>(t.coder, sort_of<element>::get(a[i]));
        if (carries) t.carried.to[i] = t.carried.from[i];
    }
}

/* A leaf of keys that are not all equal, or of few. */
template <bool carries, class element>
static __device__ inline void sort_one_leaf(const sort_long_table &t, element *b, const element *a,
                                            uint32_t leaf, uint64_t *shared) {
    const uint32_t first = t.rest != nullptr ? t.begin[leaf] : 0,
                   last = t.rest != nullptr ? t.begin[leaf + 1] : t.n;
    if (last - first <= t.above) return;
    if (!sort_is_alike(t, leaf)) {
        if (last - first <= t.most) {
            sort_one<carries>(t, b, a, leaf, first, last, shared);
        } else if (threadIdx.x == 0) {
            ATOMIC_OR(&t.rest[1], last - first);
        }
    } else if (last - first <= SORT_ALIKE) {
        sort_take<carries>(t, b, a, leaf, 0, 1);
    }
}

/* Leaves of many equal keys, which all blocks move together: of SORT_LONG_THREADS leaves at a time those are found. */
template <bool carries, class element>
static __device__ inline void sort_many_alike(const sort_long_table &t, element *b, const element *a,
                                              uint32_t leaves, uint32_t *found) {
    for (uint32_t from = 0; from < leaves; from += SORT_LONG_THREADS) {
        const uint32_t i = from + threadIdx.x, leaf = i < leaves ? t.rest[SORT_REST + i] : 0;
        if (threadIdx.x == 0) found[0] = 0;
        __syncthreads();
        if (i < leaves && sort_is_alike(t, leaf) && t.begin[leaf + 1] - t.begin[leaf] > SORT_ALIKE)
            found[1 + ATOMIC_ADD(&found[0], 1u)] = leaf;
        __syncthreads();
        for (uint32_t k = 0; k < found[0]; ++k)
            sort_take<carries>(t, b, a, found[1 + k], blockIdx.x, gridDim.x);
        __syncthreads();
    }
}

/** From a, where the leaves lie, to b, and what is carried: the same or t.spare. A grid of any length. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(SORT_LONG_THREADS, 1)
    sort_long(element *b, const element *a, const GRID_CONSTANT sort_long_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t leaves = t.rest != nullptr ? t.rest[0] : 1;
    for (uint32_t i = blockIdx.x; i < leaves; i += gridDim.x) {
        sort_one_leaf<carries>(t, b, a, t.rest != nullptr ? t.rest[SORT_REST + i] : 0, shared_memory);
        __syncthreads();
    }
    if (t.rest != nullptr) sort_many_alike<carries>(t, b, a, leaves, (uint32_t *)shared_memory);
}

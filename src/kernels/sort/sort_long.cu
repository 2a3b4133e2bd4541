/* SPDX-License-Identifier: Apache-2.0
 *
 * What is too long for a warp, a block a leaf: chunks that the block's registers hold are sorted, with their places,
 * and then merged two by two, by as many threads as there are, each of which finds where its part of the result begins
 * in both. The two arrays take turns, so that the last merge writes where the result belongs.
 *
 * Sampling makes such leaves seldom, and merging them is not made fast. Arrays of one chunk come here whole.
 */
#include "kernels/sort/sort_block.h"

enum { SORT_CHUNK = SORT_LONG_THREADS * SORT_LONG_EACH, SORT_MERGE_EACH = 8 };

/** Keys and what goes along with them. */
template <class element> struct sort_arrays {
    element *keys;
    uint32_t *carried;
};

/* Keys first to last - 1 sorted, with what goes along: their own places where nothing does. May be where they lie. */
template <bool carries, class element>
static __device__ inline void sort_chunk(const sort_table &t, const sort_arrays<element> &to,
                                         const element *keys, uint32_t first, uint32_t last, bool is_result,
                                         uint64_t *shared) {
    typedef sort_of<element> of;
    typename of::tagged k[SORT_LONG_EACH];
    uint32_t carried[SORT_LONG_EACH];
    UNROLL
    for (uint32_t r = 0; r < SORT_LONG_EACH; ++r) {
        const uint32_t i = r * SORT_LONG_THREADS + threadIdx.x;
        k[r] = of::tag(i < last - first ? sort_get(t, keys[first + i]) : of::last(), i);
    }
    sort_block<SORT_LONG_THREADS>(k, (typename of::tagged *)shared);
    UNROLL
    for (uint32_t r = 0; r < SORT_LONG_EACH; ++r) {
        const uint32_t from = first + of::tag_of(k[r]);
        carried[r] = carries && from < last && t.carried_from != nullptr ? t.carried_from[from] : from;
    }
    __syncthreads();
    UNROLL
    for (uint32_t r = 0; r < SORT_LONG_EACH; ++r) {
        const uint32_t i = threadIdx.x * SORT_LONG_EACH + r;
        if (i >= last - first) continue;
        to.keys[first + i] = is_result ? sort_put<element>(t, of::key_of(k[r])) : of::put(of::key_of(k[r]));
        if (carries) to.carried[first + i] = carried[r];
    }
}

/* How many of the first `at` results of merging two runs are of the first. */
template <class element>
static __device__ inline uint32_t sort_merge_begin(const element *keys, uint32_t a, uint32_t a_count,
                                                   uint32_t b, uint32_t b_count, uint32_t at) {
    typedef sort_of<element> of;
    uint32_t low = at > b_count ? at - b_count : 0, high = at < a_count ? at : a_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (sort_before(of::get(keys[b + at - 1 - middle]), of::get(keys[a + middle]))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Results `at` to `end` of merging the runs that begin at a and b of `from`. */
template <bool carries, class element>
static __device__ inline void sort_merge_part(const sort_table &t, const sort_arrays<element> &to,
                                              const sort_arrays<element> &from, uint32_t a, uint32_t a_count,
                                              uint32_t b, uint32_t b_count, uint32_t at, uint32_t end,
                                              bool is_result) {
    typedef sort_of<element> of;
    uint32_t i = sort_merge_begin(from.keys, a, a_count, b, b_count, at), j = at - i;
    for (; at < end; ++at) {
        const bool first =
            j >= b_count || (i < a_count && !sort_before(of::get(from.keys[b + j]), of::get(from.keys[a + i])));
        const uint32_t taken = first ? a + i++ : b + j++;
        const element e = from.keys[taken];
        to.keys[a + at] = is_result ? sort_put<element>(t, of::get(e)) : e;
        if (carries) to.carried[a + at] = from.carried[taken];
    }
}

/* Runs of `run` keys become runs of twice as many. */
template <bool carries, class element>
static __device__ inline void sort_merge_runs(const sort_table &t, const sort_arrays<element> &to,
                                              const sort_arrays<element> &from, uint32_t first, uint32_t last,
                                              uint32_t run, bool is_result) {
    for (uint64_t part = (uint64_t)threadIdx.x * SORT_MERGE_EACH; part < last - first;
         part += SORT_LONG_THREADS * SORT_MERGE_EACH) {
        const uint32_t pair = (uint32_t)(part / (2 * (uint64_t)run)) * 2 * run, a = first + pair,
                       left = last - a;
        const uint32_t a_count = left < run ? left : run, b_count = left - a_count < run ? left - a_count : run;
        const uint32_t at = (uint32_t)part - pair, both = a_count + b_count;
        const uint32_t end = at + SORT_MERGE_EACH < both ? at + SORT_MERGE_EACH : both;
        sort_merge_part<carries>(t, to, from, a, a_count, a + a_count, b_count, at, end, is_result);
    }
    __syncthreads();
}

template <bool carries, class element>
static __device__ inline void sort_one(const sort_table &t, element *b, const element *a, uint32_t first,
                                       uint32_t last, uint64_t *shared) {
    const sort_arrays<element> result = {b, t.carried_to};
    const sort_arrays<element> other = {(element *)t.room, t.carried_room};
    const uint32_t most = SORT_CHUNK;
    uint32_t rounds = 0;
    while ((uint64_t)SORT_CHUNK << rounds < last - first) ++rounds;
    for (uint32_t chunk = first; chunk < last; chunk += last - chunk < most ? last - chunk : most)
        sort_chunk<carries>(t, rounds % 2 == 0 ? result : other, a, chunk,
                            last - chunk < most ? last : chunk + most, rounds == 0, shared);
    __syncthreads();
    for (uint32_t round = 0; round < rounds; ++round) {
        const bool to_result = (rounds - round) % 2 == 1;
        sort_merge_runs<carries>(t, to_result ? result : other, to_result ? other : result, first, last,
                                 (uint32_t)SORT_CHUNK << round, round + 1 == rounds);
    }
}

/** From a, where the leaves lie, to b, and from t.carried_from to t.carried_to: the same or t.room and t.carried_room. A grid of
 *  any length. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(SORT_LONG_THREADS, 1)
    sort_long(element *b, const element *a, const GRID_CONSTANT sort_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t leaves = t.rest != nullptr ? t.rest[0] : 1;
    for (uint32_t i = blockIdx.x; i < leaves; i += gridDim.x) {
        const uint32_t leaf = t.rest != nullptr ? t.rest[1 + i] : 0;
        const uint32_t first = t.rest != nullptr ? t.bucket_begin[leaf] : 0;
        sort_one<carries>(t, b, a, first, t.rest != nullptr ? t.bucket_begin[leaf + 1] : t.n, shared_memory);
        __syncthreads();
    }
}

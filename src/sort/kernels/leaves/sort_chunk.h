/* SPDX-License-Identifier: Apache-2.0
 *
 * Chunks that a block's registers hold, sorted, and runs of them merged, by threads each of which finds where its part of the
 * result begins in both.
 */
#ifndef RIFFLE_SORT_KERNELS_LEAVES_SORT_CHUNK_H
#define RIFFLE_SORT_KERNELS_LEAVES_SORT_CHUNK_H

#include "sort/kernels/sort_block.h"
#include "sort/kernels/tables/leaf.h"

enum { SORT_MERGE_EACH = 8 };

/** Keys and what goes along with them. */
template <class element> struct sort_arrays {
    element *keys;
    uint32_t *carried;
};

/* Keys first to last - 1 sorted, with what goes along: their own places where that is NULL. May be where they lie. */
template <bool carries, class element>
static __device__ inline void sort_chunk(const sort_coder &by, const sort_arrays<element> &to,
                                         const element *keys, const uint32_t *from_carried, uint32_t first,
                                         uint32_t last, bool is_result, uint64_t *shared) {
    typedef sort_of<element> of;
    typename of::tagged k[SORT_LONG_EACH];
    uint32_t carried[SORT_LONG_EACH];
    UNROLL
    for (uint32_t r = 0; r < SORT_LONG_EACH; ++r) {
        const uint32_t i = r * SORT_LONG_THREADS + threadIdx.x;
        k[r] = of::tag(i < last - first ? sort_get(by, keys[first + i]) : of::last(), i);
    }
    sort_block<SORT_LONG_THREADS>(k, (typename of::tagged *)shared);
    UNROLL
    for (uint32_t r = 0; r < SORT_LONG_EACH; ++r) {
        const uint32_t from = first + of::tag_of(k[r]);
        carried[r] = carries && from < last && from_carried != nullptr ? from_carried[from] : from;
    }
    __syncthreads();
    UNROLL
    for (uint32_t r = 0; r < SORT_LONG_EACH; ++r) {
        const uint32_t i = threadIdx.x * SORT_LONG_EACH + r;
        if (i >= last - first) continue;
        to.keys[first + i] = is_result ? sort_put<element>(by, of::key_of(k[r])) : of::put(of::key_of(k[r]));
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
static __device__ inline void sort_merge_part(const sort_coder &by, const sort_arrays<element> &to,
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
        to.keys[a + at] = is_result ? sort_put<element>(by, of::get(e)) : e;
        if (carries) to.carried[a + at] = from.carried[taken];
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The vectors (device/kernels/vectors.h) of a block: t.vectors of them, fewer in the last.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_SELECT_READ_H
#define RIFFLE_SORT_KERNELS_SELECT_SELECT_READ_H

#include "device/kernels/vectors.h"
#include "sort/kernels/select/select_code.h"

/** The vectors of this block, from *first on. */
template <class element>
static __device__ inline uint64_t select_vectors(const select_table &t, const element *a, uint64_t *first) {
    const uint64_t all = vector_count(a, t.n);
    const uint64_t from = (uint64_t)blockIdx.x * t.vectors, end = from + t.vectors;
    *first = from;
    return end < all ? end : all;
}

/** True if one of the vector's elements may have a code that is not behind the bound of which `most` is made; those that are no one's may,
 *  too. */
template <class element>
static __device__ inline bool select_may(const select_coder &by, const vector_of<element> &v,
                                         const typename sort_of<typename select_of<element>::word>::key &most) {
    bool may = false;
    UNROLL
    for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j)
        may |= !sort_before(most, select_unjoined(by, select_of<element>::bits(v.of.part[j], by.shift)));
    return may;
}

/** Reads a vector, if it is before the end. */
template <class element>
static __device__ inline void select_read(const element *a, uint32_t n, uint64_t vector, uint64_t end,
                                          vector_of<element> &to) {
    vector_read(a, n, vector, vector < end, to);
}

/** Reads `count` vectors a thread, neighbours a block. Where all of the block's are there, no load waits for a branch of its own. */
template <uint32_t count, class element>
static __device__ inline void select_read_tile(const element *a, uint32_t n, uint64_t tile, uint64_t end,
                                               vector_of<element> (&to)[count]) {
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    const uint64_t behind = tile + count * SELECT_THREADS, lead = vector_lead(a);
    if (behind > end || tile * each < lead || behind * each - lead > n) {
        UNROLL
        for (uint32_t i = 0; i < count; ++i)
            select_read(a, n, tile + i * SELECT_THREADS + threadIdx.x, end, to[i]);
        return;
    }
    const vector16 *const from = (const vector16 *)(a + (int64_t)(tile * each - lead));
    UNROLL
    for (uint32_t i = 0; i < count; ++i) {
        to[i].of.whole = LOAD_STREAMED(from + i * SELECT_THREADS + threadIdx.x);
        to[i].first = (int64_t)((tile + i * SELECT_THREADS + threadIdx.x) * each - lead);
        to[i].valid = (1u << each) - 1;
    }
}

#endif

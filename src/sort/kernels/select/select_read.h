/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements as vectors of 16 bytes, each of which lies where vectors do: the first and the last may have elements that are no one's.
 *
 *     vectors    | 0       | 1       | 2       | ...
 *     elements       | 0 1   2 3 4 5   6 ...            t.n of them; those of a block are t.vectors vectors
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_SELECT_READ_H
#define RIFFLE_SORT_KERNELS_SELECT_SELECT_READ_H

#include "sort/kernels/select/select_code.h"

template <class element> struct select_vector {
    enum { ELEMENTS = sizeof(vector16) / sizeof(element) };
    union held {
        vector16 whole;
        element part[ELEMENTS];
        __device__ held() {}
    } of;
    int64_t first;  /* the first element's number */
    uint32_t valid; /* a bit for each that is there */
};

/* Elements before the first in its vector. */
template <class element> static __device__ inline uint32_t select_lead(const element *a) {
    return (uint32_t)((uint64_t)a % sizeof(vector16) / sizeof(element));
}

/** The vectors of this block, from *first on. */
template <class element>
static __device__ inline uint64_t select_vectors(const select_table &t, const element *a, uint64_t *first) {
    constexpr uint32_t each = select_vector<element>::ELEMENTS;
    const uint64_t all = ((uint64_t)t.n + select_lead(a) + each - 1) / each;
    const uint64_t from = (uint64_t)blockIdx.x * t.vectors, end = from + t.vectors;
    *first = from;
    return end < all ? end : all;
}

/** True if one of the vector's elements may have a code that is not behind the bound of which `most` is made; those that are no one's may,
 *  too. */
template <class element>
static __device__ inline bool select_may(const select_coder &by, const select_vector<element> &v,
                                         const typename sort_of<typename select_of<element>::word>::key &most) {
    bool may = false;
    UNROLL
    for (uint32_t j = 0; j < select_vector<element>::ELEMENTS; ++j)
        may |= !sort_before(most, select_unjoined(by, select_of<element>::bits(v.of.part[j], by.shift)));
    return may;
}

template <class element>
static __device__ inline void select_read(const element *a, uint32_t n, uint64_t vector, uint64_t end,
                                          select_vector<element> &to) {
    constexpr uint32_t each = select_vector<element>::ELEMENTS;
    to.valid = 0;
    to.first = (int64_t)(vector * each) - select_lead(a);
    if (vector < end && to.first >= 0 && to.first + each <= n) {
        to.of.whole = LOAD_STREAMED((const vector16 *)(a + to.first));
        to.valid = (1u << each) - 1;
        return;
    }
    to.of.whole = vector16{};
    if (vector >= end) return;
    UNROLL
    for (uint32_t j = 0; j < each; ++j) {
        const int64_t i = to.first + j;
        if (i < 0 || i >= n) continue;
        to.of.part[j] = a[i];
        to.valid |= 1u << j;
    }
}

#endif

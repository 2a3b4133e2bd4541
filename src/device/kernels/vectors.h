/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays read as vectors of 16 bytes, each of which lies where vectors do: the first and the last may have elements that are no one's.
 *
 *     vectors    | 0       | 1       | 2       | ...
 *     elements       | 0 1   2 3 4 5   6 ...            n of them
 */
#ifndef RIFFLE_DEVICE_KERNELS_VECTORS_H
#define RIFFLE_DEVICE_KERNELS_VECTORS_H

#include "device/kernels/device.h"

template <class element> struct vector_of {
    enum { ELEMENTS = sizeof(vector16) / sizeof(element) };
    union held {
        vector16 whole;
        element part[ELEMENTS];
        __device__ held() {}
    } of;
    int64_t first;  /* the first element's number */
    uint32_t valid; /* a bit for each that is there */
};

/** Elements before the array's first in its vector. */
template <class element> static __device__ inline uint32_t vector_lead(const element *a) {
    return (uint32_t)((uint64_t)a % sizeof(vector16) / sizeof(element));
}

/** Vectors that n elements lie in. */
template <class element> static __device__ inline uint64_t vector_count(const element *a, uint64_t n) {
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    return (n + vector_lead(a) + each - 1) / each;
}

/** Reads vector k, if it is wanted; elements that are not there are 0. */
template <class element>
static __device__ inline void vector_read(const element *a, uint64_t n, uint64_t k, bool is_wanted,
                                          vector_of<element> &to) {
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    to.valid = 0;
    to.first = (int64_t)(k * each) - vector_lead(a);
    if (is_wanted && to.first >= 0 && (uint64_t)to.first + each <= n) {
        to.of.whole = LOAD_STREAMED((const vector16 *)(a + to.first));
        to.valid = (1u << each) - 1;
        return;
    }
    to.of.whole = vector16{};
    if (!is_wanted) return;
    UNROLL
    for (uint32_t j = 0; j < each; ++j) {
        const int64_t i = to.first + j;
        if (i < 0 || (uint64_t)i >= n) continue;
        to.of.part[j] = a[i];
        to.valid |= 1u << j;
    }
}

#endif

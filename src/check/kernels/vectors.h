/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays read as vectors of 16 bytes, each of which lies where vectors do: the first and the last may have elements that are no one's.
 *
 *     vectors    | 0       | 1       | 2       | ...
 *     elements       | 0 1   2 3 4 5   6 ...            n of them
 */
#ifndef RIFFLE_CHECK_KERNELS_VECTORS_H
#define RIFFLE_CHECK_KERNELS_VECTORS_H

#include "device/kernels/device.h"

template <class element> struct check_vector {
    enum { ELEMENTS = sizeof(vector16) / sizeof(element) };
    union held {
        vector16 whole;
        element part[ELEMENTS];
        __device__ held() {}
    } of;
    int64_t first;  /* the first element's number */
    uint32_t valid; /* a bit for each that is there */
};

/** Reads vector k; elements that are not there are 0. */
template <class element>
static __device__ inline void check_read(const element *a, uint64_t n, uint64_t k, check_vector<element> &to) {
    constexpr uint32_t each = check_vector<element>::ELEMENTS;
    to.first = (int64_t)(k * each) - (int64_t)((uint64_t)a % sizeof(vector16) / sizeof(element));
    to.valid = (1u << each) - 1;
    if (to.first >= 0 && (uint64_t)to.first + each <= n) {
        to.of.whole = LOAD_STREAMED((const vector16 *)(a + to.first));
        return;
    }
    to.of.whole = vector16{};
    to.valid = 0;
    UNROLL
    for (uint32_t j = 0; j < each; ++j) {
        const int64_t i = to.first + j;
        if (i < 0 || (uint64_t)i >= n) continue;
        to.of.part[j] = a[i];
        to.valid |= 1u << j;
    }
}

#endif

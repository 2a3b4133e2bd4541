/* SPDX-License-Identifier: Apache-2.0
 *
 * Element by element along a table (Kasagi, Nakano, Ito 2013, section IV): the conventional algorithms, one
 * side of which is casual.
 */
#include "device/kernels/device.h"

/** D-designated: b[p[i]] = a[i], for `moves` elements a thread, at most AT_ONCE, a block's side by side. */
template <class element>
__global__ void scatter(element *__restrict__ b, const element *__restrict__ a, const uint32_t *__restrict__ p,
                        uint64_t n, uint32_t moves) {
    const uint64_t first = (uint64_t)blockIdx.x * (blockDim.x * moves) + threadIdx.x;
    uint32_t to[AT_ONCE];
    element held[AT_ONCE];
    UNROLL
    for (uint32_t k = 0; k < AT_ONCE; ++k) {
        const uint64_t i = first + k * blockDim.x;
        if (k >= moves || i >= n) break;
        to[k] = p[i];
        held[k] = a[i];
    }
    UNROLL
    for (uint32_t k = 0; k < AT_ONCE; ++k) {
        if (k >= moves || first + k * blockDim.x >= n) break;
        b[to[k]] = held[k];
    }
}

/** S-designated: b[i] = a[q[i]], likewise. */
template <class element>
__global__ void gather(element *__restrict__ b, const element *__restrict__ a, const uint32_t *__restrict__ q,
                       uint64_t n, uint32_t moves) {
    const uint64_t first = (uint64_t)blockIdx.x * (blockDim.x * moves) + threadIdx.x;
    uint32_t from[AT_ONCE];
    element held[AT_ONCE];
    UNROLL
    for (uint32_t k = 0; k < AT_ONCE; ++k) {
        const uint64_t i = first + k * blockDim.x;
        if (k >= moves || i >= n) break;
        from[k] = q[i];
    }
    UNROLL
    for (uint32_t k = 0; k < AT_ONCE; ++k) {
        if (k >= moves || first + k * blockDim.x >= n) break;
        held[k] = a[from[k]];
    }
    UNROLL
    for (uint32_t k = 0; k < AT_ONCE; ++k) {
        const uint64_t i = first + k * blockDim.x;
        if (k >= moves || i >= n) break;
        b[i] = held[k];
    }
}

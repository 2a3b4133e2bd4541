/* SPDX-License-Identifier: Apache-2.0
 *
 * b[i][d[i][k]] = a[i][s[i][k]] for every row i and every k, a row a block, through shared memory (Kasagi,
 * Nakano, Ito 2013, section VI). s and d come in an order in which neither side has a bank conflict
 * (papers/schedules/row_wise.h). Only the first `readable` elements of a and the first `writable` of b exist.
 *
 *     a --coalesced--> in --s--> register --d--> out --coalesced--> b
 *
 * The first moves of each thread are fetched before the row is, later ones while those before them are made.
 */
#include "device/kernels/device.h"

template <class element>
__global__ void row_wise(element *__restrict__ b, const element *__restrict__ a, const uint16_t *__restrict__ s,
                         const uint16_t *__restrict__ d, uint32_t cols, uint64_t readable, uint64_t writable) {
    extern __shared__ uint64_t shared_memory[];
    element *const in = (element *)shared_memory, *const out = in + cols;
    const uint64_t row = (uint64_t)blockIdx.x * cols;
    const uint32_t step = blockDim.x;
    uint16_t from[AT_ONCE] = {0}, to[AT_ONCE] = {0};
    for (uint32_t i = 0, k = threadIdx.x; i < AT_ONCE; ++i, k += step) {
        if (k >= cols) continue;
        from[i] = s[row + k];
        to[i] = d[row + k];
    }
    for (uint32_t first = threadIdx.x; first < cols; first += AT_ONCE * step) {
        element held[AT_ONCE] = {0};
        for (uint32_t i = 0, j = first; i < AT_ONCE; ++i, j += step) {
            if (j < cols && row + j < readable) held[i] = a[row + j];
        }
        for (uint32_t i = 0, j = first; i < AT_ONCE; ++i, j += step) {
            if (j < cols) in[j] = held[i];
        }
    }
    __syncthreads();
    for (uint32_t first = threadIdx.x; first < cols; first += AT_ONCE * step) {
        uint16_t next_from[AT_ONCE] = {0}, next_to[AT_ONCE] = {0};
        for (uint32_t i = 0, k = first + AT_ONCE * step; i < AT_ONCE; ++i, k += step) {
            if (k >= cols) continue;
            next_from[i] = s[row + k];
            next_to[i] = d[row + k];
        }
        for (uint32_t i = 0, k = first; i < AT_ONCE; ++i, k += step) {
            if (k < cols) out[to[i]] = in[from[i]];
            from[i] = next_from[i];
            to[i] = next_to[i];
        }
    }
    __syncthreads();
    for (uint32_t j = threadIdx.x; j < cols; j += step) {
        if (row + j < writable) b[row + j] = out[j];
    }
}

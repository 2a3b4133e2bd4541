/* SPDX-License-Identifier: Apache-2.0
 *
 * b[j * rows + i] = a[i * cols + j], by w x w tiles in diagonal arrangement (Kasagi, Nakano, Ito 2013, section
 * V): element (y, x) of a tile lies at y * w + (y + x) mod w, so that its rows and its columns spread over all
 * banks.
 *
 * A block of w x h threads moves one tile, w / h rows of it in each thread's turn. Tiles are numbered along a's
 * rows.
 */
#include "device/kernels/device.h"

template <class element>
__global__ void transpose(element *__restrict__ b, const element *__restrict__ a, uint64_t rows,
                          uint64_t cols) {
    extern __shared__ uint64_t shared_memory[];
    element *const tile = (element *)shared_memory;
    const uint32_t w = blockDim.x, h = blockDim.y, x = threadIdx.x;
    const uint64_t tiles_across = (cols + w - 1) / w;
    const uint64_t top = blockIdx.x / tiles_across * w, left = blockIdx.x % tiles_across * w;
    for (uint32_t first = threadIdx.y; first < w; first += AT_ONCE * h) {
        element held[AT_ONCE] = {0};
        for (uint32_t i = 0, y = first; i < AT_ONCE; ++i, y += h) {
            if (y < w && top + y < rows && left + x < cols) held[i] = a[(top + y) * cols + left + x];
        }
        for (uint32_t i = 0, y = first; i < AT_ONCE; ++i, y += h) {
            if (y < w) tile[y * w + (y + x < w ? y + x : y + x - w)] = held[i];
        }
    }
    __syncthreads();
    for (uint32_t y = threadIdx.y; y < w; y += h) {
        if (left + y < cols && top + x < rows) {
            b[(left + y) * rows + top + x] = tile[x * w + (x + y < w ? x + y : x + y - w)];
        }
    }
}

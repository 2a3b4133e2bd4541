/* SPDX-License-Identifier: Apache-2.0
 *
 * Packed elements, each from where a map says: a thread puts a byte of b together. `element` is an entry of the map; b and a are bytes.
 */
#include "bits/kernels/shape.h"
#include "device/kernels/device.h"

/* Where in its byte an element begins. */
static __device__ inline uint32_t element_place(uint64_t i, uint32_t elem_bits, uint32_t is_big) {
    const uint32_t place = (uint32_t)i * elem_bits % 8;
    return is_big ? 8 - elem_bits - place : place;
}

template <class element>
__global__ void bits_gather(element *b, const element *a, const void *map, uint64_t n, uint64_t bytes,
                            uint64_t all, uint32_t elem_bits, uint32_t is_big) {
    const uint32_t each = 8 / elem_bits, mask = (1u << elem_bits) - 1;
    const uint64_t threads = (uint64_t)gridDim.x * BITS_GATHER_THREADS;
    for (uint64_t k = (uint64_t)blockIdx.x * BITS_GATHER_THREADS + threadIdx.x; k < all; k += threads) {
        const uint64_t within = k % bytes, first = within * each;
        const unsigned char *const from = (const unsigned char *)a + (k - within);
        uint32_t byte = 0;
        for (uint32_t j = 0; j < each && first + j < n; ++j) {
            const uint64_t i = ((const element *)map)[first + j];
            const uint32_t held = from[i * elem_bits / 8];
            byte |= (held >> element_place(i, elem_bits, is_big) & mask) << element_place(j, elem_bits, is_big);
        }
        ((unsigned char *)b)[k] = (unsigned char)byte;
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Squares of E x E elements, E of which are a byte, in E rows that lie side by side (bits/axes.h): element i of byte q of row p and element p of byte q
 * of row i change places. A thread has a unit of each of E rows in registers, `element` long; a and b may be one array.
 */
#include "bits/kernels/shape.h"
#include "device/kernels/device.h"

template <class element> union exchanged {
    element whole;
    uint32_t word[(sizeof(element) + 3) / 4];
    __device__ exchanged() {}
};

/* Bit j of the row's number changes places with bit low + j of a bit's in its byte. */
template <uint32_t low, class element>
static __device__ inline void exchange_rows(exchanged<element> (&row)[8 >> low]) {
    constexpr uint32_t rows = 8 >> low, words = (sizeof(element) + 3) / 4;
    UNROLL
    for (uint32_t j = 0; j < 3 - low; ++j) {
        const uint32_t distance = 1u << (low + j), lower = 0xffffffffu / ((1u << distance) + 1);
        UNROLL
        for (uint32_t i = 0; i < rows; ++i) {
            if (i >> j & 1) continue;
            UNROLL
            for (uint32_t w = 0; w < words; ++w) {
                uint32_t &one = row[i].word[w], &other = row[i | 1u << j].word[w];
                const uint32_t differ = (one >> distance ^ other) & lower;
                other ^= differ;
                one ^= differ << distance;
            }
        }
    }
}

/* In big order the rows are taken from the last one on. */
template <uint32_t low, class element>
static __device__ inline void exchange_unit(element *to, const element *from, uint64_t row, uint32_t is_big) {
    constexpr uint32_t rows = 8 >> low;
    exchanged<element> held[rows];
    UNROLL
    for (uint32_t i = 0; i < rows; ++i) held[i].whole = from[row * (is_big ? rows - 1 - i : i)];
    exchange_rows<low, element>(held);
    UNROLL
    for (uint32_t i = 0; i < rows; ++i) to[row * (is_big ? rows - 1 - i : i)] = held[i].whole;
}

template <class element>
__global__ void bits_exchange(element *b, const element *a, uint64_t units, uint64_t row, uint32_t elem_bits,
                              uint32_t is_big) {
    const uint64_t threads = (uint64_t)gridDim.x * BITS_EXCHANGE_THREADS;
    for (uint64_t k = (uint64_t)blockIdx.x * BITS_EXCHANGE_THREADS + threadIdx.x; k < units; k += threads) {
        const uint64_t at = k / row * row * (8 / elem_bits) + k % row;
        if (elem_bits == 1)
            exchange_unit<0, element>(b + at, a + at, row, is_big);
        else if (elem_bits == 2)
            exchange_unit<1, element>(b + at, a + at, row, is_big);
        else
            exchange_unit<2, element>(b + at, a + at, row, is_big);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Transposes over F2. A block has 256 rows of 256 columns, a warp 32 of these columns; a lane has a word of 32 rows, one below the other, and squares of 32 x 32 bits
 * are turned by five exchanges between lanes. Then a lane has 256 bits of a row of the result.
 *
 * b is the result, a the matrix, in words of 32 bits.
 */
#include "device/kernels/warp.h"
#include "f2/kernels/shape.h"

/* Bit j of lane i becomes bit i of lane j. */
static __device__ inline uint32_t turn_square_of_lanes(uint32_t x) {
    uint32_t low = 0x0000ffff;
    UNROLL
    for (uint32_t by = 16; by > 0; by /= 2) {
        const uint32_t other = warp_across(x, by);
        x = warp_lane() & by ? (x & ~low) | (other >> by & low) : (x & low) | (other & low) << by;
        low ^= low << by / 2;
    }
    return x;
}

template <class element>
__global__ void f2_transpose(element *b, const element *a, uint32_t rows, uint32_t columns, uint64_t to_stride,
                             uint64_t from_stride, uint32_t panels) {
    enum { SQUARES = F2_TILE / 32 };
    const uint32_t first = blockIdx.x / panels * F2_TILE;
    const uint32_t column = blockIdx.x % panels * F2_TILE + threadIdx.x / WARP_LANES * 32;
    const uint32_t to_words = (rows + 63) / 64 * 2, row = column + warp_lane();
    uint32_t word[SQUARES];
    UNROLL
    for (uint32_t k = 0; k < SQUARES; ++k) {
        const uint32_t from = first + k * 32 + warp_lane();
        word[k] = from < rows && column < columns ? a[from * from_stride + column / 32] : 0;
    }
    UNROLL
    for (uint32_t k = 0; k < SQUARES; ++k) word[k] = turn_square_of_lanes(word[k]);
    UNROLL
    for (uint32_t k = 0; k < SQUARES; k += 2) {
        const uint32_t to = first / 32 + k;
        if (row < columns && to < to_words)
            *(uint64_t *)(b + row * to_stride + to) = (uint64_t)word[k + 1] << 32 | word[k];
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The BMMC paper's kernels (Bouverot-Dupuis, Sheeran 2023, sections 4 and 5 and the appendix): affine
 * permutations, an element a thread or, with iterations, an element of each of several tiles.
 *
 *     a --rows of the tile--> tile --2^n_over columns a warp--> b
 *
 * A block has as many threads as a tile has elements, blockDim.x of them in a row of the tile. In the kernels
 * with banks each row is shifted by its own amount, so that a warp's columns spread over all banks.
 */
#include "papers/kernels/bmmc.h"
#include "device/kernels/device.h"

static __device__ inline uint64_t bmmc_read_block(const bmmc_table *t) {
    uint64_t index = 0;
    UNROLL
    for (uint32_t r = 0; r < BMMC_TABLE_RUNS; ++r)
        index += (uint64_t)(blockIdx.x & t->run_bits[r]) * t->run_factor[r];
    return index;
}

static __device__ inline uint64_t bmmc_write_block(const bmmc_table *t) {
    uint64_t index = 0;
    UNROLL
    for (uint32_t g = 0; g < BMMC_TABLE_GROUPS; ++g)
        index ^=
            t->write_block[g][blockIdx.x >> BMMC_TABLE_GROUP_BITS * g & ((1 << BMMC_TABLE_GROUP_BITS) - 1)];
    return index;
}

template <class element>
__global__ void bmmc_naive(element *__restrict__ b, const element *__restrict__ a,
                           const GRID_CONSTANT bmmc_table t) {
    const uint32_t lane = threadIdx.x, warp = threadIdx.y;
    const uint64_t from = ((uint64_t)blockIdx.x * blockDim.y + warp) * blockDim.x + lane;
    uint64_t to = bmmc_write_block(&t) ^ t.warp[warp].write;
    UNROLL
    for (uint32_t k = 0; k < BMMC_TABLE_LANE_BITS; ++k)
        if (lane >> k & 1) to ^= t.lane_write[k];
    b[to] = a[from];
}

/* Moves the block's tiles, with their rows shifted or not. A tile lies at the same distance
 * from the first for all threads. */
template <uint32_t tiles, bool shifted, class element>
static __device__ inline void bmmc_move_tiles(element *b, const element *a, const bmmc_table *t) {
    extern __shared__ uint64_t shared_memory[];
    element *const tile = (element *)shared_memory;
    const uint32_t lane = threadIdx.x, warp = threadIdx.y, last = blockDim.x - 1;
    const uint32_t elements = blockDim.x * blockDim.y;

    const element *const from = a + (bmmc_read_block(t) + t->warp[warp].read + lane);
    element *const in = tile + warp * blockDim.x + ((lane + (shifted ? t->shift[warp] : 0)) & last);
    element held[BMMC_TABLE_TILES] = {0};
    UNROLL
    for (uint32_t i = 0; i < tiles; ++i)
        held[i] = *(const element *)((const char *)from + (i > 0 ? t->tile[i].read : 0));
    UNROLL
    for (uint32_t i = 0; i < tiles; ++i) in[i * elements] = held[i];

    uint32_t packed = t->shift[warp];
    UNROLL
    for (uint32_t k = 0; k < BMMC_TABLE_LANE_BITS; ++k)
        if (lane >> k & 1) packed ^= t->lane[k];
    const uint32_t cell = packed & ((1u << BMMC_TABLE_SHIFT_AT) - 1);
    const uint32_t shift = shifted ? packed >> BMMC_TABLE_SHIFT_AT : 0;
    const element *const out = tile + ((cell & ~last) | ((cell + shift) & last));
    element *const to = b + (bmmc_write_block(t) ^ t->warp[warp].write ^ packed >> BMMC_TABLE_INDEX_AT);
    __syncthreads();
    UNROLL
    for (uint32_t i = 0; i < tiles; ++i)
        *(element *)((char *)to + (i > 0 ? t->tile[i].write : 0)) = out[i * elements];
}

template <class element>
__global__ void bmmc_tile(element *__restrict__ b, const element *__restrict__ a,
                          const GRID_CONSTANT bmmc_table t) {
    bmmc_move_tiles<1, false>(b, a, &t);
}

template <class element>
__global__ void bmmc_tile_banks(element *__restrict__ b, const element *__restrict__ a,
                                const GRID_CONSTANT bmmc_table t) {
    bmmc_move_tiles<1, true>(b, a, &t);
}

template <class element>
__global__ void bmmc_tile_iters(element *__restrict__ b, const element *__restrict__ a,
                                const GRID_CONSTANT bmmc_table t) {
    bmmc_move_tiles<BMMC_TABLE_TILES, false>(b, a, &t);
}

template <class element>
__global__ void bmmc_tile_banks_iters(element *__restrict__ b, const element *__restrict__ a,
                                      const GRID_CONSTANT bmmc_table t) {
    bmmc_move_tiles<BMMC_TABLE_TILES, true>(b, a, &t);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations, a coset of S a block (plan/affine/tile.h): vectors of 16 bytes, or single units, are read in
 * whole segments, put into shared memory unit by unit, and written as vectors in whole segments.
 *
 *     a --whole segments--> registers --cells--> tile --cells--> registers --whole segments--> b
 *
 * `element` is a unit, `access` a vector or a unit; `table` and `side` say how many bits a place has. The launch bounds
 * leave a thread the registers to have all of its loads under way.
 */
#include "kernels/affine_tile.h"
#include "kernels/device.h"
#include "kernels/orbits.h"

template <class element, class access> union affine_vector {
    access whole;
    element unit[sizeof(access) / sizeof(element)];
};

/* The sum (XOR) of the vectors that the bits of a number choose. */
template <class place, uint32_t bits>
static __device__ inline place sum_of_bits(const place (&vectors)[bits], uint32_t number) {
    place sum = 0;
    UNROLL
    for (uint32_t k = 0; k < bits; ++k) sum ^= vectors[k] & (0 - (place)(number >> k & 1));
    return sum;
}

/* Where a run's tile begins. */
template <class side> static __device__ inline auto start_of_tile(const side *s, uint32_t number) {
    return s->origin ^ sum_of_bits(s->tile, number);
}

/* The number of the tile that stands for an orbit (plan/affine/involution.h, involution_coset). */
template <class table> static __device__ inline uint32_t tile_of_orbit(const table *t, uint32_t orbit) {
    return coset_of_orbit(orbit, t->fixed, t->far, t->coset_bits, t->moved_bits, t->plain_bits);
}

/* Where that tile goes (involution_image). */
template <class table> static __device__ inline uint32_t image_of_tile(const table *t, uint32_t tile) {
    const uint32_t c = (tile & ~t->far) >> (t->coset_bits - t->moved_bits - (t->far != 0));
    return tile ^ t->far ^ c << t->plain_bits;
}

/* The block's two tiles: two that P maps onto themselves, of which there are 2^k, or one and its image. */
template <class table>
static __device__ inline uint32_t tile_of_block(const table *t, uint32_t block, uint32_t half) {
    const uint32_t fixed_blocks = (t->fixed + 1) / 2;
    if (block < fixed_blocks) return tile_of_orbit(t, 2 * block + half);
    const uint32_t tile = tile_of_orbit(t, t->fixed + block - fixed_blocks);
    return half == 0 ? tile : image_of_tile(t, tile);
}

/* A constant for vectors, of which every thread has as many; arrays of a few units may have fewer than that. */
template <class access, class table> static __device__ inline uint32_t affine_moves(const table *t) {
    return sizeof(access) == 16 ? (uint32_t)AFFINE_MOVES : t->moves;
}

template <class element, class access, class table, class place>
static __device__ inline void read_tile(affine_vector<element, access> *held, const char *a, const table *t,
                                        place x0) {
    const place start = x0 ^ sum_of_bits(t->read.thread, threadIdx.x);
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i)
        if (i < affine_moves<access>(t)) held[i].whole = *(const access *)(a + (start ^ t->read.move[i]));
}

template <class element, class access, class table>
static __device__ inline void put_tile(char *tile, const affine_vector<element, access> *held, const table *t) {
    const uint32_t cell = sum_of_bits(t->read.thread_cell, threadIdx.x);
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i) {
        if (i >= affine_moves<access>(t)) break;
        const uint32_t here = cell ^ t->read.move_cell[i];
        UNROLL
        for (uint32_t k = 0; k < sizeof(access) / sizeof(element); ++k)
            *(element *)(tile + (here ^ t->read.unit_cell[k])) = held[i].unit[k];
    }
}

/* y0 may lie within a vector: then its units come in another order. */
template <class element, class access, class table, class place>
static __device__ inline void write_tile(char *b, const char *tile, const table *t, place y0) {
    const uint32_t within = (uint32_t)y0 & (sizeof(access) - 1);
    const place start = y0 ^ within ^ sum_of_bits(t->write.thread, threadIdx.x);
    const uint32_t cell =
        t->write.unit_cell[within / sizeof(element)] ^ sum_of_bits(t->write.thread_cell, threadIdx.x);
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i) {
        if (i >= affine_moves<access>(t)) break;
        affine_vector<element, access> held;
        const uint32_t here = cell ^ t->write.move_cell[i];
        UNROLL
        for (uint32_t k = 0; k < sizeof(access) / sizeof(element); ++k)
            held.unit[k] = *(const element *)(tile + (here ^ t->write.unit_cell[k]));
        *(access *)(b + (start ^ t->write.move[i])) = held.whole;
    }
}

template <class access, class element, class table>
__global__ void LAUNCH_BOUNDS(sizeof(access) == 16 ? 512 : 1024, sizeof(access) == 16 ? 2 : 1)
    affine_tile(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tile = (char *)shared_memory;
    const uint64_t run = (blockIdx.x >> t.tile_bits) * t.stride;
    const uint32_t number = blockIdx.x & ((1u << t.tile_bits) - 1);
    affine_vector<element, access> held[AFFINE_MOVES];
    read_tile(held, (const char *)a + run, &t, start_of_tile(&t.read, number));
    put_tile(tile, held, &t);
    __syncthreads();
    write_tile<element, access>((char *)b + run, tile, &t, start_of_tile(&t.write, number));
}

/* In place, the permutation an involution on tiles: a block exchanges a tile and its image, or moves two tiles within
 * themselves; with two rows of threads each row has one of them. */
template <class access, class element, class table>
__global__ void LAUNCH_BOUNDS(1024, 1)
    affine_tile_pair(element *b, const element *a, const GRID_CONSTANT table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tiles = (char *)shared_memory;
    const uint64_t run = blockIdx.x / t.blocks * t.stride;
    const uint32_t block = blockIdx.x % t.blocks, count = t.fixed == 1 && block == 0 ? 1 : 2;
    affine_vector<element, access> held[AFFINE_MOVES];
    for (uint32_t half = threadIdx.y; half < count; half += blockDim.y) {
        read_tile(held, (const char *)a + run, &t, start_of_tile(&t.read, tile_of_block(&t, block, half)));
        put_tile(tiles + half * t.tile_bytes, held, &t);
    }
    __syncthreads();
    for (uint32_t half = threadIdx.y; half < count; half += blockDim.y)
        write_tile<element, access>((char *)b + run, tiles + half * t.tile_bytes, &t,
                                    start_of_tile(&t.write, tile_of_block(&t, block, half)));
}

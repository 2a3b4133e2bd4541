/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread's part of an affine tile (affine_tile.cu): its vectors, or units, on their way from one array through shared memory to the other.
 */
#ifndef RIFFLE_MOVE_KERNELS_AFFINE_AFFINE_ACCESS_H
#define RIFFLE_MOVE_KERNELS_AFFINE_AFFINE_ACCESS_H

#include "device/kernels/sum_of_bits.h"
#include "move/kernels/affine/affine_tile.h"
#include "move/kernels/affine/orbits.h"

template <class element, class access> union affine_vector {
    access whole;
    element unit[sizeof(access) / sizeof(element)];
};

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

template <class place> static __device__ inline char *address_of(char *b, place at) { return b + at; }

static __device__ inline char *address_of(const affine_parts *b, uint64_t at) {
    return b->part[at >> b->bits] + (at & (((uint64_t)1 << b->bits) - 1));
}

/* y0 may lie within a vector: then its units come in another order. `array` is one, or its parts. */
template <class element, class access, class array, class table, class place>
static __device__ inline void write_tile(array b, const char *tile, const table *t, place y0) {
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
        *(access *)address_of(b, start ^ t->write.move[i]) = held.whole;
    }
}

#endif

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
#include "move/kernels/affine/affine_access.h"

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

/* An array in parts, each in a memory of its own: one of them is moved into all. */
template <class access, class element>
static __device__ inline void tile_to_parts(const element *a, const affine_parts_table *t, uint32_t number) {
    extern __shared__ uint64_t shared_memory[];
    char *const tile = (char *)shared_memory;
    affine_vector<element, access> held[AFFINE_MOVES];
    read_tile(held, (const char *)a, &t->tiles, start_of_tile(&t->tiles.read, number));
    put_tile(tile, held, &t->tiles);
    __syncthreads();
    write_tile<element, access>(&t->to, tile, &t->tiles, start_of_tile(&t->tiles.write, number));
}

template <class access, class element>
__global__ void LAUNCH_BOUNDS(sizeof(access) == 16 ? 512 : 1024, sizeof(access) == 16 ? 2 : 1)
    affine_to_parts(element *, const element *__restrict__ a, const GRID_CONSTANT affine_parts_table t) {
    tile_to_parts<access>(a, &t, t.first + blockIdx.x);
}

/* The same by few blocks, which take tiles in turn: they keep links busy and leave multiprocessors to other kernels. */
template <class access, class element>
__global__ void LAUNCH_BOUNDS(sizeof(access) == 16 ? 512 : 1024, sizeof(access) == 16 ? 2 : 1)
    affine_send(element *, const element *__restrict__ a, const GRID_CONSTANT affine_parts_table t) {
    for (uint32_t number = t.first + blockIdx.x; number < t.end; number += gridDim.x) {
        tile_to_parts<access>(a, &t, number);
        __syncthreads(); /* all have read the tile */
    }
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

/* ------------------------------------------------------------ any address
 *
 * An array that begins `behind` units after a multiple of 16 bytes is accessed by the words of 16 bytes that memory has.
 * A thread's word begins `behind` units before its vector: they belong to the vector before, which the thread before
 * has, where both lie in one row of lanes. The first of a row accesses its own units alone, and the last one the units
 * of its vector that lie in the next word.
 *
 *     vectors       |  first  |   ...   |  last   |
 *     words     |   .     |        ...      |  .      |
 */

/* A thread's words of one side. */
template <class element, class place> struct shifted_words {
    static constexpr uint32_t UNITS = 16 / sizeof(element);
    place start;     /* the first move's word */
    uint32_t behind; /* units */
    uint32_t cell
        [UNITS]; /* cells of a word's units, less the move's; kept, for a table's entry by number is slow to get */
    uint32_t here;    /* the vector's cell; units in the next word belong to it, not to the vector before */
    bool first, last; /* in its row */
};

template <class element, class side, class place>
static __device__ inline shifted_words<element, place>
words_of_thread(const side *s, const char *array, place start_of_tile, uint32_t cell_of_tile) {
    constexpr uint32_t units = 16 / sizeof(element);
    const uint32_t number = threadIdx.x;
    const place start = start_of_tile ^ sum_of_bits(s->thread, number);
    const uint32_t at = (uint32_t)(start / 16) & s->lanes, turned = at ^ (number & s->lanes);
    const uint32_t previous = (number & ~s->lanes) | (((at - 1) & s->lanes) ^ turned);
    const uint32_t before = cell_of_tile ^ sum_of_bits(s->thread_cell, previous);
    shifted_words<element, place> out;
    out.start = start;
    out.behind = (uint32_t)(uintptr_t)array % 16 / (uint32_t)sizeof(element);
    out.here = cell_of_tile ^ sum_of_bits(s->thread_cell, number);
    out.first = at == 0 && out.behind > 0;
    out.last = at == s->lanes;
    UNROLL
    for (uint32_t k = 0; k < units; ++k)
        out.cell[k] = (k < out.behind ? before : out.here) ^ s->unit_cell[(k - out.behind) % units];
    return out;
}

template <class element, class table, class place>
static __device__ inline void read_shifted(char *tile, const char *a, const table *t, place x0) {
    constexpr uint32_t units = 16 / sizeof(element);
    const auto mine = words_of_thread<element>(&t->read, a, x0, 0);
    const char *const words = a - mine.behind * sizeof(element);
    affine_vector<element, vector16> held[AFFINE_MOVES];
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i)
        if (!mine.first) held[i].whole = *(const vector16 *)(words + (mine.start ^ t->read.move[i]));
    UNROLL
    for (uint32_t k = 0; k < units; ++k) {
        if (!mine.first) break;
        UNROLL
        for (uint32_t i = 0; i < AFFINE_MOVES; ++i)
            if (k >= mine.behind)
                held[i].unit[k] = ((const element *)(words + (mine.start ^ t->read.move[i])))[k];
    }
    UNROLL
    for (uint32_t k = 0; k < units; ++k) {
        if (mine.first && k < mine.behind) continue;
        UNROLL
        for (uint32_t i = 0; i < AFFINE_MOVES; ++i)
            *(element *)(tile + (mine.cell[k] ^ t->read.move_cell[i])) = held[i].unit[k];
    }
    for (uint32_t k = 0; mine.last && k < mine.behind; ++k) {
        const uint32_t cell = mine.here ^ t->read.unit_cell[units - mine.behind + k];
        element next[AFFINE_MOVES];
        UNROLL
        for (uint32_t i = 0; i < AFFINE_MOVES; ++i)
            next[i] = ((const element *)(words + (mine.start ^ t->read.move[i])))[units + k];
        UNROLL
        for (uint32_t i = 0; i < AFFINE_MOVES; ++i)
            *(element *)(tile + (cell ^ t->read.move_cell[i])) = next[i];
    }
}

template <class element, class table, class place>
static __device__ inline void write_shifted(char *b, const char *tile, const table *t, place y0) {
    constexpr uint32_t units = 16 / sizeof(element);
    const uint32_t within = (uint32_t)y0 % 16;
    const auto mine =
        words_of_thread<element>(&t->write, b, y0 ^ within, t->write.unit_cell[within / sizeof(element)]);
    char *const words = b - mine.behind * sizeof(element);
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i) {
        element *const word = (element *)(words + (mine.start ^ t->write.move[i]));
        affine_vector<element, vector16> held;
        UNROLL
        for (uint32_t k = 0; k < units; ++k)
            held.unit[k] = *(const element *)(tile + (mine.cell[k] ^ t->write.move_cell[i]));
        if (!mine.first) {
            *(vector16 *)word = held.whole;
            continue;
        }
        UNROLL
        for (uint32_t k = 0; k < units; ++k)
            if (k >= mine.behind) word[k] = held.unit[k];
    }
    for (uint32_t k = 0; mine.last && k < mine.behind; ++k) {
        const uint32_t cell = mine.here ^ t->write.unit_cell[units - mine.behind + k];
        UNROLL
        for (uint32_t i = 0; i < AFFINE_MOVES; ++i)
            ((element *)(words + (mine.start ^ t->write.move[i])))[units + k] =
                *(const element *)(tile + (cell ^ t->write.move_cell[i]));
    }
}

template <class element, class table>
__global__ void LAUNCH_BOUNDS(512, 2)
    affine_shifted(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tile = (char *)shared_memory;
    const uint64_t run = (blockIdx.x >> t.tile_bits) * t.stride;
    const uint32_t number = blockIdx.x & ((1u << t.tile_bits) - 1);
    read_shifted<element>(tile, (const char *)a + run, &t, start_of_tile(&t.read, number));
    __syncthreads();
    write_shifted<element>((char *)b + run, tile, &t, start_of_tile(&t.write, number));
}

template <class element, class table>
__global__ void LAUNCH_BOUNDS(1024, 1)
    affine_shifted_pair(element *b, const element *a, const GRID_CONSTANT table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tiles = (char *)shared_memory;
    const uint64_t run = blockIdx.x / t.blocks * t.stride;
    const uint32_t block = blockIdx.x % t.blocks, count = t.fixed == 1 && block == 0 ? 1 : 2;
    for (uint32_t half = threadIdx.y; half < count; half += blockDim.y)
        read_shifted<element>(tiles + half * t.tile_bytes, (const char *)a + run, &t,
                              start_of_tile(&t.read, tile_of_block(&t, block, half)));
    __syncthreads();
    for (uint32_t half = threadIdx.y; half < count; half += blockDim.y)
        write_shifted<element>((char *)b + run, tiles + half * t.tile_bytes, &t,
                               start_of_tile(&t.write, tile_of_block(&t, block, half)));
}

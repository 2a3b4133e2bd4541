/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine maps of bits, a coset of S a tile (bits/tiling.h), in words of 32 bits:
 *
 *     a --whole lines--> tile --words of a warp--> registers, bits change places --> tile --whole lines--> b
 *
 * A warp has 32 words whose bits become those of 32 words of b (bits/gpu/warp_map.h): in each step a lane takes some bits of another one's
 * word. Cells are so that 32 lanes' words lie in different banks, in all four accesses. `element` is a vector of 16 bytes, or a byte where an array begins
 * on no vector.
 *
 * A thread's places are sums that are made once; a tile's are added to them, and a warp adds those up, a bit of the tile's number a lane. The next
 * tile's lines are on their way while bits change places.
 */
#include "bits/kernels/affine_table.h"
#include "bits/kernels/merge.h"
#include "device/kernels/sum_of_bits.h"
#include "device/kernels/warp.h"

union bits_vector {
    vector16 whole;
    uint32_t word[BITS_AFFINE_VECTOR];
    uint8_t byte[sizeof(vector16)];
};

static __device__ inline void load_vector(const vector16 *from, bits_vector *to) { to->whole = *from; }
static __device__ inline void load_vector(const uint8_t *from, bits_vector *to) {
    for (uint32_t k = 0; k < sizeof *to; ++k) to->byte[k] = from[k];
}
static __device__ inline void store_vector(vector16 *to, const bits_vector *from) { *to = from->whole; }
static __device__ inline void store_vector(uint8_t *to, const bits_vector *from) {
    for (uint32_t k = 0; k < sizeof *from; ++k) to[k] = from->byte[k];
}

/* Where a thread's vector of a line begins. */
static __device__ inline uint64_t vector_byte(uint32_t line) {
    const uint32_t vectors = BITS_AFFINE_LINE / (uint32_t)sizeof(vector16);
    return (uint64_t)line * BITS_AFFINE_LINE + threadIdx.x % vectors * (uint32_t)sizeof(vector16);
}

/* Vectors that are not there are 0. */
template <class element>
static __device__ inline void load_lines(bits_vector (&held)[BITS_AFFINE_VECTORS], const char *from,
                                         uint32_t line, const bits_affine_table *t) {
    UNROLL
    for (uint32_t v = 0; v < BITS_AFFINE_VECTORS; ++v) {
        UNROLL
        for (uint32_t k = 0; k < BITS_AFFINE_VECTOR; ++k) held[v].word[k] = 0;
        if (v < t->vectors)
            load_vector((const element *)(from + vector_byte(line ^ t->to_read.move_line[v])), &held[v]);
    }
}

static __device__ inline void put_lines(char *tile, uint32_t cell,
                                        const bits_vector (&held)[BITS_AFFINE_VECTORS],
                                        const bits_memory_side *side) {
    UNROLL
    for (uint32_t i = 0; i < BITS_AFFINE_WORDS; ++i) {
        const uint32_t v = i / BITS_AFFINE_VECTOR, k = i % BITS_AFFINE_VECTOR;
        *(uint32_t *)(tile + (cell ^ side->move_cell[v] ^ side->word_cell[k])) = held[v].word[k];
    }
}

template <class element>
static __device__ inline void write_lines(char *to, uint32_t line, const char *tile, uint32_t cell,
                                          const bits_affine_table *t) {
    const bits_memory_side *const side = &t->to_write;
    UNROLL
    for (uint32_t v = 0; v < BITS_AFFINE_VECTORS; ++v) {
        bits_vector held;
        UNROLL
        for (uint32_t k = 0; k < BITS_AFFINE_VECTOR; ++k)
            held.word[k] = *(const uint32_t *)(tile + (cell ^ side->move_cell[v] ^ side->word_cell[k]));
        if (v < t->vectors) store_vector((element *)(to + vector_byte(line ^ side->move_line[v])), &held);
    }
}

enum { TURNED = BITS_AFFINE_WORDS / 2 /* words whose bits change places together */ };

/* The bit in place p of each word goes to place p ^ by, the same for all threads of the block. */
static __device__ inline void turn_words(uint32_t (&x)[TURNED], uint32_t by) {
    if (by & 24) {
        const uint32_t bytes = 0x3210 ^ (by >> 3) * 0x1111;
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) x[k] = __byte_perm(x[k], 0, bytes);
    }
    if (by & 4) {
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) x[k] = merge(x[k] >> 4, x[k] << 4, 0x0f0f0f0f);
    }
    if (by & 2) {
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) x[k] = merge(x[k] >> 2, x[k] << 2, 0x33333333);
    }
    if (by & 1) {
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) x[k] = merge(x[k] >> 1, x[k] << 1, 0x55555555);
    }
}

/* The k-th of the words whose moves have bit `bit`. */
static __device__ inline uint32_t with_bit(uint32_t k, uint32_t bit) {
    return (k >> bit << (bit + 1)) | 1u << bit | (k & ((1u << bit) - 1));
}

/* Adds what a move's bits add to places. */
static __device__ inline void turn_moves(uint32_t (&word)[BITS_AFFINE_WORDS], const bits_affine_table *t) {
    UNROLL
    for (uint32_t bit = 0; bit < BITS_AFFINE_WORDS_LOG2; ++bit) {
        if (t->move_constant[bit] == 0) continue;
        uint32_t half[TURNED];
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) half[k] = word[with_bit(k, bit)];
        turn_words(half, t->move_constant[bit]);
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) word[with_bit(k, bit)] = half[k];
    }
}

/* One step; `constant` is of the tile and the warp. */
static __device__ inline void move_bits(uint32_t (&word)[BITS_AFFINE_WORDS], const bits_warp_step *step,
                                        uint32_t constant) {
    const uint32_t odd = odd_bits(warp_lane() & step->lanes) ^ odd_bits(constant & step->constant);
    const uint32_t goes = step->places ^ (0 - odd);
    UNROLL
    for (uint32_t first = 0; first < BITS_AFFINE_WORDS; first += TURNED) {
        uint32_t other[TURNED];
        if (step->lane != 0) {
            UNROLL
            for (uint32_t k = 0; k < TURNED; ++k) other[k] = warp_across(word[first + k], step->lane);
        } else {
            UNROLL
            for (uint32_t k = 0; k < TURNED; ++k) other[k] = word[first + k];
        }
        turn_words(other, step->place);
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) word[first + k] = merge(other[k], word[first + k], goes);
    }
}

/* Sums of what the bits of a tile's number choose: each lane has one's. */
struct tile_places {
    uint32_t read, write, turned;
};

static __device__ inline tile_places places_of_tile(const tile_places &mine, uint32_t number,
                                                    const bits_affine_table *t) {
    const uint32_t chosen = 0 - (number >> warp_lane() & 1);
    return {warp_sum_bits(mine.read & chosen), t->write ^ warp_sum_bits(mine.write & chosen),
            t->turned ^ warp_sum_bits(mine.turned & chosen)};
}

/* Where a tile's array begins. */
static __device__ inline const char *array_of(const void *arrays, uint64_t tile, const bits_affine_table *t) {
    return (const char *)arrays + (tile >> t->tile_bits) * t->array_bytes;
}

template <class element>
__global__ void LAUNCH_BOUNDS(512, 2)
    bits_affine(element *b, const element *a, const GRID_CONSTANT bits_affine_table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tile = (char *)shared_memory;
    const uint32_t lane = warp_lane(), thread = threadIdx.x;
    const tile_places mine = {t.tile.read[lane], t.tile.write[lane], t.tile.turned[lane]};
    const uint32_t line_read = sum_of_bits(t.to_read.thread_line, thread),
                   cell_read = sum_of_bits(t.to_read.thread_cell, thread),
                   line_written = sum_of_bits(t.to_write.thread_line, thread),
                   cell_written = sum_of_bits(t.to_write.thread_cell, thread),
                   cell_in = sum_of_bits(t.in.thread_cell, thread),
                   cell_out = sum_of_bits(t.out.thread_cell, thread),
                   constant = sum_of_bits(t.thread_constant, thread);
    bits_vector held[BITS_AFFINE_VECTORS];
    uint32_t word[BITS_AFFINE_WORDS];
    tile_places tiles = places_of_tile(mine, blockIdx.x, &t);
    load_lines<element>(held, array_of(a, blockIdx.x, &t), line_read ^ tiles.read, &t);
    for (uint64_t number = blockIdx.x; number < t.all; number += gridDim.x) {
        const tile_places now = tiles;
        const uint64_t next = number + gridDim.x;
        put_lines(tile, cell_read, held, &t.to_read);
        __syncthreads();
        if (next < t.all) {
            tiles = places_of_tile(mine, (uint32_t)next, &t);
            load_lines<element>(held, array_of(a, next, &t), line_read ^ tiles.read, &t);
        }
        UNROLL
        for (uint32_t i = 0; i < BITS_AFFINE_WORDS; ++i)
            word[i] = *(const uint32_t *)(tile + (cell_in ^ t.in.move_cell[i]));
        __syncthreads();
        ROLL for (uint32_t k = 0; k < t.steps; ++k) move_bits(word, &t.step[k], constant ^ now.turned);
        turn_moves(word, &t);
        const uint32_t cell = cell_out ^ now.turned >> BITS_AFFINE_CELL_SHIFT;
        UNROLL
        for (uint32_t i = 0; i < BITS_AFFINE_WORDS; ++i)
            *(uint32_t *)(tile + (cell ^ t.out.move_cell[i])) = word[i];
        __syncthreads();
        write_lines<element>((char *)array_of(b, number, &t), line_written ^ now.write, tile, cell_written, &t);
        __syncthreads();
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine maps of bits, a coset of S a block (bits/tiling.h), in words of 32 bits:
 *
 *     a --whole lines--> tile --words of a warp--> registers, bits change places --> tile --whole lines--> b
 *
 * A warp has 32 words whose bits become those of 32 words of b (bits/gpu/warp_map.h): in each step a lane takes some bits of another one's
 * word. Cells are so that 32 lanes' words lie in different banks, in all four accesses. `element` is a vector of 16 bytes, or a byte where an array begins
 * on no vector.
 */
#include "bits/kernels/affine_table.h"
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

template <class element>
static __device__ inline void read_lines(char *tile, const char *from, uint64_t start,
                                         const bits_affine_table *t) {
    bits_vector held[BITS_AFFINE_VECTORS];
    const uint64_t place = start ^ sum_of_bits(t->read.thread, threadIdx.x);
    UNROLL
    for (uint32_t v = 0; v < BITS_AFFINE_VECTORS; ++v)
        if (v * BITS_AFFINE_VECTOR < t->words)
            load_vector((const element *)(from + (place ^ t->read.move[v])), &held[v]);
    const uint32_t cell = sum_of_bits(t->read.thread_cell, threadIdx.x);
    UNROLL
    for (uint32_t v = 0; v < BITS_AFFINE_VECTORS; ++v) {
        if (v * BITS_AFFINE_VECTOR >= t->words) break;
        UNROLL
        for (uint32_t k = 0; k < BITS_AFFINE_VECTOR; ++k)
            *(uint32_t *)(tile + (cell ^ t->read.move_cell[v] ^ t->read.word_cell[k])) = held[v].word[k];
    }
}

template <class element>
static __device__ inline void write_lines(char *to, uint64_t start, const char *tile,
                                          const bits_affine_table *t) {
    const uint64_t place = start ^ sum_of_bits(t->write.thread, threadIdx.x);
    const uint32_t cell = sum_of_bits(t->write.thread_cell, threadIdx.x);
    UNROLL
    for (uint32_t v = 0; v < BITS_AFFINE_VECTORS; ++v) {
        if (v * BITS_AFFINE_VECTOR >= t->words) break;
        bits_vector held;
        UNROLL
        for (uint32_t k = 0; k < BITS_AFFINE_VECTOR; ++k)
            held.word[k] = *(const uint32_t *)(tile + (cell ^ t->write.move_cell[v] ^ t->write.word_cell[k]));
        store_vector((element *)(to + (place ^ t->write.move[v])), &held);
    }
}

enum { TURNED = 4 /* words whose bits change places together */ };

/* The bit in place p of each word goes to place p ^ by, the same for all threads of the block. */
static __device__ inline void turn_words(uint32_t (&x)[TURNED], uint32_t by) {
    if (by & 24) {
        const uint32_t bytes = 0x3210 ^ (by >> 3) * 0x1111;
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) x[k] = __byte_perm(x[k], 0, bytes);
    }
    if (by & 4) {
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) x[k] = (x[k] >> 4 & 0x0f0f0f0f) | (x[k] << 4 & 0xf0f0f0f0);
    }
    if (by & 2) {
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) x[k] = (x[k] >> 2 & 0x33333333) | (x[k] << 2 & 0xcccccccc);
    }
    if (by & 1) {
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) x[k] = (x[k] >> 1 & 0x55555555) | (x[k] << 1 & 0xaaaaaaaa);
    }
}

/* One step; `constant` is of the tile and the warp. */
static __device__ inline void move_bits(uint32_t (&word)[BITS_AFFINE_WORDS], const bits_affine_table *t,
                                        const bits_warp_step *step, uint32_t constant) {
    const uint32_t odd = odd_bits(warp_lane() & step->lanes) ^ odd_bits(constant & step->constant);
    const uint32_t goes = step->places ^ (0 - odd);
    UNROLL
    for (uint32_t first = 0; first < BITS_AFFINE_WORDS; first += TURNED) {
        if (first >= t->words) break;
        uint32_t other[TURNED];
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) other[k] = word[first + k];
        if (step->lane != 0) {
            UNROLL
            for (uint32_t k = 0; k < TURNED; ++k) other[k] = warp_across(other[k], step->lane);
        }
        turn_words(other, step->place);
        UNROLL
        for (uint32_t k = 0; k < TURNED; ++k) {
            const uint32_t mask = goes ^ (0 - (step->moves >> (first + k) & 1));
            word[first + k] = (word[first + k] & ~mask) | (other[k] & mask);
        }
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(512, 2)
    bits_affine(element *b, const element *a, const GRID_CONSTANT bits_affine_table t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tile = (char *)shared_memory;
    uint32_t word[BITS_AFFINE_WORDS];
    for (uint64_t number = blockIdx.x; number < t.all; number += gridDim.x) {
        const uint64_t array = (number >> t.tile_bits) * t.array_bytes;
        const uint32_t within = (uint32_t)number & (uint32_t)(((uint64_t)1 << t.tile_bits) - 1);
        const uint64_t x = sum_of_bits(t.read.tile, within),
                       y = t.complement ^ sum_of_bits(t.write.tile, within);
        const uint32_t in_line = (uint32_t)y & ((1u << BITS_AFFINE_LINE_LOG2) - 1);
        read_lines<element>(tile, (const char *)a + array, x / 8, &t);
        __syncthreads();
        uint32_t cell = sum_of_bits(t.in.thread_cell, threadIdx.x);
        UNROLL
        for (uint32_t i = 0; i < BITS_AFFINE_WORDS; ++i)
            if (i < t.words) word[i] = *(const uint32_t *)(tile + (cell ^ t.in.move_cell[i]));
        __syncthreads();
        const uint32_t constant = in_line ^ sum_of_bits(t.thread_constant, threadIdx.x);
        for (uint32_t k = 0; k < t.steps; ++k) move_bits(word, &t, &t.step[k], constant);
        cell = sum_of_bits(t.out.thread_cell, threadIdx.x) ^ sum_of_bits(t.line_cell, in_line);
        UNROLL
        for (uint32_t i = 0; i < BITS_AFFINE_WORDS; ++i)
            if (i < t.words) *(uint32_t *)(tile + (cell ^ t.out.move_cell[i])) = word[i];
        __syncthreads();
        write_lines<element>((char *)b + array, (y ^ in_line) / 8, tile, &t);
        __syncthreads();
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations, a coset of S a block (plan/affine_tile.h): vectors of 16 bytes, or single units, are read in
 * whole segments, put into shared memory unit by unit, and written as vectors in whole segments.
 *
 *     a --whole segments--> registers --cells--> tile --cells--> registers --whole segments--> b
 *
 * Included for each size of unit, of access and of place: ACCESS(name) has all three. VECTOR_UNITS are moved at a time.
 * The launch bounds leave a thread the registers to have all of its loads under way.
 */
typedef union ACCESS(vector) {
    access whole;
    element unit[VECTOR_UNITS];
} ACCESS(vector);

/* A constant for vectors, of which every thread has as many; arrays of a few units may have fewer than that. */
static __device__ inline uint32_t ACCESS(moves)(const PLACE(affine_table) * t) {
    return ACCESS_BYTES == 16 ? AFFINE_MOVES : t->moves;
}

static __device__ inline void ACCESS(read_tile)(ACCESS(vector) *held, const char *a, const PLACE(affine_table) * t,
                                                place x0) {
    const place start = x0 ^ PLACE(sum_of_bits)(t->read.thread, AFFINE_THREADS_LOG2, threadIdx.x);
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i)
        if (i < ACCESS(moves)(t)) held[i].whole = *(const access *)(a + (start ^ (place)t->read.move[i]));
}

static __device__ inline void ACCESS(put_tile)(char *tile, const ACCESS(vector) *held, const PLACE(affine_table) * t) {
    const uint32_t cell = riffle_sum_of_bits_32(t->read.thread_cell, AFFINE_THREADS_LOG2, threadIdx.x);
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i) {
        if (i >= ACCESS(moves)(t)) break;
        const uint32_t here = cell ^ t->read.move_cell[i];
        UNROLL
        for (uint32_t k = 0; k < VECTOR_UNITS; ++k)
            *(element *)(tile + (here ^ t->read.unit_cell[k])) = held[i].unit[k];
    }
}

/* y0 may lie within a vector: then its units come in another order. */
static __device__ inline void ACCESS(write_tile)(char *b, const char *tile, const PLACE(affine_table) * t, place y0) {
    const uint32_t within = (uint32_t)y0 & (ACCESS_BYTES - 1);
    const place start = y0 ^ within ^ PLACE(sum_of_bits)(t->write.thread, AFFINE_THREADS_LOG2, threadIdx.x);
    const uint32_t cell = t->write.unit_cell[within / ELEMENT_BYTES] ^
                          riffle_sum_of_bits_32(t->write.thread_cell, AFFINE_THREADS_LOG2, threadIdx.x);
    UNROLL
    for (uint32_t i = 0; i < AFFINE_MOVES; ++i) {
        if (i >= ACCESS(moves)(t)) break;
        ACCESS(vector) held;
        const uint32_t here = cell ^ t->write.move_cell[i];
        UNROLL
        for (uint32_t k = 0; k < VECTOR_UNITS; ++k)
            held.unit[k] = *(const element *)(tile + (here ^ t->write.unit_cell[k]));
        *(access *)(b + (start ^ (place)t->write.move[i])) = held.whole;
    }
}

__global__ void LAUNCH_BOUNDS(ACCESS_BYTES == 16 ? 512 : 1024, ACCESS_BYTES == 16 ? 2 : 1)
    ACCESS(affine_tile)(element *__restrict__ b, const element *__restrict__ a,
                        const GRID_CONSTANT PLACE(affine_table) t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tile = (char *)shared_memory;
    const uint64_t run = (blockIdx.x >> t.tile_bits) * t.stride;
    const uint32_t number = blockIdx.x & ((1u << t.tile_bits) - 1);
    ACCESS(vector) held[AFFINE_MOVES];
    ACCESS(read_tile)(held, (const char *)a + run, &t, PLACE(start_of_tile)(&t.read, number));
    ACCESS(put_tile)(tile, held, &t);
    __syncthreads();
    ACCESS(write_tile)((char *)b + run, tile, &t, PLACE(start_of_tile)(&t.write, number));
}

/* In place, the permutation an involution: a block exchanges a tile and its image, or moves a tile within itself. */
__global__ void LAUNCH_BOUNDS(1024, 1)
    ACCESS(affine_tile_pair)(element *b, const element *a, const GRID_CONSTANT PLACE(affine_table) t) {
    extern __shared__ uint64_t shared_memory[];
    char *const tile = (char *)shared_memory, *const other = tile + t.tile_bytes;
    const uint64_t run = blockIdx.x / t.orbits * t.stride;
    const uint32_t orbit = blockIdx.x % t.orbits, number = PLACE(tile_of_orbit)(&t, orbit);
    const place x0 = PLACE(start_of_tile)(&t.read, number), y0 = PLACE(start_of_tile)(&t.write, number);
    const uint32_t within = (uint32_t)y0 & (ACCESS_BYTES - 1);
    ACCESS(vector) held[AFFINE_MOVES];
    ACCESS(read_tile)(held, (const char *)a + run, &t, x0);
    ACCESS(put_tile)(tile, held, &t);
    if (orbit >= t.fixed) {
        ACCESS(read_tile)(held, (const char *)a + run, &t, y0 ^ within);
        ACCESS(put_tile)(other, held, &t);
    }
    __syncthreads();
    ACCESS(write_tile)((char *)b + run, tile, &t, y0);
    if (orbit < t.fixed) return;
    const place image = PLACE(sum_of_bits)(t.unit_image, AFFINE_UNITS_LOG2, within / ELEMENT_BYTES);
    ACCESS(write_tile)((char *)b + run, other, &t, x0 ^ image);
}

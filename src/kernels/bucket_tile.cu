/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes (plan/bucket_tile.h): a piece of the output a block, gathered from shared memory.
 *
 *     a --16 bytes, asynchronously--> shared memory --order--> registers --16 bytes, in a row--> b
 *
 * bucket_first stages a piece as it lies in a, bucket_next the chunks that are listed for it. The n elements of a and of
 * b begin on 16 bytes; of the last chunk only what exists is touched.
 */
#undef UNITS
#undef AHEAD
#undef PLACE_WORDS
#undef place_word
#define UNITS (16 / ELEMENT_BYTES)
#define AHEAD                                                                                                  \
    (UNITS > 8 ? 1 : AT_ONCE) /* vectors whose places a thread holds; those of 16 units fill its registers */
#define PLACE_WORDS (UNITS > 8 ? 2 : 1)
#if ELEMENT_BYTES == 16
#define place_word uint16_t
#elif ELEMENT_BYTES == 8
#define place_word uint32_t
#elif ELEMENT_BYTES == 4
#define place_word uint64_t
#else
#define place_word vector16
#endif

/* Where in shared memory the units of a vector are. */
typedef union KERNEL(places) {
    place_word word[PLACE_WORDS];
    uint16_t unit[UNITS];
} KERNEL(places);

typedef union KERNEL(chunk) {
    vector16 whole;
    element unit[UNITS];
} KERNEL(chunk);

/* Begins to copy chunk `from` of a to its cell as the piece's ordinal-th. */
static __device__ inline void KERNEL(stage)(element *staged, uint32_t ordinal, const element *a, uint32_t from,
                                            uint64_t n) {
    const uint32_t cell = riffle_bucket_cell(ordinal);
    if (from < n / UNITS) {
        COPY_ASYNC((vector16 *)staged + cell, (const vector16 *)a + from);
        return;
    }
    for (uint32_t k = 0; k < n % UNITS; ++k) staged[cell * UNITS + k] = a[(uint64_t)from * UNITS + k];
}

static __device__ inline void KERNEL(read_places)(KERNEL(places) * out, const uint16_t *order,
                                                  uint32_t vector) {
    UNROLL
    for (uint32_t k = 0; k < PLACE_WORDS; ++k)
        out->word[k] = ((const place_word *)order)[vector * PLACE_WORDS + k];
}

/* Writes `count` elements to b, the first AHEAD vectors' places read while the piece is still coming. */
static __device__ inline void KERNEL(write_piece)(element *b, const element *staged, const uint16_t *order,
                                                  uint32_t count) {
    const uint32_t vectors = count / UNITS, step = blockDim.x;
    KERNEL(places) places[AHEAD];
    UNROLL
    for (uint32_t i = 0; i < AHEAD; ++i)
        if (threadIdx.x + i * step < vectors) KERNEL(read_places)(&places[i], order, threadIdx.x + i * step);
    WAIT_FOR_COPIES();
    __syncthreads();
    for (uint32_t first = threadIdx.x; first < vectors; first += AHEAD * step) {
        KERNEL(places) next[AHEAD];
        UNROLL
        for (uint32_t i = 0; i < AHEAD; ++i) {
            const uint32_t v = first + (AHEAD + i) * step;
            if (v < vectors) KERNEL(read_places)(&next[i], order, v);
        }
        UNROLL
        for (uint32_t i = 0; i < AHEAD; ++i) {
            KERNEL(chunk) out;
            if (first + i * step >= vectors) break;
            UNROLL
            for (uint32_t k = 0; k < UNITS; ++k) out.unit[k] = staged[places[i].unit[k]];
            ((vector16 *)b)[first + i * step] = out.whole;
        }
        UNROLL
        for (uint32_t i = 0; i < AHEAD; ++i) places[i] = next[i];
    }
    for (uint32_t last = vectors * UNITS + threadIdx.x; last < count; last += step)
        b[last] = staged[order[last]];
}

static __device__ inline uint32_t KERNEL(piece_length)(uint64_t start, uint64_t n, uint32_t piece) {
    return n - start < piece ? (uint32_t)(n - start) : piece;
}

__global__ void LAUNCH_BOUNDS(1024, 1)
    KERNEL(bucket_first)(element *__restrict__ b, const element *__restrict__ a,
                         const uint16_t *__restrict__ order, uint64_t n, uint32_t piece) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    const uint32_t count = KERNEL(piece_length)(start, n, piece), chunk = (uint32_t)(start / UNITS);
    for (uint32_t k = threadIdx.x; k < (count + UNITS - 1) / UNITS; k += blockDim.x)
        KERNEL(stage)(staged, k, a, chunk + k, n);
    KERNEL(write_piece)(b + start, staged, order + start, count);
}

__global__ void LAUNCH_BOUNDS(1024, 1)
    KERNEL(bucket_next)(element *__restrict__ b, const element *__restrict__ a,
                        const uint16_t *__restrict__ order, const uint32_t *__restrict__ chunks,
                        const uint32_t *__restrict__ first_chunk, uint64_t n, uint32_t piece) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    const uint32_t first = first_chunk[blockIdx.x], count = first_chunk[blockIdx.x + 1] - first;
    for (uint32_t round = threadIdx.x; round < count; round += AT_ONCE * blockDim.x) {
        uint32_t chunk[AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i)
            if (round + i * blockDim.x < count) chunk[i] = chunks[first + round + i * blockDim.x];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i)
            if (round + i * blockDim.x < count) KERNEL(stage)(staged, round + i * blockDim.x, a, chunk[i], n);
    }
    KERNEL(write_piece)(b + start, staged, order + start, KERNEL(piece_length)(start, n, piece));
}

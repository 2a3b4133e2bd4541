/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions between elements and planes. A tile is some runs of BITS_RUN elements, of each a column: the bytes of one element of the
 * template. It lies in shared memory as rows of 32 elements; of columns of 8 bytes the halves lie apart. A warp has a run of it, a lane a row:
 *
 *     shared    | row 0, vectors of 16 bytes | row 1 | ...  row 31       planes   a word of each lane
 *
 * A lane's words are squares of 32 x 32 bits, or a part of one: bits of a register's number change places with bits of places in words
 * (swap_bits), until each register is a word of a plane. The 32 lanes have whole lines of the planes then. Vectors change places in their row, so that
 * lanes meet different banks.
 */
#include "bits/kernels/merge.h"
#include "bits/kernels/shape.h"
#include "device/kernels/device.h"

template <class element> struct bits_sizes {
    enum {
        COLUMN = sizeof(element),
        PART = COLUMN < 4 ? COLUMN : 4, /* a row's bytes of an element */
        PARTS = COLUMN / PART,
        RUNS = BITS_RUNS(COLUMN),
        WORDS_LOG2 = PART == 1   ? 3
                     : PART == 2 ? 4
                                 : 5, /* a lane's, of as many planes */
        WORDS = 1 << WORDS_LOG2,
        ROW = 4 * WORDS, /* bytes */
        VECTORS = ROW / BITS_VECTOR,
        VECTORS_OF_TILE = RUNS * BITS_RUN * COLUMN / BITS_VECTOR,
    };
};

static __device__ inline uint64_t quotient(uint64_t a, uint64_t b) {
    if ((a | b) >> 32 == 0) return (uint32_t)a / (uint32_t)b;
    return a / b;
}

/* A tile's place, and a thread's in it. */
template <class element> struct bits_place : bits_sizes<element> {
    typedef bits_sizes<element> sizes;
    uint64_t columns, plane; /* elements of the template in one of the array; bytes of a plane */
    uint64_t first;          /* element of the tile in its array */
    uint64_t element_at;     /* where it begins, in elements of the template */
    uint64_t planes_at;      /* byte where the first of a thread's planes begins */
    uint64_t word_at;        /* byte of each of them where the thread's word does */
    uint32_t lane_at;        /* byte of shared memory where the lane's row does */
    bool is_whole;           /* all elements of the tile are there */

    __device__ bits_place(const bits_table *t, uint64_t tile) {
        columns = t->bytes / sizes::COLUMN;
        plane = (t->n + 7) / 8;
        const uint64_t array = t->tiles == t->all ? 0 : quotient(tile, t->tiles),
                       within = tile - array * t->tiles;
        const uint64_t step = columns == 1 ? within : quotient(within, columns);
        const uint64_t column = within - step * columns;
        const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        first = step * (sizes::RUNS * BITS_RUN);
        element_at = (array * t->n + first) * columns + column;
        planes_at = (array * t->bytes + column * sizes::COLUMN + warp % sizes::PARTS * 4) * 8 * plane;
        word_at = (first + warp / sizes::PARTS * BITS_RUN) / 8 + lane * 4;
        lane_at = (warp * 32 + lane) * sizes::ROW;
        is_whole = first + sizes::RUNS * BITS_RUN <= t->n;
    }
};

/* Byte of the block's shared memory where vector v of a row begins. */
template <class element> static __device__ inline uint32_t vector_place(uint32_t row, uint32_t v) {
    typedef bits_sizes<element> sizes;
    const uint32_t lane = row % 32,
                   turned = lane / (32 / sizes::VECTORS) ^ lane / (8 / sizes::VECTORS) % sizes::VECTORS;
    return row * sizes::ROW + (v ^ turned) * BITS_VECTOR;
}

/* ... and where an element does, or its first half: the second lies a run further on. */
template <class element> static __device__ inline uint32_t element_place(uint32_t e) {
    typedef bits_sizes<element> sizes;
    const uint32_t row = e / BITS_RUN * sizes::PARTS * 32 + e % BITS_RUN / 32, byte = e % 32 * sizes::PART;
    return vector_place<element>(row, byte / BITS_VECTOR) + byte % BITS_VECTOR;
}

enum { HALF = 4 * BITS_RUN /* bytes of shared memory from an element's first half to its second */ };

template <class element> static __device__ inline void shared_put(char *at, element value) {
    if (sizeof(element) == 8) {
        *(uint32_t *)at = (uint32_t)value;
        *(uint32_t *)(at + HALF) = (uint32_t)((uint64_t)value >> 32);
    } else {
        *(element *)at = value;
    }
}

template <class element> static __device__ inline element shared_get(const char *at) {
    if (sizeof(element) < 8) return *(const element *)at;
    return (element)(*(const uint32_t *)at | (uint64_t) * (const uint32_t *)(at + HALF) << 32);
}

/* ------------------------------------------------------------------ elements */

/* Elements behind the last are 0. */
template <class element>
static __device__ inline void read_elements(char *shared, const element *from, const bits_place<element> &place,
                                            uint64_t n) {
    for (uint32_t e = threadIdx.x; e < place.RUNS * BITS_RUN; e += BITS_THREADS) {
        element value = 0;
        if (place.first + e < n) value = LOAD_STREAMED(from + e * place.columns);
        shared_put<element>(shared + element_place<element>(e), value);
    }
}

template <class element>
static __device__ inline void write_elements(const char *shared, element *to, const bits_place<element> &place,
                                             uint64_t n) {
    for (uint32_t e = threadIdx.x; e < place.RUNS * BITS_RUN; e += BITS_THREADS)
        if (place.first + e < n)
            STORE_STREAMED(to + e * place.columns, shared_get<element>(shared + element_place<element>(e)));
}

/* A whole tile of elements that follow each other, by vectors. */
template <class element> static __device__ inline void read_vectors(char *shared, const vector16 *from) {
    typedef bits_sizes<element> sizes;
    vector16 held[sizes::VECTORS_OF_TILE / BITS_THREADS];
    UNROLL
    for (uint32_t k = 0; k < sizes::VECTORS_OF_TILE / BITS_THREADS; ++k)
        held[k] = LOAD_STREAMED(from + k * BITS_THREADS + threadIdx.x);
    UNROLL
    for (uint32_t k = 0; k < sizes::VECTORS_OF_TILE / BITS_THREADS; ++k) {
        const uint32_t v = k * BITS_THREADS + threadIdx.x;
        *(vector16 *)(shared + vector_place<element>(v / sizes::VECTORS, v % sizes::VECTORS)) = held[k];
    }
}

template <class element> static __device__ inline void write_vectors(const char *shared, vector16 *to) {
    typedef bits_sizes<element> sizes;
    UNROLL
    for (uint32_t k = 0; k < sizes::VECTORS_OF_TILE / BITS_THREADS; ++k) {
        const uint32_t v = k * BITS_THREADS + threadIdx.x;
        STORE_STREAMED(to + v, *(const vector16 *)(shared + vector_place<element>(v / sizes::VECTORS,
                                                                                  v % sizes::VECTORS)));
    }
}

/* ---------------------------------------------------------------------- rows */

union bits_row_vector {
    vector16 whole;
    uint32_t word[BITS_VECTOR / 4];
};

template <class element>
static __device__ inline void take_row(uint32_t (&word)[bits_sizes<element>::WORDS], const char *shared) {
    UNROLL
    for (uint32_t v = 0; v < bits_sizes<element>::VECTORS; ++v) {
        bits_row_vector held;
        held.whole = *(const vector16 *)(shared + vector_place<element>(threadIdx.x, v));
        UNROLL
        for (uint32_t k = 0; k < 4; ++k) word[v * 4 + k] = held.word[k];
    }
}

template <class element>
static __device__ inline void put_row(char *shared, const uint32_t (&word)[bits_sizes<element>::WORDS]) {
    UNROLL
    for (uint32_t v = 0; v < bits_sizes<element>::VECTORS; ++v) {
        bits_row_vector held;
        UNROLL
        for (uint32_t k = 0; k < 4; ++k) held.word[k] = word[v * 4 + k];
        *(vector16 *)(shared + vector_place<element>(threadIdx.x, v)) = held.whole;
    }
}

/* The bit of a register's number that changes places with bit k of places. All five do, one after the other, so that the first of a plane's bits end in
 * the 5 - log2-th bit from below, cyclically. */
template <uint32_t log2> static __device__ inline uint32_t register_bit(uint32_t k) {
    return (k + 2 * log2 - 5) % log2;
}

/* The register that has plane p in the end. */
template <uint32_t log2> static __device__ inline uint32_t register_of(uint32_t p) {
    return (p >> (5 - log2) | p << (2 * log2 - 5)) & ((1u << log2) - 1);
}

/* Words x and y, whose numbers differ by one bit: it changes places with bit k of places. */
template <uint32_t k> static __device__ inline void swap_bits(uint32_t &x, uint32_t &y) {
    static const uint32_t low[] = {0x55555555, 0x33333333, 0x0f0f0f0f};
    const uint32_t a = x, b = y;
    if (k == 4) {
        x = __byte_perm(a, b, 0x5410);
        y = __byte_perm(a, b, 0x7632);
    } else if (k == 3) {
        x = __byte_perm(a, b, 0x6240);
        y = __byte_perm(a, b, 0x7351);
    } else {
        x = merge(a, b << (1 << k), low[k]);
        y = merge(a >> (1 << k), b, low[k]);
    }
}

template <uint32_t k, uint32_t log2> static __device__ inline void swap_step(uint32_t (&word)[1 << log2]) {
    const uint32_t bit = 1u << register_bit<log2>(k);
    UNROLL
    for (uint32_t r = 0; r < 1u << log2; ++r)
        if ((r & bit) == 0) swap_bits<k>(word[r], word[r | bit]);
}

template <uint32_t log2> static __device__ inline void rows_to_planes(uint32_t (&word)[1 << log2]) {
    swap_step<4, log2>(word);
    swap_step<3, log2>(word);
    swap_step<2, log2>(word);
    swap_step<1, log2>(word);
    swap_step<0, log2>(word);
}

template <uint32_t log2> static __device__ inline void planes_to_rows(uint32_t (&word)[1 << log2]) {
    swap_step<0, log2>(word);
    swap_step<1, log2>(word);
    swap_step<2, log2>(word);
    swap_step<3, log2>(word);
    swap_step<4, log2>(word);
}

/* -------------------------------------------------------------------- planes */

/* Bytes that begin with their highest bit. */
template <uint32_t n> static __device__ inline void turn_bytes(uint32_t (&word)[n]) {
    UNROLL
    for (uint32_t k = 0; k < n; ++k) {
        uint32_t x = merge(word[k] >> 4, word[k] << 4, 0x0f0f0f0f);
        x = merge(x >> 2, x << 2, 0x33333333);
        word[k] = merge(x >> 1, x << 1, 0x55555555);
    }
}

/* The word of each plane that a lane has, or its bytes, as far as the planes go. */
template <uint32_t log2>
static __device__ inline void put_words(unsigned char *planes, uint64_t at, uint64_t plane,
                                        const uint32_t (&word)[1 << log2], uint32_t by_words) {
    unsigned char *to = planes + at;
    if (by_words && at + 4 <= plane) {
        UNROLL
        for (uint32_t p = 0; p < 1u << log2; ++p, to += plane)
            STORE_STREAMED((uint32_t *)to, word[register_of<log2>(p)]);
        return;
    }
    UNROLL
    for (uint32_t p = 0; p < 1u << log2; ++p, to += plane)
        for (uint32_t k = 0; k < 4 && at + k < plane; ++k)
            to[k] = (unsigned char)(word[register_of<log2>(p)] >> 8 * k);
}

template <uint32_t log2>
static __device__ inline void get_words(uint32_t (&word)[1 << log2], const unsigned char *planes, uint64_t at,
                                        uint64_t plane, uint32_t by_words) {
    const unsigned char *from = planes + at;
    if (by_words && at + 4 <= plane) {
        UNROLL
        for (uint32_t p = 0; p < 1u << log2; ++p, from += plane)
            word[register_of<log2>(p)] = LOAD_STREAMED((const uint32_t *)from);
        return;
    }
    UNROLL
    for (uint32_t p = 0; p < 1u << log2; ++p, from += plane) {
        uint32_t held = 0;
        for (uint32_t k = 0; k < 4 && at + k < plane; ++k) held |= (uint32_t)from[k] << 8 * k;
        word[register_of<log2>(p)] = held;
    }
}

/* ------------------------------------------------------------------- kernels */

/* b planes, a elements. */
template <class element>
__global__ void LAUNCH_BOUNDS(BITS_THREADS, 4)
    bits_to_planes(element *b, const element *a, const GRID_CONSTANT bits_table t) {
    enum { LOG2 = bits_sizes<element>::WORDS_LOG2 };
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    for (uint64_t tile = blockIdx.x; tile < t.all; tile += gridDim.x) {
        const bits_place<element> place(&t, tile);
        uint32_t word[1 << LOG2];
        if (t.by_vectors && place.is_whole)
            read_vectors<element>(shared, (const vector16 *)(a + place.element_at));
        else
            read_elements(shared, a + place.element_at, place, t.n);
        __syncthreads();
        take_row<element>(word, shared);
        rows_to_planes<LOG2>(word);
        if (t.is_big) turn_bytes(word);
        put_words<LOG2>((unsigned char *)b + place.planes_at, place.word_at, place.plane, word, t.by_words);
        __syncthreads();
    }
}

/* b elements, a planes. */
template <class element>
__global__ void LAUNCH_BOUNDS(BITS_THREADS, 4)
    bits_to_elements(element *b, const element *a, const GRID_CONSTANT bits_table t) {
    enum { LOG2 = bits_sizes<element>::WORDS_LOG2 };
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    for (uint64_t tile = blockIdx.x; tile < t.all; tile += gridDim.x) {
        const bits_place<element> place(&t, tile);
        uint32_t word[1 << LOG2];
        get_words<LOG2>(word, (const unsigned char *)a + place.planes_at, place.word_at, place.plane,
                        t.by_words);
        if (t.is_big) turn_bytes(word);
        planes_to_rows<LOG2>(word);
        put_row<element>(shared, word);
        __syncthreads();
        if (t.by_vectors && place.is_whole)
            write_vectors<element>(shared, (vector16 *)(b + place.element_at));
        else
            write_elements(shared, b + place.element_at, place, t.n);
        __syncthreads();
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions between elements and planes. A tile is some runs of BITS_RUN elements, of each a column: the bytes of one element of the
 * template. It lies in shared memory in the order of elements, and a warp has one byte of a run:
 *
 *     shared    | lane 0's 32 elements | a word | lane 1's | a word | ...       planes of byte j   8 words of each lane
 *
 * A lane turns squares of 8 x 8 bits, byte j of 8 elements, and has a word of each of the 8 planes then: the 32 lanes have whole
 * lines of them.
 */
#include "bits/kernels/shape.h"
#include "device/kernels/device.h"

/* Bit p of byte i becomes bit i of byte p. */
static __device__ inline uint64_t turn_square(uint64_t x) {
    uint64_t differ = (x >> 7 ^ x) & 0x00aa00aa00aa00aa;
    x ^= differ ^ differ << 7;
    differ = (x >> 14 ^ x) & 0x0000cccc0000cccc;
    x ^= differ ^ differ << 14;
    differ = (x >> 28 ^ x) & 0x00000000f0f0f0f0;
    return x ^ differ ^ differ << 28;
}

/* A tile's place, and a thread's in it. */
template <class element> struct bits_place {
    enum { COLUMN = sizeof(element), RUNS = BITS_RUNS(COLUMN) };
    uint64_t columns, plane; /* elements of the template in one of the array; bytes of a plane */
    uint64_t first;          /* element of the tile in its array */
    uint64_t element_at;     /* where it begins, in elements of the template */
    uint64_t planes_at;      /* byte where the first of a thread's 8 planes begins */
    uint64_t word_at;        /* byte of each of them where the thread's word does */
    uint32_t run, byte, lane;

    __device__ bits_place(uint64_t n, uint64_t bytes, uint64_t tile, uint64_t tiles) {
        columns = bytes / COLUMN;
        plane = (n + 7) / 8;
        const uint64_t array = tile / tiles, within = tile % tiles, column = within % columns;
        run = threadIdx.x / 32 / COLUMN;
        byte = threadIdx.x / 32 % COLUMN;
        lane = threadIdx.x % 32;
        first = within / columns * (RUNS * BITS_RUN);
        element_at = (array * n + first) * columns + column;
        planes_at = (array * 8 * bytes + 8 * (column * COLUMN + byte)) * plane;
        word_at = (first + run * BITS_RUN) / 8 + lane * 4;
    }
};

/* Byte of the block's shared memory that has an element's first. */
template <class element> static __device__ inline uint32_t shared_place(uint32_t e) {
    const uint32_t run = e / BITS_RUN, within = e % BITS_RUN, bytes = (uint32_t)sizeof(element);
    return run * BITS_SHARED_RUN(bytes) + within * bytes + within / 32 * 4;
}

/* Elements of 8 bytes lie at multiples of 4 there. */
template <class element> static __device__ inline void shared_put(char *at, element value) {
    if (sizeof(element) == 8) {
        ((uint32_t *)at)[0] = (uint32_t)value;
        ((uint32_t *)at)[1] = (uint32_t)((uint64_t)value >> 32);
    } else {
        *(element *)at = value;
    }
}

template <class element> static __device__ inline element shared_get(const char *at) {
    if (sizeof(element) < 8) return *(const element *)at;
    return (element)(((const uint32_t *)at)[0] | (uint64_t)((const uint32_t *)at)[1] << 32);
}

/* Where byte `byte` of a lane's elements lies, from its first on. */
template <class element> static __device__ inline uint32_t lane_place(const bits_place<element> &place) {
    return shared_place<element>(place.run * BITS_RUN + place.lane * 32) + place.byte;
}

/* The word of a plane that a lane has, or its bytes, as far as the plane goes. */
static __device__ inline void put_word(unsigned char *plane, uint64_t at, uint64_t end, uint32_t word,
                                       uint32_t by_words) {
    if (by_words && at + 4 <= end) {
        STORE_STREAMED((uint32_t *)(plane + at), word);
        return;
    }
    for (uint32_t k = 0; k < 4 && at + k < end; ++k) plane[at + k] = (unsigned char)(word >> 8 * k);
}

static __device__ inline uint32_t get_word(const unsigned char *plane, uint64_t at, uint64_t end,
                                           uint32_t by_words) {
    if (by_words && at + 4 <= end) return LOAD_STREAMED((const uint32_t *)(plane + at));
    uint32_t word = 0;
    for (uint32_t k = 0; k < 4 && at + k < end; ++k) word |= (uint32_t)plane[at + k] << 8 * k;
    return word;
}

/* b planes, a elements. */
template <class element>
__global__ void bits_to_planes(element *b, const element *a, uint64_t n, uint64_t bytes, uint64_t tiles,
                               uint64_t all, uint32_t is_big, uint32_t by_words) {
    enum { COLUMN = sizeof(element), RUNS = BITS_RUNS(COLUMN) };
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    const uint32_t turned = is_big ? 7 : 0;
    for (uint64_t tile = blockIdx.x; tile < all; tile += gridDim.x) {
        const bits_place<element> place(n, bytes, tile, tiles);
        const element *const from = a + place.element_at;
        for (uint32_t e = threadIdx.x; e < RUNS * BITS_RUN; e += BITS_THREADS) {
            element value = 0;
            if (place.first + e < n) value = LOAD_STREAMED(from + e * place.columns);
            shared_put<element>(shared + shared_place<element>(e), value);
        }
        __syncthreads();
        const char *const mine = shared + lane_place<element>(place);
        uint32_t word[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        UNROLL
        for (uint32_t q = 0; q < 4; ++q) {
            uint64_t square = 0;
            UNROLL
            for (uint32_t i = 0; i < 8; ++i)
                square |= (uint64_t)(uint8_t)mine[(8 * q + i) * COLUMN] << 8 * (i ^ turned);
            square = turn_square(square);
            UNROLL
            for (uint32_t p = 0; p < 8; ++p) word[p] |= (uint32_t)(square >> 8 * p & 0xff) << 8 * q;
        }
        unsigned char *const to = (unsigned char *)b + place.planes_at;
        for (uint32_t p = 0; p < 8; ++p)
            put_word(to + p * place.plane, place.word_at, place.plane, word[p], by_words);
        __syncthreads();
    }
}

/* b elements, a planes. */
template <class element>
__global__ void bits_to_elements(element *b, const element *a, uint64_t n, uint64_t bytes, uint64_t tiles,
                                 uint64_t all, uint32_t is_big, uint32_t by_words) {
    enum { COLUMN = sizeof(element), RUNS = BITS_RUNS(COLUMN) };
    extern __shared__ uint64_t shared_memory[];
    char *const shared = (char *)shared_memory;
    const uint32_t turned = is_big ? 7 : 0;
    for (uint64_t tile = blockIdx.x; tile < all; tile += gridDim.x) {
        const bits_place<element> place(n, bytes, tile, tiles);
        const unsigned char *const from = (const unsigned char *)a + place.planes_at;
        uint32_t word[8];
        UNROLL
        for (uint32_t p = 0; p < 8; ++p)
            word[p] = get_word(from + p * place.plane, place.word_at, place.plane, by_words);
        char *const mine = shared + lane_place<element>(place);
        UNROLL
        for (uint32_t q = 0; q < 4; ++q) {
            uint64_t square = 0;
            UNROLL
            for (uint32_t p = 0; p < 8; ++p) square |= (uint64_t)(word[p] >> 8 * q & 0xff) << 8 * p;
            square = turn_square(square);
            UNROLL
            for (uint32_t i = 0; i < 8; ++i) mine[(8 * q + i) * COLUMN] = (char)(square >> 8 * (i ^ turned));
        }
        __syncthreads();
        element *const to = b + place.element_at;
        for (uint32_t e = threadIdx.x; e < RUNS * BITS_RUN; e += BITS_THREADS)
            if (place.first + e < n)
                STORE_STREAMED(to + e * place.columns, shared_get<element>(shared + shared_place<element>(e)));
        __syncthreads();
    }
}

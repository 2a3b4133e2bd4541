/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes (plan/bucket/tile.h): a piece of the output a block, gathered from shared memory.
 *
 *     a --16 bytes, asynchronously--> shared memory --order--> registers --16 bytes, in a row--> b
 *
 * bucket_first stages a piece as it lies in a, bucket_next the chunks that are listed for it. Only the existing part of the
 * last chunk is touched. An array of n elements that does not begin on 16 bytes is written element by element, and read so, or
 * by vectors that are put together from two words (row_words.h).
 */
#include "move/kernels/bucket/bucket_cell.h"
#include "device/kernels/copy_async.h"
#include "move/kernels/direct/row_words.h"

/* The word by which the places of a vector's units are read, 16 bits each. */
template <uint32_t units> struct places_word { typedef vector16 type; };
template <> struct places_word<4> { typedef uint64_t type; };
template <> struct places_word<2> { typedef uint32_t type; };
template <> struct places_word<1> { typedef uint16_t type; };

/* Where in shared memory the units of a vector are. */
template <uint32_t units> union places {
    typename places_word<units>::type word[units > 8 ? 2 : 1];
    uint16_t unit[units];
};

template <class element, class access> union accessed {
    access whole;
    element unit[sizeof(access) / sizeof(element)];
};

/* A vector that is put together from the two words of 16 bytes that it lies in; and how to read what begins on an element:
 * those that asynchronous copies can carry one by one, shorter ones by such vectors. */
struct vector_of_two {
    vector16 whole;
};
template <class element, bool is_short> struct unit_read { typedef element type; };
template <class element> struct unit_read<element, true> { typedef vector_of_two type; };

/* How a pass reads and writes: by vectors of 16 bytes, or by single elements. */
struct by_vectors {
    template <class element> using read = vector16;
    template <class element> using write = vector16;
};
struct by_units {
    template <class element> using read = typename unit_read<element, (sizeof(element) < 4)>::type;
    template <class element> using write = element;
};
struct from_units {
    template <class element> using read = typename unit_read<element, (sizeof(element) < 4)>::type;
    template <class element> using write = vector16;
};
struct to_units {
    template <class element> using read = vector16;
    template <class element> using write = element;
};

/* Accesses that a chunk takes. */
template <class access> static __device__ constexpr uint32_t accesses_of_chunk() { return 16 / sizeof(access); }

/* Copies vector `from` of a, where both of its words lie in the array, to the piece's number-th cell. */
template <class element>
static __device__ inline void stage_two(element *staged, uint32_t number, const element *a, uint32_t from,
                                        uint64_t n) {
    constexpr uint32_t units = 16 / sizeof(element);
    const uint32_t cell = riffle_bucket_cell(number), shift = (uint32_t)((uintptr_t)a % 16);
    const uint64_t first = (uint64_t)from * units, left = n - first;
    if (from == 0 || left * sizeof(element) < 32 - shift) {
        for (uint32_t k = 0; k < units && k < left; ++k) staged[cell * units + k] = a[first + k];
        return;
    }
    const vector16 *const words = (const vector16 *)((const char *)(a + first) - shift);
    row_word low, high;
    low.whole = words[0];
    high.whole = words[1];
    ((vector16 *)staged)[cell] = shifted(low, high, shift).whole;
}

/* Begins to copy access `from` of a to where the piece's number-th is staged. */
template <class access, class element>
static __device__ inline void stage_one(element *staged, uint32_t number, const element *a, uint32_t from,
                                        uint64_t n) {
    constexpr uint32_t units = sizeof(access) / sizeof(element), chunk = accesses_of_chunk<access>();
    const uint32_t at = riffle_bucket_cell(number / chunk) * chunk + number % chunk;
    if (from < n / units) {
        if constexpr (sizeof(access) >= 4)
            COPY_ASYNC((access *)staged + at, (const access *)a + from);
        else
            staged[at] = a[from];
        return;
    }
    for (uint32_t k = 0; k < n % units; ++k) staged[at * units + k] = a[(uint64_t)from * units + k];
}

/* Either, as the access says. */
template <class access> struct stager {
    template <class element>
    static __device__ inline void stage(element *staged, uint32_t number, const element *a, uint32_t from,
                                        uint64_t n) {
        stage_one<access>(staged, number, a, from, n);
    }
};
template <> struct stager<vector_of_two> {
    template <class element>
    static __device__ inline void stage(element *staged, uint32_t number, const element *a, uint32_t from,
                                        uint64_t n) {
        stage_two(staged, number, a, from, n);
    }
};

template <uint32_t units>
static __device__ inline void read_places(places<units> *out, const uint16_t *order, uint32_t vector) {
    constexpr uint32_t words = sizeof out->word / sizeof *out->word;
    UNROLL
    for (uint32_t k = 0; k < words; ++k)
        out->word[k] = ((const typename places_word<units>::type *)order)[vector * words + k];
}

/* Writes `count` elements to b, the places of the first `ahead` vectors read while the piece is still coming. */
template <class access, class element>
static __device__ inline void write_piece(element *b, const element *staged, const uint16_t *order,
                                          uint32_t count) {
    constexpr uint32_t units = sizeof(access) / sizeof(element);
    constexpr uint32_t ahead = units > 8 ? 1 : AT_ONCE; /* whose places fill few registers */
    const uint32_t vectors = count / units, step = blockDim.x;
    places<units> held[ahead];
    UNROLL
    for (uint32_t i = 0; i < ahead; ++i)
        if (threadIdx.x + i * step < vectors) read_places(&held[i], order, threadIdx.x + i * step);
    WAIT_FOR_COPIES();
    __syncthreads();
    for (uint32_t first = threadIdx.x; first < vectors; first += ahead * step) {
        places<units> next[ahead];
        UNROLL
        for (uint32_t i = 0; i < ahead; ++i) {
            const uint32_t v = first + (ahead + i) * step;
            if (v < vectors) read_places(&next[i], order, v);
        }
        UNROLL
        for (uint32_t i = 0; i < ahead; ++i) {
            accessed<element, access> out;
            if (first + i * step >= vectors) break;
            UNROLL
            for (uint32_t k = 0; k < units; ++k) out.unit[k] = staged[held[i].unit[k]];
            ((access *)b)[first + i * step] = out.whole;
        }
        UNROLL
        for (uint32_t i = 0; i < ahead; ++i) held[i] = next[i];
    }
    for (uint32_t last = vectors * units + threadIdx.x; last < count; last += step)
        b[last] = staged[order[last]];
}

static __device__ inline uint32_t piece_length(uint64_t start, uint64_t n, uint32_t piece) {
    return n - start < piece ? (uint32_t)(n - start) : piece;
}

template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_first(element *__restrict__ b, const element *__restrict__ a, const uint16_t *__restrict__ order,
                 uint64_t n, uint32_t piece) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    typedef typename accesses::template read<element> read;
    constexpr uint32_t units = sizeof(read) / sizeof(element);
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    const uint32_t count = piece_length(start, n, piece), from = (uint32_t)(start / units);
    for (uint32_t k = threadIdx.x; k < (count + units - 1) / units; k += blockDim.x)
        stager<read>::stage(staged, k, a, from + k, n);
    write_piece<typename accesses::template write<element>>(b + start, staged, order + start, count);
}

template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_next(element *__restrict__ b, const element *__restrict__ a, const uint16_t *__restrict__ order,
                const uint32_t *__restrict__ chunks, const uint32_t *__restrict__ first_chunk, uint64_t n,
                uint32_t piece) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    typedef typename accesses::template read<element> read;
    constexpr uint32_t each = accesses_of_chunk<read>();
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    const uint32_t first = first_chunk[blockIdx.x], count = (first_chunk[blockIdx.x + 1] - first) * each;
    for (uint32_t round = threadIdx.x; round < count; round += AT_ONCE * blockDim.x) {
        uint32_t chunk[AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i)
            if (round + i * blockDim.x < count) chunk[i] = chunks[first + (round + i * blockDim.x) / each];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) {
            const uint32_t number = round + i * blockDim.x;
            if (number < count) stager<read>::stage(staged, number, a, chunk[i] * each + number % each, n);
        }
    }
    write_piece<typename accesses::template write<element>>(b + start, staged, order + start,
                                                            piece_length(start, n, piece));
}

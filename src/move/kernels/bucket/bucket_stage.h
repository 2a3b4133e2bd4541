/* SPDX-License-Identifier: Apache-2.0
 *
 * A piece of a bucket pass in shared memory: how it is staged there, and how its elements leave.
 */
#ifndef RIFFLE_MOVE_KERNELS_BUCKET_BUCKET_STAGE_H
#define RIFFLE_MOVE_KERNELS_BUCKET_BUCKET_STAGE_H

#include "device/kernels/copy_async.h"
#include "move/kernels/bucket/bucket_cell.h"
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

/* Who is told of the elements that leave, by vectors or one by one; nobody is. */
struct nobody {
    template <class access, class element>
    static __device__ inline void vector(uint32_t, const accessed<element, access> &) {}
    template <class element> static __device__ inline void unit(uint32_t, const element &) {}
};

/* Writes `count` elements to b, the places of the first `ahead` vectors read while the piece is still coming. */
template <class access, class element, class listener>
static __device__ inline void write_piece(element *b, const element *staged, const uint16_t *order,
                                          uint32_t count, listener told) {
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
            told.vector(first + i * step, out);
            ((access *)b)[first + i * step] = out.whole;
        }
        UNROLL
        for (uint32_t i = 0; i < ahead; ++i) held[i] = next[i];
    }
    for (uint32_t last = vectors * units + threadIdx.x; last < count; last += step) {
        const element out = staged[order[last]];
        told.unit(last, out);
        b[last] = out;
    }
}

static __device__ inline uint32_t piece_length(uint64_t start, uint64_t n, uint32_t piece) {
    return n - start < piece ? (uint32_t)(n - start) : piece;
}

/* Begins to copy a piece of `count` elements from `start` on, as it lies in a. */
template <class read, class element>
static __device__ inline void stage_lying(element *staged, const element *a, uint64_t start, uint32_t count,
                                          uint64_t n) {
    constexpr uint32_t units = sizeof(read) / sizeof(element);
    const uint32_t from = (uint32_t)(start / units);
    for (uint32_t k = threadIdx.x; k < (count + units - 1) / units; k += blockDim.x)
        stager<read>::stage(staged, k, a, from + k, n);
}

/* Begins to copy the chunks that are listed. */
template <class read, class element>
static __device__ inline void stage_listed(element *staged, const element *a, const uint32_t *chunks,
                                           uint32_t listed, uint64_t n) {
    constexpr uint32_t each = accesses_of_chunk<read>();
    const uint32_t count = listed * each;
    for (uint32_t round = threadIdx.x; round < count; round += AT_ONCE * blockDim.x) {
        uint32_t chunk[AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i)
            if (round + i * blockDim.x < count)
                chunk[i] = riffle_bucket_chunk(chunks[(round + i * blockDim.x) / each], 16 / sizeof(element));
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) {
            const uint32_t number = round + i * blockDim.x;
            if (number < count) stager<read>::stage(staged, number, a, chunk[i] * each + number % each, n);
        }
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The elements that a thread of a fused kernel holds in registers, and how they are read from an array and written to it.
 */
#ifndef RIFFLE_PROGRAM_KERNELS_FUSED_HELD_H
#define RIFFLE_PROGRAM_KERNELS_FUSED_HELD_H

#include "device/kernels/device.h"
#include "program/kernels/fused.h"

/* How many elements a thread holds; of 4 bytes or less as many as there are registers for. */
template <class single> struct fused_count {
    enum : uint32_t { value = sizeof(single) <= 4 ? 1u << FUSED_HELD_LOG2 : FUSED_HELD_BYTES / sizeof(single) };
};

/* A row of a thread's elements in shared memory, with a bank of padding behind. */
template <class single> struct fused_row {
    enum : uint32_t { value = fused_count<single>::value + (sizeof(single) < 4 ? 4 / sizeof(single) : 1) };
};

#define HELD_COUNT fused_count<typename kind::single>::value
#define HELD typename kind::single(&held)[HELD_COUNT]

/* The sum (XOR) of the vectors that the bits of a number choose: of the first `count`, and of a tile's number, of which there
 * is often little. */
template <uint32_t count>
static __device__ inline uint32_t fused_sum(const uint32_t *vectors, uint32_t number) {
    uint32_t sum = 0;
    UNROLL
    for (uint32_t k = 0; k < count; ++k)
        if ((number >> k & 1) != 0) sum ^= vectors[k];
    return sum;
}

static __device__ inline uint32_t fused_register(const uint32_t *vectors, uint32_t number) {
    return fused_sum<FUSED_HELD_LOG2>(vectors, number);
}

static __device__ inline uint32_t fused_thread(const uint32_t *vectors) {
    return fused_sum<FUSED_THREADS_LOG2>(vectors, threadIdx.x);
}

static __device__ inline uint32_t fused_tile(const uint32_t *vectors, uint32_t number) {
    enum : uint32_t { part = 8 };
    uint32_t sum = 0;
    UNROLL
    for (uint32_t k = 0; k < FUSED_TILES_LOG2; k += part)
        if (number >> k != 0) sum ^= fused_sum<part>(vectors + k, number >> k);
    return sum;
}

/* Register numbers in an order in which the next differs in one bit, bit fused_turned(i) from i to i + 1. */
static __device__ constexpr uint32_t fused_gray(uint32_t i) { return i ^ i >> 1; }
static __device__ constexpr uint32_t fused_turned(uint32_t i) {
    return (i & 1) == 0 ? 0 : (i & 2) == 0 ? 1 : (i & 4) == 0 ? 2 : (i & 8) == 0 ? 3 : 4;
}
static __device__ constexpr uint32_t fused_log2(uint32_t i) { return i < 2 ? 0 : 1 + fused_log2(i / 2); }

template <class single> union fused_vector {
    vector16 whole;
    single one[sizeof(vector16) / sizeof(single)];
    __device__ fused_vector() {}
};

/* Where a thread's elements begin. */
static __device__ inline uint32_t fused_start(const fused_side *s, uint32_t tile) {
    return s->origin ^ fused_tile(s->tile, tile) ^ fused_thread(s->thread);
}

template <class kind>
static __device__ inline void fused_read(HELD, const typename kind::single *a, const fused_table *t,
                                         uint32_t tile) {
    enum : uint32_t { step = sizeof(vector16) / sizeof(a[0]) };
    const fused_side *const side = &t->read;
    uint32_t at = fused_start(side, tile);
    if (side->access == FUSED_VECTORS) {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT / step; ++k) {
            const uint32_t i = fused_gray(k) * step;
            fused_vector<typename kind::single> vector;
            vector.whole = *(const vector16 *)(a + at);
            UNROLL
            for (uint32_t j = 0; j < step; ++j) held[i + j] = vector.one[j];
            if (k + 1 < HELD_COUNT / step) at ^= side->held[fused_turned(k) + fused_log2(step)];
        }
    } else if (side->access == FUSED_SINGLES) {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT; ++k) {
            held[fused_gray(k)] = a[at];
            if (k + 1 < HELD_COUNT) at ^= side->held[fused_turned(k)];
        }
    } else {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT; ++k) {
            held[fused_gray(k)] = typename kind::single();
            if (fused_gray(k) < t->held) held[fused_gray(k)] = a[at];
            if (k + 1 < HELD_COUNT) at ^= side->held[fused_turned(k)];
        }
    }
}

template <class kind>
static __device__ inline void fused_write(typename kind::single *b, HELD, const fused_table *t, uint32_t tile) {
    enum : uint32_t { step = sizeof(vector16) / sizeof(b[0]) };
    const fused_side *const side = &t->write;
    uint32_t at = fused_start(side, tile);
    if (side->access == FUSED_VECTORS) {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT / step; ++k) {
            const uint32_t i = fused_gray(k) * step;
            fused_vector<typename kind::single> vector;
            UNROLL
            for (uint32_t j = 0; j < step; ++j) vector.one[j] = held[i + j];
            *(vector16 *)(b + at) = vector.whole;
            if (k + 1 < HELD_COUNT / step) at ^= side->held[fused_turned(k) + fused_log2(step)];
        }
    } else if (side->access == FUSED_SINGLES) {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT; ++k) {
            b[at] = held[fused_gray(k)];
            if (k + 1 < HELD_COUNT) at ^= side->held[fused_turned(k)];
        }
    } else {
        UNROLL
        for (uint32_t k = 0; k < HELD_COUNT; ++k) {
            if (fused_gray(k) < t->held) b[at] = held[fused_gray(k)];
            if (k + 1 < HELD_COUNT) at ^= side->held[fused_turned(k)];
        }
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of a fused kernel's tile change places, through shared memory or among a thread's registers, so that the directions of the next
 * stages lie in registers.
 */
#ifndef RIFFLE_PROGRAM_KERNELS_FUSED_EXCHANGE_H
#define RIFFLE_PROGRAM_KERNELS_FUSED_EXCHANGE_H

#include "program/kernels/fused_held.h"

static __device__ inline void fused_wait(uint32_t whole_block) {
    if (whole_block != 0) {
        __syncthreads();
    } else {
        __syncwarp();
    }
}

/* A thread's cell; where each warp has cells of its own, of a block as large as what it holds. */
template <class kind>
static __device__ inline uint32_t fused_cell(const uint32_t *vectors, uint32_t own_cells) {
    enum : uint32_t { lanes = 5, block = HELD_COUNT * sizeof(typename kind::single) };
    if (own_cells == 0) return fused_thread(vectors);
    return (threadIdx.x >> lanes << lanes) * block ^ fused_sum<lanes>(vectors, threadIdx.x);
}

template <class kind> static __device__ inline void fused_exchange(HELD, char *cells, const uint32_t *code) {
    typedef typename kind::single single;
    const uint32_t *const put = code + 1, *const get = put + FUSED_THREADS_LOG2 + FUSED_HELD_LOG2;
    const uint32_t own_cells = code[0] >> 10 & 1;
    uint32_t from = fused_cell<kind>(put, own_cells), to = fused_cell<kind>(get, own_cells);
    fused_wait(code[0] >> 8 & 1);
    UNROLL
    for (uint32_t k = 0; k < HELD_COUNT; ++k) {
        *(single *)(cells + from) = held[fused_gray(k)];
        if (k + 1 < HELD_COUNT) from ^= put[FUSED_THREADS_LOG2 + fused_turned(k)];
    }
    fused_wait(code[0] >> 9 & 1);
    UNROLL
    for (uint32_t k = 0; k < HELD_COUNT; ++k) {
        held[fused_gray(k)] = *(const single *)(cells + to);
        if (k + 1 < HELD_COUNT) to ^= get[FUSED_THREADS_LOG2 + fused_turned(k)];
    }
}

/* A warp's elements as a matrix of lanes by registers, written by rows and read by columns. */
template <class kind> static __device__ inline void fused_lanes(HELD, char *cells, uint32_t head) {
    typedef typename kind::single single;
    enum : uint32_t { count = HELD_COUNT, row = fused_row<single>::value };
    const uint32_t lane = threadIdx.x & 31, within = lane & (count - 1);
    single *const warp = (single *)cells + (threadIdx.x - lane) * row;
    fused_wait(head >> 8 & 1);
    UNROLL
    for (uint32_t i = 0; i < count; ++i) warp[lane * row + i] = held[i];
    __syncwarp();
    UNROLL
    for (uint32_t i = 0; i < count; ++i) held[i] = warp[(lane - within + i) * row + within];
}

/* Each warp writes a row of lanes for each register, and reads the rows of other warps. */
template <class kind, uint32_t bits>
static __device__ inline void fused_warps(HELD, char *cells, uint32_t first) {
    typedef typename kind::single single;
    enum : uint32_t { count = HELD_COUNT, stay = count >> bits, rows = 32 * fused_row<single>::value };
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5, mask = (1u << bits) - 1;
    const uint32_t number = warp >> first & mask, others = warp ^ number << first;
    single *const put = (single *)cells + warp * rows + lane;
    const single *get = (const single *)cells + others * rows + number * stay * 32 + lane;
    UNROLL
    for (uint32_t i = 0; i < count; ++i) put[32 * i] = held[i];
    __syncthreads();
    UNROLL
    for (uint32_t from = 0; from < 1u << bits; ++from, get += rows << first) {
        UNROLL
        for (uint32_t i = 0; i < stay; ++i) held[from * stay + i] = get[32 * i];
    }
}

template <class kind> static __device__ inline void fused_warps_of(HELD, char *cells, uint32_t head) {
    const uint32_t first = head >> 24;
    fused_wait(head >> 8 & 1);
    switch (head >> 16 & 0xff) {
    case 1: fused_warps<kind, 1>(held, cells, first); break;
    case 2: fused_warps<kind, 2>(held, cells, first); break;
    case 3: fused_warps<kind, 3>(held, cells, first); break;
    case 4:
        if constexpr (HELD_COUNT >= 16) fused_warps<kind, 4>(held, cells, first);
        break;
    case 5:
        if constexpr (HELD_COUNT >= 32) fused_warps<kind, 5>(held, cells, first);
        break;
    }
}

/* Each thread writes a row, and reads a column of those rows that its warp is for. */
template <class kind, uint32_t bits> static __device__ inline void fused_cycle(HELD, char *cells) {
    typedef typename kind::single single;
    enum : uint32_t { lane_bits = 5, kept = lane_bits - bits, row = fused_row<single>::value };
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> lane_bits;
    single *const put = (single *)cells + threadIdx.x * row;
    const single *const get = (const single *)cells + (warp << kept) * row + lane;
    UNROLL
    for (uint32_t i = 0; i < HELD_COUNT; ++i) put[i] = held[i];
    __syncthreads();
    UNROLL
    for (uint32_t i = 0; i < HELD_COUNT; ++i)
        held[i] = get[((i >> kept << lane_bits) + (i & ((1u << kept) - 1))) * row];
}

template <class kind> static __device__ inline void fused_cycle_of(HELD, char *cells, uint32_t head) {
    if constexpr (HELD_COUNT == 1 << FUSED_HELD_LOG2) {
        fused_wait(head >> 8 & 1);
        switch (head >> 16) {
        case 1: fused_cycle<kind, 1>(held, cells); break;
        case 2: fused_cycle<kind, 2>(held, cells); break;
        case 3: fused_cycle<kind, 3>(held, cells); break;
        case 4: fused_cycle<kind, 4>(held, cells); break;
        case 5: fused_cycle<kind, 5>(held, cells); break;
        }
    }
}

template <class kind, uint32_t bit> static __device__ inline void fused_turn(HELD) {
    UNROLL
    for (uint32_t i = 1; i < HELD_COUNT; i += 2) {
        if (i >> bit & 1) continue;
        const uint32_t j = i ^ 1 ^ 1u << bit;
        if (j >= HELD_COUNT) continue;
        const typename kind::single other = held[j];
        held[j] = held[i];
        held[i] = other;
    }
}

template <class kind> static __device__ inline void fused_turn_of(HELD, uint32_t bit) {
    switch (bit) {
    case 1: fused_turn<kind, 1>(held); break;
    case 2: fused_turn<kind, 2>(held); break;
    case 3: fused_turn<kind, 3>(held); break;
    case 4: fused_turn<kind, 4>(held); break;
    }
}

#endif

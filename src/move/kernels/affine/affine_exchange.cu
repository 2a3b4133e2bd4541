/* SPDX-License-Identifier: Apache-2.0
 *
 * An involution in place that moves segments as one (plan/affine/exchange.h): a thread reads vectors x and x ^ d of up to
 * two pairs and writes each to the other's place. d is the block's; its bits below a vector's say which unit goes where within
 * it. Where it has no others a thread has single vectors.
 */
#include "move/kernels/affine/affine_exchange.h"
#include "device/kernels/device.h"
#include "move/kernels/affine/orbits.h"

enum { EXCHANGE_MOVES = 1 << EXCHANGE_MOVES_LOG2 }; /* 2: x[0] and x[1] */

/* A vector of 16 bytes. */
typedef union exchange_vector {
    vector16 whole;
    uint32_t word[4];
} exchange_vector;

/* Byte k comes from byte k ^ within. */
static __device__ inline void exchange_within(exchange_vector *v, uint32_t within) {
    if (within == 0) return;
    if (within & 8) {
        const uint32_t first = v->word[0], second = v->word[1];
        v->word[0] = v->word[2], v->word[1] = v->word[3];
        v->word[2] = first, v->word[3] = second;
    }
    if (within & 4) {
        const uint32_t first = v->word[0], third = v->word[2];
        v->word[0] = v->word[1], v->word[2] = v->word[3];
        v->word[1] = first, v->word[3] = third;
    }
    UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t word = v->word[k], halves = within & 2 ? word << 16 | word >> 16 : word;
        v->word[k] = within & 1 ? (halves & 0x00ff00ff) << 8 | (halves >> 8 & 0x00ff00ff) : halves;
    }
}

/* The sum (XOR) of the vectors that a number's bits choose. */
template <class place> static __device__ inline place sum_of_chosen(const place *vectors, place number) {
    place sum = 0;
    for (uint32_t k = 0; number >> k != 0; ++k)
        if (number >> k & 1) sum ^= vectors[k];
    return sum;
}

/* The pairs' vectors at x and x ^ move change places with those at their sums with `far`; or each stays, if that is 0. */
template <class element, class place>
static __device__ inline void exchange_pairs(char *to, const char *from, const place (&x)[EXCHANGE_MOVES],
                                             uint32_t moves, place far, uint32_t within) {
    exchange_vector held[EXCHANGE_MOVES], other[EXCHANGE_MOVES];
    UNROLL
    for (uint32_t i = 0; i < EXCHANGE_MOVES; ++i) {
        if (i >= moves) break;
        held[i].whole = *(const element *)(from + x[i]);
        if (far != 0) other[i].whole = *(const element *)(from + (x[i] ^ far));
    }
    UNROLL
    for (uint32_t i = 0; i < EXCHANGE_MOVES; ++i) {
        if (i >= moves) break;
        exchange_within(&held[i], within);
        if (far != 0) exchange_within(&other[i], within);
        *(element *)(to + (x[i] ^ far)) = held[i].whole;
        if (far != 0) *(element *)(to + x[i]) = other[i].whole;
    }
}

template <class element, class table>
__global__ void LAUNCH_BOUNDS(1 << EXCHANGE_THREADS_LOG2, 8)
    affine_exchange(element *b, const element *a, const GRID_CONSTANT table t) {
    typedef decltype(t.origin + 0) place;
    const uint64_t run = blockIdx.x / t.blocks * t.stride;
    const uint32_t block = blockIdx.x % t.blocks, row = block % t.rows, piece = block / t.rows;
    const place orbit = (place)(t.first + row) << t.plain | (place)piece * t.moves << t.threads_log2;
    const place number = coset_of_orbit<place>(orbit, t.fixed, t.far, t.coset_bits, t.moved, t.plain);
    const place d = t.displacement ^ sum_of_chosen<place>(t.displaces, number >> t.plain);
    place x[EXCHANGE_MOVES] = {(place)(t.origin ^ sum_of_chosen<place>(t.basis, number))};
    UNROLL
    for (uint32_t k = 0; k < EXCHANGE_THREADS_LOG2; ++k)
        if (threadIdx.x >> k & 1) x[0] ^= t.basis[k];
    x[1] = x[0] ^ t.basis[t.threads_log2];
    const uint32_t within = (uint32_t)d & (sizeof(element) - 1);
    exchange_pairs<element, place>((char *)b + run, (const char *)a + run, x, t.moves, d ^ within, within);
}

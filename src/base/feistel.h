/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of random permutations (perm/random.c has their definition): the Feistel network, for C and for
 * CUDA, so that every engine computes the same values from the same lines.
 */
#ifndef RIFFLE_BASE_FEISTEL_H
#define RIFFLE_BASE_FEISTEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define FEISTEL_INLINE static __device__ __forceinline__
#define FEISTEL_UNROLL _Pragma("unroll")
#else
#define FEISTEL_INLINE static inline __attribute__((always_inline))
#define FEISTEL_UNROLL _Pragma("GCC unroll 8")
#endif

enum { FEISTEL_ROUNDS = 8, FEISTEL_LEAST_BITS = 8 };
#define FEISTEL_SECOND UINT32_C(0xC2B2AE35) /* the factor after the one of the first multiplication */

/** The network as it is run: `a` is the half that the first round changes, `b` the other. */
typedef struct feistel {
    unsigned bits;
    unsigned a_shift, a_width;
    unsigned b_shift, b_width;
    uint32_t p[FEISTEL_ROUNDS], q[FEISTEL_ROUNDS];
} feistel;

/** The network on the indices below n >= 2 with these keys of its rounds, or its inverse. */
static inline feistel feistel_create(uint64_t n, const uint64_t *round_key, bool inverted) {
    unsigned bits = 64 - (unsigned)__builtin_clzll(n - 1);
    if (bits < FEISTEL_LEAST_BITS) bits = FEISTEL_LEAST_BITS;
    const unsigned low = bits / 2, high = bits - low;
    feistel net;
    net.bits = bits;
    net.a_shift = inverted ? 0 : low;
    net.a_width = inverted ? low : high;
    net.b_shift = inverted ? low : 0;
    net.b_width = inverted ? high : low;
    for (unsigned r = 0; r < FEISTEL_ROUNDS; r++) {
        const uint64_t key = round_key[inverted ? FEISTEL_ROUNDS - 1 - r : r];
        net.p[r] = (uint32_t)key;
        /* Added behind the product, where GPUs add for nothing. */
        net.q[r] = (uint32_t)(key >> 32) * FEISTEL_SECOND;
    }
    return net;
}

/** The top `width` bits of f(r, x). */
FEISTEL_INLINE uint32_t feistel_mix(const feistel *net, unsigned r, uint32_t x, unsigned width) {
    const uint32_t y = (x ^ net->p[r]) * UINT32_C(0x85EBCA6B);
    return ((y ^ (y >> 15)) * FEISTEL_SECOND + net->q[r]) >> (32 - width);
}

/** All rounds on the two halves of a value. */
FEISTEL_INLINE void feistel_rounds(const feistel *net, uint32_t *a, uint32_t *b) {
    FEISTEL_UNROLL
    for (unsigned r = 0; r < FEISTEL_ROUNDS; r += 2) {
        *a ^= feistel_mix(net, r, *b, net->a_width);
        *b ^= feistel_mix(net, r + 1, *a, net->b_width);
    }
}

#endif

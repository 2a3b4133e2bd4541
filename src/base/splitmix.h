/* SPDX-License-Identifier: Apache-2.0
 *
 * The stream of 64-bit numbers that every seed in the spec language stands for: splitmix64 (Steele, Lea,
 * Flood: Fast splittable pseudorandom number generators, 2014). For C and for CUDA.
 */
#ifndef RIFFLE_BASE_SPLITMIX_H
#define RIFFLE_BASE_SPLITMIX_H

#include <stdint.h>

#ifdef __CUDACC__
#define SPLITMIX_INLINE static __device__ __forceinline__
#else
#define SPLITMIX_INLINE static inline
#endif

/** The next number of the stream whose state is *state; the seed is the first state. */
SPLITMIX_INLINE uint64_t splitmix_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The words that arrays are filled with, by the host and by a GPU alike. So nobody need keep a second copy to know them.
 */
#ifndef RIFFLE_CLI_BENCH_WORD_H
#define RIFFLE_CLI_BENCH_WORD_H

#include <stdint.h>

#ifdef __CUDACC__
#define BENCH_FUNCTION static __host__ __device__ inline
#else
#define BENCH_FUNCTION static inline
#endif

/** splitmix64's mixing: a cheap hash in which every bit looks random. */
BENCH_FUNCTION uint64_t bench_hash(uint64_t k) {
    k += 0x9E3779B97F4A7C15u;
    k = (k ^ (k >> 30)) * 0xBF58476D1CE4E5B9u;
    k = (k ^ (k >> 27)) * 0x94D049BB133111EBu;
    return k ^ (k >> 31);
}

/** The k-th 8 bytes: random, but in each 2 of them two bits of a number's exponent, so that as numbers of any width they
 *  are neither tiny nor infinite nor NaN, and the same after a peer has multiplied them by 1. */
BENCH_FUNCTION uint64_t bench_word(uint64_t k) {
    return (bench_hash(k) & ~(uint64_t)0x4000400040004000u) | 0x2000200020002000u;
}

#endif

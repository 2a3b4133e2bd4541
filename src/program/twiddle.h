/* SPDX-License-Identifier: Apache-2.0
 *
 * Roots of unity, the twiddle factors of Fourier transforms.
 */
#ifndef RIFFLE_PROGRAM_TWIDDLE_H
#define RIFFLE_PROGRAM_TWIDDLE_H

#include <math.h>
#include <stdint.h>

typedef struct twiddle {
    double re, im;
} twiddle;

/** w^i for w = exp(-2 pi sqrt(-1) / 2^k), or for exp(2 pi sqrt(-1) / 2^-k) where k is negative. */
static inline twiddle twiddle_at(int k, uint64_t i) {
    const unsigned bits = (unsigned)(k < 0 ? -k : k);
    const uint64_t turns = i & (((uint64_t)1 << bits) - 1);
    const double angle = 6.283185307179586476925286766559 * ldexp((double)turns, -(int)bits);
    return (twiddle){cos(angle), k < 0 ? sin(angle) : -sin(angle)};
}

#endif

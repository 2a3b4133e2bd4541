/* SPDX-License-Identifier: Apache-2.0
 *
 * Lower bounds of sorting by comparisons (Jurkiewicz 2013, section 4.1). P processors, each with room for c blocks of S elements, exchange
 * blocks with a memory: one exchange reads a block and writes one. With C = (cS choose S), t turns of all processors are
 * needed at least where
 *
 *     n! / S!^(n/S) <= (2n/S C)^(tP)      to permute (Theorem 4.1)
 *     n! / S!^(n/S) <= C^(tP)             to learn by comparisons which permutation it is (section 4.1.2)
 *
 * These are solved as they stand, without the asymptotics. Each block is read once besides, so no fewer than n/S.
 */
#ifndef RIFFLE_MODELS_SORT_BOUND_H
#define RIFFLE_MODELS_SORT_BOUND_H

#include <stdint.h>

typedef struct sort_bound {
    double permuting, comparing; /**< block exchanges of all processors together: t P */
} sort_bound;

/** The bounds for n elements, blocks of S (at least 1) of them and a cache of c blocks, at least 2. */
sort_bound sort_bound_of(uint64_t n, double S, double c);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers from a seed, for tests with cmocka and without.
 */
#ifndef RIFFLE_TESTS_RANDOM_NUMBERS_H
#define RIFFLE_TESTS_RANDOM_NUMBERS_H

#include <stdint.h>

/** xorshift64*; seed it with anything but 0. */
typedef struct rng {
    uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r) {
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * 0x2545f4914f6cdd1dULL;
}

static inline uint64_t rng_below(rng *r, uint64_t n) { return rng_next(r) % n; }

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The random numbers of the programs. The generator is a hashed counter, so that one number does not wait for
 * the one before and the machine can work at several accesses at a time, as it can where a table of places is
 * read.
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_RANDOM_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_RANDOM_H

#include "base/splitmix.h"

/** A number below n, or 0 for n = 0: the high word of n times a random number (no division). The bias is at
 *  most n / 2^64. */
static inline uint64_t random_below(uint64_t *state, uint64_t n) {
    return (uint64_t)((unsigned __int128)splitmix_next(state) * n >> 64);
}

/** The keys of the searches are odd, in order of rank; what is searched for is any number from 0 to 2 n. So a
 *  key k has k / 2 keys below it. */
static inline uint64_t key_of_rank(uint64_t rank) { return 2 * rank + 1; }
static inline uint64_t random_key(uint64_t *state, uint64_t n) { return random_below(state, 2 * n + 1); }

#endif

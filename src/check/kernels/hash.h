/* SPDX-License-Identifier: Apache-2.0
 *
 * The number that a check adds up, modulo 2^64, for each place and what is there: h(place, words). Each step is a bijection of the 64 bits
 * that it changes, so that another word in the same place always makes another number; and a place enters twice, so that no two words
 * that change places are missed by the bits that they share. A word takes two multiplications, since one leaves its upper bits where they
 * are: signs that turn would then be missed, in one element or in two, as their differences make up for each other. For C and for CUDA.
 */
#ifndef RIFFLE_CHECK_KERNELS_HASH_H
#define RIFFLE_CHECK_KERNELS_HASH_H

#include "base/splitmix.h"

/** A number on its way: the place, and what of it and the words so far was made. */
typedef struct check_hash {
    uint64_t place, state;
} check_hash;

SPLITMIX_INLINE check_hash check_hash_begin(uint64_t place) {
    check_hash out;
    out.place = place * UINT64_C(0x9E3779B97F4A7C15);
    out.state = out.place ^ out.place >> 32;
    return out;
}

SPLITMIX_INLINE void check_hash_take(check_hash *hash, uint64_t word) {
    uint64_t state = hash->state ^ word;
    hash->state = splitmix_next(&state);
}

SPLITMIX_INLINE uint64_t check_hash_end(const check_hash *hash) {
    const uint64_t mixed = (hash->state + hash->place) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

#endif

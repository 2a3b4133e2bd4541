/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits of packed arrays, one at a time: what arrays of bits are compared with.
 */
#ifndef RIFFLE_TESTS_BITS_SUPPORT_H
#define RIFFLE_TESTS_BITS_SUPPORT_H

#include "riffle/bits.h"
#include "support.h"

/** Where bit p of element i is, of an array of elements of so many bits. */
static inline uint64_t bit_place(uint64_t i, uint64_t elem_bits, uint64_t p, riffle_bit_order order) {
    const uint64_t at = i * elem_bits;
    if (elem_bits >= 8 || order == RIFFLE_BIT_ORDER_LITTLE) return at + p;
    return (at | 7) - at % 8 - (elem_bits - 1) + p;
}

static inline unsigned bit_at(const unsigned char *bytes, uint64_t place) {
    return bytes[place / 8] >> place % 8 & 1;
}

static inline void bit_set(unsigned char *bytes, uint64_t place, unsigned bit) {
    bytes[place / 8] = (unsigned char)((bytes[place / 8] & ~(1u << place % 8)) | bit << place % 8);
}

/** A bit permutation, and a map that leaves some of the low bits, each with a complement. */
static inline riffle_perm *bits_random_map(rng *r, unsigned m) {
    uint64_t rows[RIFFLE_MAX_BITS];
    unsigned order[RIFFLE_MAX_BITS];
    riffle_perm *perm = NULL;
    for (unsigned k = 0; k < m; k++) order[k] = k;
    for (unsigned k = m; k > 1; k--) {
        const unsigned j = (unsigned)rng_below(r, rng_below(r, 2) == 0 ? k : (k < 6 ? k : 6)),
                       held = order[k - 1];
        order[k - 1] = order[j], order[j] = held;
    }
    for (unsigned k = 0; k < m; k++) rows[k] = (uint64_t)1 << order[k];
    for (unsigned times = (unsigned)rng_below(r, 2 * m); times > 0; times--) {
        const unsigned a = (unsigned)rng_below(r, m), b = (unsigned)rng_below(r, rng_below(r, 2) == 0 ? m : 6);
        if (a != b) rows[a] ^= rows[b];
    }
    assert_int_equal(riffle_perm_affine(m, rows, rng_below(r, (uint64_t)1 << m), &perm), RIFFLE_OK);
    return perm;
}

static inline void expect_refused(riffle_status got, riffle_status status, const char *sentence) {
    assert_int_equal(got, status);
    assert_string_equal(riffle_error_detail(), sentence);
}

#endif

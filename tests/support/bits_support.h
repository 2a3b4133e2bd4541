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

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit reversal of any length as a table, for tests with cmocka and without.
 */
#ifndef RIFFLE_TESTS_REVERSE_BITS_H
#define RIFFLE_TESTS_REVERSE_BITS_H

#include <stdint.h>

/** Bit reversal of the next power of two, of which only what is less than n is taken. */
static inline void reverse_bits(uint64_t n, uint64_t *table) {
    unsigned bits = 0;
    uint64_t next = 0;
    while ((uint64_t)1 << bits < n) bits++;
    for (uint64_t i = 0; i < (uint64_t)1 << bits; i++) {
        uint64_t reversed = 0;
        for (unsigned k = 0; k < bits; k++) reversed |= (i >> k & 1) << (bits - 1 - k);
        if (reversed < n) table[reversed] = next++;
    }
}

#endif

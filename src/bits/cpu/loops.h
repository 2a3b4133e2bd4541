/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops that move bits within bytes, for each set of vector instructions. All are written once, in loops.inc. Bytes lie at any
 * address.
 */
#ifndef RIFFLE_BITS_LOOPS_H
#define RIFFLE_BITS_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/processor/vectors.h"
#include "bits/cpu/mix.h"

/** Bits of a string of bytes by how many they are shifted towards its begin. */
typedef struct bits_loop_shift {
    unsigned bits; /**< 0 to 7, whole elements */
    bool is_big;   /**< a byte begins with its highest bit */
    unsigned
        turn; /**< an element in place p of its byte is in place p ^ turn from the other end: 8 - its bits */
} bits_loop_shift;

typedef struct bits_loops {
    /** Transposes squares of E x E elements of 1, 2 or 4 bits, E of which are a byte: element i of byte q of `to`'s row p is element p of
     *  byte q of `from`'s row i, of E rows of so many bytes. Rows are so many bytes apart; both arrays may be one, in any
     *  order of rows. */
    void (*exchange)(uint8_t *to, ptrdiff_t to_row, const uint8_t *from, ptrdiff_t from_row, size_t bytes,
                     unsigned elem_bits);
    /** In words of 8 bytes, `times` times: even bits come into the lower half, odd ones into the upper. `bytes` is of whole words. */
    void (*separate)(uint8_t *words, size_t bytes, unsigned times);
    /** The inverse. */
    void (*interleave)(uint8_t *words, size_t bytes, unsigned times);
    /** Bit b of each byte becomes bit b ^ change, change up to 7; `bytes` is of whole words. */
    void (*turn)(uint8_t *words, size_t bytes, unsigned change);
    /** Byte k of `to` becomes the bits of `from` from bit 8 k + by->bits on. Reads a byte behind `bytes` where by->bits is not 0; both are apart. */
    void (*shift)(uint8_t *to, const uint8_t *from, size_t bytes, const bits_loop_shift *by);
    /** The same, and then the string's elements are the other way round: the last one comes first. */
    void (*shift_back)(uint8_t *to, const uint8_t *from, size_t bytes, const bits_loop_shift *by);
    /** Does the steps of bits/cpu/mix.h to `count` lines, a power of two, and writes them side by side: line k is at from + line[k], its bytes
     *  in the order that its label says. lo' changes by what has the coordinates `change`. */
    void (*mix)(const bits_mix *mix, unsigned change, uint8_t *to, const uint8_t *from, const uint64_t *line,
                unsigned count);
} bits_loops;

extern const bits_loops bits_loops_portable;
#if defined(__x86_64__)
extern const bits_loops bits_loops_avx2, bits_loops_avx512;
#elif defined(__aarch64__)
extern const bits_loops bits_loops_neon;
#endif

/** By set; NULL where none are written. */
extern const bits_loops *const bits_loops_of[VECTOR_SETS];

/** By the best set that may run. */
const bits_loops *bits_loops_best(void);

#endif

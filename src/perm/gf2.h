/* SPDX-License-Identifier: Apache-2.0
 *
 * Linear algebra over GF(2) on index bits: a vector is a uint64_t, its bit k the k-th coordinate; a
 * matrix is its columns, so that a product with a vector is one XOR for each bit set.
 */
#ifndef RIFFLE_PERM_GF2_H
#define RIFFLE_PERM_GF2_H

#include <stdbool.h>
#include <stdint.h>

#include "riffle.h"

/** An m x m matrix, m <= RIFFLE_MAX_BITS; column[j] is the image of the unit vector e_j. */
typedef struct gf2_matrix {
    unsigned m;
    uint64_t column[RIFFLE_MAX_BITS];
} gf2_matrix;

/** a times x; bits of x at or above m must be 0. */
static inline uint64_t gf2_apply(const gf2_matrix *a, uint64_t x) {
    uint64_t y = 0;
    for (; x != 0; x &= x - 1) y ^= a->column[__builtin_ctzll(x)];
    return y;
}

/** The m x m identity. */
gf2_matrix gf2_identity(unsigned m);

/** The matrix whose row k is rows[k] (bit j of it the entry in column j). */
gf2_matrix gf2_from_rows(unsigned m, const uint64_t *rows);

/** Row k of a, bit j of it the entry in column j. */
uint64_t gf2_row(const gf2_matrix *a, unsigned k);

/** ab. Both m x m. */
gf2_matrix gf2_multiply(const gf2_matrix *a, const gf2_matrix *b);

/** The inverse of a into *inverse. False if a is singular; then *dependent (if not NULL) is a nonzero set
 *  of columns of a (bit j: column j) that add up to zero. */
bool gf2_invert(const gf2_matrix *a, gf2_matrix *inverse, uint64_t *dependent);

/** True if every row and every column of a has exactly one entry 1. */
bool gf2_is_bit_permutation(const gf2_matrix *a);

#endif

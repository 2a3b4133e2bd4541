/* SPDX-License-Identifier: Apache-2.0
 *
 * The rational canonical form over GF(2): the space as a direct sum of cyclic parts, each spanned by a vector w and its
 * images A w, A^2 w, ..., as many as are independent. On a part A is multiplication by x of polynomials modulo p.
 *
 * A polynomial is a uint64_t, bit i the coefficient of x^i.
 */
#ifndef RIFFLE_PERM_GF2_CYCLIC_H
#define RIFFLE_PERM_GF2_CYCLIC_H

#include "perm/gf2.h"

typedef struct gf2_part {
    uint64_t generator;  /**< w */
    uint64_t polynomial; /**< p of degree d, the least with p(A) w = 0: the part's basis is w .. A^(d-1) w */
} gf2_part;

/** The degree of p, which is not 0. */
static inline unsigned gf2_degree(uint64_t p) { return 63 - (unsigned)__builtin_clzll(p); }

/** True if p's coefficients are the same from both ends. Then A on its part is similar to its inverse. */
bool gf2_is_reciprocal(uint64_t p);

/** The invariant factors of an invertible matrix: parts whose polynomials each divide the one before. Matrices that are
 *  similar have the same ones. Returns how many there are. O(m^3) steps of a word at most; cannot fail. */
unsigned gf2_invariant_parts(const gf2_matrix *a, gf2_part out[RIFFLE_MAX_BITS]);

/** The same spaces spanned by unit vectors and their images, in order, where their sum is direct and all of the polynomials
 *  are reciprocal; else 0. The cycles of a permutation of index bits are such, with x^d + 1. */
unsigned gf2_unit_parts(const gf2_matrix *a, gf2_part out[RIFFLE_MAX_BITS]);

#endif

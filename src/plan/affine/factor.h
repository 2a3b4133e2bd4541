/* SPDX-License-Identifier: Apache-2.0
 *
 * Any affine permutation as involutions, one after the other: three at most, two where A is similar to its inverse.
 *
 * (Gustafson, Halmos, Radjavi 1976: over any field four do for determinants of 1 and -1. Over GF(2) three do, since every
 * invertible matrix has the determinant 1.) The space is a sum of cyclic parts (perm/gf2_cyclic.h), on which A is
 * multiplication by x modulo p. Where p reads the same from both ends, x -> 1/x is a map s of the part onto itself, its own
 * inverse, and so is A s: A = (A s) s. Any other p is exchanged for q = x^d + 1, which does: let C be multiplication by x
 * modulo q in the same basis. Then C^-1 A leaves all of the basis but its last vector, to which it adds a vector u of the
 * others; so it is its own inverse as well, and A = (C s) s (C^-1 A).
 *
 *     A   =   C s   .   s   .   C^-1 A            the last, where p is no such polynomial, moves half of the space
 *
 * c divides between C s and s: what the one fixes and C s makes of what the other fixes add up to all vectors. (Let q read the
 * same from both ends. s fixes d/2 dimensions at least, and (d + 1)/2 if d is odd; so does C s. The vectors that C s fixes and
 * those that C s makes of what s fixes have the vectors v with s v = v = x v in common, one dimension if q(1) = 0, else none.
 * In the latter case d is even. In the former d is odd, or q has no middle term and s fixes d/2 + 1 dimensions.)
 */
#ifndef RIFFLE_PLAN_AFFINE_FACTOR_H
#define RIFFLE_PLAN_AFFINE_FACTOR_H

#include "perm/perm.h"

enum { FACTOR_MOST = 3 };

/** Writes p as out[0], then out[1], ..., all involutions and none the identity. Returns how many: 0 of the identity, 1 of an
 *  involution, 2 where p->a is similar to its inverse, else 3. A permutation of index bits has factors that permute index bits,
 *  but for their complements. Microseconds; cannot fail. */
unsigned affine_factor(const perm_affine *p, perm_affine out[FACTOR_MOST]);

#endif

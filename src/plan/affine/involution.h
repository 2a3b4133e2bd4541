/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations that are their own inverse: what can be moved in place, because every element changes
 * places with one other or stays.
 *
 * Any permutation of index bits, complemented or not, is a product of two of them: a cycle of bits is a
 * rotation of a polygon, which is two reflections, one after the other; and what one reflection leaves fixed
 * and what the other does add up to all vectors, so the complement divides between the two as well.
 */
#ifndef RIFFLE_PLAN_AFFINE_INVOLUTION_H
#define RIFFLE_PLAN_AFFINE_INVOLUTION_H

#include "perm/perm.h"

/** True if p(p(x)) = x for all x. */
bool involution_is(const perm_affine *p);

/** Writes p as first, then second, both involutions; false, and nothing written, if p->a does not permute index
 *  bits. Where p is an involution itself, second is the identity. Both permute index bits; neither may be p. */
bool involution_factor(const perm_affine *p, perm_affine *first, perm_affine *second);

/** The orbits of an involution P on the cosets x + S of a subspace S with A S = S, each once. A coset's number
 *  z stands for the coset of origin + sum of basis[i] over the bits i of z. With `moved` bits at the top, c,
 *  and the others below, h, so that z = (c, h):
 *
 *      where a coset is fixed:    P(c, h) = (c, h + c): cosets with c = 0 are fixed, and of two others that
 *                                 change places the representative has in h a 0 at the leading bit of c;
 *      where no coset is fixed:   moved = 0, and the last bit of z differs between z and P(z); origin is 0.
 *
 *  Leading bits ascend with i within c, and within h above the images of c; where no coset is fixed, up to the
 *  last bit. So neighbouring numbers are near in memory where they can be.
 *
 *  Orbit number b, for b < orbits:
 *      b < direct:  z = b;
 *      else:        b' = b - direct, low = bits - moved - 1: c = 1 + (b' >> low), h = the low bits of b' with a
 *                   bit 0 put in at the leading bit of c. */
typedef struct involution_orbits {
    uint64_t origin;
    unsigned bits;  /**< there are 2^bits cosets */
    unsigned moved; /**< bits of c; 2 * moved <= bits */
    uint64_t basis[RIFFLE_MAX_BITS];
    uint64_t orbits;
    uint64_t direct; /**< orbits whose number is the coset's */
    uint64_t fixed;  /**< orbits of one coset; they come first */
} involution_orbits;

/** Numbers the orbits of p, an involution of 2^p->a.m indices, on the cosets of the span of the `count`
 *  independent vectors `subspace`, which p->a maps onto itself. No basis vector has a bit at a leading bit of
 *  the subspace's echelon form (perm/gf2_span.h), and neither has origin. Takes microseconds, cannot fail. */
void involution_plan(const perm_affine *p, const uint64_t *subspace, unsigned count, involution_orbits *out);

/** The z of orbit b (above). */
uint64_t involution_coset(const involution_orbits *o, uint64_t b);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations that are their own inverse: what can be moved in place, because every element changes
 * places with one other or stays.
 */
#ifndef RIFFLE_PLAN_AFFINE_INVOLUTION_H
#define RIFFLE_PLAN_AFFINE_INVOLUTION_H

#include "perm/perm.h"

/** True if p(p(x)) = x for all x. */
bool involution_is(const perm_affine *p);

/** The orbits of an involution P on the cosets x + S of a subspace S with A S = S, each once. A coset's number
 *  z stands for the coset of origin + sum of basis[i] over the bits i of z. Its bits, from the top:
 *
 *      far      1 where no coset is fixed, else 0
 *      c        `moved`: what moves
 *      near     to the next: with these, P moves a coset's elements within it
 *      image    `moved`: where c's bits go
 *      plain    `plain`: what P moves with the coset
 *
 *      P(far, c, near, image, plain) = (far + 1, c, near, image + c, plain)
 *
 *  With no far bit, cosets with c = 0 are fixed; of two others that change places the representative has in image a 0 at
 *  the leading bit of c. With it, origin is 0 and the representative is the one with far = 0. Leading bits of the basis
 *  ascend with i within c, near and plain. So neighbouring numbers are near in memory where they can be.
 *
 *  Where P is an involution that leaves each vector of S as it is, every coset moves as one: P adds a vector to it that
 *  depends on far, c and near alone. There the first `still` orbits are those of which P moves no element.
 *
 *  Orbit number b, for b < orbits:
 *      far, or b < fixed:  z = b;
 *      else:               b' = b - fixed, low = bits - moved - 1: c = 1 + (b' >> low), the rest the low bits of b' with a
 *                          bit 0 put into image at the leading bit of c. */
typedef struct involution_orbits {
    uint64_t origin;
    unsigned bits;  /**< there are 2^bits cosets */
    unsigned moved; /**< bits of c */
    unsigned plain; /**< image begins at bit `plain` */
    uint64_t far;   /**< the far bit, or 0 */
    uint64_t basis[RIFFLE_MAX_BITS];
    uint64_t orbits;
    uint64_t fixed; /**< orbits of one coset; they come first; 0 or a power of two */
    uint64_t still; /**< orbits among these, moved in no element; they come first; 0 or a power of two */
} involution_orbits;

/** Numbers the orbits of p, which on the cosets of the span of the `count` independent vectors `subspace` is an
 *  involution, of 2^p->a.m indices; p->a maps the span onto itself. No basis vector has a bit at a leading bit of
 *  the subspace's echelon form (perm/gf2_span.h), and neither has origin. Takes microseconds, cannot fail. */
void involution_plan(const perm_affine *p, const uint64_t *subspace, unsigned count, involution_orbits *out);

/** P(z). */
static inline uint64_t involution_image(const involution_orbits *o, uint64_t z) {
    const uint64_t c = (z & ~o->far) >> (o->bits - o->moved - (o->far != 0));
    return z ^ o->far ^ c << o->plain;
}

/** The z of orbit b (above). */
uint64_t involution_coset(const involution_orbits *o, uint64_t b);

#endif

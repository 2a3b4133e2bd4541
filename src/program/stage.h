/* SPDX-License-Identifier: Apache-2.0
 *
 * A stage: one operation on all groups of elements that differ in certain directions of their index, all at once.
 * An index x is a vector of GF(2)^n, and so is a direction d; a functional is a mask f whose value in x is the
 * parity of f & x. Functionals here are affine: their bit PROGRAM_ONE is a constant, as if every index had that
 * bit set.
 *
 *     pair stage (d, f):   for each x with f.x = 0 and all conditions 0:   (a[x], a[x+d]) = op(a[x], a[x+d])
 *
 *          x  000 001 010 011 100 101 110 111        d = 011, f = 001: pairs 000-011, 010-001, 100-111, 110-101
 *             '---------------'   '--------------    the first of each has bit 0 clear
 *                 '---'               '---'
 *
 * Invariants: position s of direction t is 1 where s = t, else 0 (the linear parts); conditions and rows of the
 * index are 0 on every direction. So what chooses the order, the groups and i is the same for all of a group.
 */
#ifndef RIFFLE_PROGRAM_STAGE_H
#define RIFFLE_PROGRAM_STAGE_H

#include "program/op.h"

#define PROGRAM_ONE ((uint64_t)1 << 63)

enum { PROGRAM_GROUP_BITS = RIFFLE_PROGRAM_GROUP_BITS };

typedef struct program_stage {
    riffle_op op;        /**< its source belongs to the program that was compiled */
    unsigned bits;       /**< op takes 2^bits elements: 0 for `map`, 1 for `pair` */
    unsigned conditions; /**< it acts where all of them are 0 */
    unsigned index_bits; /**< bits of the sub-index i; 0 where op does not use it */
    unsigned own;        /**< number of a user's op in a pass (program/own.h) */
    uint64_t direction[PROGRAM_GROUP_BITS];
    uint64_t position[PROGRAM_GROUP_BITS]; /**< functionals: bit t of the element's place in its group */
    uint64_t condition[RIFFLE_MAX_BITS];   /**< functionals, linearly independent */
    uint64_t index[RIFFLE_MAX_BITS];       /**< functionals: bit t of i */
} program_stage;

/** The value of an affine functional in x, 0 or 1. */
static inline unsigned functional_at(uint64_t functional, uint64_t x) {
    return (unsigned)__builtin_parityll(functional & (x | PROGRAM_ONE));
}

/** The linear part of it along a direction: 1 if a step of d changes it. */
static inline unsigned functional_along(uint64_t functional, uint64_t d) {
    return (unsigned)__builtin_parityll(functional & d & ~PROGRAM_ONE);
}

#endif

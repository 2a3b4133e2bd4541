/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of the affine_exchange pass: involutions in place that leave the bits of a segment alone, moved without
 * shared memory, and of which only what moves is touched.
 *
 * Let P(x) = x + N x + c be its own inverse, and N e_j = 0 for the bits j < s of a segment. Then P moves a segment as one,
 * by d = N x + c, the same for all of its elements: it stays as it is (d = 0), or its elements change places within
 * vectors of 16 bytes (d < 16 bytes), or it changes places with another segment. Vectors are numbered by orbits
 * (plan/affine/involution.h), those that stay first, and the launch begins behind these: of an exchange of two bits it
 * reads and writes half of the array.
 *
 *      vector's number:    c | near | image | plain: block | move | thread
 *
 * A block's threads and moves have the lowest bits of plain, so d is the block's. The rest of plain, the upper part of the
 * blocks' numbers, orders segments: those that lie in one line are moved at about the same time.
 */
#ifndef RIFFLE_PLAN_AFFINE_EXCHANGE_H
#define RIFFLE_PLAN_AFFINE_EXCHANGE_H

#include "plan/affine/tile.h"

enum {
    EXCHANGE_THREAD_BITS = 7, /**< log2 of the most threads of a block */
    EXCHANGE_MOVE_BITS = 1,   /**< log2 of the most pairs of a thread */
};

typedef struct affine_exchange_schedule {
    affine_arrays arrays;
    unsigned vector_bits; /**< log2 of the units of a vector */
    unsigned thread_bits, move_bits;
    uint64_t run_blocks;   /**< blocks of threads for a run */
    uint64_t displacement; /**< d of the origin's vector, in units */
    uint64_t displaces[RIFFLE_MAX_BITS]; /**< added to d by bit i of a vector's number: 0 for plain and image */
    involution_orbits orbits;            /**< orbits of vectors */
} affine_exchange_schedule;

/** A pass for arrays that begin on a vector, and for arrays that begin on any unit: those are moved by tiles, all of them. */
typedef struct affine_exchange_cuts {
    affine_exchange_schedule vectors;
    affine_tile_schedule tiles;
} affine_exchange_cuts;

/** Plans moving `arrays` in place along p, segments of at least 2^segment_bits bytes, 16 or more, as one. False, and
 *  nothing written, where p is no involution or moves what is shorter, where the arrays do not consist of vectors, and
 *  where they are too short for blocks of a warp of 2^lane_bits. */
bool affine_exchange_plan(const perm_affine *p, const affine_arrays *arrays, unsigned segment_bits,
                          const affine_tile_policy *policy, affine_exchange_schedule *out);

/** The part of the array that is read and written: 1 for all of it. */
double affine_exchange_share(const affine_exchange_schedule *s);

/** log2 of the bytes of the segments that come one behind the other, all of them moved or none. */
unsigned affine_exchange_segment_bits(const affine_exchange_schedule *s);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking an affine schedule's tiles in order: the place of tile i is a XOR of the vectors that the bits of i
 * select, so from i to i + 1, which flips bits 0..j, it is one XOR with a running sum.
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_AFFINE_LINES_AFFINE_LINES_WALK_H
#define RIFFLE_MOVE_CPU_PASSES_AFFINE_LINES_AFFINE_LINES_WALK_H

#include "plan/affine/lines.h"

enum {
    AFFINE_TILES_AHEAD = 4, /**< how far ahead a loop over tiles fetches its lines of src */
};

/** Where tile `number` begins: x0 in src (lane 0) and y0 = A x0 + c in dst. */
typedef struct affine_lines_walk {
    const affine_lines_schedule *s;
    uint64_t number, x, y;
} affine_lines_walk;

affine_lines_walk affine_lines_walk_from(const affine_lines_schedule *s, uint64_t number);

/** A step beyond the last tile stays where it is. */
static inline void affine_lines_walk_next(affine_lines_walk *walk) {
    const unsigned flipped = (unsigned)__builtin_ctzll(++walk->number);
    walk->x ^= walk->s->read_step[flipped];
    walk->y ^= walk->s->write_step[flipped];
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking an affine schedule's tiles in order: the place of tile i is a XOR of the vectors that the bits of i
 * select, so from i to i + 1, which flips bits 0..j, it is one XOR with a running sum.
 */
#ifndef RIFFLE_ENGINES_CPU_PASSES_AFFINE_LINES_WALK_H
#define RIFFLE_ENGINES_CPU_PASSES_AFFINE_LINES_WALK_H

#include "plan/affine/lines.h"

enum {
    AFFINE_MAX_LINES = 1 << AFFINE_LINE_BITS, /**< lines of the widest tile, on each side */
    AFFINE_TILES_AHEAD = 4,                   /**< how far ahead a loop over tiles fetches its lines of src */
};

/** The XOR of those of vectors[0..count-1] that the bits of `selection` choose. */
static inline uint64_t affine_combine(const uint64_t *vectors, unsigned count, uint64_t selection) {
    uint64_t sum = 0;
    for (unsigned j = 0; j < count; j++) sum ^= (selection >> j & 1) != 0 ? vectors[j] : 0;
    return sum;
}

/** Where tile `number` begins: x0 in src (lane 0) and y0 = A x0 + c in dst. */
typedef struct affine_lines_walk {
    uint64_t number, x, y;
    uint64_t read_step[AFFINE_MAX_BITS + 1], write_step[AFFINE_MAX_BITS + 1];
} affine_lines_walk;

static inline affine_lines_walk affine_lines_walk_from(const affine_lines_schedule *s, uint64_t number) {
    affine_lines_walk walk = {.number = number,
                              .x = affine_combine(s->read_tile, s->tile_bits, number),
                              .y = s->complement ^ affine_combine(s->write_tile, s->tile_bits, number)};
    uint64_t read = 0, write = 0;
    for (unsigned j = 0; j < s->tile_bits; j++) {
        walk.read_step[j] = read ^= s->read_tile[j];
        walk.write_step[j] = write ^= s->write_tile[j];
    }
    return walk; /* a step beyond the last tile stays where it is: its sums are 0 */
}

static inline void affine_lines_walk_next(affine_lines_walk *walk) {
    unsigned flipped = (unsigned)__builtin_ctzll(++walk->number);
    walk->x ^= walk->read_step[flipped];
    walk->y ^= walk->write_step[flipped];
}

#endif

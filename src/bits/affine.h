/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine maps y = A x + c of the bits of an array in one pass over whole lines, as plan/affine/lines.h has them of bytes: with E = span(e_0..e_8),
 * the 512 bits of a line, a tile is a coset x0 + S, S = E + A^-1 E and more, of whole lines on both sides, at most 32 KiB:
 *
 *      lines of src  --steps of bits-->  stage  --bytes-->  lines of dst
 *
 * T is A as it looks from a tile: linear in a bit's place there, the same for all tiles, but for a constant. bits/cpu/mix.h makes three of it: bytes,
 * for few maps, bits, and bytes. Bytes are moved by the loops of affine_lines, the last ones to dst.
 */
#ifndef RIFFLE_BITS_AFFINE_H
#define RIFFLE_BITS_AFFINE_H

#include "base/threads/team.h"
#include "bits/cpu/loops.h"
#include "bits/cpu/mix.h"
#include "plan/affine/lines.h"

typedef struct bits_affine {
    unsigned line_bits; /**< a tile has 2^line_bits lines */
    unsigned tile_bits; /**< an array has 2^tile_bits tiles */
    bool stream, has_first, has_last;
    uint64_t array_bytes, complement; /**< c, of bits */
    uint64_t read[BITS_MOST_LINES];   /**< bytes of a line of src from the tile's, by XOR */
    uint64_t write[BITS_MOST_LINES];  /**< the same of dst */
    uint64_t from[BITS_MOST_LINES];   /**< where in the stage the steps have a line from */
    /* From a tile whose number ends in a 0 and j ones to the next, by XOR: bytes of x0, bits of y0. */
    uint64_t read_step[RIFFLE_MAX_BITS], write_step[RIFFLE_MAX_BITS];
    bits_mix mix;
    affine_lines_schedule first, last; /**< from stage to stage, and from there to dst */
} bits_affine;

/** Plans the map of 2^m bits, m at least BITS_LEAST_TILE. Takes microseconds, cannot fail. */
void bits_affine_plan(const perm_affine *affine, bool stream, bits_affine *out);

/** A member's part of the tiles of so many arrays, side by side. Takes 64 KiB of stack. */
void bits_affine_run(const bits_affine *plan, uint64_t arrays, uint8_t *dst, const uint8_t *src,
                     team_member me);

#endif

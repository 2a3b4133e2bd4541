/* SPDX-License-Identifier: Apache-2.0
 *
 * The tiles of an affine map y = A x + c of bits, on any processor: with E = span(e_0..e_8), the 512 bits of a line, cosets x0 + S of
 * S = E + A^-1 E and more, which are whole lines on both sides (plan/affine/lines.h has the argument).
 *
 * A place in a tile has the 9 bits of the line first, and then those that say which lines make it up: `line` of src, `written` of dst. In these
 * coordinates A is the same linear map in all tiles, but for a constant.
 */
#ifndef RIFFLE_BITS_TILING_H
#define RIFFLE_BITS_TILING_H

#include "bits/cpu/mix.h"

typedef struct bits_tiling {
    unsigned line_bits;                              /**< a tile has 2^line_bits lines */
    unsigned tile_bits;                              /**< an array has 2^tile_bits tiles */
    uint64_t line[BITS_MOST_TILE - BITS_OF_LINE];    /**< first bits of lines: a basis of S, with E */
    uint64_t written[BITS_MOST_TILE - BITS_OF_LINE]; /**< the same of A S */
    uint64_t read_tile[RIFFLE_MAX_BITS];  /**< added to x0 by bit k of a tile's number: a line's first bit */
    uint64_t write_tile[RIFFLE_MAX_BITS]; /**< and to y0: any bit, A times that */
    gf2_matrix local;                     /**< A in places of a tile */
} bits_tiling;

/** Tiles of as many lines as may be, of an invertible map of BITS_LEAST_TILE bits or more. Tiles that come one after the other touch neighbouring lines on both
 *  sides. */
void bits_tiling_of(const gf2_matrix *a, bits_tiling *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile of affine_lines in pieces of 16 bytes, for processors whose byte permutations reach no further.
 *
 * A position in the tile has k + 6 bits: number of the line, byte of the line; `from` sends a position on dst's side to
 * the one on src's side that it comes from. Its low four bits are a byte's lane in its piece. A subtile is to pieces what a
 * tile is to lines (plan/affine/lines.h): with L = span(e_0..e_3) it is a coset of L + from L, 2^w pieces on either side, and w
 * bits of a piece's number change places with w bits of a lane:
 *
 *      2^w pieces of src --permute lanes--> top w bits of lanes leave --w rounds of zips--> --permute lanes--> 2^w pieces of dst
 *
 * A round zips pieces r and r | 1 << j by bytes: the top bit of lanes becomes bit j of the number, bit j of the number the
 * lowest bit of lanes. So after w rounds a piece's number has the w bits that were on top of the lanes, and lanes have the others
 * on top and the bits of the old number, the last one lowest, below.
 *
 * Subtiles go together where that makes whole lines: is_straight says that lanes are in order as they come, as of permutations
 * of bits, and that subtiles 4g .. 4g + 3 write the four pieces of each of their lines, in that order.
 */
#ifndef RIFFLE_PLAN_AFFINE_PIECES_H
#define RIFFLE_PLAN_AFFINE_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "perm/gf2.h"

enum {
    AFFINE_PIECE_BITS = 4,
    AFFINE_PIECE_BYTES = 1 << AFFINE_PIECE_BITS,
    AFFINE_SUBTILE_PIECES = 16, /**< at most */
    AFFINE_SUBTILES = 16,       /**< at most */
};

typedef struct affine_pieces {
    unsigned width;    /**< w */
    unsigned subtiles; /**< subtiles of the tile */
    bool is_straight;  /**< see above */
    /* Where pieces lie in the tile, in bytes: piece r of subtile t at read_subtile[t] ^ read_piece[r] of src's side, and at
     * write_subtile[t] ^ write_piece[r] of dst's, before bits 4 and 5 of y are added. */
    uint16_t read_subtile[AFFINE_SUBTILES], read_piece[AFFINE_SUBTILE_PIECES];
    uint16_t write_subtile[AFFINE_SUBTILES], write_piece[AFFINE_SUBTILE_PIECES];
    uint8_t shift_subtile[AFFINE_SUBTILES]; /**< added to the lanes' order on dst's side by a subtile */
    uint8_t shift[AFFINE_PIECE_BYTES];      /**< and y whose low four bits are these */
    uint8_t read_order[AFFINE_SUBTILE_PIECES][AFFINE_PIECE_BYTES];  /**< lane that piece r has lane z from */
    uint8_t write_order[AFFINE_SUBTILE_PIECES][AFFINE_PIECE_BYTES]; /**< the same behind the zips */
} affine_pieces;

/** Plans a tile of from->m = k + 6 bits, 6 to 12. */
void affine_pieces_plan(const gf2_matrix *from, affine_pieces *out);

#endif

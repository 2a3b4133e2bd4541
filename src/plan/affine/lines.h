/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of the affine_lines pass: every affine permutation in one pass over whole cache lines.
 *
 * An element of 2^e bytes is e more index bits that stay where they are, so the pass knows only bytes:
 * y = A x + c over GF(2) on byte indices, and one line size. Let E = span(e_0..e_5), the 64 bytes of a
 * line, and W = A^-1 E, the bytes that a line of dst comes from. A tile is a coset x0 + S, S = E + W:
 *
 *      read x0 + S: 2^k whole lines            write A(x0 + S) + c: 2^k whole lines
 *      line  x0 + span(b_1..b_k)               line  y0 + A span(a_1..a_k)
 *      lane  span(a_1..a_k) + I                lane  A span(b_1..b_k) + A I
 *
 * with I = E and W's intersection, E = I + span(a), W = I + span(b). The vectors that number the lines on one side lie inside a
 * line on the other, and the other way round: a tile is a transpose of k bits between two permutations inside lines, whatever A
 * is. Hence one pass for every affine permutation, where the BMMC paper (Bouverot-Dupuis, Sheeran 2023, section 5) needs two
 * for a general matrix.
 *
 * Larger than the caches, arrays are read and written in runs of several lines: lines one by one cost a Zen 3 twice the time that
 * runs of 16 do. A group is the coset of S + span(e_6..e_8) + A^-1 span(e_6, e_7), tiles that follow each other; its lines come
 * in runs of 8 in src and 4 in dst, and fit the second-level cache.
 *
 * A tile is square where k = 6 - e, so that I has the bytes of an element and no more: 2^k lines of as many elements, which are turned. In
 * the caches squares are moved in groups too, of S + span(e_6, e_7) + A^-1 span(e_6, e_7), which fill half of the first-level cache.
 */
#ifndef RIFFLE_PLAN_AFFINE_LINES_H
#define RIFFLE_PLAN_AFFINE_LINES_H

#include "perm/perm.h"
#include "plan/affine/pieces.h"

enum {
    AFFINE_LINE_BITS = 6, /**< a line holds 2^6 bytes */
    AFFINE_LINE_BYTES = 1 << AFFINE_LINE_BITS,
    AFFINE_MAX_LINES = 1 << AFFINE_LINE_BITS, /**< lines of the widest tile, on each side */
    AFFINE_MAX_BITS = 63,                     /**< bits of a byte index */
    AFFINE_NEAR_BITS = 14,            /**< src and dst of 2^14 bytes share 32 KiB of any associativity */
    AFFINE_READ_RUN_BITS = 3,         /**< a group reads runs of up to 2^3 lines, */
    AFFINE_WRITE_RUN_BITS = 2,        /**< writes runs of 2^2, */
    AFFINE_GROUP_LEAST_LINE_BITS = 7, /**< and has 2^7 lines on each side, */
    AFFINE_GROUP_MOST_LINE_BITS = 10, /**< or up to 2^10 */
    AFFINE_SQUARES_RUN_BITS = 2, /**< in the caches a group of squares reads and writes runs of 2^2 lines, */
    AFFINE_SQUARES_MOST_LINE_BITS = 8, /**< and has up to 2^8 lines on each side */
};

/** The bits of a byte index that name its lane, its place in a line. */
static const uint64_t AFFINE_LANE_MASK = AFFINE_LINE_BYTES - 1;

/** Where pieces lie in arrays that the first-level cache holds: as affine_pieces has it of a tile, and `read` and `write`
 *  count from x0 and from y0's piece. No stage is needed there, for no lines drive each other out. */
typedef struct affine_near {
    bool is_near;
    uint16_t read_subtile[AFFINE_SUBTILES], read_piece[AFFINE_SUBTILE_PIECES];
    uint16_t write_subtile[AFFINE_SUBTILES], write_piece[AFFINE_SUBTILE_PIECES];
} affine_near;

/** All vectors are byte indices over GF(2). */
typedef struct affine_lines_schedule {
    bool stream;                           /**< write around the caches */
    unsigned element_bits;                 /**< e: an element holds 2^e bytes */
    unsigned width;                        /**< k: a tile is 2^k lines on each side; k <= 6 - e */
    uint64_t read_line[AFFINE_LINE_BITS];  /**< b_j, j < k */
    uint64_t write_line[AFFINE_LINE_BITS]; /**< A a_j, j < k */
    uint8_t read_lane[AFFINE_LINE_BITS];   /**< a_j for j < k, then a basis of I */
    uint8_t write_lane[AFFINE_LINE_BITS];  /**< A b_j for j < k, then A of that basis of I */
    unsigned tile_bits;                    /**< there are 2^tile_bits tiles */
    uint64_t complement;                   /**< c */
    unsigned group_bits; /**< 2^group_bits tiles in turn make a group; 0 where a group would be one tile */
    unsigned run_bits;   /**< the lowest run_bits bits of a tile's number in its group keep to runs of src */
    /* A tile whose number ends in a 0 and j ones is followed by one whose x0 (lane 0) differs by read_step[j], and
     * y0 = A x0 + c by write_step[j]. */
    uint64_t read_step[AFFINE_MAX_BITS + 1], write_step[AFFINE_MAX_BITS + 1];

    /* These follow from the above, ready for the loops. */
    uint64_t read_offset[AFFINE_MAX_LINES];  /**< line of a tile in src: its first byte from x0, by XOR */
    uint64_t write_offset[AFFINE_MAX_LINES]; /**< line in dst: its first byte from that of y0's line */
    uint8_t written_lane[AFFINE_LINE_BITS];  /**< the inverse of write_lane */
    affine_pieces pieces;                    /**< the tile for loops that permute 16 bytes at a time */
    affine_near near;                        /**< their places, where the array is that short */
} affine_lines_schedule;

/** The XOR of those of vectors[0..count-1] that the bits of `selection` choose. */
static inline uint64_t affine_combine(const uint64_t *vectors, unsigned count, uint64_t selection) {
    uint64_t sum = 0;
    for (unsigned j = 0; j < count; j++) sum ^= (selection >> j & 1) != 0 ? vectors[j] : 0;
    return sum;
}

/** True if groups are of squares: in the caches, where the loops read groups. */
static inline bool affine_lines_are_squares(const affine_lines_schedule *s) {
    return !s->stream && s->element_bits <= AFFINE_PIECE_BITS && s->width + s->element_bits == AFFINE_LINE_BITS;
}

/** Plans `affine` for elements of 2^element_bits bytes, in groups too where stores `stream` or tiles are square. The array must hold a line or more:
 *  affine->a.m + element_bits >= AFFINE_LINE_BITS. Takes microseconds, cannot fail.
 *  Tiles are numbered so that those that share lines' neighbourhoods on both sides come together: behind the first group
 *  the first 2^j tiles cover runs that grow alternately in src and in dst, whatever the cache's or TLB's size. */
void affine_lines_plan(const perm_affine *affine, unsigned element_bits, bool stream,
                       affine_lines_schedule *out);

#endif

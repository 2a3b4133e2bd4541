/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedules of the BMMC paper's kernels (Bouverot-Dupuis, Sheeran 2023): affine permutations y = A x + c by
 * tiles of unit vectors, which a general matrix needs two passes for (section 5.2).
 *
 * The bits of an input index x are parted for a tile; a set of bits is a number with these bits set:
 *
 *     column bits    the n_tile lowest bits of x                       a warp reads along them
 *     row bits       the n_tile bits whose columns of A have only      a warp writes along them
 *                    bits below n_tile: A takes them to the lowest
 *     block bits     all others; the thread block's number, and its    a tile for each value
 *                    lowest n_iter bits the tile's within the block
 *
 * n_over bits are both column and row bits. A thread block has 2^n_tile x 2^(n_tile - n_over) threads. The
 * paper's stitching functions put indices together from these parts. In shared memory element j of row i of a
 * tile, which has 2^n_tile elements a row, lies at i * 2^n_tile + (shift_i + j mod 2^n_tile), where shift_i is
 * 0 or stitch_tile_row(i, 0).
 */
#ifndef RIFFLE_PAPERS_SCHEDULES_BMMC_H
#define RIFFLE_PAPERS_SCHEDULES_BMMC_H

#include "perm/perm.h"
#include "riffle/papers.h"

enum {
    BMMC_MAX_PASSES = 2,
    BMMC_ITERATION_BITS = 3, /**< n_iter (section 4.3); 0 where there are fewer block bits */
};

/** One pass of 2^p.a.m elements along p. The naive algorithm has no tiles: all below is 0. */
typedef struct bmmc_schedule {
    riffle_algorithm algorithm; /**< BMMC_...: which kernel */
    perm_affine p;
    unsigned tile_bits;      /**< n_tile */
    unsigned over_bits;      /**< n_over */
    unsigned iteration_bits; /**< n_iter: a thread block moves 2^n_iter tiles; BMMC_ITERATION_BITS or 0 */
    uint64_t column, row;    /**< the column bits; the row bits */
    uint64_t block;          /**< the block bits, those that number a block's tiles included */
} bmmc_schedule;

/** True if `a` is tiled (section 5.1): some tile_bits of its columns have entries in the lowest tile_bits rows
 *  alone, and an invertible matrix there. */
bool bmmc_is_tiled(const gf2_matrix *a, unsigned tile_bits);

/** Why `algorithm` cannot move along p with warps of 2^width_bits lanes, in words, or NULL. */
const char *bmmc_obstacle(const perm_affine *p, riffle_algorithm algorithm, unsigned width_bits);

/** How many passes bmmc_plan makes. */
unsigned bmmc_passes(const perm_affine *p, riffle_algorithm algorithm, unsigned width_bits);

/** Plans moving along p with n_tile = width_bits; there must be no obstacle. Returns the number of passes: 1
 *  for the naive algorithm and for tiled matrices, else 2, by A = (UR)(RLP) with upper and lower triangular
 *  matrices U and L, a permutation matrix P and the bit reversal R (section 5.2). O(m^2) time. */
unsigned bmmc_plan(const perm_affine *p, riffle_algorithm algorithm, unsigned width_bits,
                   bmmc_schedule out[BMMC_MAX_PASSES]);

/** The lowest bits of `value`, put in order at the bits of `set`. */
uint64_t bmmc_deposit(uint64_t value, uint64_t set);

/** The input index with `column` at the column bits, `block` at the block bits and `row` at the row bits that
 *  are left: the n_tile - n_over that are no column bits (section 4.1). */
uint64_t bmmc_stitch_col(const bmmc_schedule *s, uint64_t column, uint64_t block, uint64_t row);

/** The same with `row` at all row bits and `column` at the column bits that are left. */
uint64_t bmmc_stitch_row(const bmmc_schedule *s, uint64_t column, uint64_t block, uint64_t row);

/** bmmc_stitch_row without the block bits: the element's number in the tile (section 4.1). */
uint64_t bmmc_stitch_tile_row(const bmmc_schedule *s, uint64_t column, uint64_t row);

#endif

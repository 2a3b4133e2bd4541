/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of the affine_tile pass: every affine permutation in one pass of a GPU, coalesced on both sides
 * and free of bank conflicts, with all addressing by XOR.
 *
 * Let a segment be 2^s neighbouring elements, E = span(e_0..e_(s-1)), and S = E + A^-1 E. A thread block moves
 * one coset x0 + S, a tile, through shared memory:
 *
 *      reads    x0 + S:                        whole segments, because E lies in S
 *      writes   A (x0 + S) + c = y0 + A S:     whole segments, because E lies in A S
 *
 * whatever A is. S is grown, by more e_j and A^-1 e_j in turn, until the tile is as large as the policy wants.
 * Each side has a basis of its own, whose first vectors are the unit vectors in order:
 *
 *      position in the tile:   move | warp | lane | vector             bit i of it adds index[i] to x0 (read) or
 *                                                                      to y0 (write), and cell[i] to the cell
 *
 * A cell is a place in shared memory; the map from S to cells is linear too. Cell bit k is a functional b_k on
 * S, and the functionals b_0..b_k tell the first 2^(k+1) lanes of a warp apart, on the read side and on the
 * write side: each new b_k must be 1 on two vectors only, those lanes' sums on which all former ones are 0, and
 * there always is one. So a warp's 32 cells, a half warp's 16 and a quarter's 8 lie in different banks,
 * whatever an element's size.
 *
 * The BMMC paper (Bouverot-Dupuis, Sheeran 2023, section 5) tiles with unit vectors alone and therefore needs
 * two passes for a general matrix. docs/affine.md has the argument with a drawing.
 */
#ifndef RIFFLE_PLAN_AFFINE_TILE_H
#define RIFFLE_PLAN_AFFINE_TILE_H

#include "perm/perm.h"
#include "plan/affine/involution.h"

enum {
    AFFINE_VECTOR_BITS = 4, /**< log2 of the bytes of the widest access, and of the largest unit */
    AFFINE_TILE_MAX_BITS = 16,
    AFFINE_THREAD_BITS = 10, /**< log2 of the most threads of a block */
    AFFINE_MOVE_BITS = 3,    /**< log2 of the accesses of a thread on each side */
    AFFINE_CHECKED_THREAD_BITS =
        8, /**< the most threads of a block that adds what it reads to a check: it waits for its sums, and
                                         more blocks go on meanwhile */
};

/** The arrays that are moved: `count` runs of 2^run_bits units, each one array or a power of two of them, one behind the other.
 *  A unit is an element, or 16 bytes of a longer one. In the index of a unit in its run, the number within the element and the
 *  number of the array are bits that stay: below and above those that the permutation maps. */
typedef struct affine_arrays {
    unsigned unit_bits;    /**< log2 of a unit's bytes */
    unsigned element_bits; /**< log2 of an element's units */
    unsigned run_bits;     /**< log2 of a run's units; at most RIFFLE_MAX_BITS */
    uint64_t count;        /**< at least 1 */
    uint64_t stride;       /**< units from one run's start to the next one's */
    /** A run lies in 2^rank_bits parts, of which one is moved, into all of them: the highest bits of an index say which part; 0: the run
     *  is whole. Out of place, and one run. */
    unsigned rank_bits;
} affine_arrays;

/** Sizes that a policy chooses, as logarithms. */
typedef struct affine_tile_policy {
    unsigned segment_bits; /**< bytes of segments: a tile grows no further where they are so long ... */
    unsigned enough_bits;  /**< ... and the tile has so many bytes */
    unsigned lane_bits;    /**< lanes of a warp */
    unsigned thread_bits;  /**< threads of a block, at most */
    unsigned tile_bits;    /**< bytes of a tile, at most; no more than AFFINE_TILE_MAX_BITS units, nor than
                               2^AFFINE_MOVE_BITS accesses a thread; twice vector_bits or more */
    unsigned
        vector_bits; /**< bytes of an access: AFFINE_VECTOR_BITS where all accesses of each thread can be so long
                               and aligned, else a unit's */
} affine_tile_policy;

/** One side of the tile. Vectors are indices of units in a run. */
typedef struct affine_tile_side {
    uint64_t index[AFFINE_TILE_MAX_BITS]; /**< added to the index by bit i of a position in the tile */
    uint32_t cell[AFFINE_TILE_MAX_BITS];  /**< and to the cell in shared memory */
    uint64_t origin;                      /**< x0, or y0, of tile 0 */
    uint64_t block[RIFFLE_MAX_BITS];      /**< added to it by bit j of a tile's number */
} affine_tile_side;

typedef struct affine_tile_schedule {
    affine_arrays arrays;
    unsigned
        vector_bits; /**< global memory is accessed by 2^vector_bits units: index[i] is e_i for i < vector_bits,
                               and has none of these bits for the others, nor has x0 */
    unsigned
        thread_bits; /**< the next thread_bits bits of a position are the thread's number, the others count its
                               moves */
    unsigned tile_bits;  /**< a tile holds 2^tile_bits units */
    unsigned block_bits; /**< a run has 2^block_bits tiles */
    uint64_t
        run_blocks; /**< blocks of threads for a run: one for each tile, in place one for a tile and its image, or for two that stay */
    affine_tile_side read, write;
    bool in_place;
    involution_orbits orbits; /**< in place: its basis is read.block, its origin read.origin */
} affine_tile_schedule;

/** Bytes of two tiles. */
static inline size_t affine_tile_pair_bytes(const affine_tile_schedule *s) {
    return (size_t)2 << s->tile_bits << s->arrays.unit_bits;
}

/** p on the units of a run: their places in an element stay, and so do the arrays' numbers. */
perm_affine affine_on_units(const perm_affine *p, const affine_arrays *arrays);

/** The vectors of part 0, the first 2^part_bits indices, that A sends into span(e_0..e_j) and none into span(e_0..e_(j-1)): out[j], or 0
 *  where there is none; of a whole run out[j] is A^-1 e_j. Returns s for the 2^s neighbours in dst that come from one part. */
unsigned affine_preimages(const gf2_matrix *inverse, unsigned part_bits, uint64_t *out);

/** That s of the inverse of A, without the vectors; part_bits at most. */
unsigned affine_run_bits(const gf2_matrix *a, unsigned part_bits);

/** True if one pass in place can move along p by segments of 2^segment_bits bytes, 16 at least. Any involution can. Else p must
 *  be one on tiles that are no larger than the policy wants them. */
bool affine_tile_takes_in_place(const perm_affine *p, const affine_arrays *arrays,
                                const affine_tile_policy *policy, unsigned segment_bits);

/** Plans moving `arrays` along p. In place p must be so that one pass takes it (above). Takes microseconds, cannot fail. Tiles that
 *  come one after the other touch neighbouring segments on both sides. In parts S and the tiles' numbers span part 0 alone, and
 *  A S has whole segments as far as their elements come from one part; another part's tiles are the same but for where they begin. */
void affine_tile_plan(const perm_affine *p, const affine_arrays *arrays, const affine_tile_policy *policy,
                      bool in_place, affine_tile_schedule *out);

#endif

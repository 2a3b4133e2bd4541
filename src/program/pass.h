/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiled program: passes, each of which moves the whole array once, tile by tile, and does its stages in the
 * tile. A pass has coordinates of its own, in which a tile is simply the low bits:
 *
 *      coordinates u:    | number of the tile: n - tile_bits | place in the tile: tile_bits |
 *
 *      reads    a[x],  x = sum of read[j] over the bits j of u
 *      stages   in the coordinates u: directions have bits of the place alone; functionals may have any
 *      writes   b[y],  y = write_origin + sum of write[j]
 *
 * read[0..n) and write[0..n) are bases of GF(2)^n. The first lane_bits of read are the unit vectors e_0, e_1, ..., so that
 * 2^lane_bits neighbours of a tile are neighbours in memory; the others have none of these bits. And the span of write[0..tile_bits) has e_0 to
 * e_(write_lane_bits-1) too. Both are at least the policy's lane_bits. Where the pass does not move, write = read and
 * write_origin = 0.
 *
 * A pass goes from one array to another, or is in place:
 *
 *      fused            src --(moves, or not)--> dst --in place--> dst ...       the map is absorbed into the first pass
 *      the paper's way  src --moves--> workspace --in place--> workspace --moves--> dst ...
 *
 * So a program none of whose passes moves can run in place.
 */
#ifndef RIFFLE_PROGRAM_PASS_H
#define RIFFLE_PROGRAM_PASS_H

#include "program/stage.h"

/** Sizes that an engine chooses, as logarithms. */
typedef struct program_policy {
    unsigned tile_bits; /**< bits of a tile's elements, at most */
    unsigned lane_bits; /**< bits of the neighbours that stay together on both sides; 2 lane_bits <= tile_bits,
                           and lane_bits + PROGRAM_GROUP_BITS <= tile_bits */
} program_policy;

/** Where a pass reads and writes. */
typedef enum program_array { PROGRAM_SRC, PROGRAM_DST, PROGRAM_WORKSPACE, PROGRAM_ARRAYS } program_array;

typedef struct program_pass {
    program_array from, to; /**< the same where it is in place */
    unsigned n;             /**< index bits of an array */
    unsigned tile_bits;     /**< all n where the array is smaller than a tile */
    unsigned lane_bits, write_lane_bits;
    bool moves; /**< false: write is read */
    uint64_t read[RIFFLE_MAX_BITS];
    uint64_t write[RIFFLE_MAX_BITS];
    uint64_t write_origin;
    size_t stage_count; /**< 0 where the pass only moves */
    program_stage *stages;
} program_pass;

enum { PROGRAM_MOST_OWN = 128 };

/** A user's operation. */
typedef struct program_own {
    const char *source; /**< the program's */
    unsigned bits;      /**< it takes 2^bits elements */
} program_own;

/** A program compiled for one policy. */
typedef struct program_passes {
    unsigned n;
    unsigned bound;      /**< no grouping of these stages with this policy has fewer passes */
    size_t stages;       /**< stages of all passes */
    size_t operations;   /**< stages before any cancelled: passes if each is one */
    size_t paper_passes; /**< the paper's way: operations one by one, and BMMCs between them */
    size_t count;        /**< 0 for a program that does nothing */
    program_pass *passes;
    unsigned own_count; /**< different users' operations, at most PROGRAM_MOST_OWN */
    program_own *own;
    riffle_program *program; /**< retained: ops' sources are its */
} program_passes;

/** Compiles `program` for elements of `type`. *out is to be given to program_passes_free. */
typedef riffle_status program_compiler(const riffle_program *program, riffle_type type,
                                       const program_policy *policy, program_passes *out);

/** Into fused passes. */
program_compiler program_compile;

/** A policy, and what passes are expected to take with it, in any unit. */
typedef struct program_choice {
    program_policy policy;
    double first, other; /**< the first pass, and each one after it */
} program_choice;

/** program_compile for that of several policies whose passes take the least together; of equal ones the first. */
riffle_status program_compile_best(const riffle_program *program, riffle_type type,
                                   const program_choice *choices, size_t count, program_passes *out);

/** Decides where each pass reads and writes: the first reads src, the last writes dst, src is not written. */
void program_route(program_passes *passes);

/** True if some pass moves, so that src and dst are two arrays. */
bool program_moves(const program_passes *passes);

/** True if the passes want a third array. */
bool program_wants_workspace(const program_passes *passes);

void program_passes_free(program_passes *passes);

#endif

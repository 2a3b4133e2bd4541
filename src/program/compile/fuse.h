/* SPDX-License-Identifier: Apache-2.0
 *
 * Which stages are done in one pass: those whose directions, with the vectors that must stay together in memory, span at
 * most a tile.
 *
 * Stages taken in order, as many as fit into each pass: no grouping of a sequence has fewer passes, because what fits still
 * fits with less. Stages that commute may go into an earlier pass than those before them: a second try takes them.
 *
 * The bound is the larger of two. Each pass after the lanes spans tile_bits - lane_bits new dimensions, and all
 * directions must be spanned. And of a chain of stages, each of which does not commute with the one before, the order is
 * given: taken in order, it needs the passes that it needs.
 */
#ifndef RIFFLE_PROGRAM_COMPILE_FUSE_H
#define RIFFLE_PROGRAM_COMPILE_FUSE_H

#include "program/compile/normal.h"
#include "program/pass.h"

typedef struct program_grouping {
    unsigned passes, bound;
    unsigned *pass_of; /**< for each stage */
} program_grouping;

/** Gives *out to program_grouping_free. */
riffle_status program_group(const program_normal *normal, riffle_type type, const program_policy *policy,
                            program_grouping *out);

void program_grouping_free(program_grouping *grouping);

/** True if the map moves nothing. */
bool program_map_is_identity(const perm_affine *map);

#endif

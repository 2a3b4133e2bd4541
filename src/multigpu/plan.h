/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan of a move between the memories of GPUs: its steps, the tiles of each, and what the GPUs have of it. One schedule serves all parts of a step: they
 * differ by where their tiles begin.
 */
#ifndef RIFFLE_MULTIGPU_PLAN_H
#define RIFFLE_MULTIGPU_PLAN_H

#include "device/cuda_library.h"
#include "multigpu/chunks.h"
#include "multigpu/messages.h"
#include "plan/affine/tile.h"
#include "plan/request/target.h"

typedef struct multigpu_tiles {
    perm_affine units; /**< the step's map, of units */
    affine_tile_schedule schedule;
    multigpu_cells cells;
    bool by_vectors; /**< accesses of 16 bytes; else of a unit */
} multigpu_tiles;

/** A GPU's part of the plan. */
typedef struct multigpu_member {
    device on;
    void *workspace;                               /**< or NULL: each execution brings one */
    struct CUevent_st *begun;                      /**< all that its stream had before the execution is done */
    struct CUevent_st *sent[MULTIGPU_MOST_CHUNKS]; /**< its first step is done with that chunk */
    struct CUstream_st *
        links; /**< does its first step, where there are chunks: it goes on while the stream of the execution moves what has come */
} multigpu_member;

struct riffle_multigpu_plan {
    unsigned gpus;
    size_t elem_bytes, part_bytes, workspace_bytes;
    bool in_place, callers_workspace;
    multigpu_steps steps;
    multigpu_tiles tiles[MULTIGPU_MOST_STEPS];
    multigpu_chunks chunks;
    unsigned senders;        /**< blocks of the first step's launches, at most; 0: a tile each */
    const cuda_peers *peers; /**< NULL: of no GPU */
    multigpu_member member[RIFFLE_MULTIGPU_MAX];
};

/** Plans all but what GPUs have, into a plan that is zeroed. */
riffle_status multigpu_plan_fill(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                 const riffle_multigpu_options *options, const plan_target *target,
                                 riffle_multigpu_plan *plan);

/** The same in memory of its own. Free it with riffle_multigpu_plan_free. */
riffle_status multigpu_plan_of(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                               const riffle_multigpu_options *options, const plan_target *target,
                               riffle_multigpu_plan **out);

/** Appends a step of part p, as far as it can be done after that chunk and not before: from that part, `from`, into the parts `to`. */
void multigpu_append(const riffle_multigpu_plan *plan, unsigned step, unsigned chunk, unsigned p,
                     void *const *to, const void *from, launch_list *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of an affine permutation y = A x + c between the memories of 2^k GPUs, each an affine map of the whole array that every GPU carries out
 * for its own part:
 *
 *     one      A                            where neighbours in dst come from one GPU, for long enough runs
 *     two      G, into a workspace, then    (q, number of the source in its coset, bits that tell apart) of (p, x): exchange/cosets.h
 *              A G^-1, each GPU by itself
 *
 * Without access to each other's memory GPUs take two, of which the first ends in their own workspaces, and messages are copied (messages.h).
 *
 * Messages of G are runs, whatever A is, and what a GPU gets is all that it needs: A G^-1 keeps ranks.
 */
#ifndef RIFFLE_MULTIGPU_STEPS_H
#define RIFFLE_MULTIGPU_STEPS_H

#include "exchange/cosets.h"
#include "riffle/multigpu.h"

enum { MULTIGPU_MOST_STEPS = 2 };

typedef struct multigpu_steps {
    unsigned count; /**< 0: there is no element */
    perm_affine map[MULTIGPU_MOST_STEPS];
    cosets cosets;     /**< the map A has these, which say who sends to whom in the first step */
    bool by_copies;    /**< between two steps messages are copied */
    unsigned run_bits; /**< log2 of the elements that a GPU stores side by side in the first step */
} multigpu_steps;

/** Errors as riffle_multigpu_cost_of has them. */
riffle_status multigpu_steps_of(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                const riffle_multigpu_options *options, multigpu_steps *out);

/** Bytes of a workspace on each GPU, whose parts have so many. */
size_t multigpu_steps_workspace(const multigpu_steps *steps, size_t part_bytes);

/** The cost of these steps, of n elements. */
riffle_multigpu_cost multigpu_steps_cost(const multigpu_steps *steps, uint64_t n, size_t elem_bytes,
                                         unsigned gpus);

#endif

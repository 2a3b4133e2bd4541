/* SPDX-License-Identifier: Apache-2.0
 *
 * How affine tiles are cut for a machine: which arrays they can move, and how large tiles, blocks and accesses are.
 */
#ifndef RIFFLE_PLAN_AFFINE_POLICY_H
#define RIFFLE_PLAN_AFFINE_POLICY_H

#include "plan/affine_tile.h"
#include "plan/target.h"

/** What is asked of a plan beside the permutation. */
typedef struct affine_request {
    uint64_t n;
    size_t elem_bytes;
    uint64_t batch, stride; /**< both at least 1; stride at least n */
} affine_request;

/** The request's arrays in units. Returns NULL, or why affine tiles cannot move them: a static sentence. */
const char *affine_arrays_of(const affine_request *request, affine_arrays *out);

/** The sizes measured to be best on the target's kind of machine (docs/affine.md). */
affine_tile_policy affine_policy_for(const plan_target *target, const affine_arrays *arrays, bool in_place);

#endif

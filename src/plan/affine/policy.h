/* SPDX-License-Identifier: Apache-2.0
 *
 * How affine tiles are cut for a machine: which arrays they can move, and how large tiles, blocks and accesses
 * are.
 */
#ifndef RIFFLE_PLAN_AFFINE_POLICY_H
#define RIFFLE_PLAN_AFFINE_POLICY_H

#include "plan/affine/tile.h"
#include "plan/request/request.h"

/** log2 of the bytes that memory moves at once. */
enum { AFFINE_SECTOR_BITS = 5 };

/** The request's arrays in units, whatever the permutation. Returns NULL, or why affine tiles cannot move them:
 *  a static sentence. */
const char *affine_arrays_of(const plan_request *request, affine_arrays *out);

/** The sizes measured to be best on the target's kind of machine (docs/affine.md). */
affine_tile_policy affine_policy_for(const plan_target *target, const affine_arrays *arrays, bool in_place);

/** The same, out of place, for tiles whose words are added to a check as they are read. */
affine_tile_policy affine_policy_for_check(const plan_target *target, const affine_arrays *arrays);

/** The same, out of place, for accesses of one unit: of parts whose units' neighbours in dst come from other parts. */
affine_tile_policy affine_policy_by_units(const plan_target *target, const affine_arrays *arrays);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which passes move an array in place along an affine permutation: as few as there can be of those that the factors
 * (plan/affine/factor.h) make.
 *
 * A pass of tiles (plan/affine/tile.h) wants no involution of elements, only one of tiles; within a tile and its image
 * elements may go anywhere. So what acts on low bits alone takes one pass, whatever it is. And the third factor, T, which adds
 * few vectors u to others, is no pass of its own: s T is s to tiles that contain the vectors u and s u.
 */
#ifndef RIFFLE_PLAN_AFFINE_IN_PLACE_H
#define RIFFLE_PLAN_AFFINE_IN_PLACE_H

#include "plan/affine/exchange.h"
#include "plan/affine/factor.h"
#include "plan/affine/policy.h"

/** Writes the permutation of each pass, in order, and returns how many there are: 0 of the identity. */
unsigned affine_in_place_passes(const perm_affine *p, const affine_arrays *arrays, const plan_target *target,
                                perm_affine out[FACTOR_MOST]);

/** True if a pass along p, one of these, is to be an exchange: on devices, where that is expected to be faster than tiles. */
bool affine_in_place_exchanges(const perm_affine *p, const affine_arrays *arrays, const plan_target *target,
                               affine_exchange_schedule *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a permutation can be moved within one array, and in how many passes.
 */
#ifndef RIFFLE_PLAN_CHOOSE_IN_PLACE_H
#define RIFFLE_PLAN_CHOOSE_IN_PLACE_H

#include "plan/choose/choose.h"

/** plan_choose for plans in place: all but what it costs. The identity takes no pass, an affine permutation
 *  that is its own inverse one, another permutation of index bits two; for the others RIFFLE_ERROR_UNSUPPORTED
 *  says what stands in the way. */
riffle_status in_place_choose(const plan_request *request, plan_choice *out);

#endif

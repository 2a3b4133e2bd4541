/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_PLAN_AFFINE_PASSES_H
#define RIFFLE_PLAN_AFFINE_PASSES_H

#include "plan/plan.h"

/** Builds the pass of the affine algorithm, or in place the one or two; the choice has made sure that they exist. */
riffle_status build_affine(riffle_plan *plan, const riffle_perm *perm);

#endif

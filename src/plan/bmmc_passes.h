/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_PLAN_BMMC_PASSES_H
#define RIFFLE_PLAN_BMMC_PASSES_H

#include "plan/plan.h"

/** Builds the one or two passes of a BMMC algorithm; the choice has made sure that they exist. */
riffle_status build_bmmc(riffle_plan *plan, const riffle_perm *perm);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The engines that a plan can be made for.
 */
#ifndef RIFFLE_MOVE_ENGINE_H
#define RIFFLE_MOVE_ENGINE_H

#include "plan/plan.h"

/** Describes an engine, here and now, for the planner. RIFFLE_ERROR_UNSUPPORTED where there is no such device,
 *  RIFFLE_ERROR_INVALID_ARGUMENT where there is no such engine. */
riffle_status engine_target(riffle_engine engine, plan_target *out);

/** Makes a plan of a request. On a GPU AUTO gathers where memory is too short for bucket passes or a use's workspace only. */
riffle_status engine_create_plan(plan_request *request, riffle_plan **out);

/** Checks that dst and src are there, and do not overlap, for a plan of at least one byte. */
riffle_status engine_check_arrays(const riffle_plan *plan, const void *dst, const void *src);

#endif

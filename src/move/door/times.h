/* SPDX-License-Identifier: Apache-2.0
 *
 * Times of a plan and of a copy, for an explanation.
 */
#ifndef RIFFLE_MOVE_DOOR_TIMES_H
#define RIFFLE_MOVE_DOOR_TIMES_H

#include "plan/explain/how.h"
#include "plan/plan.h"

/** Executes a plan, and a copy of as many bytes, for about a second: on a GPU in its memory, by its clock, with a workspace of the
 *  plan's. *out begins as zeros, and stays so for no elements. */
riffle_status explain_measure(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                              const riffle_plan_options *options, measured_times *out);

#endif

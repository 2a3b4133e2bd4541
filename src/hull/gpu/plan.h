/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on a device: the one list of launches that a plan and arrays become.
 */
#ifndef RIFFLE_HULL_GPU_PLAN_H
#define RIFFLE_HULL_GPU_PLAN_H

#include "hull/gpu/launches.h"
#include "hull/plan.h"
#include "papers/hull/kernels/paper.h"

/** Appends all launches of an execution of a device's plan, between arrays that have been checked. */
void hull_append(const riffle_hull_plan *plan, const hull_arrays *arrays, launch_list *out);

/** The counts that the dissertation's steps left in the plan's own workspace. */
riffle_status hull_paper_counts(const riffle_hull_plan *plan, hull_paper_state *out);

#endif

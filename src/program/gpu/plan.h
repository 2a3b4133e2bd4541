/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on a device: the one list of launches that a plan and arrays become.
 */
#ifndef RIFFLE_PROGRAM_GPU_PLAN_H
#define RIFFLE_PROGRAM_GPU_PLAN_H

#include "program/plan.h"

/** Appends all launches of an execution of a device's plan, between arrays that have been checked. */
void program_append(const riffle_program_plan *plan, void *dst, const void *src, void *workspace,
                    launch_list *out);

#endif

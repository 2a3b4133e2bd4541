/* SPDX-License-Identifier: Apache-2.0
 *
 * The cpu engine: runs a plan's passes on host memory.
 */
#ifndef RIFFLE_MOVE_CPU_EXECUTE_H
#define RIFFLE_MOVE_CPU_EXECUTE_H

#include "check/kernels/hash.h"
#include "plan/plan.h"

/** The buffers that a plan's passes need on the host; NULL where they need none. */
typedef struct cpu_plan cpu_plan;

/** Allocates them; *out is NULL where there are none. */
riffle_status cpu_plan_create(const riffle_plan *plan, cpu_plan **out);
void cpu_plan_free(cpu_plan *buffers);

/** Moves one array. One call at a time for plans with buffers. Adds to *compared what passes that compare have written, less what they
 *  have read. */
void cpu_plan_execute(const cpu_plan *buffers, const riffle_plan *plan, void *dst, const void *src,
                      check_sums *compared);

#endif

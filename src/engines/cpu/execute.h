/* SPDX-License-Identifier: Apache-2.0
 *
 * The cpu engine: runs a plan's passes on host memory.
 */
#ifndef RIFFLE_ENGINES_CPU_EXECUTE_H
#define RIFFLE_ENGINES_CPU_EXECUTE_H

#include "plan/plan.h"

void cpu_execute(const riffle_plan *plan, void *dst, const void *src);

#endif

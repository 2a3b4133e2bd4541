/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves that are read once more on the host: the sum of h(P(i), src[i]), which is made before a move in place, against that of h(j, dst[j]).
 */
#ifndef RIFFLE_MOVE_CPU_CHECK_H
#define RIFFLE_MOVE_CPU_CHECK_H

#include "plan/plan.h"

/** The sum over all arrays that a plan with a check is to move. */
uint64_t cpu_check_read(const riffle_plan *plan, const void *src);

/** RIFFLE_ERROR_DAMAGED where the sum over what was written is another. */
riffle_status cpu_check_written(const riffle_plan *plan, const void *dst, uint64_t read);

#endif

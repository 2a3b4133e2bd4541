/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves that are read once more on the host: the sum of h(P(i), src[i]), which is made before a move in place, against that of h(j, dst[j]).
 */
#ifndef RIFFLE_MOVE_CPU_CHECK_H
#define RIFFLE_MOVE_CPU_CHECK_H

#include "check/kernels/hash.h"
#include "plan/plan.h"

/** The sums over all arrays that a plan with a check is to move. */
check_sums cpu_check_read(const riffle_plan *plan, const void *src);

/** RIFFLE_ERROR_DAMAGED where the sums over what was written are others. */
riffle_status cpu_check_written(const riffle_plan *plan, const void *dst, check_sums read);

/** Fails if passes have not read what the ones before them wrote: the sums of that, less the sums of this. */
riffle_status cpu_check_compared(check_sums written_less_read);

#endif

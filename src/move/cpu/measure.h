/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans by trial: the candidates for a request are planned and executed, and the fastest stays.
 */
#ifndef RIFFLE_MOVE_CPU_MEASURE_H
#define RIFFLE_MOVE_CPU_MEASURE_H

#include "plan/plan.h"

/** Makes a plan of a host's request whose effort is MEASURE: what wisdom has for it, else what trials find, and that becomes
 *  wisdom. RIFFLE_ERROR_OUT_OF_MEMORY where there is no memory for arrays to try them on. */
riffle_status measure_plan(const plan_request *request, riffle_plan **out);

#endif

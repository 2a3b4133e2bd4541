/* SPDX-License-Identifier: Apache-2.0
 *
 * The models' view of a permutation, algorithm by algorithm, beside what none can beat.
 */
#ifndef RIFFLE_PLAN_EXPLAIN_MODEL_H
#define RIFFLE_PLAN_EXPLAIN_MODEL_H

#include "plan/plan.h"

/** Prints, for each algorithm that can do what is asked, the time units on a memory machine of width 32 and latency 400, as the
 *  patterns of its launches have them (device/pattern.h), and the blocks of w elements that it exchanges with memory. Below
 *  stand what no algorithm can beat for any permutation, n/w + L - 1 time units (Kasagi, Nakano, Ito 2013, section VII) and each
 *  block once, and the exchanges of the worst permutation (Jurkiewicz 2013, section 4.1.1). Long launches are estimated from
 *  some blocks. Prints nothing for n = 0. */
riffle_status explain_model(const plan_request *request, FILE *stream);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The models' view of a permutation, algorithm by algorithm, beside what none can beat.
 */
#ifndef RIFFLE_PLAN_EXPLAIN_MODEL_H
#define RIFFLE_PLAN_EXPLAIN_MODEL_H

#include "plan/plan.h"

/** Prints, for each of the HMM paper's algorithms that can do what is asked, the time units on a memory machine
 *  of the target's width and latency 400 beside the bound n/w + L - 1 (Kasagi, Nakano, Ito 2013, Table I and
 *  section VII), and the blocks of w elements that it exchanges with memory beside the bound of Jurkiewicz
 *  2013, section 4.1.1. Distributions of long tables are estimated from some thousand warps. Prints nothing for
 *  n = 0. */
riffle_status explain_model(const plan_request *request, FILE *stream);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_PLAN_AXES_BOX_COST_H
#define RIFFLE_PLAN_AXES_BOX_COST_H

#include "plan/axes/box.h"

/** The expected cost of a cut on a GPU of so many multiprocessors: of two cuts of one move the one that costs less is the
 *  faster, about. The constants were fitted to timed cuts (docs/axes.md). */
double box_cost(const box_schedule *s, unsigned multiprocessors);

#endif

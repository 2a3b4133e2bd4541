/* SPDX-License-Identifier: Apache-2.0
 *
 * The first `count` of many numbers in one read. A sample gives a bound that few elements pass; each thread lists those of its part that do, by
 * code and place. A list that is full is cut to its first `count`, the last of which is the bound from then on: so no order of elements makes
 * the result wrong, and none makes the lists long. The lists of all threads are cut once more, and sorted.
 */
#ifndef RIFFLE_SORT_CPU_TOP_H
#define RIFFLE_SORT_CPU_TOP_H

#include "sort/plan.h"

/** True if the plan's task is that: TOP, of elements that are one number of up to 8 bytes, and few of them. */
bool top_serves(const riffle_sort_plan *plan);

/** Bytes that an execution allocates, but for results that come into the place of what they are made of. */
size_t top_bytes(const riffle_sort_plan *plan);

riffle_status top_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers parted around the one of some rank, in their order, in two reads and one write. A sample says between which two codes that one most
 * likely is; each thread counts what is less than these in its part, and lists what is between them:
 *
 *     codes    less | low | between | high | more           all are counted, those between are listed
 *     pivot    low, high, or found among those between; if it is none of these, all are listed
 *     parts    from counts follows where each thread's elements before and behind the pivot go
 */
#ifndef RIFFLE_SORT_CPU_PARTITION_H
#define RIFFLE_SORT_CPU_PARTITION_H

#include "sort/plan.h"

/** True if the plan's task is that: PARTITION, of elements that are one number of up to 8 bytes. */
bool partition_serves(const riffle_sort_plan *plan);

/** Bytes that an execution allocates, but for results that come into the place of what they are made of. */
size_t partition_bytes(const riffle_sort_plan *plan);

riffle_status partition_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

#endif

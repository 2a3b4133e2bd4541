/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts that are read once more on the host: a sum over elements with what goes along, which is the same for any order of a segment, and each
 * element against the one before it.
 */
#ifndef RIFFLE_SORT_CPU_CHECKED_H
#define RIFFLE_SORT_CPU_CHECKED_H

#include "check/kernels/hash.h"
#include "sort/definition.h"
#include "sort/plan.h"

/** The sums over what is to be sorted. */
check_sums checked_sum(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

/** RIFFLE_ERROR_DAMAGED where the results have others, or an element comes before one that stands ahead of it. */
riffle_status checked_result(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, check_sums read,
                             sort_before *before, const void *context);

#endif

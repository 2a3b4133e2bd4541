/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on a device that are read once more, as launches around those of the sort.
 */
#ifndef RIFFLE_SORT_GPU_CHECKED_CHECKED_H
#define RIFFLE_SORT_GPU_CHECKED_CHECKED_H

#include "sort/kernels/tables/common.h"
#include "sort/plan.h"

/** Begins the record with what is to be sorted, before the sort, unless its first level adds that up; and takes the results from it, behind. */
void sort_check_append_read(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *record,
                            launch_list *out);
void sort_check_append_written(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *record,
                               launch_list *out);

#endif

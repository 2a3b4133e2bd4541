/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on a device: the one list of launches that a plan and arrays become.
 */
#ifndef RIFFLE_SORT_GPU_PLAN_H
#define RIFFLE_SORT_GPU_PLAN_H

#include "sort/gpu/merge.h"
#include "sort/plan.h"
#include "sort/predict/patterns.h"

/** Appends all launches of an execution of a device's plan, its check's too, between arrays that have been checked. */
void sort_append(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *workspace,
                 launch_list *out);

/** The numbers that predictions of a plan's launches go by (sort/predict). */
sort_subject sort_subject_of(const riffle_sort_plan *plan);

/** The job of a plan that merges streams, or sorts by merging: with as much workspace as it wants in place. RIFFLE_ERROR_UNSUPPORTED for
 *  elements that are not one unsigned number of 4, 8 or 16 bytes, ascending, for values and indices of 8 bytes, for another task
 *  of a sort, and for too many. */
riffle_status merge_job_of(const riffle_sort_plan *plan, merge_job *out);

/** Checks the arrays of such a plan as far as it can be done wherever they are. RIFFLE_ERROR_UNSUPPORTED if keys are not wanted, or merged into
 *  the place of what they are merged from, or only some are to be sorted. */
riffle_status merge_check_arrays(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

/** Makes the job's kernels ready on a device, so that the queue may be captured. RIFFLE_ERROR_UNSUPPORTED for keys
 *  that have none, or too little shared memory. */
riffle_status merge_load(const merge_job *job, const device *d);

#endif

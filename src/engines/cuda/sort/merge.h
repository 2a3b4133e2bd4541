/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging on a GPU: what of a plan's merges the launches of engines/launch/merge.h do.
 */
#ifndef RIFFLE_ENGINES_CUDA_SORT_MERGE_H
#define RIFFLE_ENGINES_CUDA_SORT_MERGE_H

#include "device/device.h"
#include "engines/launch/merge.h"
#include "engines/sort.h"

/** The job of a plan that merges. RIFFLE_ERROR_UNSUPPORTED for elements that are not one unsigned number of 4, 8 or 16 bytes,
 *  ascending, for values and indices of 8 bytes, and for too many. */
riffle_status merge_job_of(const riffle_sort_plan *plan, merge_job *out);

/** What can be checked of a plan's arrays, wherever they are. RIFFLE_ERROR_UNSUPPORTED if keys are not wanted, or come into the
 *  place of what they are merged from. */
riffle_status merge_check_arrays(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

/** Makes the job's kernels ready on the current device, so that the queue may be captured. RIFFLE_ERROR_UNSUPPORTED for keys
 *  that have none, or too little shared memory. */
riffle_status merge_load(const merge_job *job, const device *d);

#endif

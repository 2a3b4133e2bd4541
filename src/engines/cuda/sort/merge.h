/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging on a GPU: the launches of engines/launch/merge.h on a stream, and what of a plan's merges they do.
 */
#ifndef RIFFLE_ENGINES_CUDA_SORT_MERGE_H
#define RIFFLE_ENGINES_CUDA_SORT_MERGE_H

#include "engines/launch/merge.h"
#include "engines/sort.h"

struct CUstream_st;

/** The job of a plan that merges. RIFFLE_ERROR_UNSUPPORTED for elements that are not one unsigned number of 4, 8 or 16 bytes,
 *  ascending, for values and indices of 8 bytes, and for too many. */
riffle_status merge_job_of(const riffle_sort_plan *plan, merge_job *out);

/** What can be checked of a plan's arrays, wherever they are. RIFFLE_ERROR_UNSUPPORTED if keys are not wanted, or come into the
 *  place of what they are merged from. */
riffle_status merge_check_arrays(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

/** Makes the job's kernels ready on the current device, so that the queue may be captured. RIFFLE_ERROR_UNSUPPORTED for keys
 *  that have none, or too little shared memory. */
riffle_status merge_load(const merge_job *job);

/** Queues the job. Allocates nothing and waits for nothing. Streams that are in no order become something within them. */
riffle_status merge_queue(const merge_job *job, const merge_arrays *arrays, struct CUstream_st *stream);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging on a GPU: the launches of engines/launch/merge.h on a stream.
 */
#ifndef RIFFLE_ENGINES_CUDA_SORT_MERGE_H
#define RIFFLE_ENGINES_CUDA_SORT_MERGE_H

#include "engines/launch/merge.h"
#include "riffle.h"

struct CUstream_st;

/** Makes the job's kernels ready on the current device, so that the queue may be captured. RIFFLE_ERROR_UNSUPPORTED for keys
 *  that have none, or too little shared memory. */
riffle_status merge_load(const merge_job *job);

/** Queues the job. Allocates nothing and waits for nothing. Streams that are in no order become something within them. */
riffle_status merge_queue(const merge_job *job, const merge_arrays *arrays, struct CUstream_st *stream);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that moves and copies between arrays on the GPU take.
 *
 * Short ones are timed as a CUDA graph of many in a row, so that neither the time in which the host queues a
 * launch nor the resolution of events counts; small arrays therefore stay in the second-level cache. Long ones
 * are queued one by one: a graph gives a large copy to an engine that is slower than what cudaMemcpy uses by
 * itself.
 */
#ifndef RIFFLE_BENCH_SUITES_GPU_WORK_H
#define RIFFLE_BENCH_SUITES_GPU_WORK_H

#include "gpu/arrays.h"

/** The jobs that are timed. */
typedef enum cuda_job {
    CUDA_JOB_MOVE,
    CUDA_JOB_COPY,   /**< cudaMemcpy */
    CUDA_JOB_COPY_1, /**< a kernel with 16 bytes a thread */
    CUDA_JOB_COPY_4, /**< with four times 16 bytes */
    CUDA_JOBS,
} cuda_job;

/** A job `moves` times over, as a graph if that is more than once. */
typedef struct cuda_work {
    cuda_job job;
    const cuda_mover *mover; /**< the mover of a move */
    unsigned moves;
    cudaGraphExec_t graph; /**< NULL for one move */
} cuda_work;

/** Does the job once, and makes the graph where one is needed. To be freed also after a failure. */
riffle_status cuda_work_create(cuda_job job, const cuda_mover *mover, unsigned moves, cuda_arrays *arrays,
                               cuda_work *work, bench_result *out);
void cuda_work_free(cuda_work *work);

/** Seconds that all of the work takes. */
riffle_status cuda_work_time(const cuda_work *work, cuda_arrays *arrays, double *seconds, bench_result *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * src and dst on the GPU with their likeness on the host, and the time that moves between them take.
 *
 * Short moves are timed as a CUDA graph of `batch` moves in a row, so that neither the time in which the host queues a
 * launch nor the resolution of events counts; small arrays therefore stay in the second-level cache. Long ones are
 * queued one by one: a graph gives a large copy to an engine that is slower than what cudaMemcpy uses by itself.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_ARRAYS_H
#define RIFFLE_CLI_BENCH_CUDA_ARRAYS_H

#include <cuda_runtime_api.h>

#include "bench_measure.h"

typedef struct cuda_arrays {
    size_t bytes;
    unsigned char *host_dst, *host_src;
    void *dst, *src;
    cudaStream_t stream;
    cudaEvent_t before, after;
} cuda_arrays;

/** Notes in out->problem what CUDA said of `attempt` if it failed. */
riffle_status cuda_check(cudaError_t error, const char *attempt, bench_result *out);

/** Makes the arrays; src is filled on both sides. To be freed also after a failure. */
riffle_status cuda_arrays_create(size_t bytes, cuda_arrays *arrays, bench_result *out);
void cuda_arrays_free(cuda_arrays *arrays);

/** Overwrites dst with what no src has in such order. */
riffle_status cuda_arrays_poison(cuda_arrays *arrays, bench_result *out);

/** Waits for the stream and brings dst to the host. */
riffle_status cuda_arrays_fetch(cuda_arrays *arrays, bench_result *out);

/** What is timed: `batch` moves by `plan`, or copies where plan is NULL, as a graph if there is more than one. */
typedef struct cuda_work {
    const riffle_plan *plan;
    unsigned batch;
    cudaGraphExec_t graph; /**< NULL for a batch of 1 */
} cuda_work;

/** Makes the graph where one is needed. To be freed also after a failure. */
riffle_status cuda_work_create(const riffle_plan *plan, cuda_arrays *arrays, unsigned batch, cuda_work *work,
                               bench_result *out);
void cuda_work_free(cuda_work *work);

/** Seconds that the whole batch takes. */
riffle_status cuda_work_time(const cuda_work *work, cuda_arrays *arrays, double *seconds, bench_result *out);

#endif

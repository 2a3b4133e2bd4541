/* SPDX-License-Identifier: Apache-2.0
 *
 * src and dst on the GPU. The host has no second copy of src, for it can compute what bench_fill puts there.
 */
#ifndef RIFFLE_BENCH_SUITES_GPU_ARRAYS_H
#define RIFFLE_BENCH_SUITES_GPU_ARRAYS_H

#include <cuda_runtime_api.h>

#include "axes/axes.h"
#include "bench/result.h"

typedef struct cuda_arrays {
    size_t bytes;        /**< bytes of src, and of dst, with the gaps between the arrays of a batch */
    size_t copied;       /**< by a copy that is timed: as many bytes as are moved */
    bool in_place;       /**< dst itself is moved */
    unsigned char *host; /**< dst as it was fetched */
    void *dst, *src;
    cudaStream_t stream;
    cudaEvent_t before, after;
    double worked; /**< seconds of the moves and copies between them that were timed */
} cuda_arrays;

/** Who moves: `queue` queues the move of src to dst. */
typedef struct cuda_mover {
    riffle_status (*queue)(const void *by, void *dst, const void *src, cudaStream_t stream, bench_result *out);
    const void *by;
} cuda_mover;

/** The mover that executes a plan. */
cuda_mover cuda_mover_of(const riffle_plan *plan);

/** Notes in out->problem what CUDA said of `attempt` if it failed. */
riffle_status cuda_check(cudaError_t error, const char *attempt, bench_result *out);

/** Makes the row's arrays; src is filled as bench_fill does. To be freed also after a failure. */
riffle_status cuda_arrays_create(const bench_row *row, cuda_arrays *arrays, bench_result *out);
void cuda_arrays_free(cuda_arrays *arrays);

/** Makes dst ready for a move that is to be checked: overwrites it with what no src has in such order, or, in
 *  place, fills it as src. */
riffle_status cuda_arrays_prepare(cuda_arrays *arrays, bench_result *out);

/** Queues the move. */
riffle_status cuda_arrays_move(cuda_arrays *arrays, const cuda_mover *mover, bench_result *out);

/** Waits for the stream and brings dst to arrays->host. */
riffle_status cuda_arrays_fetch(cuda_arrays *arrays, bench_result *out);

/** Waits for the stream and fetches single elements of dst: picked[k] = dst[at[k]] for k < count. */
riffle_status cuda_arrays_pick(cuda_arrays *arrays, size_t elem_bytes, size_t count, const uint64_t *at,
                               unsigned char *picked, bench_result *out);

/** Waits for the stream and counts the elements that are not where an order of axes of the whole array has them in dst. */
riffle_status cuda_arrays_misplaced(cuda_arrays *arrays, const bench_axes *axes, size_t elem_bytes,
                                    unsigned long long *count, bench_result *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cuda/sort/merge.h"

#include "base/status.h"
#include "engines/cuda/device.h"
#include "engines/cuda/engine.h"
#include "engines/cuda/sort/merge_kernels.h"

/* Any arrays will do to learn which launches there are. */
riffle_status merge_load(const merge_job *job) {
    merge_launch work[MERGE_MOST_LAUNCHES];
    plan_target target;
    const merge_arrays none = {.keys = NULL};
    const unsigned count = merge_launches(job, &none, work);
    riffle_status status = cuda_engine_target(&target);
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++) {
        const void *const kernel = cuda_merge_kernel(work[k].kernel, job->key_bytes);
        if (kernel == NULL || work[k].shared_bytes > target.shared_bytes)
            return fail(RIFFLE_ERROR_UNSUPPORTED, "this GPU merges no keys of %u bytes so",
                        (unsigned)job->key_bytes);
        status = cuda_load_kernel(kernel, work[k].shared_bytes);
    }
    return status;
}

static riffle_status launch_one(uint32_t key_bytes, merge_launch *work, cudaStream_t stream) {
    void *arguments[] = {&work->to, &work->from, &work->table};
    return cuda_result(cudaLaunchKernel(cuda_merge_kernel(work->kernel, key_bytes), (dim3){work->blocks, 1, 1},
                                        (dim3){work->threads, 1, 1}, arguments, work->shared_bytes, stream),
                       "launching a step of a merge");
}

riffle_status merge_queue(const merge_job *job, const merge_arrays *arrays, struct CUstream_st *stream) {
    merge_launch work[MERGE_MOST_LAUNCHES];
    const unsigned count = merge_launches(job, arrays, work);
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++)
        status = launch_one(job->key_bytes, &work[k], stream);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/work.h"

#include "gpu/kernels.h"

static cudaError_t queue_copy_kernel(bench_kernel *kernel, unsigned vectors_a_thread, cuda_arrays *arrays) {
    uint64_t vectors = bench_vectors(arrays->copied);
    void *arguments[] = {&arrays->dst, &arrays->src, &vectors};
    const uint64_t threads = (vectors + vectors_a_thread - 1) / vectors_a_thread;
    return bench_launch(kernel, threads, arguments, arrays->stream);
}

static cudaError_t queue_copy(cuda_job job, cuda_arrays *arrays) {
    switch (job) {
    case CUDA_JOB_COPY_1: return queue_copy_kernel(riffle_bench_copy_1, 1, arrays);
    case CUDA_JOB_COPY_4: return queue_copy_kernel(riffle_bench_copy_4, 4, arrays);
    default:
        return cudaMemcpyAsync(arrays->dst, arrays->src, arrays->copied, cudaMemcpyDeviceToDevice,
                               arrays->stream);
    }
}

static riffle_status queue(const cuda_work *work, cuda_arrays *arrays, bench_result *out) {
    if (work->job != CUDA_JOB_MOVE) return cuda_check(queue_copy(work->job, arrays), "queueing a copy", out);
    return cuda_arrays_move(arrays, work->mover, out);
}

static riffle_status capture(cuda_work *work, cuda_arrays *arrays, bench_result *out) {
    riffle_status status = cuda_check(cudaStreamBeginCapture(arrays->stream, cudaStreamCaptureModeThreadLocal),
                                      "beginning a graph", out);
    if (status != RIFFLE_OK) return status;
    for (unsigned k = 0; status == RIFFLE_OK && k < work->moves; ++k) status = queue(work, arrays, out);
    cudaGraph_t captured = NULL;
    const cudaError_t ended = cudaStreamEndCapture(arrays->stream, &captured);
    if (status == RIFFLE_OK) status = cuda_check(ended, "ending a graph", out);
    if (status == RIFFLE_OK)
        status = cuda_check(cudaGraphInstantiate(&work->graph, captured, 0), "making a graph ready", out);
    if (captured != NULL) cudaGraphDestroy(captured);
    return status;
}

/* A kernel is loaded when it is first launched, which should not happen within a graph. */
riffle_status cuda_work_create(cuda_job job, const cuda_mover *mover, unsigned moves, cuda_arrays *arrays,
                               cuda_work *work, bench_result *out) {
    *work = (cuda_work){.job = job, .mover = mover, .moves = moves};
    const riffle_status status = queue(work, arrays, out);
    return status == RIFFLE_OK && moves > 1 ? capture(work, arrays, out) : status;
}

void cuda_work_free(cuda_work *work) {
    if (work->graph != NULL) cudaGraphExecDestroy(work->graph);
}

static riffle_status begin_work(const cuda_work *work, cuda_arrays *arrays, bench_result *out) {
    if (work->graph == NULL) return queue(work, arrays, out);
    return cuda_check(cudaGraphLaunch(work->graph, arrays->stream), "launching a graph", out);
}

riffle_status cuda_work_time(const cuda_work *work, cuda_arrays *arrays, double *seconds, bench_result *out) {
    float milliseconds = 0;
    riffle_status status = cuda_check(cudaEventRecord(arrays->before, arrays->stream), "timing", out);
    if (status == RIFFLE_OK) status = begin_work(work, arrays, out);
    if (status != RIFFLE_OK) return status;
    cudaError_t error = cudaEventRecord(arrays->after, arrays->stream);
    if (error == cudaSuccess) error = cudaEventSynchronize(arrays->after);
    if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, arrays->before, arrays->after);
    *seconds = (double)milliseconds * 1e-3;
    arrays->worked += *seconds;
    return cuda_check(error, "timing", out);
}

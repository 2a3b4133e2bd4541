/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cuda_arrays.h"

#include <stdio.h>

#include "bench_data.h"
#include "riffle/cuda.h"

riffle_status cuda_check(cudaError_t error, const char *attempt, bench_result *out) {
    if (error == cudaSuccess) return RIFFLE_OK;
    snprintf(out->problem, sizeof out->problem, "%s: CUDA says '%s'", attempt, cudaGetErrorString(error));
    return error == cudaErrorMemoryAllocation ? RIFFLE_ERROR_OUT_OF_MEMORY : RIFFLE_ERROR_DEVICE;
}

static riffle_status create_host(cuda_arrays *arrays, bench_result *out) {
    void *src, *dst;
    riffle_status status = riffle_buffer_create(arrays->bytes, &src);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    arrays->host_src = src;
    status = riffle_buffer_create(arrays->bytes, &dst);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    arrays->host_dst = dst;
    bench_fill(arrays->host_src, arrays->bytes);
    return RIFFLE_OK;
}

riffle_status cuda_arrays_create(size_t bytes, cuda_arrays *arrays, bench_result *out) {
    *arrays = (cuda_arrays){.bytes = bytes};
    const riffle_status status = create_host(arrays, out);
    if (status != RIFFLE_OK) return status;
    cudaError_t error = cudaMalloc(&arrays->src, bytes);
    if (error == cudaSuccess) error = cudaMalloc(&arrays->dst, bytes);
    if (error == cudaSuccess) error = cudaStreamCreate(&arrays->stream);
    if (error == cudaSuccess) error = cudaEventCreate(&arrays->before);
    if (error == cudaSuccess) error = cudaEventCreate(&arrays->after);
    if (error == cudaSuccess) error = cudaMemcpy(arrays->src, arrays->host_src, bytes, cudaMemcpyHostToDevice);
    return cuda_check(error, "making arrays on the GPU", out);
}

void cuda_arrays_free(cuda_arrays *arrays) {
    if (arrays->after != NULL) cudaEventDestroy(arrays->after);
    if (arrays->before != NULL) cudaEventDestroy(arrays->before);
    if (arrays->stream != NULL) cudaStreamDestroy(arrays->stream);
    cudaFree(arrays->dst);
    cudaFree(arrays->src);
    riffle_buffer_free(arrays->host_dst, arrays->bytes);
    riffle_buffer_free(arrays->host_src, arrays->bytes);
}

riffle_status cuda_arrays_poison(cuda_arrays *arrays, bench_result *out) {
    return cuda_check(cudaMemsetAsync(arrays->dst, BENCH_POISON, arrays->bytes, arrays->stream),
                      "poisoning dst", out);
}

riffle_status cuda_arrays_fetch(cuda_arrays *arrays, bench_result *out) {
    cudaError_t error = cudaStreamSynchronize(arrays->stream);
    if (error == cudaSuccess)
        error = cudaMemcpy(arrays->host_dst, arrays->dst, arrays->bytes, cudaMemcpyDeviceToHost);
    return cuda_check(error, "moving an array", out);
}

static riffle_status queue(const riffle_plan *plan, cuda_arrays *arrays, bench_result *out) {
    if (plan == NULL)
        return cuda_check(
            cudaMemcpyAsync(arrays->dst, arrays->src, arrays->bytes, cudaMemcpyDeviceToDevice, arrays->stream),
            "queueing a copy", out);
    const riffle_status status = riffle_cuda_execute(plan, arrays->dst, arrays->src, arrays->stream);
    return status == RIFFLE_OK ? RIFFLE_OK : bench_fail(status, out);
}

static riffle_status capture(cuda_work *work, cuda_arrays *arrays, bench_result *out) {
    riffle_status status = cuda_check(cudaStreamBeginCapture(arrays->stream, cudaStreamCaptureModeThreadLocal),
                                      "beginning a graph", out);
    if (status != RIFFLE_OK) return status;
    for (unsigned k = 0; status == RIFFLE_OK && k < work->batch; ++k) status = queue(work->plan, arrays, out);
    cudaGraph_t captured = NULL;
    const cudaError_t ended = cudaStreamEndCapture(arrays->stream, &captured);
    if (status == RIFFLE_OK) status = cuda_check(ended, "ending a graph", out);
    if (status == RIFFLE_OK)
        status = cuda_check(cudaGraphInstantiate(&work->graph, captured, 0), "making a graph ready", out);
    if (captured != NULL) cudaGraphDestroy(captured);
    return status;
}

riffle_status cuda_work_create(const riffle_plan *plan, cuda_arrays *arrays, unsigned batch, cuda_work *work,
                               bench_result *out) {
    *work = (cuda_work){.plan = plan, .batch = batch};
    return batch > 1 ? capture(work, arrays, out) : RIFFLE_OK;
}

void cuda_work_free(cuda_work *work) {
    if (work->graph != NULL) cudaGraphExecDestroy(work->graph);
}

static riffle_status begin_work(const cuda_work *work, cuda_arrays *arrays, bench_result *out) {
    if (work->graph == NULL) return queue(work->plan, arrays, out);
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
    return cuda_check(error, "timing", out);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/arrays.h"

#include <stdio.h>

#include "axes/definition.h"
#include "bench/data.h"
#include "gpu/kernels.h"
#include "riffle/cuda.h"

riffle_status cuda_check(cudaError_t error, const char *attempt, bench_result *out) {
    if (error == cudaSuccess) return RIFFLE_OK;
    snprintf(out->problem, sizeof out->problem, "%s: CUDA says '%s'", attempt, cudaGetErrorString(error));
    return error == cudaErrorMemoryAllocation ? RIFFLE_ERROR_OUT_OF_MEMORY : RIFFLE_ERROR_DEVICE;
}

static cudaError_t fill(void *array, size_t bytes, cudaStream_t stream) {
    uint64_t words = bench_vectors(bytes) * (BENCH_VECTOR_BYTES / sizeof(uint64_t));
    void *arguments[] = {&array, &words};
    return bench_launch(riffle_bench_fill, words, arguments, stream);
}

riffle_status cuda_arrays_create(const bench_row *row, cuda_arrays *arrays, bench_result *out) {
    *arrays = (cuda_arrays){.bytes = bench_row_bytes(row),
                            .copied = bench_row_arrays(row) * row->n * row->elem_bytes,
                            .in_place = row->in_place};
    const size_t whole = bench_vectors(arrays->bytes) * BENCH_VECTOR_BYTES;
    cudaError_t error = cudaMalloc(&arrays->src, whole);
    if (error == cudaSuccess) error = cudaMalloc(&arrays->dst, whole);
    if (error == cudaSuccess) error = cudaStreamCreate(&arrays->stream);
    if (error == cudaSuccess) error = cudaEventCreate(&arrays->before);
    if (error == cudaSuccess) error = cudaEventCreate(&arrays->after);
    if (error == cudaSuccess) error = fill(arrays->src, arrays->bytes, arrays->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(arrays->stream);
    return cuda_check(error, "making arrays on the GPU", out);
}

void cuda_arrays_free(cuda_arrays *arrays) {
    if (arrays->after != NULL) cudaEventDestroy(arrays->after);
    if (arrays->before != NULL) cudaEventDestroy(arrays->before);
    if (arrays->stream != NULL) cudaStreamDestroy(arrays->stream);
    cudaFree(arrays->dst);
    cudaFree(arrays->src);
    riffle_buffer_free(arrays->host, arrays->bytes);
}

riffle_status cuda_arrays_prepare(cuda_arrays *arrays, bench_result *out) {
    if (arrays->in_place)
        return cuda_check(fill(arrays->dst, arrays->bytes, arrays->stream), "filling dst", out);
    return cuda_check(cudaMemsetAsync(arrays->dst, BENCH_POISON, arrays->bytes, arrays->stream),
                      "poisoning dst", out);
}

static riffle_status execute(const void *plan, void *dst, const void *src, cudaStream_t stream,
                             bench_result *out) {
    const riffle_status status = riffle_cuda_execute(plan, dst, src, NULL, 0, stream);
    return status == RIFFLE_OK ? RIFFLE_OK : bench_fail(status, out);
}

cuda_mover cuda_mover_of(const riffle_plan *plan) { return (cuda_mover){execute, plan}; }

riffle_status cuda_arrays_move(cuda_arrays *arrays, const cuda_mover *mover, bench_result *out) {
    const void *src = arrays->in_place ? arrays->dst : arrays->src;
    return mover->queue(mover->by, arrays->dst, src, arrays->stream, out);
}

riffle_status cuda_arrays_fetch(cuda_arrays *arrays, bench_result *out) {
    if (arrays->host == NULL) {
        void *host;
        const riffle_status status = riffle_buffer_create(arrays->bytes, &host);
        if (status != RIFFLE_OK) return bench_fail(status, out);
        arrays->host = host;
    }
    cudaError_t error = cudaStreamSynchronize(arrays->stream);
    if (error == cudaSuccess)
        error = cudaMemcpy(arrays->host, arrays->dst, arrays->bytes, cudaMemcpyDeviceToHost);
    return cuda_check(error, "moving an array", out);
}

/* Between memory of the device. */
static cudaError_t pick(const cuda_arrays *arrays, uint64_t elem_bytes, uint64_t count, void *at,
                        void *picked) {
    void *array = arrays->dst;
    void *arguments[] = {&picked, &array, &at, &count, &elem_bytes};
    const cudaError_t error = bench_launch(riffle_bench_pick, count * elem_bytes, arguments, arrays->stream);
    return error == cudaSuccess ? cudaStreamSynchronize(arrays->stream) : error;
}

riffle_status cuda_arrays_pick(cuda_arrays *arrays, size_t elem_bytes, size_t count, const uint64_t *at,
                               unsigned char *picked, bench_result *out) {
    void *device_at = NULL, *device_picked = NULL;
    cudaError_t error = cudaMalloc(&device_at, count * sizeof *at);
    if (error == cudaSuccess) error = cudaMalloc(&device_picked, count * elem_bytes);
    if (error == cudaSuccess) error = cudaMemcpy(device_at, at, count * sizeof *at, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) error = pick(arrays, elem_bytes, count, device_at, device_picked);
    if (error == cudaSuccess)
        error = cudaMemcpy(picked, device_picked, count * elem_bytes, cudaMemcpyDeviceToHost);
    cudaFree(device_picked);
    cudaFree(device_at);
    return cuda_check(error, "moving an array", out);
}

static bench_definition definition_of(const bench_axes *axes) {
    _Static_assert(RIFFLE_MAX_RANK <= BENCH_MOST_AXES, "a definition has room for all axes");
    bench_definition out = {.rank = axes->rank};
    uint64_t step = 1;
    for (unsigned j = axes->rank; j-- > 0; step *= axes->shape[axes->order[j]]) {
        out.shape[j] = axes->shape[j];
        out.step[axes->order[j]] = step;
    }
    return out;
}

static cudaError_t queue_misplaced(const cuda_arrays *arrays, const bench_axes *axes, uint64_t elem_bytes,
                                   void *device_count) {
    bench_definition definition = definition_of(axes);
    uint64_t n = bench_axes_length(axes);
    void *dst = arrays->dst;
    void *arguments[] = {&device_count, &dst, &definition, &n, &elem_bytes};
    const cudaError_t error = cudaMemsetAsync(device_count, 0, sizeof(unsigned long long), arrays->stream);
    if (error != cudaSuccess) return error;
    return bench_launch(riffle_bench_misplaced, n, arguments, arrays->stream);
}

riffle_status cuda_arrays_misplaced(cuda_arrays *arrays, const bench_axes *axes, size_t elem_bytes,
                                    unsigned long long *count, bench_result *out) {
    void *device_count = NULL;
    cudaError_t error = cudaMalloc(&device_count, sizeof *count);
    if (error == cudaSuccess) error = queue_misplaced(arrays, axes, elem_bytes, device_count);
    if (error == cudaSuccess) error = cudaStreamSynchronize(arrays->stream);
    if (error == cudaSuccess) error = cudaMemcpy(count, device_count, sizeof *count, cudaMemcpyDeviceToHost);
    cudaFree(device_count);
    return cuda_check(error, "comparing arrays", out);
}

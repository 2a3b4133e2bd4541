/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/cuda/sort.h"

#include "bench/cuda/kernels.h"
#include "bench/cuda/plan.h"
#include "bench/sorts/sorts.h"
#include "riffle/cuda.h"
#include "riffle/sort.h"

/* A sorter as a mover, with the row's indices. */
typedef struct sort_call {
    const bench_row *row;
    const cuda_sorter *sorter;
    void *indices; /* NULL where none are asked for */
} sort_call;

static riffle_status queue_call(const void *by, void *dst, const void *src, cudaStream_t stream,
                                bench_result *out) {
    const sort_call *const c = by;
    return c->sorter->queue(c->sorter->by, dst, c->indices, src, stream, out);
}

/* Argument sorts of numbers move no numbers: only their indices are asked for. */
static bool is_moved(const bench_row *row) { return row->entry_bytes == 0 || bench_sort_is_rows(row); }

static riffle_status fill(const cuda_arrays *arrays, bench_numbers *of, bench_result *out) {
    void *to = arrays->src;
    void *arguments[] = {of, &to};
    return cuda_check(bench_launch(riffle_bench_fill_numbers, of->all, arguments, arrays->stream),
                      "making numbers", out);
}

/* Sets sums[0] to how many places of `found` are wrong and sums[1] to the looks' sum (sorts/number.h). */
static riffle_status add_looks(bench_kernel *kernel, bench_numbers *of, const cuda_arrays *arrays, void *found,
                               unsigned long long sums[2], bench_result *out) {
    enum { THREADS = 1 << 20 };
    void *device = NULL, *numbers = arrays->src;
    void *arguments[] = {of, &numbers, &found, &device};
    const size_t bytes = 2 * sizeof *sums;
    cudaError_t error = cudaMalloc(&device, bytes);
    if (error == cudaSuccess) error = cudaMemsetAsync(device, 0, bytes, arrays->stream);
    if (error == cudaSuccess) error = bench_launch(kernel, THREADS, arguments, arrays->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(arrays->stream);
    if (error == cudaSuccess) error = cudaMemcpy(sums, device, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return cuda_check(error, "looking at what was sorted", out);
}

/* All results are looked at, by the GPU. */
static riffle_status check(const sort_call *c, bench_numbers *of, cuda_arrays *arrays, bench_result *out) {
    const cuda_mover mover = {queue_call, c};
    unsigned long long of_numbers[2] = {0, 0}, of_indices[2] = {0, 0};
    riffle_status status = fill(arrays, of, out);
    if (status == RIFFLE_OK) status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, &mover, out);
    if (status == RIFFLE_OK && is_moved(c->row))
        status = add_looks(riffle_bench_look_at_numbers, of, arrays, arrays->dst, of_numbers, out);
    if (status == RIFFLE_OK && c->indices != NULL)
        status = add_looks(riffle_bench_look_at_indices, of, arrays, c->indices, of_indices, out);
    out->right = status == RIFFLE_OK && (of_numbers[0] | of_numbers[1] | of_indices[0] | of_indices[1]) == 0;
    return status;
}

static riffle_status allocate(sort_call *c, const bench_numbers *of, bench_result *out) {
    const size_t bytes = of->all * of->index_bytes;
    if (bytes == 0) return RIFFLE_OK;
    cudaError_t error = cudaMalloc(&c->indices, bytes);
    if (error == cudaSuccess) error = cudaMemset(c->indices, BENCH_POISON, bytes);
    return cuda_check(error, "room for indices", out);
}

riffle_status bench_cuda_time_sort(const bench_row *row, unsigned repeat, const cuda_sorter *sorter,
                                   bench_result *out) {
    sort_call c = {.row = row, .sorter = sorter};
    const cuda_mover mover = {queue_call, &c};
    bench_numbers of;
    cuda_arrays arrays;
    if (!bench_sort_numbers(row, &of)) return RIFFLE_ERROR_INTERNAL;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = allocate(&c, &of, out);
    if (status == RIFFLE_OK) status = check(&c, &of, &arrays, out);
    if (status == RIFFLE_OK && out->right) status = bench_cuda_time(&mover, repeat, &arrays, out);
    cudaFree(c.indices);
    cuda_arrays_free(&arrays);
    return status;
}

/* A plan, and what is asked of it. */
typedef struct planned {
    const bench_row *row;
    const riffle_sort_plan *plan;
} planned;

static riffle_status queue(const void *by, void *dst, void *indices, const void *src, cudaStream_t stream,
                           bench_result *out) {
    const planned *const p = by;
    const riffle_sort_arrays arrays = {
        .keys = is_moved(p->row) ? dst : NULL, .indices = indices, .from_keys = src};
    const riffle_status status = riffle_cuda_sort_execute(p->plan, &arrays, NULL, 0, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

riffle_status bench_cuda_sort(const bench_row *row, const bench_settings *settings, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    riffle_sort_plan *plan = NULL;
    riffle_status status = bench_sort_plan(row, settings, &plan, out);
    if (status != RIFFLE_OK) return status;
    status = bench_cuda_time_sort(row, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT,
                                  &(cuda_sorter){queue, &(planned){row, plan}}, out);
    riffle_sort_plan_free(plan);
    return status;
}

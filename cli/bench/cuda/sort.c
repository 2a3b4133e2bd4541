/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/cuda/sort.h"

#include "bench/cuda/plan.h"
#include "bench/sorts/sorts.h"
#include "riffle/cuda.h"
#include "riffle/sort.h"

/* A sorter as a mover, with the row's indices. */
typedef struct sort_call {
    const bench_row *row;
    const cuda_sorter *sorter;
    void *indices, *host_indices; /* NULL where none are asked for */
    size_t indices_bytes;
} sort_call;

static riffle_status queue_call(const void *by, void *dst, const void *src, cudaStream_t stream,
                                bench_result *out) {
    const sort_call *const c = by;
    return c->sorter->queue(c->sorter->by, dst, c->indices, src, stream, out);
}

/* What argument sorts do with numbers is not asked for. */
static bool is_moved(const bench_row *row) { return row->entry_bytes == 0 || bench_sort_is_rows(row); }

/* All results are looked at. */
static riffle_status check(const sort_call *c, void *numbers, cuda_arrays *arrays, bench_result *out) {
    const cuda_mover mover = {queue_call, c};
    if (!bench_sort_fill(c->row, numbers)) return RIFFLE_ERROR_INTERNAL;
    riffle_status status = cuda_check(cudaMemcpy(arrays->src, numbers, arrays->bytes, cudaMemcpyHostToDevice),
                                      "bringing numbers", out);
    if (status == RIFFLE_OK) status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, &mover, out);
    if (status == RIFFLE_OK) status = cuda_arrays_fetch(arrays, out);
    if (status == RIFFLE_OK && c->indices != NULL)
        status = cuda_check(cudaMemcpy(c->host_indices, c->indices, c->indices_bytes, cudaMemcpyDeviceToHost),
                            "fetching indices", out);
    if (status != RIFFLE_OK) return status;
    out->right = bench_sort_is_right(c->row, numbers, is_moved(c->row) ? arrays->host : NULL, c->host_indices);
    return RIFFLE_OK;
}

static riffle_status allocate(sort_call *c, bench_result *out) {
    c->indices_bytes = c->row->n * bench_row_arrays(c->row) * c->row->entry_bytes;
    if (c->indices_bytes == 0) return RIFFLE_OK;
    const riffle_status status = riffle_buffer_create(c->indices_bytes, &c->host_indices);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    return cuda_check(cudaMalloc(&c->indices, c->indices_bytes), "room for indices", out);
}

riffle_status bench_cuda_time_sort(const bench_row *row, unsigned repeat, const cuda_sorter *sorter,
                                   bench_result *out) {
    sort_call c = {.row = row, .sorter = sorter};
    const cuda_mover mover = {queue_call, &c};
    void *numbers = NULL;
    cuda_arrays arrays;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = allocate(&c, out);
    if (status == RIFFLE_OK && (status = riffle_buffer_create(arrays.bytes, &numbers)) != RIFFLE_OK)
        bench_fail(status, out);
    if (status == RIFFLE_OK) status = check(&c, numbers, &arrays, out);
    if (status == RIFFLE_OK && out->right) status = bench_cuda_time(&mover, repeat, &arrays, out);
    riffle_buffer_free(numbers, arrays.bytes);
    riffle_buffer_free(c.host_indices, c.indices_bytes);
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
    const riffle_status status = riffle_cuda_sort_execute(p->plan, &arrays, NULL, stream);
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

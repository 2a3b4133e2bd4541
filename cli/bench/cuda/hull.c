/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/cuda/hull.h"

#include "bench/cuda/plan.h"
#include "bench/hulls/hulls.h"
#include "riffle/cuda.h"
#include "system/clock.h"

/* A plan, and where lengths go. */
typedef struct hull_call {
    riffle_hull_plan *plan;
    uint64_t sets;
    uint64_t *lengths;      /* on the device */
    uint64_t *host_lengths; /* as they were fetched */
} hull_call;

static riffle_status queue(const void *by, void *dst, const void *src, cudaStream_t stream, bench_result *out) {
    const hull_call *const c = by;
    const riffle_status status = riffle_cuda_hull_execute(
        c->plan, &(riffle_hull_arrays){.hulls = dst, .lengths = c->lengths, .points = src}, NULL, 0, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

/* All corners are looked at on the host. */
static riffle_status check(const bench_row *row, const hull_call *c, void *points, cuda_arrays *arrays,
                           bench_result *out) {
    const cuda_mover mover = {queue, c};
    if (!bench_hull_fill(row, points)) return RIFFLE_ERROR_INTERNAL;
    riffle_status status = cuda_check(cudaMemcpy(arrays->src, points, arrays->bytes, cudaMemcpyHostToDevice),
                                      "bringing points", out);
    if (status == RIFFLE_OK) status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, &mover, out);
    if (status == RIFFLE_OK) status = cuda_arrays_fetch(arrays, out);
    if (status == RIFFLE_OK)
        status = cuda_check(
            cudaMemcpy(c->host_lengths, c->lengths, c->sets * sizeof *c->lengths, cudaMemcpyDeviceToHost),
            "fetching lengths", out);
    if (status != RIFFLE_OK) return status;
    out->right = bench_is_hull(row, points, (const uint32_t *)(const void *)arrays->host, c->host_lengths);
    for (uint64_t k = 0; k < c->sets; ++k) out->corners += c->host_lengths[k];
    return RIFFLE_OK;
}

static riffle_status measure(const bench_row *row, const bench_settings *settings, hull_call *c,
                             bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    const cuda_mover mover = {queue, c};
    const size_t bytes = bench_row_bytes(row), length_bytes = c->sets * sizeof *c->lengths;
    void *points = NULL, *lengths = NULL, *host_lengths = NULL;
    cuda_arrays arrays;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = cuda_check(cudaMalloc(&lengths, length_bytes), "room for lengths", out);
    if (status == RIFFLE_OK && ((status = riffle_buffer_create(bytes, &points)) != RIFFLE_OK ||
                                (status = riffle_buffer_create(length_bytes, &host_lengths)) != RIFFLE_OK))
        bench_fail(status, out);
    c->lengths = lengths, c->host_lengths = host_lengths;
    if (status == RIFFLE_OK) status = check(row, c, points, &arrays, out);
    if (status == RIFFLE_OK && out->right)
        status = bench_cuda_time(&mover, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT, &arrays, out);
    riffle_buffer_free(points, bytes);
    riffle_buffer_free(host_lengths, length_bytes);
    cudaFree(lengths);
    cuda_arrays_free(&arrays);
    return status;
}

riffle_status bench_cuda_hull(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const riffle_hull_options options = {.segments = row->batch, .algorithm = row->hull_way};
    hull_call c = {.sets = bench_row_arrays(row)};
    const double began = seconds_now();
    riffle_status status =
        riffle_hull_plan_create(row->n * c.sets, row->type, RIFFLE_ENGINE_CUDA, &options, &c.plan);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    out->plan_seconds = seconds_now() - began;
    status = measure(row, settings, &c, out);
    riffle_hull_plan_free(c.plan);
    return status;
}

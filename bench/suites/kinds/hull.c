/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "bench/data.h"
#include "bench/host.h"
#include "hulls/hulls.h"
#include "kinds/kinds.h"
#include "system/clock.h"

/* --------------------------------------------------------------------------------------- on the host */

/* The arrays of a row. */
typedef struct host_arrays {
    void *points, *hulls;
    uint64_t *lengths;
    size_t point_bytes, hull_bytes;
    uint64_t sets;
} host_arrays;

static riffle_status allocate(const bench_row *row, host_arrays *a) {
    void *lengths = NULL;
    a->sets = row->batch > 0 ? row->batch : 1;
    a->point_bytes = row->n * a->sets * row->elem_bytes;
    a->hull_bytes = row->n * a->sets * sizeof(uint32_t);
    riffle_status status = riffle_buffer_create(a->point_bytes, &a->points);
    if (status == RIFFLE_OK) status = riffle_buffer_create(a->hull_bytes, &a->hulls);
    if (status == RIFFLE_OK) status = riffle_buffer_create(a->sets * sizeof *a->lengths, &lengths);
    a->lengths = lengths;
    return status;
}

static void free_arrays(host_arrays *a) {
    riffle_buffer_free(a->points, a->point_bytes);
    riffle_buffer_free(a->hulls, a->hull_bytes);
    riffle_buffer_free(a->lengths, a->sets * sizeof *a->lengths);
}

/* One read of all points: what a hull cannot do without. */
static double read_seconds(const host_arrays *a, unsigned threads) {
    const uint64_t *const words = a->points;
    const double began = seconds_now();
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads((int)threads)
    for (uint64_t k = 0; k < a->point_bytes / sizeof *words; ++k) sum += words[k];
    volatile uint64_t kept = sum; /* else nobody would need it */
    (void)kept;
    return seconds_now() - began;
}

static riffle_status execute_arrays(const riffle_hull_plan *plan, const host_arrays *a) {
    return riffle_hull_execute(
        plan, &(riffle_hull_arrays){.hulls = a->hulls, .lengths = a->lengths, .points = a->points});
}

static riffle_status time_hull(const riffle_hull_plan *plan, const host_arrays *a, unsigned repeat,
                               bench_result *out) {
    double seconds[BENCH_MAX_REPEAT], reads[BENCH_MAX_REPEAT];
    for (unsigned k = 0; k < repeat; ++k) {
        reads[k] = read_seconds(a, out->threads > 0 ? out->threads : 1);
        const double began = seconds_now();
        const riffle_status status = execute_arrays(plan, a);
        if (status != RIFFLE_OK) return status;
        seconds[k] = seconds_now() - began;
    }
    out->seconds = bench_median(seconds, repeat);
    out->copy_seconds = bench_median(reads, repeat);
    return RIFFLE_OK;
}

/* The first run is the one that is checked. */
static riffle_status measure_arrays(const bench_row *row, const bench_settings *settings,
                                    const riffle_hull_plan *plan, const host_arrays *a, bench_result *out) {
    if (!bench_hull_fill(row, a->points)) return RIFFLE_ERROR_INVALID_ARGUMENT;
    memset(a->hulls, BENCH_POISON, a->hull_bytes);
    const double began = seconds_now();
    const riffle_status status = execute_arrays(plan, a);
    if (status != RIFFLE_OK) return status;
    const unsigned repeat = bench_host_repeats(seconds_now() - began, settings->repeat);
    out->right = bench_is_hull(row, a->points, a->hulls, a->lengths);
    for (uint64_t k = 0; k < a->sets; ++k) out->corners += a->lengths[k];
    return out->right ? time_hull(plan, a, repeat, out) : RIFFLE_OK;
}

static riffle_status on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const riffle_hull_options options = {
        .segments = row->batch, .threads = settings->threads, .algorithm = (riffle_hull_algorithm)row->way};
    const uint64_t points = row->n * (row->batch > 0 ? row->batch : 1);
    riffle_hull_plan *plan = NULL;
    host_arrays a = {0};
    const double began = seconds_now();
    riffle_status status = riffle_hull_plan_create(points, row->type, settings->engine, &options, &plan);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    out->plan_seconds = seconds_now() - began;
    out->threads = riffle_hull_plan_threads(plan);
    status = allocate(row, &a);
    if (status == RIFFLE_OK) status = measure_arrays(row, settings, plan, &a, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    free_arrays(&a);
    riffle_hull_plan_free(plan);
    return status;
}

/* ----------------------------------------------------------------------------------------- on a GPU */

#ifdef BENCH_GPU
#include "gpu/timing.h"
#include "riffle/cuda.h"

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

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const riffle_hull_options options = {.segments = row->batch, .algorithm = (riffle_hull_algorithm)row->way};
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
#endif

/* -------------------------------------------------------------------------------------- the record */

static const char *algorithm(const bench_row *row) {
    return row->way == RIFFLE_HULL_ALGORITHM_PAPER ? "hull-paper" : "hull";
}

static void table_result(const bench_row *row, const bench_result *result) {
    (void)row;
    printf("  %s; %llu corners", result->moves_timed > 0 ? "copies" : "reads",
           (unsigned long long)result->corners);
}

static void json_result(const bench_row *row, const bench_result *result) {
    (void)row;
    printf(", \"corners\": %llu", (unsigned long long)result->corners);
}

const bench_kind bench_hull = {.on_host = on_host,
                               .on_gpu = BENCH_GPU_HALF(on_gpu),
                               .algorithm = algorithm,
                               .has_type = true,
                               .table_result = table_result,
                               .json_result = json_result};

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "bench/data.h"
#include "bench/host.h"
#include "kinds/kinds.h"
#include "programs/programs.h"
#include "system/clock.h"

static unsigned bits_of(uint64_t n) { return (unsigned)__builtin_ctzll(n); }

static riffle_status plan_once(const bench_row *row, const bench_settings *settings,
                               riffle_program_plan **plan) {
    const riffle_program_options options = {
        .threads = settings->threads, .batch = row->batch, .algorithm = (riffle_program_algorithm)row->way};
    riffle_program *program = NULL;
    riffle_status status = riffle_program_parse(row->by, NULL, bits_of(row->n), &program);
    if (status != RIFFLE_OK) return status;
    status = riffle_program_plan_create(program, row->type, settings->engine, &options, plan);
    riffle_program_free(program);
    return status;
}

/* Once more where that is quick, for the first time may load kernels. */
static riffle_status plan_program(const bench_row *row, const bench_settings *settings,
                                  riffle_program_plan **plan, bench_result *out) {
    enum { TIMES = 5 };
    const double quick = 1;
    double times[TIMES];
    unsigned count = 0;
    riffle_program_plan *made = NULL;
    do {
        riffle_program_plan_free(made);
        made = NULL;
        const double began = seconds_now();
        const riffle_status status = plan_once(row, settings, &made);
        if (status != RIFFLE_OK) return bench_fail(status, out);
        times[count++] = seconds_now() - began;
    } while (count < TIMES && times[0] < quick);
    *plan = made;
    out->plan_seconds = bench_median(times, count);
    out->passes = riffle_program_plan_passes(made);
    out->bound = riffle_program_plan_bound(made);
    out->stages = riffle_program_plan_stages(made);
    out->threads = riffle_program_plan_threads(made);
    return RIFFLE_OK;
}

static bool is_right(const bench_row *row, const void *src, const void *dst) {
    return ((const bench_program_row *)row->of)->is_right(row, src, dst);
}

/* --------------------------------------------------------------------------------------- on the host */

static riffle_status execute(const void *plan, void *dst, const void *src) {
    return riffle_program_execute(plan, dst, src);
}

static riffle_status measure_arrays(const riffle_program_plan *plan, const bench_row *row,
                                    const bench_settings *settings, unsigned char *dst, unsigned char *src,
                                    bench_result *out) {
    const bench_host_mover mover = {execute, plan};
    const size_t bytes = bench_row_bytes(row);
    double seconds;
    bench_program_fill(row, src);
    memset(dst, BENCH_POISON, bytes);
    riffle_status status = bench_host_first(&mover, dst, src, &seconds);
    out->right = status == RIFFLE_OK && is_right(row, src, dst);
    if (out->right) status = bench_host_time(&mover, bytes, settings->repeat, seconds, dst, src, out);
    return status;
}

static riffle_status on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const size_t bytes = bench_row_bytes(row);
    riffle_program_plan *plan = NULL;
    void *dst = NULL, *src = NULL;
    riffle_status status = plan_program(row, settings, &plan, out);
    if (status != RIFFLE_OK) return status;
    status = riffle_buffer_create(bytes, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &dst);
    if (status == RIFFLE_OK) status = measure_arrays(plan, row, settings, dst, src, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    riffle_buffer_free(dst, bytes);
    riffle_buffer_free(src, bytes);
    riffle_program_plan_free(plan);
    return status;
}

/* ----------------------------------------------------------------------------------------- on a GPU */

#ifdef BENCH_GPU
#include "gpu/timing.h"
#include "riffle/cuda.h"

static riffle_status queue(const void *plan, void *dst, const void *src, cudaStream_t stream,
                           bench_result *out) {
    const riffle_status status = riffle_cuda_program_execute(plan, dst, src, NULL, 0, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

/* The host looks at the whole result. */
static riffle_status check(const bench_row *row, const cuda_mover *mover, void *host, cuda_arrays *arrays,
                           bench_result *out) {
    bench_program_fill(row, host);
    riffle_status status =
        cuda_check(cudaMemcpy(arrays->src, host, arrays->bytes, cudaMemcpyHostToDevice), "filling src", out);
    if (status == RIFFLE_OK) status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, mover, out);
    if (status == RIFFLE_OK) status = cuda_arrays_fetch(arrays, out);
    out->right = status == RIFFLE_OK && is_right(row, host, arrays->host);
    return status;
}

static riffle_status measure(const bench_row *row, const bench_settings *settings,
                             const riffle_program_plan *plan, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    const cuda_mover mover = {queue, plan};
    const size_t bytes = bench_row_bytes(row);
    cuda_arrays arrays;
    void *host = NULL;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK && (status = riffle_buffer_create(bytes, &host)) != RIFFLE_OK)
        bench_fail(status, out);
    if (status == RIFFLE_OK) status = check(row, &mover, host, &arrays, out);
    if (status == RIFFLE_OK && out->right)
        status = bench_cuda_time(&mover, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT, &arrays, out);
    riffle_buffer_free(host, bytes);
    cuda_arrays_free(&arrays);
    return status;
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_program_plan *plan = NULL;
    riffle_status status = plan_program(row, settings, &plan, out);
    if (status == RIFFLE_OK) status = measure(row, settings, plan, out);
    riffle_program_plan_free(plan);
    return status;
}
#endif

/* -------------------------------------------------------------------------------------- the record */

static const char *algorithm(const bench_row *row) {
    return riffle_program_algorithm_string((riffle_program_algorithm)row->way);
}

static void table_below(const bench_row *row, const bench_result *result) {
    printf("    %u stages of %s in %u passes, at least %u: %.2f copies a pass\n", result->stages,
           riffle_type_string(row->type), result->passes, result->bound,
           result->copy_seconds > 0 ? result->seconds / result->copy_seconds / result->passes : 0);
}

static void json_result(const bench_row *row, const bench_result *result) {
    (void)row;
    if (result->moves_timed == 0) printf(", \"passes\": %u", result->passes);
    printf(", \"stages\": %u, \"bound\": %u", result->stages, result->bound);
}

const bench_kind bench_program = {.on_host = on_host,
                                  .on_gpu = BENCH_GPU_HALF(on_gpu),
                                  .algorithm = algorithm,
                                  .has_type = true,
                                  .table_below = table_below,
                                  .json_result = json_result};

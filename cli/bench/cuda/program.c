/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/cuda/program.h"

#include "bench/cuda/plan.h"
#include "bench/programs/programs.h"
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
    out->right = status == RIFFLE_OK && row->is_right(row, host, arrays->host);
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

riffle_status bench_cuda_program(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_program_plan *plan = NULL;
    riffle_status status = bench_program_plan(row, settings, &plan, out);
    if (status == RIFFLE_OK) status = measure(row, settings, plan, out);
    riffle_program_plan_free(plan);
    return status;
}

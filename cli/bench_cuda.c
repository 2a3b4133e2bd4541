/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of all kinds on the GPU. A plan is executed once between poisoned arrays and its result compared before
 * anything is timed.
 */
#include "bench_cuda.h"

#include "bench_cuda_arrays.h"
#include "bench_cuda_blocks.h"
#include "bench_cuda_plan.h"
#include "bench_cuda_random.h"
#include "bench_data.h"
#include "clock.h"
#include "riffle/cuda.h"

/* All elements of arrays that the host looks through in a moment, else a sample of a million. */
static bool is_right(const riffle_perm *perm, size_t elem_bytes, const cuda_arrays *arrays) {
    const uint64_t all = (uint64_t)1 << 26, sample = (uint64_t)1 << 20;
    return riffle_perm_length(perm) <= all
               ? bench_all_is_right(perm, elem_bytes, arrays->host_dst, arrays->host_src)
               : bench_sample_is_right(perm, elem_bytes, arrays->host_dst, arrays->host_src, sample);
}

riffle_status bench_cuda_check(const riffle_plan *plan, const riffle_perm *perm, size_t elem_bytes,
                               cuda_arrays *arrays, bench_result *out) {
    riffle_status status = cuda_arrays_poison(arrays, out);
    if (status != RIFFLE_OK) return status;
    status = riffle_cuda_execute(plan, arrays->dst, arrays->src, arrays->stream);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    status = cuda_arrays_fetch(arrays, out);
    if (status == RIFFLE_OK) out->right = is_right(perm, elem_bytes, arrays);
    return status;
}

/* What is timed should take far longer than queueing it does. */
static unsigned batch_of(size_t bytes) {
    const size_t enough = (size_t)1 << 26, most = 64;
    const size_t batch = enough / (bytes > 0 ? bytes : 1);
    return (unsigned)(batch < 1 ? 1 : batch > most ? most : batch);
}

static riffle_status time_in_turn(const cuda_work *moves, const cuda_work *copies, unsigned repeat,
                                  cuda_arrays *arrays, bench_result *out) {
    double move_times[BENCH_MAX_REPEAT], copy_times[BENCH_MAX_REPEAT], warm_up;
    riffle_status status = cuda_work_time(moves, arrays, &warm_up, out);
    if (status == RIFFLE_OK) status = cuda_work_time(copies, arrays, &warm_up, out);
    for (unsigned k = 0; status == RIFFLE_OK && k < repeat; ++k) {
        status = cuda_work_time(copies, arrays, &copy_times[k], out);
        if (status == RIFFLE_OK) status = cuda_work_time(moves, arrays, &move_times[k], out);
    }
    if (status != RIFFLE_OK) return status;
    out->seconds = bench_median(move_times, repeat) / out->batch;
    out->copy_seconds = bench_median(copy_times, repeat) / out->batch;
    return RIFFLE_OK;
}

riffle_status bench_cuda_time(const riffle_plan *plan, unsigned repeat, cuda_arrays *arrays,
                              bench_result *out) {
    cuda_work moves, copies = {0};
    out->batch = batch_of(arrays->bytes);
    riffle_status status = cuda_work_create(plan, arrays, out->batch, &moves, out);
    if (status == RIFFLE_OK) status = cuda_work_create(NULL, arrays, out->batch, &copies, out);
    if (status == RIFFLE_OK) status = time_in_turn(&moves, &copies, repeat, arrays, out);
    cuda_work_free(&copies);
    cuda_work_free(&moves);
    return status;
}

riffle_status bench_cuda_plan(const riffle_perm *perm, const bench_row *row, const bench_settings *settings,
                              riffle_plan **plan, bench_result *out) {
    const riffle_plan_options options = {.algorithm = row->algorithm, .threads = settings->threads};
    const double began = seconds_now();
    const riffle_status status = riffle_plan_create(perm, row->elem_bytes, RIFFLE_ENGINE_CUDA, &options, plan);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    out->plan_seconds = seconds_now() - began;
    out->algorithm = riffle_plan_algorithm(*plan);
    out->plan_bytes = riffle_plan_bytes(*plan);
    out->workspace_bytes = riffle_plan_workspace_bytes(*plan);
    return RIFFLE_OK;
}

static riffle_status measure_plan(const riffle_plan *plan, const riffle_perm *perm, const bench_row *row,
                                  const bench_settings *settings, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    const unsigned repeat = settings->repeat > 0 ? settings->repeat : USUAL_REPEAT;
    cuda_arrays arrays;
    riffle_status status = cuda_arrays_create(row->n * row->elem_bytes, &arrays, out);
    if (status == RIFFLE_OK) status = bench_cuda_check(plan, perm, row->elem_bytes, &arrays, out);
    if (status == RIFFLE_OK && out->right) status = bench_cuda_time(plan, repeat, &arrays, out);
    cuda_arrays_free(&arrays);
    return status;
}

static riffle_status measure_array(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_perm *perm;
    riffle_status status = bench_perm(row, row->by, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    riffle_plan *plan = NULL;
    status = bench_cuda_plan(perm, row, settings, &plan, out);
    if (status == RIFFLE_OK) status = measure_plan(plan, perm, row, settings, out);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    return status;
}

riffle_status bench_cuda_measure(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_cuda_device device;
    const riffle_status status = riffle_cuda_describe(&device);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    out->in_l2 = row->kind != BENCH_BLOCKS && 2 * row->n * row->elem_bytes <= device.l2_bytes;
    switch (row->kind) {
    case BENCH_RANDOM: return bench_cuda_random(row, settings, out);
    case BENCH_BLOCKS: return bench_cuda_blocks(row, out);
    default: return measure_array(row, settings, out);
    }
}

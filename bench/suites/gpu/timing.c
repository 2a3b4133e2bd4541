/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan is executed once between poisoned arrays and its result compared before anything is timed.
 */
#include "gpu/timing.h"

#include "gpu/work.h"
#include "riffle/cuda.h"
#include "system/clock.h"

/* So many moves take far longer than queueing them does. */
static unsigned moves_for(size_t bytes) {
    const size_t enough = (size_t)1 << 26, most = 64;
    const size_t moves = enough / (bytes > 0 ? bytes : 1);
    return (unsigned)(moves < 1 ? 1 : moves > most ? most : moves);
}

/* Each job once, one after the other. */
static riffle_status time_round(const cuda_work work[CUDA_JOBS], cuda_arrays *arrays, double seconds[CUDA_JOBS],
                                bench_result *out) {
    riffle_status status = RIFFLE_OK;
    for (unsigned job = 0; status == RIFFLE_OK && job < CUDA_JOBS; ++job)
        status = cuda_work_time(&work[job], arrays, &seconds[job], out);
    return status;
}

/* A GPU raises its clocks only after some time at work: rounds are left out until there was enough of it, one at least. */
static riffle_status warm_up(const cuda_work work[CUDA_JOBS], cuda_arrays *arrays, bench_result *out) {
    const double enough = 0.1;
    double seconds[CUDA_JOBS];
    riffle_status status;
    do status = time_round(work, arrays, seconds, out);
    while (status == RIFFLE_OK && arrays->worked < enough);
    return status;
}

static riffle_status time_in_turn(const cuda_work work[CUDA_JOBS], unsigned repeat, cuda_arrays *arrays,
                                  double medians[CUDA_JOBS], bench_result *out) {
    double times[CUDA_JOBS][BENCH_MAX_REPEAT], seconds[CUDA_JOBS];
    riffle_status status = warm_up(work, arrays, out);
    for (unsigned k = 0; status == RIFFLE_OK && k < repeat; ++k) {
        status = time_round(work, arrays, seconds, out);
        for (unsigned job = 0; status == RIFFLE_OK && job < CUDA_JOBS; ++job) times[job][k] = seconds[job];
    }
    if (status != RIFFLE_OK) return status;
    for (unsigned job = 0; job < CUDA_JOBS; ++job)
        medians[job] = bench_median(times[job], repeat) / work[job].moves;
    return RIFFLE_OK;
}

static bool fit_l2(const cuda_arrays *arrays) {
    riffle_cuda_device device;
    return riffle_cuda_describe(&device) == RIFFLE_OK && 2 * arrays->bytes <= device.l2_bytes;
}

riffle_status bench_cuda_time(const cuda_mover *mover, unsigned repeat, cuda_arrays *arrays,
                              bench_result *out) {
    cuda_work work[CUDA_JOBS] = {{.moves = 0}};
    double medians[CUDA_JOBS];
    riffle_status status = RIFFLE_OK;
    out->moves_timed = moves_for(arrays->bytes);
    out->in_l2 = fit_l2(arrays);
    for (unsigned job = 0; status == RIFFLE_OK && job < CUDA_JOBS; ++job)
        status = cuda_work_create((cuda_job)job, mover, out->moves_timed, arrays, &work[job], out);
    if (status == RIFFLE_OK) status = time_in_turn(work, repeat, arrays, medians, out);
    for (unsigned job = 0; job < CUDA_JOBS; ++job) cuda_work_free(&work[job]);
    if (status != RIFFLE_OK) return status;
    const double short_threads = medians[CUDA_JOB_COPY_1], long_threads = medians[CUDA_JOB_COPY_4];
    out->seconds = medians[CUDA_JOB_MOVE];
    out->copy_seconds = medians[CUDA_JOB_COPY];
    out->copy_kernel_seconds = short_threads < long_threads ? short_threads : long_threads;
    return RIFFLE_OK;
}

static riffle_status plan_once(const riffle_perm *perm, const void *table, const bench_row *row,
                               const riffle_plan_options *options, riffle_plan **plan) {
    if (table == NULL) return riffle_plan_create(perm, row->elem_bytes, RIFFLE_ENGINE_CUDA, options, plan);
    return riffle_cuda_plan_table(row->n, table, sizeof(uint32_t), row->elem_bytes, options, NULL, plan);
}

static riffle_status plan_in_turn(const riffle_perm *perm, const void *table, const bench_row *row,
                                  const riffle_plan_options *options, riffle_plan **plan, double *median) {
    enum { QUICK_REPEAT = 20, TABLE_BYTES = 1 << 16 };
    const double enough = 0.1;
    double times[QUICK_REPEAT], spent = 0;
    unsigned count = 0;
    riffle_plan *made = NULL;
    do {
        riffle_plan_free(made);
        made = NULL;
        const double began = seconds_now();
        const riffle_status status = plan_once(perm, table, row, options, &made);
        if (status != RIFFLE_OK) return status;
        times[count] = seconds_now() - began;
        spent += times[count++];
    } while (count < QUICK_REPEAT && (riffle_plan_bytes(made) < TABLE_BYTES || spent < enough));
    *plan = made;
    *median = bench_median(times, count);
    return RIFFLE_OK;
}

riffle_status bench_cuda_plan(const riffle_perm *perm, const void *table, const bench_row *row,
                              const bench_settings *settings, riffle_plan **plan, bench_result *out) {
    const riffle_plan_options options = bench_options(row, settings);
    riffle_cuda_needs needs = {.plan_bytes = 0};
    riffle_plan *made = NULL;
    riffle_status status = RIFFLE_OK;
    if (table != NULL) status = riffle_cuda_plan_needs(row->n, row->elem_bytes, &options, &needs);
    if (status == RIFFLE_OK) status = plan_in_turn(perm, table, row, &options, &made, &out->plan_seconds);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    *plan = made;
    out->planning_bytes = needs.planning_bytes;
    out->algorithm = riffle_plan_algorithm(made);
    out->plan_bytes = riffle_plan_bytes(made);
    out->workspace_bytes = riffle_plan_workspace_bytes(made);
    out->passes = riffle_plan_passes(made);
    return RIFFLE_OK;
}

riffle_status bench_cuda_measure_move(const riffle_plan *plan, const riffle_perm *perm, const bench_row *row,
                                      const bench_settings *settings, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    const unsigned repeat = settings->repeat > 0 ? settings->repeat : USUAL_REPEAT;
    const bench_move move = bench_move_of(row, perm);
    cuda_arrays arrays;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    const cuda_mover mover = cuda_mover_of(plan);
    if (status == RIFFLE_OK) status = bench_cuda_check(&mover, &move, &arrays, out);
    if (status == RIFFLE_OK && out->right && row->check != RIFFLE_CHECK_NONE &&
        riffle_cuda_check(plan, NULL, NULL) != RIFFLE_OK)
        status = bench_fail(RIFFLE_ERROR_DAMAGED, out);
    if (status == RIFFLE_OK && out->right) status = bench_cuda_time(&mover, repeat, &arrays, out);
    cuda_arrays_free(&arrays);
    return status;
}

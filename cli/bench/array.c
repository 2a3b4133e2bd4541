/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/array.h"

#include <string.h>

#include "bench/data.h"
#include "bench/host.h"
#include "system/clock.h"

enum { SAMPLE = 4096 };

static riffle_status execute(const void *plan, void *dst, const void *src) {
    return riffle_execute(plan, dst, src);
}

/* The first run is the one that is checked. */
static riffle_status time_plan(const riffle_plan *plan, const riffle_perm *perm, const bench_row *row,
                               const bench_settings *settings, unsigned char *dst, unsigned char *src,
                               bench_result *out) {
    const bench_host_mover mover = {execute, plan};
    const bench_move move = bench_move_of(row, perm);
    const size_t bytes = bench_row_bytes(row);
    double seconds;
    bench_fill(src, bytes);
    bench_host_copy(dst, src, bytes, out->threads);
    memset(dst, BENCH_POISON, bytes);
    const riffle_status status = bench_host_first(&mover, dst, src, &seconds);
    if (status != RIFFLE_OK) return status;
    out->right = bench_sample_is_right(&move, dst, SAMPLE);
    return bench_host_time(&mover, bytes, settings->repeat, seconds, dst, src, out);
}

/* Plans anew and again where that is quick, for one time alone says little then. */
static riffle_status time_planning(const riffle_perm *perm, const bench_row *row,
                                   const bench_settings *settings, const riffle_plan_options *options,
                                   riffle_plan **plan, double *seconds) {
    enum { QUICK_REPEAT = 9 };
    const double quick = 1e-3;
    double times[QUICK_REPEAT];
    unsigned count = 0;
    riffle_status status;
    do {
        if (count > 0) riffle_plan_free(*plan);
        const double began = seconds_now();
        status = riffle_plan_create(perm, row->elem_bytes, settings->engine, options, plan);
        times[count++] = seconds_now() - began;
    } while (status == RIFFLE_OK && count < QUICK_REPEAT && times[0] < quick);
    *seconds = bench_median(times, count);
    return status;
}

static riffle_status measure_perm(const riffle_perm *perm, const bench_row *row, const bench_settings *settings,
                                  bench_result *out) {
    const riffle_plan_options options = bench_options(row, settings);
    const size_t bytes = bench_row_bytes(row);
    void *dst = NULL, *src = NULL;
    riffle_plan *plan = NULL;
    double plan_seconds;
    riffle_status status = time_planning(perm, row, settings, &options, &plan, &plan_seconds);
    if (status != RIFFLE_OK) return status;
    *out = (bench_result){.algorithm = riffle_plan_algorithm(plan),
                          .plan_seconds = plan_seconds,
                          .plan_bytes = riffle_plan_bytes(plan),
                          .workspace_bytes = riffle_plan_workspace_bytes(plan),
                          .threads = riffle_plan_threads(plan)};
    status = riffle_buffer_create(bytes, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &dst);
    if (status == RIFFLE_OK) status = time_plan(plan, perm, row, settings, dst, src, out);
    riffle_buffer_free(dst, bytes);
    riffle_buffer_free(src, bytes);
    riffle_plan_free(plan);
    return status;
}

riffle_status bench_array_on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_perm *perm = NULL;
    riffle_status status = bench_perm(row, row->by, &perm);
    if (status == RIFFLE_OK) status = measure_perm(perm, row, settings, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    riffle_perm_free(perm);
    return status;
}

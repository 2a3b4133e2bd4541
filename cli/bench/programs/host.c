/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "bench/data.h"
#include "bench/host.h"
#include "bench/programs/programs.h"
#include "system/clock.h"

static unsigned bits_of(uint64_t n) { return (unsigned)__builtin_ctzll(n); }

static riffle_status plan_once(const bench_row *row, const bench_settings *settings,
                               riffle_program_plan **plan) {
    const riffle_program_options options = {
        .threads = settings->threads, .batch = row->batch, .algorithm = row->way};
    riffle_program *program = NULL;
    riffle_status status = riffle_program_parse(row->by, NULL, bits_of(row->n), &program);
    if (status != RIFFLE_OK) return status;
    status = riffle_program_plan_create(program, row->type, settings->engine, &options, plan);
    riffle_program_free(program);
    return status;
}

/* Once more where that is quick, for the first time may load kernels. */
riffle_status bench_program_plan(const bench_row *row, const bench_settings *settings,
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

static riffle_status execute(const void *plan, void *dst, const void *src) {
    return riffle_program_execute(plan, dst, src);
}

static riffle_status measure(const riffle_program_plan *plan, const bench_row *row,
                             const bench_settings *settings, unsigned char *dst, unsigned char *src,
                             bench_result *out) {
    const bench_host_mover mover = {execute, plan};
    const size_t bytes = bench_row_bytes(row);
    double seconds;
    bench_program_fill(row, src);
    memset(dst, BENCH_POISON, bytes);
    riffle_status status = bench_host_first(&mover, dst, src, &seconds);
    out->right = status == RIFFLE_OK && row->is_right(row, src, dst);
    if (out->right) status = bench_host_time(&mover, bytes, settings->repeat, seconds, dst, src, out);
    return status;
}

riffle_status bench_program_on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const size_t bytes = bench_row_bytes(row);
    riffle_program_plan *plan = NULL;
    void *dst = NULL, *src = NULL;
    riffle_status status = bench_program_plan(row, settings, &plan, out);
    if (status != RIFFLE_OK) return status;
    status = riffle_buffer_create(bytes, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &dst);
    if (status == RIFFLE_OK) status = measure(plan, row, settings, dst, src, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    riffle_buffer_free(dst, bytes);
    riffle_buffer_free(src, bytes);
    riffle_program_plan_free(plan);
    return status;
}

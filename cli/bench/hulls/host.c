/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "bench/data.h"
#include "bench/hulls/hulls.h"
#include "system/clock.h"

/* The arrays of a row. */
typedef struct arrays {
    void *points, *hulls;
    uint64_t *lengths;
    size_t point_bytes, hull_bytes;
    uint64_t sets;
} arrays;

static riffle_status allocate(const bench_row *row, arrays *a) {
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

static void free_arrays(arrays *a) {
    riffle_buffer_free(a->points, a->point_bytes);
    riffle_buffer_free(a->hulls, a->hull_bytes);
    riffle_buffer_free(a->lengths, a->sets * sizeof *a->lengths);
}

/* One read of all points: what a hull cannot do without. */
static double read_seconds(const arrays *a, unsigned threads) {
    const uint64_t *const words = a->points;
    const double began = seconds_now();
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads((int)threads)
    for (uint64_t k = 0; k < a->point_bytes / sizeof *words; ++k) sum += words[k];
    volatile uint64_t kept = sum; /* else nobody would need it */
    (void)kept;
    return seconds_now() - began;
}

static unsigned repeat_for(const bench_settings *settings, double first) {
    if (settings->repeat > 0) return settings->repeat;
    return first > 1 ? 3 : first < 1e-3 ? 101 : 7;
}

static riffle_status time_hull(const riffle_hull_plan *plan, const arrays *a, unsigned repeat,
                               bench_result *out) {
    double seconds[BENCH_MAX_REPEAT], reads[BENCH_MAX_REPEAT];
    for (unsigned k = 0; k < repeat; ++k) {
        reads[k] = read_seconds(a, out->threads > 0 ? out->threads : 1);
        const double began = seconds_now();
        const riffle_status status = riffle_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = a->hulls, .lengths = a->lengths, .points = a->points});
        if (status != RIFFLE_OK) return status;
        seconds[k] = seconds_now() - began;
    }
    out->seconds = bench_median(seconds, repeat);
    out->copy_seconds = bench_median(reads, repeat);
    return RIFFLE_OK;
}

/* The first run is the one that is checked. */
static riffle_status measure(const bench_row *row, const bench_settings *settings, const riffle_hull_plan *plan,
                             const arrays *a, bench_result *out) {
    if (!bench_hull_fill(row, a->points)) return RIFFLE_ERROR_INVALID_ARGUMENT;
    memset(a->hulls, BENCH_POISON, a->hull_bytes);
    const double began = seconds_now();
    const riffle_status status = riffle_hull_execute(
        plan, &(riffle_hull_arrays){.hulls = a->hulls, .lengths = a->lengths, .points = a->points});
    if (status != RIFFLE_OK) return status;
    const unsigned repeat = repeat_for(settings, seconds_now() - began);
    out->right = bench_is_hull(row, a->points, a->hulls, a->lengths);
    for (uint64_t k = 0; k < a->sets; ++k) out->corners += a->lengths[k];
    return out->right ? time_hull(plan, a, repeat, out) : RIFFLE_OK;
}

riffle_status bench_hull_measure(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const riffle_hull_options options = {
        .segments = row->batch, .threads = settings->threads, .algorithm = row->hull_way};
    const uint64_t points = row->n * (row->batch > 0 ? row->batch : 1);
    riffle_hull_plan *plan = NULL;
    arrays a = {0};
    const double began = seconds_now();
    riffle_status status = riffle_hull_plan_create(points, row->type, settings->engine, &options, &plan);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    out->plan_seconds = seconds_now() - began;
    out->threads = riffle_hull_plan_threads(plan);
    status = allocate(row, &a);
    if (status == RIFFLE_OK) status = measure(row, settings, plan, &a, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    free_arrays(&a);
    riffle_hull_plan_free(plan);
    return status;
}

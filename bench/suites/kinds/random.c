/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of many random permutations: settings->permutations of them, or as many as a row's share of settings->seconds lets it begin.
 * The HMM paper's Table III has random:1, random:2, ...; for scatter also D_w(P) is noted. Other rows draw their own.
 */
#include <limits.h>
#include <stdio.h>

#include "kinds/kinds.h"

#ifdef BENCH_GPU
#include "gpu/timing.h"
#include "system/clock.h"

enum { WIDTH = 32, REPEAT = 3 };

/* Takes the k-th value in, k counted from 0; `mean` is the sum until range_end. */
static void range_add(bench_range *range, unsigned k, double value) {
    if (k == 0 || value < range->least) range->least = value;
    if (k == 0 || value > range->most) range->most = value;
    range->mean += value;
}

static void range_end(bench_range *range, unsigned count) {
    if (count > 0) range->mean /= count;
}

static riffle_status add_distribution(const riffle_perm *perm, unsigned k, bench_result *out) {
    uint64_t groups;
    const riffle_status status = riffle_perm_distribution(perm, WIDTH, &groups);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    range_add(&out->distribution, k, (double)groups / (double)riffle_perm_length(perm));
    return RIFFLE_OK;
}

/* One permutation: planned, checked, timed, and taken into `out`. */
static riffle_status measure_one(const riffle_perm *perm, const bench_row *row, const bench_settings *settings,
                                 cuda_arrays *arrays, unsigned k, bench_result *out) {
    const bench_move move = bench_move_of(row, perm);
    bench_result one = {.right = false};
    riffle_plan *plan = NULL;
    riffle_status status = bench_cuda_plan(perm, NULL, row, settings, &plan, &one);
    const cuda_mover mover = cuda_mover_of(plan);
    if (status == RIFFLE_OK) status = bench_cuda_check(&mover, &move, arrays, &one);
    if (status == RIFFLE_OK && one.right) status = bench_cuda_time(&mover, REPEAT, arrays, &one);
    riffle_plan_free(plan);
    if (status != RIFFLE_OK) {
        snprintf(out->problem, sizeof out->problem, "%s", one.problem);
        return status;
    }
    out->right = (k == 0 || out->right) && one.right;
    out->algorithm = one.algorithm;
    out->plan_bytes = one.plan_bytes;
    out->workspace_bytes = one.workspace_bytes;
    out->moves_timed = one.moves_timed;
    out->in_l2 = one.in_l2;
    out->passes = one.passes;
    out->plan_seconds += one.plan_seconds;
    out->copy_seconds += one.copy_seconds;
    out->copy_kernel_seconds += one.copy_kernel_seconds;
    range_add(&out->range, k, one.seconds);
    return row->algorithm == RIFFLE_ALGORITHM_SCATTER ? add_distribution(perm, k, out) : RIFFLE_OK;
}

static riffle_status measure_next(const bench_row *row, const bench_settings *settings, const char *by,
                                  cuda_arrays *arrays, unsigned k, bench_result *out) {
    riffle_perm *perm;
    riffle_status status = bench_perm(row, by, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    status = measure_one(perm, row, settings, arrays, k, out);
    riffle_perm_free(perm);
    return status;
}

static void take_means(bench_result *out) {
    range_end(&out->range, out->permutations);
    range_end(&out->distribution, out->permutations);
    out->seconds = out->range.mean;
    if (out->permutations == 0) return;
    out->copy_seconds /= out->permutations;
    out->copy_kernel_seconds /= out->permutations;
    out->plan_seconds /= out->permutations;
}

static riffle_status measure_drawn(const bench_row *row, const bench_settings *settings,
                                   const bench_drawn_row *drawn, bench_result *out) {
    const double began = seconds_now(), most = settings->seconds / drawn->rows;
    const unsigned count = settings->permutations < drawn->most ? settings->permutations : drawn->most;
    const unsigned m = (unsigned)__builtin_ctzll(row->n);
    cuda_arrays arrays;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    for (unsigned k = 0; status == RIFFLE_OK && k < count; ++k) {
        if (k > 0 && most > 0 && seconds_now() - began > most) break;
        status = measure_next(row, settings, drawn->spec(m, k + 1), &arrays, k, out);
        if (status == RIFFLE_OK) out->permutations = k + 1;
    }
    cuda_arrays_free(&arrays);
    take_means(out);
    return status;
}

static const char *random_spec(unsigned m, unsigned k) {
    static char by[32];
    (void)m;
    snprintf(by, sizeof by, "random:%u", k);
    return by;
}

static riffle_status random_on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    enum { ROWS = 3 }; /* the suite has so many */
    static const bench_drawn_row drawn = {random_spec, UINT_MAX, ROWS};
    return measure_drawn(row, settings, &drawn, out);
}

static riffle_status drawn_on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    return measure_drawn(row, settings, row->of, out);
}
#endif

static void table_below(const bench_row *row, const bench_result *result) {
    (void)row;
    printf("    %u permutations: %.4f to %.4f ms", result->permutations, result->range.least * 1e3,
           result->range.most * 1e3);
    if (result->distribution.most > 0)
        printf("; D_w(P)/n from %.5f to %.5f", result->distribution.least, result->distribution.most);
    putchar('\n');
}

static void json_range(const char *name, const bench_range *range) {
    printf(", \"%s\": {\"min\": %.9f, \"mean\": %.9f, \"max\": %.9f}", name, range->least, range->mean,
           range->most);
}

static void json_result(const bench_row *row, const bench_result *result) {
    (void)row;
    printf(", \"permutations\": %u", result->permutations);
    json_range("seconds_range", &result->range);
    if (result->distribution.most > 0) json_range("distribution", &result->distribution);
}

const bench_kind bench_random = {.on_gpu = BENCH_GPU_HALF(random_on_gpu),
                                 .keeps_time = true,
                                 .table_below = table_below,
                                 .json_result = json_result};

/* A row that would begin late is left out, since its group is one of several. */
const bench_kind bench_drawn = {
    .on_gpu = BENCH_GPU_HALF(drawn_on_gpu), .table_below = table_below, .json_result = json_result};

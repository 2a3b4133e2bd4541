/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_measure.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { MAX_REPEAT = 1000, SAMPLE = 4096, POISON = 0xA5 };

/* splitmix64's mixing: a cheap hash in which every bit looks random. */
static uint64_t hash(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static void fill(unsigned char *bytes, size_t count) {
    const size_t words = count / sizeof(uint64_t);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < words; ++k) {
        uint64_t word = hash(k);
        memcpy(bytes + k * sizeof word, &word, sizeof word);
    }
    for (size_t k = words * sizeof(uint64_t); k < count; ++k) bytes[k] = (unsigned char)hash(k);
}

/* What the ratio is against: every thread copies one contiguous part. */
static void copy(unsigned char *dst, const unsigned char *src, size_t count, unsigned threads) {
#pragma omp parallel for schedule(static) num_threads((int)threads)
    for (unsigned k = 0; k < threads; ++k) {
        size_t from = count / threads * k, to = k + 1 < threads ? count / threads * (k + 1) : count;
        memcpy(dst + from, src + from, to - from);
    }
}

static bool sample_is_right(const riffle_perm *perm, const bench_row *row, const unsigned char *dst,
                            const unsigned char *src) {
    for (uint64_t k = 0; k < SAMPLE; ++k) {
        uint64_t i = hash(k) % row->n;
        uint64_t to = riffle_perm_at(perm, i);
        if (memcmp(dst + to * row->elem_bytes, src + i * row->elem_bytes, row->elem_bytes) != 0) return false;
    }
    return true;
}

static int compare_seconds(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds, unsigned count) {
    qsort(seconds, count, sizeof seconds[0], compare_seconds);
    return (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
}

/* The first run warms everything and is the one that is checked; then copy and plan take turns. */
static riffle_status time_plan(const riffle_plan *plan, const riffle_perm *perm, const bench_row *row,
                               const bench_settings *settings, unsigned char *dst, unsigned char *src,
                               bench_result *out) {
    const size_t bytes = row->n * row->elem_bytes;
    double plan_times[MAX_REPEAT], copy_times[MAX_REPEAT];
    fill(src, bytes);
    copy(dst, src, bytes, settings->threads);
    memset(dst, POISON, bytes);
    double began = seconds_now();
    riffle_status status = riffle_execute(plan, dst, src);
    if (status != RIFFLE_OK) return status;
    unsigned repeat = seconds_now() - began > 1 ? 3 : 7;
    if (settings->repeat > 0) repeat = settings->repeat < MAX_REPEAT ? settings->repeat : MAX_REPEAT;
    out->right = sample_is_right(perm, row, dst, src);
    for (unsigned k = 0; k < repeat && status == RIFFLE_OK; ++k) {
        began = seconds_now();
        copy(dst, src, bytes, settings->threads);
        double copied = seconds_now();
        status = riffle_execute(plan, dst, src);
        plan_times[k] = seconds_now() - copied;
        copy_times[k] = copied - began;
    }
    out->seconds = median(plan_times, repeat);
    out->copy_seconds = median(copy_times, repeat);
    return status;
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
    *seconds = median(times, count);
    return status;
}

static riffle_status measure_perm(const riffle_perm *perm, const bench_row *row, const bench_settings *settings,
                                  bench_result *out) {
    const riffle_plan_options options = {.algorithm = row->algorithm, .threads = settings->threads};
    const size_t bytes = row->n * row->elem_bytes;
    void *dst = NULL, *src = NULL;
    riffle_plan *plan = NULL;
    double plan_seconds;
    riffle_status status = time_planning(perm, row, settings, &options, &plan, &plan_seconds);
    if (status != RIFFLE_OK) return status;
    *out = (bench_result){.algorithm = riffle_plan_algorithm(plan),
                          .plan_seconds = plan_seconds,
                          .plan_bytes = riffle_plan_bytes(plan),
                          .workspace_bytes = riffle_plan_workspace_bytes(plan)};
    status = riffle_buffer_create(bytes, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &dst);
    if (status == RIFFLE_OK) status = time_plan(plan, perm, row, settings, dst, src, out);
    riffle_buffer_free(dst, bytes);
    riffle_buffer_free(src, bytes);
    riffle_plan_free(plan);
    return status;
}

enum { CHUNK = 4096 };

static riffle_status tabulate_chunk(const riffle_perm *perm, uint64_t first, uint32_t *table) {
    uint64_t values[CHUNK], left = riffle_perm_length(perm) - first;
    size_t count = left < CHUNK ? (size_t)left : CHUNK;
    riffle_status status = riffle_perm_map(perm, first, count, values);
    for (size_t k = 0; status == RIFFLE_OK && k < count; ++k) table[first + k] = (uint32_t)values[k];
    return status;
}

/* The same permutation as a table; n <= 2^32. */
static riffle_status tabulate(const riffle_perm *perm, riffle_perm **out) {
    const uint64_t n = riffle_perm_length(perm), chunks = (n + CHUNK - 1) / CHUNK;
    void *table;
    riffle_status status = riffle_buffer_create(n * sizeof(uint32_t), &table);
    if (status != RIFFLE_OK) return status;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < chunks; ++k) {
        if (tabulate_chunk(perm, k * CHUNK, table) != RIFFLE_OK) abort(); /* its arguments are in range */
    }
    status = riffle_perm_table_u32(n, table, out);
    riffle_buffer_free(table, n * sizeof(uint32_t));
    return status;
}

/* Scatter and gather are what everybody writes, a loop over a table: so they get a table, where the
 * others may compute P. */
static bool wants_table(const bench_row *row) {
    return row->algorithm == RIFFLE_ALGORITHM_SCATTER || row->algorithm == RIFFLE_ALGORITHM_GATHER;
}

riffle_status bench_measure(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_perm *perm = NULL;
    riffle_status status = riffle_perm_parse(row->by, row->n, &perm);
    if (status == RIFFLE_OK && wants_table(row)) {
        riffle_perm *table = NULL;
        status = tabulate(perm, &table);
        riffle_perm_free(perm);
        perm = table;
    }
    if (status == RIFFLE_OK) status = measure_perm(perm, row, settings, out);
    riffle_perm_free(perm);
    return status;
}

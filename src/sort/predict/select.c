/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of selections of the first of many, where keys are random and differ: the sample's bound lets through as many as
 * the sample says, and no exact bound is needed.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/predict/patterns.h"

enum {
    WARPS = SELECT_THREADS / WARP_LANES,
    EXCHANGES = 10 /* between warps, where a block sorts two keys a thread */
};

static const select_table *table_of(const launch *work) {
    return &((const struct select_arguments *)work->arguments)->table;
}

static double warps_of(double threads) { return ceil(threads / WARP_LANES); }

static double words_of(double bytes) { return fmax(bytes / sizeof(uint64_t), 1); }

/* The sort of a block's samples: each exchange writes and reads both keys. */
static void add_block_sort(expectation *e, double blocks, double words) {
    const double rounds = 2 * EXCHANGES * words;
    expect_shared(e, PATTERN_WRITE, rounds, rounds * blocks * WARPS);
    expect_shared(e, PATTERN_READ, rounds, rounds * blocks * WARPS);
}

/* Words that a grid writes, its threads side by side. */
static void add_fill(expectation *e, const launch *work, double count) {
    expect_global(e, PATTERN_WRITE, ceil(count / (work->grid * (double)SELECT_THREADS)), warps_of(count), 1);
}

void pattern_of_select_sample(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const select_table *const t = table_of(work);
    const double groups = t->groups;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 2, 2 * groups * WARPS,
                  random_drawn_groups(WARP_LANES, (double)t->n / SELECT_GROUP, WARP_LANES));
    expect_global(&e, PATTERN_WRITE, 1, 1, 1);
    add_fill(&e, work, (double)t->rounds * SELECT_DIGITS);
    add_fill(&e, work, t->capacity);
    add_block_sort(&e, groups, words_of((double)work->elem_bytes));
    expect_global(&e, PATTERN_WRITE, 2, 2 * groups, 1);
}

void pattern_of_select_bound(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const double goes_on = table_of(work)->groups * (double)SELECT_WINDOW;
    expectation e = expect_begin(out, 1, false);
    expect_global(&e, PATTERN_READ, 2, warps_of(goes_on), 1);
    add_block_sort(&e, 1, words_of((double)work->elem_bytes));
    expect_global(&e, PATTERN_WRITE, 2, 2, 1);
}

/* A launch that finds that it has nothing to do. */
static void describe_done(const launch *work, pattern *out) {
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, (double)work->grid * WARPS, 1);
}

void pattern_of_select_digits(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_done(work, out);
}

void pattern_of_select_ties(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_done(work, out);
}

/* Candidates that the sample's bound lets through. */
static double candidates_of(const select_table *t) {
    const double each = t->n / (t->groups * (double)SELECT_GROUP);
    return fmin(each * (t->rank[0] + (double)t->window * t->groups + 1), t->n);
}

void pattern_of_select_filter(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const select_table *const t = table_of(work);
    if (t->attempt > 0) {
        describe_done(work, out);
        return;
    }
    const double blocks = work->grid, vectors = ceil(t->n * (double)work->elem_bytes / sizeof(uint64_t) / 2),
                 found = candidates_of(t), flushed = warps_of(found) + blocks * WARPS / 2;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 2, 2 * blocks * WARPS, 1);
    expect_global(&e, PATTERN_READ, ceil_div(t->vectors, (uint32_t)SELECT_THREADS), warps_of(vectors), 1);
    expect_shared(&e, PATTERN_WRITE, found / (blocks * WARPS), found);
    expect_shared(&e, PATTERN_WRITE, 2, 2 * blocks * WARPS);
    expect_shared(&e, PATTERN_READ, 3.0 * WARPS, 2.5 * blocks * WARPS * WARPS);
    expect_global(&e, PATTERN_WRITE, 2, 2 * blocks, 1);
    expect_shared(&e, PATTERN_READ, 1, flushed);
    expect_global(&e, PATTERN_WRITE, 1, flushed, 2);
}

void pattern_of_select_numbers(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const select_results_table *const t = &((const struct select_results_arguments *)work->arguments)->table;
    const double warps = warps_of((double)t->segments * t->count);
    expectation e = expect_begin(out, work->grid, false);
    if (t->of.counts != NULL) expect_global(&e, PATTERN_READ, 2, 2 * warps, 1);
    expect_global(&e, PATTERN_READ, 1, warps, 1);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

void pattern_of_select_taken(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const select_results_table *const t = &((const struct select_results_arguments *)work->arguments)->table;
    const double warps = warps_of((double)t->segments * t->count);
    const double each = t->count < WARP_LANES ? fmax((double)t->count, 1) : WARP_LANES;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, warps, 1);
    if (work->to != NULL) {
        expect_global(&e, PATTERN_READ, 1, warps, each);
        expect_global(&e, PATTERN_WRITE, 1, warps, 1);
    }
    if (t->indices != NULL) expect_global(&e, PATTERN_WRITE, 1, warps, 1);
    if (t->values == NULL) return;
    expect_global(&e, PATTERN_READ, 1, warps, each);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

/* Segments of the average length, whose candidates are few enough to be sorted two a thread. */
void pattern_of_select_rows(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const select_rows_table *const t = &((const struct select_rows_arguments *)work->arguments)->table;
    const double rows = work->grid, words = words_of((double)work->elem_bytes);
    const double vectors = ceil(t->length * (double)work->elem_bytes / sizeof(uint64_t) / 2);
    const double tiles = ceil(vectors / (SELECT_VECTORS * SELECT_THREADS));
    const double mean = t->count * (double)SELECT_GROUP / t->length;
    const double found = fmin((mean + 6 * sqrt(mean) + 4) * t->length / SELECT_GROUP, t->length);
    expectation e = expect_begin(out, work->grid, false);
    if (t->begin != NULL) expect_global(&e, PATTERN_READ, 2, 2 * rows * WARPS, 1);
    if (t->length > SELECT_KEPT) {
        expect_global(&e, PATTERN_READ, 2, 2 * rows * WARPS, WARP_LANES / (double)SELECT_NEIGHBOURS);
        add_block_sort(&e, rows, words);
    }
    expect_global(&e, PATTERN_READ, tiles * SELECT_VECTORS, rows * warps_of(vectors), 1);
    expect_shared(&e, PATTERN_READ, 4 * tiles, 4 * tiles * rows * WARPS);
    expect_shared(&e, PATTERN_WRITE, 2 * found / WARPS, 2 * found * rows);
    add_block_sort(&e, rows, words);
    expect_shared(&e, PATTERN_READ, 1, rows * warps_of(found));
    expect_global(&e, PATTERN_WRITE, ceil(t->count / (double)SELECT_THREADS), rows * warps_of(t->count), 1);
}

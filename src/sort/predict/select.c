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
    PLACES = WARP_LANES / SELECT_NEIGHBOURS, /* a warp has in a segment's sample */
    EXCHANGES = 10                           /* between warps, where a block sorts */
};

static const select_table *table_of(const launch *work) {
    return &((const struct select_arguments *)work->arguments)->table;
}

static double warps_of(double threads) { return ceil(threads / WARP_LANES); }

/* Warps' accesses one lane behind the other, which begin at an address group, or anywhere, and their stages. */
static double run_stages(double cells, bool begins_anywhere) {
    const double whole = floor(cells / WARP_LANES), rest = cells - whole * WARP_LANES;
    if (!begins_anywhere) return warps_of(cells);
    return whole * random_run_groups(WARP_LANES, WARP_LANES) +
           (rest > 0 ? random_run_groups(rest, WARP_LANES) : 0);
}

/* Accesses of warps that read `vectors` vectors of `each` elements, an element after the other, where a lane takes part for a part of all. */
static double warps_with(double vectors, double each, double part) {
    return warps_of(vectors) * each * (1 - pow(1 - fmin(part, 1), WARP_LANES));
}

/* True if element `first` begins no address group of vectors. */
static bool begins_anywhere(const launch *work, double first) {
    return fmod(first * (double)work->elem_bytes, WARP_LANES * 2 * sizeof(uint64_t)) != 0;
}

static double elements_of_vector(const launch *work) { return 2 * sizeof(uint64_t) / (double)work->elem_bytes; }

/* The sort of `each` records of so many bytes a thread: each exchange writes and reads all of them. One of 16 bytes is written as a whole, and
 * read in two halves, which lie in every second bank. */
static void add_block_sort(expectation *e, double blocks, double each, double bytes) {
    const double rounds = each * EXCHANGES, halves = bytes > sizeof(uint64_t) ? 2 : 1;
    expect_shared(e, PATTERN_WRITE, rounds, rounds * blocks * WARPS);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, halves * rounds, halves * rounds * blocks * WARPS, halves);
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
    add_fill(&e, work, (double)t->cleared);
    add_block_sort(&e, groups, SELECT_GROUP / SELECT_THREADS, (double)work->elem_bytes);
    expect_global(&e, PATTERN_WRITE, 2.0 * t->sides, 2 * groups * t->sides, 1);
}

/* All blocks find the bounds, and the first one writes them down. */
void pattern_of_select_bound(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const double goes_on = table_of(work)->groups * (double)SELECT_WINDOW, blocks = work->grid;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, ceil(goes_on / SELECT_THREADS), blocks * warps_of(goes_on), 1);
    add_block_sort(&e, blocks, SELECT_GROUP / SELECT_THREADS, (double)work->elem_bytes);
    for (unsigned k = 0; k < 2; k++) expect_shared(&e, PATTERN_WRITE, 1, blocks);
    expect_shared(&e, PATTERN_READ, 1, blocks * WARPS);
    expect_shared(&e, PATTERN_READ, 1, 1);
    expect_global(&e, PATTERN_WRITE, 1, 1, 1);
    add_fill(&e, work, table_of(work)->capacity);
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

void pattern_of_select_filter(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const select_table *const t = table_of(work);
    if (t->attempt > 0) {
        describe_done(work, out);
        return;
    }
    const double blocks = work->grid, vectors = ceil(t->n / elements_of_vector(work)),
                 found = sort_subject_candidates(t);
    const double held = found / (blocks * WARPS),
                 flushed = found / WARP_LANES + blocks * WARPS * (1 - exp(-held)) / 2;
    const double noted = warps_with(vectors, elements_of_vector(work), found / t->n);
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 2, 2 * blocks * WARPS, 1);
    expect_global(&e, PATTERN_READ, ceil_div(t->vectors, (uint32_t)SELECT_THREADS), warps_of(vectors),
                  run_stages(vectors, begins_anywhere(work, t->first)) / warps_of(vectors));
    expect_shared(&e, PATTERN_WRITE, noted / (blocks * WARPS), noted);
    expect_shared(&e, PATTERN_WRITE, 2, 2 * blocks * WARPS);
    expect_shared(&e, PATTERN_READ, 3.0 * WARPS, 2.5 * blocks * WARPS * WARPS);
    expect_global(&e, PATTERN_WRITE, 2, 2 * blocks, 1);
    expect_shared(&e, PATTERN_READ, 1, flushed);
    expect_global(&e, PATTERN_WRITE, 1, flushed, 1 + fmin(held / WARP_LANES, 1));
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

/* Candidates of a segment: all that a block can list at once, or what comes before the sample's bound. */
static double kept_of(const select_rows_table *t) {
    const double mean = t->count * (double)SELECT_GROUP / t->length, rank = mean + 4 * sqrt(mean) + 2;
    return t->length <= SELECT_KEPT ? t->length : fmin((rank + 1) * t->length / SELECT_GROUP, SELECT_KEPT);
}

/* The list's first `count` in order: read, sorted and written again, `each` a thread, and counted. */
static void add_cut(expectation *e, const select_rows_table *t, double rows, double found, double bytes) {
    const double each = (found <= SELECT_GROUP ? SELECT_GROUP : SELECT_KEPT) / (double)SELECT_THREADS,
                 warps = warps_of(ceil(t->count / each)), lanes = fmin(t->count / each, WARP_LANES);
    expect_shared(e, PATTERN_READ, ceil(found / SELECT_THREADS), rows * warps_of(found));
    add_block_sort(e, rows, each, bytes);
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, fmin(each, t->count), rows * fmin(each, t->count) * warps,
               fmax(lanes * each / WARP_LANES, 1));
    expect_shared(e, PATTERN_READ, 1, rows);
    expect_shared(e, PATTERN_WRITE, 3, 3 * rows);
}

/* Segments of the average length, whose sample's bound is passed by as many as it says. */
static void describe_rows(const launch *work, double listed_bytes, pattern *out) {
    const select_rows_table *const t = &((const struct select_rows_arguments *)work->arguments)->table;
    const double rows = work->grid, found = kept_of(t);
    const double vectors = ceil(t->length / elements_of_vector(work)),
                 noted = warps_with(vectors, elements_of_vector(work), found / t->length);
    expectation e = expect_begin(out, work->grid, false);
    if (t->begin != NULL) expect_global(&e, PATTERN_READ, 2, 2 * rows * WARPS, 1);
    expect_shared(&e, PATTERN_WRITE, 4, 4 * rows);
    if (t->length > SELECT_KEPT) {
        expect_global(
            &e, PATTERN_READ, 2, 2 * rows * WARPS,
            random_drawn_groups(PLACES, t->length * (double)SELECT_NEIGHBOURS / SELECT_GROUP, WARP_LANES));
        add_block_sort(&e, rows, SELECT_GROUP / SELECT_THREADS, (double)work->elem_bytes);
        expect_shared(&e, PATTERN_WRITE, 1, rows);
    }
    expect_global(&e, PATTERN_READ, ceil(vectors / SELECT_THREADS), rows * warps_of(vectors),
                  run_stages(vectors, begins_anywhere(work, t->length)) / warps_of(vectors));
    expect_shared(&e, PATTERN_READ, 6, 6 * rows * WARPS);
    for (unsigned k = 0; k < 2; k++) expect_shared(&e, PATTERN_WRITE, noted / WARPS, noted * rows);
    add_cut(&e, t, rows, found, listed_bytes);
    expect_shared(&e, PATTERN_READ, 1, rows * warps_of(t->count));
    expect_global(&e, PATTERN_WRITE, ceil(t->count / (double)SELECT_THREADS), rows * warps_of(t->count),
                  run_stages(t->count, t->count % WARP_LANES != 0) / warps_of(t->count));
}

void pattern_of_select_rows(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_rows(work, fmax((double)work->elem_bytes, sizeof(uint32_t)), out);
}

void pattern_of_select_placed_rows(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_rows(work, 2 * fmax((double)work->elem_bytes, sizeof(uint32_t)), out);
}

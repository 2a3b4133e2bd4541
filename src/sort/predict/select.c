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
    WARPS = SELECT_WARPS,
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

/* Samples up to the bound: as many warps have one among theirs as the rank says. */
static double samples_before(uint32_t rank) {
    if (rank >= SELECT_RANKED) return rank + 1.0;
    double drawn = 0;
    for (uint32_t k = 0; k <= rank; k++) drawn += WARPS / (double)(WARPS - k);
    return drawn;
}

/* Candidates of a segment: all that a block can list at once, or what comes before the sample's bound. */
static double kept_of(const select_rows_table *t) {
    if (t->length <= SELECT_KEPT) return t->length;
    return fmin(samples_before(select_row_rank(t->count, t->length)) * t->length / SELECT_GROUP, SELECT_KEPT);
}

/* Times that warps list candidates, where each of a lane's elements is one for a part of all: as often as the lane that has most. */
static double keeps_of(double vectors, double each, double part) {
    double times = 0, fewer = 0, exactly = pow(1 - part, each);
    for (double m = 0; m < each; m++) {
        fewer += exactly;
        times += 1 - pow(fmin(fewer, 1), WARP_LANES);
        exactly *= part < 1 ? (each - m) / (m + 1) * part / (1 - part) : 0;
    }
    return warps_of(vectors) * times;
}

/* Few candidates in order by a warp alone. */
static void add_few(expectation *e, const select_rows_table *t, double rows, double bytes) {
    const double each = SELECT_FEW_BYTES / bytes / WARP_LANES, lanes = ceil(t->count / each);
    expect_shared(e, PATTERN_READ, each, rows * each);
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, fmin(each, t->count), rows * fmin(each, t->count),
               fmax(fmin(lanes, WARP_LANES) * each / WARP_LANES, 1));
}

/* The list's first `count` in order: read, sorted and written again, `each` a thread. */
static void add_many(expectation *e, const select_rows_table *t, double rows, double found, double bytes) {
    const double each = (found <= SELECT_GROUP ? SELECT_GROUP : SELECT_KEPT) / (double)SELECT_THREADS,
                 warps = warps_of(ceil(t->count / each)), lanes = fmin(t->count / each, WARP_LANES);
    expect_shared(e, PATTERN_READ, ceil(found / SELECT_THREADS), rows * warps_of(found));
    add_block_sort(e, rows, each, bytes);
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, fmin(each, t->count), rows * fmin(each, t->count) * warps,
               fmax(lanes * each / WARP_LANES, 1));
}

/* The same, and counted. */
static void add_cut(expectation *e, const select_rows_table *t, double rows, double found, double bytes) {
    if (found <= SELECT_FEW_BYTES / bytes)
        add_few(e, t, rows, bytes);
    else
        add_many(e, t, rows, found, bytes);
    expect_shared(e, PATTERN_READ, 1, rows);
    expect_shared(e, PATTERN_WRITE, 3, 3 * rows);
}

/* A bound, of all samples in order, or of the least of each warp. */
static void add_row_bound(expectation *e, const launch *work, const select_rows_table *t, double bytes) {
    const double rows = work->grid;
    expect_global(
        e, PATTERN_READ, 2, 2 * rows * WARPS,
        random_drawn_groups(PLACES, t->length * (double)SELECT_NEIGHBOURS * WARPS / SELECT_GROUP, WARP_LANES));
    if (select_row_rank(t->count, t->length) < SELECT_RANKED) {
        expect_shared(e, PATTERN_WRITE, 1, rows * WARPS);
        expect_shared(e, PATTERN_READ, WARPS + 1, rows * (WARPS + 1));
    } else {
        add_block_sort(e, rows, SELECT_GROUP / SELECT_THREADS, bytes);
    }
    expect_shared(e, PATTERN_WRITE, 1, rows);
}

/* Segments of the average length, whose sample's bound is passed by as many as it says. Each warp reads two words that say where they begin and end, where
 * `has_ends`. */
static void describe_rows(const launch *work, const select_rows_table *t, bool has_ends, double listed_bytes,
                          pattern *out) {
    const double rows = work->grid, found = kept_of(t);
    const double vectors = ceil(t->length / elements_of_vector(work)),
                 noted = keeps_of(vectors, elements_of_vector(work), found / t->length);
    expectation e = expect_begin(out, work->grid, false);
    if (has_ends) expect_global(&e, PATTERN_READ, 2, 2 * rows * WARPS, 1);
    expect_shared(&e, PATTERN_WRITE, 4, 4 * rows);
    if (t->length > SELECT_KEPT) add_row_bound(&e, work, t, listed_bytes);
    expect_global(&e, PATTERN_READ, ceil(vectors / SELECT_THREADS), rows * warps_of(vectors),
                  run_stages(vectors, begins_anywhere(work, t->length)) / warps_of(vectors));
    expect_shared(&e, PATTERN_READ, 6, 6 * rows * WARPS);
    for (unsigned k = 0; k < 2; k++) expect_shared(&e, PATTERN_WRITE, noted / WARPS, noted * rows);
    add_cut(&e, t, rows, found, listed_bytes);
    expect_shared(&e, PATTERN_READ, 1, rows * warps_of(t->count));
    expect_global(&e, PATTERN_WRITE, ceil(t->count / (double)SELECT_THREADS), rows * warps_of(t->count),
                  run_stages(t->count, t->count % WARP_LANES != 0) / warps_of(t->count));
}

static void describe_table(const launch *work, unsigned words, pattern *out) {
    const select_rows_table *const t = &((const struct select_rows_arguments *)work->arguments)->table;
    describe_rows(work, t, t->begin != NULL, words * fmax((double)work->elem_bytes, sizeof(uint32_t)), out);
}

void pattern_of_select_rows(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_table(work, 1, out);
}

void pattern_of_select_placed_rows(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_table(work, 2, out);
}

/* The list is a segment as long as it is expected to be. */
void pattern_of_select_last(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const select_table *const t = table_of(work);
    const double found = fmax(fmin(sort_subject_candidates(t), t->capacity), t->count);
    const select_rows_table row = {.length = (uint32_t)found, .count = t->count};
    describe_rows(work, &row, true, (double)work->elem_bytes, out);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected where not all that is sorted is asked for: the first of each segment, each element once, of which all differ where
 * keys are random, and the window of a second level.
 */
#include <math.h>

#include "models/random_access.h"
#include "sort/predict/patterns.h"
#include "sort/predict/rows.h"
#include "sort/predict/tiles.h"

static double warps_of(double threads) { return ceil(threads / WARP_LANES); }

/* Address groups of a warp that reads one cell behind the other, from the second of a group on. */
static double shifted_groups(double n) { return n > WARP_LANES ? 2 : 1; }

void pattern_of_sort_top(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_top_table *const t = &((const struct sort_top_arguments *)work->arguments)->table;
    const double warps = warps_of((double)t->ranges.segments * t->count);
    expectation e = expect_begin(out, work->grid, t->ranges.begin == NULL);
    for (unsigned k = 0; t->ranges.begin != NULL && k < 2; k++)
        expect_global(&e, PATTERN_READ, 1, warps,
                      random_run_groups(fmax((double)WARP_LANES / t->count, 1), WARP_LANES));
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

/* ----------------------------------------------------------------------- once */

/* Lanes that look for their elements' segment by halving, which neighbours have in common, and read where it begins. */
static void add_segment_of(expectation *e, const sort_ranges *all, double rounds, double warps) {
    const double reads = ceil(log2(all->segments)) + 1;
    if (all->begin != NULL) expect_global(e, PATTERN_READ, rounds * reads, warps * reads, 1);
}

/* Sums over a block's warps, so often. */
static void add_sums(expectation *e, double rounds, double blocks, double warps) {
    expect_shared(e, PATTERN_WRITE, rounds, blocks * rounds * warps);
    expect_shared(e, PATTERN_READ, rounds * warps, blocks * rounds * warps * warps);
}

/* An element and the one before it are compared: the first piece of most keys tells them apart. */
static void add_comparisons(expectation *e, const sort_marks_table *t, double rounds, double warps) {
    for (unsigned k = 0; t->ranges.begin != NULL && k < 2; k++)
        expect_global(e, PATTERN_READ, rounds, warps, 1);
    add_segment_of(e, &t->ranges, rounds, warps);
    const row_words words = row_words_of(&t->rows, &t->rows.pieces.piece[0]);
    const double units = fmax((double)t->rows.elem_bytes / words.bytes, 1);
    for (unsigned k = 0; t->order != NULL && k < 2; k++) expect_global(e, PATTERN_READ, rounds, warps, 1 + k);
    for (unsigned k = 0; k < 2; k++) {
        double groups = 0;
        for (uint32_t w = 0; w < words.count; w++)
            groups += t->order != NULL
                          ? row_random_groups(WARP_LANES, 1, t->ranges.n * units)
                          : k + row_groups(&t->rows, t->rows.pieces.piece[0].offset + w * words.bytes,
                                           words.bytes, WARP_LANES);
        expect_global(e, PATTERN_READ, rounds * words.count, warps * words.count, groups / words.count);
    }
}

void pattern_of_sort_marks(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_marks_table *const t = &((const struct sort_marks_arguments *)work->arguments)->table;
    const double rounds = SORT_MARKS / SORT_ROW_THREADS, warps = warps_of(t->ranges.n);
    const double most = fmin(rounds, ceil((double)t->ranges.n / SORT_ROW_THREADS));
    expectation e = expect_begin(out, work->grid, false);
    if (t->marks != NULL)
        expect_global(&e, PATTERN_READ, most, warps, 1);
    else
        add_comparisons(&e, t, most, warps);
    add_sums(&e, rounds, work->grid, SORT_ROW_THREADS / WARP_LANES);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_WRITE, most, warps, 1);
    expect_global(&e, PATTERN_WRITE, 1, work->grid, 1);
}

void pattern_of_sort_add_marks(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const double count = ((const struct sort_words_arguments *)work->arguments)->count;
    const double rounds = ceil(count / work->block_x), warps = warps_of(count);
    expectation e = expect_begin(out, 1, true);
    expect_global(&e, PATTERN_READ, rounds, warps, 1);
    add_sums(&e, rounds, 1, work->block_x / WARP_LANES);
    expect_global(&e, PATTERN_WRITE, rounds, warps, 1);
    expect_global(&e, PATTERN_WRITE, 1, 1, 1);
}

/* Ranks and sums of an element, of the next one, and of where its segment begins; the last one has no next. */
void pattern_of_sort_pick(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_pick_table *const t = &((const struct sort_pick_arguments *)work->arguments)->table;
    const double warps = warps_of(t->ranges.n), next = shifted_groups(t->ranges.n);
    expectation e = expect_begin(out, work->grid, false);
    for (unsigned k = 0; k < 6; k++) expect_global(&e, PATTERN_READ, 1, warps, k == 0 ? next : 1);
    expect_global(&e, PATTERN_READ, 1, 1, 1);
    add_segment_of(&e, &t->ranges, 1, warps);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

/* A segment's marks are those before its end but for those before it. */
void pattern_of_sort_lengths(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_pick_table *const t = &((const struct sort_pick_arguments *)work->arguments)->table;
    const double segments = t->ranges.segments, warps = warps_of(segments), length = t->ranges.n / segments;
    const double lanes = fmin(segments, WARP_LANES), apart = fmin(1 + (lanes - 1) * length / WARP_LANES, lanes);
    expectation e = expect_begin(out, work->grid, false);
    for (unsigned k = 0; k < 2; k++) {
        if (t->ranges.begin != NULL) expect_global(&e, PATTERN_READ, 1, warps, 1 + k);
        expect_global(&e, PATTERN_READ, 1, warps, apart);
    }
    expect_global(&e, PATTERN_READ, 1, warps, 1);
    if (segments > 1) expect_global(&e, PATTERN_READ, 1, warps, 1);
    if (segments > 1) expect_global(&e, PATTERN_READ, 1, 1, 1);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

/* ------------------------------------------------------------------ partitions */

/* An element's segment, where there are several, and where that begins; `ends` too. */
static void add_segment(expectation *e, const sort_ranges *all, double warps, unsigned ends) {
    for (unsigned k = 0; all->begin != NULL && k < 2; k++) expect_global(e, PATTERN_READ, 1, warps, 1);
    if (all->segments > 1) add_segment_of(e, all, 1, warps);
    for (unsigned k = 0; all->begin != NULL && k < ends; k++) expect_global(e, PATTERN_READ, 1, warps, 1);
}

/* Marks go to wherever a segment's elements came from. */
void pattern_of_sort_fronts(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_partition_table *const t = &((const struct sort_partition_arguments *)work->arguments)->table;
    const double warps = warps_of(t->ranges.n), length = t->ranges.n / (double)t->ranges.segments;
    expectation e = expect_begin(out, work->grid, false);
    add_segment(&e, &t->ranges, warps, 1);
    expect_global(&e, PATTERN_READ, 1, warps, 1);
    expect_global(&e, PATTERN_WRITE, 1, warps,
                  row_random_groups(WARP_LANES, 1, fmin(length + WARP_LANES, t->ranges.n)));
}

/* Elements before place `count` go out as one run of a warp, and all others as another. */
void pattern_of_sort_partition(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_partition_table *const t = &((const struct sort_partition_arguments *)work->arguments)->table;
    const double warps = warps_of(t->ranges.n), next = shifted_groups(t->ranges.n),
                 share = fmin(t->count * (double)t->ranges.segments / t->ranges.n, 1),
                 runs = 2 - pow(1 - share, WARP_LANES) - pow(share, WARP_LANES);
    expectation e = expect_begin(out, work->grid, false);
    add_segment(&e, &t->ranges, warps, 2);
    for (unsigned k = 0; k < 6; k++) expect_global(&e, PATTERN_READ, 1, warps, k == 0 ? next : 1);
    expect_global(&e, PATTERN_READ, 1, 1, 1);
    if (share < 1) expect_global(&e, PATTERN_READ, 1, warps, 1);
    expect_global(&e, PATTERN_WRITE, 1, warps, runs + (WARP_LANES - runs) / WARP_LANES);
}

/* --------------------------------------------------------------------- window */

void pattern_of_sort_window(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_window_table *const t = &((const struct sort_window_arguments *)work->arguments)->table;
    const double warps = warps_of(t->segments), all = work->block_x / WARP_LANES,
                 rounds = ceil((double)t->segments / work->block_x);
    expectation e = expect_begin(out, 1, false);
    expect_shared(&e, PATTERN_WRITE, 1, 1);
    for (unsigned k = 0; k < 4; k++)
        expect_global(&e, PATTERN_READ, rounds, warps, k % 2 == 0 ? 1 : shifted_groups(t->segments));
    for (unsigned k = 0; k < 2; k++) expect_shared(&e, PATTERN_WRITE, 1, 1);
    for (unsigned k = 0; k < 2; k++) expect_shared(&e, PATTERN_READ, 1, all);
    expect_global(&e, PATTERN_READ, rounds, warps, 1);
    expect_global(&e, PATTERN_WRITE, rounds, warps, 1);
    expect_shared(&e, PATTERN_READ, 1, 1);
    expect_global(&e, PATTERN_WRITE, 1, 1, 1);
}

void pattern_of_sort_pieces(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_pieces_table *const t = &((const struct sort_pieces_arguments *)work->arguments)->table;
    const double rounds = ceil((double)t->segments / work->block_x), warps = warps_of(t->segments);
    expectation e = expect_begin(out, 1, true);
    expect_global(&e, PATTERN_READ, rounds, warps, 1);
    expect_global(&e, PATTERN_READ, rounds, warps, 1);
    add_sums(&e, rounds, 1, work->block_x / WARP_LANES);
    expect_global(&e, PATTERN_WRITE, rounds, warps, 1);
    expect_global(&e, PATTERN_WRITE, 1, 1, 1);
}

/* All but the window's keys, which lie anywhere, are copied. */
void pattern_of_sort_outside(const launch *work, const void *subject, pattern *out) {
    const sort_outside_table *const t = &((const struct sort_outside_arguments *)work->arguments)->table;
    const sort_subject *const of = subject;
    const length_classes *const in = &of->level[of->levels - 1].of;
    const double all = warps_of(t->n), warps = fmax(all - in->count * in->mean / WARP_LANES, 0);
    expectation e = expect_begin(out, work->grid, false);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_READ, 1, all, 1);
    for (unsigned k = 0; k < (t->carried.to != NULL ? 2U : 1U); k++) {
        expect_global(&e, PATTERN_READ, 1, warps, 1);
        expect_global(&e, PATTERN_WRITE, 1, warps, 1);
    }
}

/* ------------------------------------------------------------------- segments */

/* Segments of one length. */
void pattern_of_sort_begin(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_begin_table *const t = &((const struct sort_begin_arguments *)work->arguments)->table;
    expectation e = expect_begin(out, work->grid, true);
    expect_global(&e, PATTERN_WRITE, 1, warps_of(t->segments + 1.0), 1);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of partitions of many numbers, where keys are random and differ: the pivot is between the sample's bounds, and as many
 * elements are listed as these say.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/predict/patterns.h"

enum { WARPS = SELECT_THREADS / WARP_LANES, DIGITS_EACH = SELECT_DIGITS / SELECT_THREADS };

static const part_table *table_of(const launch *work) {
    return &((const struct part_arguments *)work->arguments)->table;
}

static double warps_of(double threads) { return ceil(threads / WARP_LANES); }

/* Ranks in the sample from one bound to the other, and so elements between them. */
static double listed_of(const part_table *p) {
    const select_table *const t = &p->of;
    const double samples = t->groups * (double)SELECT_GROUP;
    double end[PART_SIDES] = {0, samples};
    for (unsigned side = 0; side < PART_SIDES; side++)
        if (!p->is_open[side]) end[side] = t->window[side] * (double)t->groups + p->rank[side];
    return fmin((end[1] - end[0]) * t->n / samples, t->n);
}

/* Sums over a block's warps, so often. */
static void add_sums(expectation *e, double rounds, double blocks) {
    expect_shared(e, PATTERN_WRITE, rounds, rounds * blocks * WARPS);
    expect_shared(e, PATTERN_READ, rounds * WARPS, rounds * blocks * WARPS * WARPS);
}

/* A block sorts what goes on of a bound's sample; an open side has none. */
void pattern_of_part_bounds(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const double goes_on = p->of.groups * (double)SELECT_WINDOW, rounds = 2 * 10;
    double sides = 0;
    for (unsigned side = 0; side < PART_SIDES; side++) sides += p->is_open[side] ? 0 : 1;
    expectation e = expect_begin(out, PART_SIDES, false);
    expect_global(&e, PATTERN_READ, ceil(goes_on / SELECT_THREADS), sides * warps_of(goes_on), 1);
    expect_shared(&e, PATTERN_WRITE, rounds, rounds * sides * WARPS);
    expect_shared(&e, PATTERN_READ, rounds, rounds * sides * WARPS);
    expect_global(&e, PATTERN_WRITE, 1, PART_SIDES, 1);
}

/* A launch that finds that it has nothing to do. */
static void describe_done(const launch *work, pattern *out) {
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, (double)work->grid * WARPS, 1);
}

void pattern_of_part_filter(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const select_table *const t = &p->of;
    if (t->attempt > 0) {
        describe_done(work, out);
        return;
    }
    const double blocks = work->grid, each = 2 * sizeof(uint64_t) / (double)work->elem_bytes,
                 vectors = ceil(t->n / each), found = listed_of(p), held = found / (blocks * WARPS);
    const double noted = warps_of(vectors) * each * (1 - pow(1 - fmin(found / t->n, 1), WARP_LANES)),
                 flushed = found / WARP_LANES + blocks * WARPS * (1 - exp(-held)) / 2;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 2, 2 * blocks * WARPS, 1);
    expect_global(&e, PATTERN_READ, ceil_div(t->vectors, (uint32_t)SELECT_THREADS), warps_of(vectors), 1);
    expect_shared(&e, PATTERN_WRITE, noted / (blocks * WARPS), noted);
    expect_shared(&e, PATTERN_READ, flushed / (blocks * WARPS), flushed);
    expect_global(&e, PATTERN_WRITE, flushed / (blocks * WARPS), flushed, 1 + fmin(held / WARP_LANES, 1));
    expect_shared(&e, PATTERN_WRITE, PART_CLASSES, PART_CLASSES * blocks * WARPS);
    expect_add(&e, PATTERN_SHARED, PATTERN_READ, 2 * WARPS, 2 * WARPS * blocks, 2);
    expect_global(&e, PATTERN_WRITE, 1, blocks, fmin(1 + blocks * 3 / WARP_LANES, PART_CLASSES));
}

void pattern_of_part_settle(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const double blocks = table_of(work)->of.blocks, rounds = ceil(blocks / SELECT_THREADS);
    expectation e = expect_begin(out, 1, false);
    expect_global(&e, PATTERN_READ, (PART_CLASSES + 1) * rounds, (PART_CLASSES + 1) * warps_of(blocks), 1);
    add_sums(&e, PART_CLASSES, 1);
    expect_global(&e, PATTERN_READ, 1, WARPS, 1);
    expect_global(&e, PATTERN_WRITE, 2 * rounds, 2 * warps_of(blocks), 1);
    expect_global(&e, PATTERN_WRITE, 4, 4, 1);
}

/* Each block adds up the digits of the round before, a thread a stretch of them; one thread walks along the rank's. */
static void add_step(expectation *e, double blocks, uint32_t round) {
    const double warps = blocks * WARPS;
    if (round == 0) {
        expect_global(e, PATTERN_READ, 1, warps, 1);
        return;
    }
    expect_global(e, PATTERN_READ, round > 1 ? 2 : 1, (round > 1 ? 2 : 1) * warps, 1);
    expect_global(e, PATTERN_READ, DIGITS_EACH, DIGITS_EACH * warps, WARP_LANES);
    add_sums(e, 1, blocks);
    expect_global(e, PATTERN_READ, DIGITS_EACH, DIGITS_EACH * blocks, 1);
    expect_shared(e, PATTERN_WRITE, 2, 2 * blocks);
    expect_shared(e, PATTERN_READ, 2, 2 * warps);
    expect_global(e, PATTERN_WRITE, 2, 2, 1);
}

void pattern_of_part_digits(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const double blocks = work->grid, listed = warps_of(listed_of(p));
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, blocks * WARPS, 1);
    add_step(&e, blocks, p->listed.round);
    expect_global(&e, PATTERN_READ, 1, blocks * WARPS, 1);
    expect_global(&e, PATTERN_READ, ceil(listed / (blocks * WARPS)), listed, 1);
}

void pattern_of_part_tally(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const double blocks = work->grid, listed = warps_of(listed_of(p)), cleared = warps_of(2.0 * p->of.blocks),
                 kept = warps_of(p->of.blocks);
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, blocks * WARPS, 1);
    add_step(&e, blocks, p->listed.rounds);
    expect_shared(&e, PATTERN_WRITE, 1, blocks * cleared);
    expect_global(&e, PATTERN_READ, 1, blocks * WARPS, 1);
    expect_global(&e, PATTERN_READ, ceil(listed / (blocks * WARPS)), listed, 1);
    expect_shared(&e, PATTERN_READ, 4, 4 * blocks * kept);
}

/* Elements of a block's tiles come to slots side by side, and go out as two runs each. */
static void describe_move(const launch *work, bool carries, pattern *out) {
    const part_table *const p = table_of(work);
    const select_table *const t = &p->of;
    const double blocks = work->grid, each = 2 * sizeof(uint64_t) / (double)work->elem_bytes, n = t->n,
                 vectors = ceil(n / each), tiles = ceil(vectors / (PART_VECTORS * SELECT_THREADS)),
                 warps = n / WARP_LANES, rounds = ceil(n / (blocks * SELECT_THREADS));
    const double ends = tiles * 2 + tiles * WARPS;
    const unsigned reads = carries ? (work->to != NULL ? 1U : 0U) + (p->values != NULL ? 1U : 0U) : 0,
                   writes = carries ? reads + (p->indices != NULL ? 1U : 0U) : 1;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 3, 3 * blocks * WARPS, 1);
    expect_global(&e, PATTERN_READ, 2, 2 * blocks * warps_of(t->blocks), 1);
    add_sums(&e, 3, blocks);
    expect_global(&e, PATTERN_READ, ceil(vectors / (blocks * SELECT_THREADS)), warps_of(vectors), 1);
    add_sums(&e, tiles / blocks, blocks);
    expect_add(&e, PATTERN_SHARED, PATTERN_WRITE, rounds, warps, 1 + (each - 1) * 0.5);
    expect_shared(&e, PATTERN_READ, rounds, warps);
    for (unsigned k = 0; k < reads; k++) expect_global(&e, PATTERN_READ, rounds, warps, 2.5);
    for (unsigned k = 0; k < writes; k++)
        expect_global(&e, PATTERN_WRITE, rounds, warps, 1 + ends / fmax(warps, 1));
}

void pattern_of_part_move(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_move(work, false, out);
}

void pattern_of_part_move_carried(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_move(work, true, out);
}

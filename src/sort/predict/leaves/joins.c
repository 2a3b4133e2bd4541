/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of strips, where all is known but the banks that an order leads to, and of parts that are joined of them: samples
 * of random keys say where these are cut, and their pieces are as long as chance leaves them.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/kernels/kernel.h"
#include "sort/predict/leaves/leaves.h"

typedef struct joins {
    const sort_join_table *table;
    double parts, strips, samples, warps, threads;
    double turns, registers; /* strips of a warp at most, and samples of a lane */
} joins;

static unsigned size_of(const launch *work) { return work->block_x > sort_join_threads(0) ? 1 : 0; }

static const sort_join_table *table_of(const launch *work) {
    return &((const struct sort_join_arguments *)work->arguments)->table;
}

static joins joins_of(const launch *work) {
    const unsigned size = size_of(work);
    const uint32_t n = table_of(work)->n, warps = sort_join_warps(size), strips = ceil_div(n, sort_strip(size));
    const double turns = ceil_div(strips, warps);
    return (joins){.table = table_of(work),
                   .parts = work->grid,
                   .strips = strips,
                   .samples = ceil_div(n, (uint32_t)SORT_JOIN_STEP),
                   .warps = warps,
                   .threads = work->block_x,
                   .turns = turns,
                   .registers = turns * sort_strip(size) / (SORT_JOIN_STEP * WARP_LANES)};
}

/* A team's leaves, without their lengths. */
static leaves leaves_of(const launch *work) {
    const uint32_t warps = sort_join_warps(size_of(work));
    const bool carries = table_of(work)->carried.to != NULL;
    return (leaves){.each = SORT_JOIN_EACH,
                    .warps = warps,
                    .lanes = warps * WARP_LANES,
                    .is_ordered = carries || work->elem_bytes > 4,
                    .carries = carries,
                    .count = work->grid,
                    .turns = 1,
                    .takes = 1};
}

void pattern_of_sort_strips(const launch *work, const void *subject, pattern *out) {
    const sort_join_table *const t = table_of(work);
    const uint32_t strip = sort_strip(size_of(work));
    leaves s = leaves_of(work);
    expectation e = expect_begin(out, work->grid, !s.is_ordered);
    for (uint32_t begin = 0; begin < t->n; begin += strip) leaves_add_run(begin, min(strip, t->n - begin), &s);
    s.longest = min(strip, t->n);
    const double rounds = ceil(s.longest / s.lanes);
    expect_global(&e, PATTERN_READ, rounds, s.accesses, s.stages / s.accesses);
    expect_global(&e, PATTERN_WRITE, rounds, s.accesses, s.stages / s.accesses);
    leaves_expect_sorts(&e, subject, &s, rounds, s.carries && t->carried.from != NULL);
}

/* --------------------------------------------------------------------- parts */

/* A sample is SORT_JOIN_STEP keys from the next one, and all are compared with the first key. */
static void add_samples(expectation *e, const joins *s) {
    const double warps = s->parts * s->warps, full = ceil(s->samples / WARP_LANES);
    expect_global(e, PATTERN_READ, 1, warps, 1);
    expect_global(e, PATTERN_READ, s->registers, s->parts * full, s->samples / full);
    expect_shared(e, PATTERN_WRITE, 2, s->parts * 2);
    expect_shared(e, PATTERN_WRITE, 1, warps);
    expect_shared(e, PATTERN_READ, 1, warps);
}

/* A round's digits of `live` samples, about, for both cuts: those of a warp are in order, and equal ones are counted at once. */
static void add_digits(expectation *e, const joins *s, double live) {
    enum { DIGITS = 256, CELLS = DIGITS + WARP_LANES, EACH = DIGITS / WARP_LANES };
    const double counted = 2 * s->parts * fmin(live, ceil(s->samples / WARP_LANES)),
                 meet = live < s->samples ? 1 : random_fullest_bank(WARP_LANES, CELLS, WARP_LANES, true);
    expect_shared(e, PATTERN_WRITE, ceil(2 * CELLS / s->threads), s->parts * 2 * CELLS / WARP_LANES);
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, 2 * fmin(s->registers, ceil(live / s->warps)), counted, meet);
    expect_shared(e, PATTERN_READ, EACH, s->parts * 2 * EACH);
    expect_shared(e, PATTERN_WRITE, 3, s->parts * 2 * 3);
    expect_shared(e, PATTERN_READ, 6, s->parts * s->warps * 6);
}

/* Until either cut has a digit of its own: 16 bits tell so few samples apart. */
static void add_selection(expectation *e, const joins *s, const sort_subject *of) {
    add_digits(e, s, s->samples);
    if (of->values == 0 || of->values > 256) add_digits(e, s, 1 + s->samples / 256);
    expect_shared(e, PATTERN_WRITE, 2 * 2, s->parts * 2 * 2);
}

/* A strip's samples are counted, and the keys between two of them looked at; the first part begins where the strips do. */
static void add_cuts(expectation *e, const joins *s) {
    const double all = WARP_LANES / s->warps;
    expect_shared(e, PATTERN_READ, 2 * 5, s->parts * s->warps * 2 * 5);
    expect_shared(e, PATTERN_WRITE, 2 * 3 * all, s->parts * WARP_LANES * 2 * 3);
    expect_global(e, PATTERN_READ, 2 * s->turns, (2 * s->parts - 1) * s->strips, 1);
}

/* Pieces of strips, side by side: neighbouring lanes read from as many as lie in a warp's places. */
static void add_pieces(expectation *e, const joins *s, double rounds, double warps) {
    const double length = s->table->n / s->parts / s->strips,
                 pieces = fmin(1 + (WARP_LANES - 1) / length, WARP_LANES);
    const unsigned arrays = s->table->carried.to != NULL ? 2 : 1;
    for (unsigned k = 0; k < arrays; k++)
        expect_global(e, PATTERN_READ, rounds, warps, pieces + (WARP_LANES - pieces) / WARP_LANES);
}

void pattern_of_sort_join(const launch *work, const void *subject, pattern *out) {
    const joins s = joins_of(work);
    const sort_subject *const of = subject;
    leaves parts = leaves_of(work);
    expectation e = expect_begin(out, work->grid, false);
    const double mean = s.table->n / s.parts, chance = SORT_JOIN_STEP * sqrt(s.strips / 6);
    parts.longest = fmin(mean + 2 * chance, parts.lanes * parts.each);
    parts.accesses = s.parts * (mean / WARP_LANES + 0.5);
    parts.stages = s.table->n / (double)WARP_LANES * random_run_groups(WARP_LANES, WARP_LANES) +
                   s.parts * random_run_groups(WARP_LANES / 2, WARP_LANES) / 2;
    const double rounds = ceil(parts.longest / parts.lanes);
    add_samples(&e, &s);
    add_selection(&e, &s, of);
    add_cuts(&e, &s);
    add_pieces(&e, &s, rounds, parts.accesses);
    expect_global(&e, PATTERN_WRITE, rounds, parts.accesses, parts.stages / parts.accesses);
    leaves_expect_sorts(&e, of, &parts, rounds, false);
}

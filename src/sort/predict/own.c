/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are estimated of sorts by a comparison of the user's: it is taken to read each field of both elements once. Numbers are in any
 * order, so that elements come from anywhere.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/kernels/kernel.h"
#include "sort/predict/patterns.h"
#include "sort/predict/rows.h"

enum { WARPS = SORT_OWN_THREADS / WARP_LANES, EACH = SORT_OWN_EACH, SOME_LANES = 20 };

typedef struct own {
    const sort_own_table *table;
    const sort_subject *of;
    double tiles, warps; /* warps that have a place */
    double meet;         /* lanes in a bank, which take numbers of a tile in their order */
} own;

/* The part of a pair of runs that is merged: all, or the one segment that lies in both. */
static double joined(const own *s, double run) {
    return fmin((double)s->table->n / s->table->segments / (2 * run), 1);
}

/* Reads of comparisons, summed over loops. */
typedef struct compared {
    double rounds, warps, stages;
} compared;

static own own_of(const launch *work, const void *subject) {
    const sort_own_table *const t = &((const struct sort_own_arguments *)work->arguments)->table;
    return (own){t, subject, ceil_div(t->n, (uint32_t)SORT_OWN_TILE),
                 ceil_div(t->n, (uint32_t)(EACH * WARP_LANES)),
                 0.7 * random_fullest_bank(WARP_LANES, SORT_OWN_TILE, WARP_LANES, true)};
}

/* Lanes of a warp compare elements from anywhere among `all`, or from among their own. */
static void compare(const own *s, double rounds, double warps, double all, double lanes, compared *sum) {
    const double reads = 2 * s->of->fields, units = fmax(s->of->elem_bytes / s->of->field_bytes, 1);
    sum->rounds += rounds * reads, sum->warps += warps * reads;
    sum->stages += warps * reads * row_random_groups(lanes, 1, fmax(all, EACH * WARP_LANES) * units);
}

static void add_comparisons(expectation *e, const compared *sum) {
    if (sum->warps > 0) expect_global(e, PATTERN_READ, sum->rounds, sum->warps, sum->stages / sum->warps);
}

/* A place's segment is looked for by halving. */
static void add_segments(expectation *e, const own *s, double rounds, double warps) {
    const double reads = 4 + ceil(log2(s->table->segments));
    if (s->table->begin != NULL) expect_global(e, PATTERN_READ, rounds * reads, warps * reads, 1);
}

static void add_taken(expectation *e, const own *s, double rounds, double warps) {
    expect_add(e, PATTERN_SHARED, PATTERN_READ, rounds, warps, s->meet);
}

/* Each thread looks for its begin in runs of that length by halving, and then takes one number after the other. */
static void add_merge(expectation *e, const own *s, double times, double halvings, double warps) {
    add_taken(e, s, 2 * halvings, 2 * halvings * warps);
    add_taken(e, s, 3.0 * EACH * times, 3.0 * EACH * times * warps);
    expect_shared(e, PATTERN_WRITE, times, times * warps);
    expect_shared(e, PATTERN_READ, times, times * warps);
    expect_shared(e, PATTERN_WRITE, EACH * times, EACH * times * warps);
    add_segments(e, s, times, times * warps);
}

static void compare_merge(const own *s, double run, double halvings, double warps, compared *sum) {
    const double some = warps * joined(s, run);
    compare(s, halvings, halvings * some, run, SOME_LANES, sum);
    compare(s, EACH, EACH * some, run, WARP_LANES, sum);
}

/* Tiles are written as they lie. */
static void add_results(expectation *e, const own *s) {
    const double warps = ceil_div(s->table->n, (uint32_t)WARP_LANES);
    expect_shared(e, PATTERN_READ, EACH, warps);
    expect_global(e, PATTERN_WRITE, EACH, warps, 1);
}

/* The k-th number of a thread goes k places up, at most, which some lane's does. */
static void add_insertions(expectation *e, const own *s, compared *sum) {
    const double steps = EACH * (EACH - 1) / 2;
    expect_shared(e, PATTERN_READ, EACH, EACH * s->warps);
    for (unsigned k = 0; k < 2; k++) expect_shared(e, PATTERN_READ, steps, steps * s->warps);
    expect_shared(e, PATTERN_WRITE, steps, steps * s->warps);
    compare(s, steps, steps * s->warps, EACH, SOME_LANES, sum);
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, EACH, EACH * s->warps, 2);
    add_segments(e, s, 1, s->warps);
}

void pattern_of_sort_own_tiles(const launch *work, const void *subject, pattern *out) {
    const own s = own_of(work, subject);
    compared sum = {0};
    double times = 0, halvings = 0;
    expectation e = expect_begin(out, work->grid, false);
    pattern_mean(out, PATTERN_USERS);
    expect_shared(&e, PATTERN_WRITE, EACH, s.tiles * WARPS * EACH);
    add_insertions(&e, &s, &sum);
    for (uint32_t run = EACH; run < SORT_OWN_TILE && run < s.table->n; run *= 2) {
        times++, halvings += log2(run) + 1;
        compare_merge(&s, run, log2(run) + 1, s.warps, &sum);
    }
    add_merge(&e, &s, times, halvings, s.warps);
    add_comparisons(&e, &sum);
    add_results(&e, &s);
    expect_global(&e, PATTERN_WRITE, 1, s.tiles, 1);
}

/* The part of all places whose runs have another to be merged with. */
static double merged(const own *s) {
    const double run = s->table->run, n = s->table->n, rest = fmod(n, 2 * run);
    return (n - rest + (rest > run ? rest : 0)) / n;
}

/* A thread a tile, but for those where a pair of runs begins. */
void pattern_of_sort_own_borders(const launch *work, const void *subject, pattern *out) {
    const own s = own_of(work, subject);
    compared sum = {0};
    const double warps = ceil(s.tiles / WARP_LANES), halvings = log2(s.table->run) + 1,
                 inner = s.tiles * merged(&s) * (1 - SORT_OWN_TILE / 2.0 / s.table->run),
                 lanes = fmin(fmax(inner, 1), WARP_LANES);
    expectation e = expect_begin(out, work->grid, false);
    pattern_mean(out, PATTERN_USERS);
    add_segments(&e, &s, 1, warps);
    expect_global(&e, PATTERN_READ, 2 * halvings, 2 * halvings * warps, lanes);
    compare(&s, halvings, halvings * warps, s.table->n, lanes, &sum);
    add_comparisons(&e, &sum);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

void pattern_of_sort_own_checks(const launch *work, const void *subject, pattern *out) {
    const own s = own_of(work, subject);
    const double warps = ceil(s.tiles / WARP_LANES);
    expectation e = expect_begin(out, work->grid, false);
    pattern_mean(out, PATTERN_USERS);
    add_segments(&e, &s, 1, warps);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_READ, 1, warps, 1);
}

/* Two stretches become a tile, in one merge of any lengths. */
void pattern_of_sort_own_merges(const launch *work, const void *subject, pattern *out) {
    const own s = own_of(work, subject);
    compared sum = {0};
    const double rows = ceil_div(s.table->n, (uint32_t)WARP_LANES), all = s.tiles * WARPS,
                 halvings = log2(SORT_OWN_TILE / 2);
    expectation e = expect_begin(out, work->grid, false);
    pattern_mean(out, PATTERN_USERS);
    for (unsigned k = 0; k < 3; k++) expect_global(&e, PATTERN_READ, 1, all, 1);
    expect_global(&e, PATTERN_READ, EACH, rows, random_run_groups(WARP_LANES, WARP_LANES));
    expect_shared(&e, PATTERN_WRITE, EACH, all * EACH);
    compare_merge(&s, s.table->run, halvings, s.warps * merged(&s), &sum);
    add_comparisons(&e, &sum);
    add_merge(&e, &s, 1, halvings, s.warps * merged(&s));
    add_results(&e, &s);
}

/* Neighbours in order are compared. */
void pattern_of_sort_own_marks(const launch *work, const void *subject, pattern *out) {
    const own s = own_of(work, subject);
    compared sum = {0};
    const double warps = ceil_div(s.table->n, (uint32_t)WARP_LANES);
    expectation e = expect_begin(out, work->grid, false);
    pattern_mean(out, PATTERN_USERS);
    add_segments(&e, &s, 1, warps);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_READ, 1, warps, 1 + k);
    compare(&s, 1, warps, s.table->n, WARP_LANES, &sum);
    add_comparisons(&e, &sum);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

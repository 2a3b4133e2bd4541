/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of merging: runs exactly; parts of streams of random keys, whose borders lie anywhere in blocks; and the searches
 * for these borders, which jump where the keys say.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/kernels/merge/kernel.h"
#include "sort/kernels/tables/common.h"
#include "sort/predict/patterns.h"

static const merge_table *table_of(const launch *work) {
    return &((const struct merge_arguments *)work->arguments)->table;
}

/* ---------------------------------------------------------------------- runs */

/* A row of 32 records side by side has a gap in it where `each` of a lane are fewer than its banks. */
static double row_stages(uint32_t each, uint32_t unit) { return unit > 4 && each < WARP_LANES ? 2 : 1; }

static void add_run_writes(expectation *e, uint32_t each, double runs, double rows, uint32_t unit) {
    expect_shared(e, PATTERN_WRITE, each, runs * each);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, each, rows, row_stages(each, unit));
    expect_global(e, PATTERN_WRITE, each, rows, 1);
}

void pattern_of_merge_runs(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const merge_table *const t = table_of(work);
    const uint32_t unit = (uint32_t)work->elem_bytes, each = 2 * merge_block_keys(unit),
                   run = each * WARP_LANES;
    const double runs = ceil_div(t->n, run), rows = ceil_div(t->n, WARP_LANES);
    const uint32_t most = min(each, (uint32_t)rows);
    expectation e = expect_begin(out, work->grid, t->to_places == NULL && most == each);
    expect_global(&e, PATTERN_READ, most, rows, 1);
    add_run_writes(&e, each, runs, rows, unit);
    if (t->to_places != NULL) add_run_writes(&e, each, runs, rows, sizeof(uint32_t));
}

/* --------------------------------------------------------------------- parts */

/* A level's parts: streams of a group, of so many keys each; blocks of a part that are read, and rounds of 32 of them. */
typedef struct parts {
    double count, groups, keys, streams, length, blocks, rounds, most_rounds;
    uint32_t block;
} parts;

/* Groups are whole; where there is one, streams are as many as its longest are in it. */
static void measure_groups(const merge_table *t, parts *s) {
    const double run = t->first != NULL ? (double)t->n / t->streams : t->run;
    s->length = fmin(run * t->step, t->n);
    s->streams = fmin(t->ways, t->n / s->length);
    s->groups = ceil(t->n / (s->length * s->streams) - 1e-9);
    const double whole = ceil(s->length * s->streams / t->part), last = fmod(t->n, s->length * s->streams);
    s->count = s->groups > 1 && last > 0 ? whole * (s->groups - 1) + ceil(last / t->part) : whole * s->groups;
    s->keys = t->n / s->count;
}

/* A stream's part begins and ends anywhere in a block: each border adds the variance of a uniform number. */
static parts parts_of(const launch *work, const merge_table *t) {
    parts s = {.block = merge_block_keys((uint32_t)work->elem_bytes)};
    measure_groups(t, &s);
    s.blocks = s.streams * (1 + fmax(s.keys / s.streams - 1, 0) / s.block);
    const double spread = sqrt(s.streams / 6), most = s.blocks + spread * sqrt(2 * log(s.count + 1));
    for (double k = 0; k < most; k += WARP_LANES)
        s.rounds += 0.5 * erfc((k + 0.5 - s.blocks) / spread / sqrt(2));
    s.most_rounds = ceil(most / WARP_LANES);
    return s;
}

/* Address groups of `rows` blocks that are next in order, of which a group holds so many. */
static double groups_of_blocks(const parts *s, double rows, double held) {
    const double streams = s->streams < rows ? s->streams : s->streams * (1 - pow(1 - 1 / s->streams, rows));
    return fmin(rows, streams * (1 + (rows / streams - 1) / held));
}

/* Ranks are the keys before blocks, but for each stream's first one; two neighbouring blocks are in one address group. */
static void add_ranks(expectation *e, const parts *s) {
    const double rows = fmin(s->blocks - s->streams, WARP_LANES * (1 - s->streams / s->blocks));
    const double warps = s->count * s->rounds;
    const double groups =
        rows > 0 ? (s->blocks - s->streams) / rows * groups_of_blocks(s, rows, (double)WARP_LANES / s->block)
                 : 0;
    expect_global(e, PATTERN_READ, s->most_rounds, warps, s->count * groups / warps);
    expect_shared(e, PATTERN_WRITE, MERGE_ORDER, s->count * MERGE_ORDER);
    expect_shared(e, PATTERN_READ, s->most_rounds, warps);
}

/* Blocks come by pieces of 16 bytes, a block in one address group of these; units of a block: keys, or places. */
static void add_blocks(expectation *e, const parts *s, uint32_t unit) {
    const double pieces = s->block * unit / 16.0, warps = s->count * s->rounds * pieces;
    const double rounds = s->most_rounds * pieces, rows = WARP_LANES / pieces;
    const double groups = s->blocks / rows * groups_of_blocks(s, rows, rows);
    expect_global(e, PATTERN_READ, rounds, warps, s->count * groups / warps);
    expect_shared(e, PATTERN_WRITE, rounds, warps);
    expect_shared(e, PATTERN_READ, rounds, warps);
}

/* A round's results begin on a block, which seldom is where address groups begin. */
static void add_results(expectation *e, const parts *s) {
    const double rows = s->keys / WARP_LANES, aside = 1 - (double)s->block / WARP_LANES;
    const double warps = s->count * (rows + aside), rounds = rows + s->block / 2.0;
    expect_shared(e, PATTERN_WRITE, s->block * (s->most_rounds + 1), s->count * s->block * (s->rounds + 1));
    expect_shared(e, PATTERN_READ, rounds, warps);
    expect_global(e, PATTERN_WRITE, rounds, warps, s->count * rows * (1 + aside) / warps);
}

void pattern_of_merge_parts(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const merge_table *const t = table_of(work);
    const parts s = parts_of(work, t);
    const uint32_t unit = (uint32_t)work->elem_bytes;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, s.count, 1);
    expect_global(&e, PATTERN_READ, 1, s.count - 1, 1);
    add_ranks(&e, &s);
    add_blocks(&e, &s, unit);
    add_results(&e, &s);
    if (t->to_places == NULL) return;
    if (t->from_places != NULL) add_blocks(&e, &s, sizeof(uint32_t));
    add_results(&e, &s);
}

/* -------------------------------------------------------------------- borders */

/* A search: how long its ranges are at first, and how many warps do it. */
typedef struct search {
    double warps, length, streams;
} search;

/* The first key cuts ranges on one side, the second, beyond it, on the other: each is looked up by halving the whole of them. A few
 * keys are left a stream, and some more turns; their number and what they take was counted, of 4 to 32 streams. */
static void add_search(expectation *e, const search *s) {
    const double turns = 4.3 + 0.6 * log2(s->streams), later = 2.8 * (turns - 2), slowest = 16;
    const double both = log2(s->length) + log2(s->length / 2 + 1) + 1, halvings = both + later;
    const double lanes = s->streams - 1;
    expect_global(e, PATTERN_READ, 2 * turns, s->warps * turns, 1);
    expect_global(e, PATTERN_READ, halvings + slowest, s->warps * halvings,
                  fmax((both * lanes + later * lanes * 0.6) / halvings, 1));
}

void pattern_of_merge_split(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const merge_table *const t = table_of(work);
    const parts s = parts_of(work, t);
    const double each = s.count / s.groups,
                 known = s.groups * ceil(each / (t->every > 0 ? t->every : t->between));
    const double all =
        t->every > 0 ? known : s.count - known; /* searches; the first part of a group takes none */
    const double length = t->every > 0 ? s.length : fmin(s.keys * t->between / s.streams, s.length);
    const search of = {t->every > 0 ? all - s.groups : all, length, s.streams};
    expectation e = expect_begin(out, work->grid, false);
    if (t->every == 0) {
        expect_global(&e, PATTERN_READ, 1, all, 1);
        expect_global(&e, PATTERN_READ, 1, all, 1);
    }
    if (of.warps > 0 && s.streams > 1) add_search(&e, &of);
    expect_global(&e, PATTERN_WRITE, 1, all, 1);
}

/* ------------------------------------------------------------------- two by two */

/* Merge path: all lanes of a block look for both ends of its part by halving, and each for its own begin in shared memory; then
 * each reads key after key from where the keys lead it, which is any bank. How many halvings that takes, and how full banks are
 * meanwhile, was fitted to counts. */
void pattern_of_merge_pairs(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    enum { WARPS = MERGE_PAIR_THREADS / WARP_LANES };
    const merge_table *const t = table_of(work);
    const parts s = parts_of(work, t);
    const double warps = s.count * WARPS, rows = ceil_div(t->n, WARP_LANES), part = fmin(t->part, s.keys * 2);
    const double halvings = fmax(log2(s.length) - 0.9, 0) * (1 - s.groups / s.count),
                 own = log2(s.keys / 4) + 0.5;
    const double meet = random_fullest_bank(WARP_LANES, t->part, WARP_LANES, true), each = MERGE_PAIR_EACH;
    const double rounds = fmin(each, ceil(part / MERGE_PAIR_THREADS));
    const double apart = random_run_groups(WARP_LANES, WARP_LANES) - s.groups / s.count / 2;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 4 * ceil(log2(s.length)), 4 * halvings * warps, 1);
    expect_global(&e, PATTERN_READ, rounds + 1, rows + s.count, apart);
    expect_shared(&e, PATTERN_WRITE, rounds, rows);
    expect_add(&e, PATTERN_SHARED, PATTERN_READ, 2 * own, 2 * own * warps, meet * 0.77);
    expect_add(&e, PATTERN_SHARED, PATTERN_READ, each + 2, (each + 2) * warps, meet);
    expect_shared(&e, PATTERN_WRITE, each, each * warps);
    expect_shared(&e, PATTERN_READ, rounds, rows);
    expect_global(&e, PATTERN_WRITE, rounds, rows, 1);
}

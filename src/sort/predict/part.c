/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of partitions of many numbers, where keys are random and differ: the pivot is between the sample's bounds, and as many
 * elements are listed as these say.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/predict/patterns.h"

enum { WARPS = SELECT_THREADS / WARP_LANES, DIGITS_EACH = PART_DIGITS / SELECT_THREADS };

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
    add_sums(&e, 1, sides);
    expect_shared(&e, PATTERN_WRITE, 1, sides);
    expect_shared(&e, PATTERN_READ, 2, 2 * sides * WARPS);
    expect_global(&e, PATTERN_WRITE, 2, 2 * PART_SIDES, 1);
}

/* A launch that finds that it has nothing to do. */
static void describe_done(const launch *work, pattern *out) {
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, (double)work->grid * WARPS, 1);
}

/* `found` of n elements are listed: a warp stages an element of its lanes at a time, where some lane's is. */
static void add_listed(expectation *e, double blocks, double found, double n) {
    const double times = n / WARP_LANES * (1 - pow(1 - found / n, WARP_LANES)), held = found / (blocks * WARPS),
                 flushed = found / WARP_LANES + blocks * WARPS * (1 - exp(-held)) / 2;
    expect_shared(e, PATTERN_WRITE, times / (blocks * WARPS), times);
    expect_shared(e, PATTERN_READ, flushed / (blocks * WARPS), flushed);
    expect_global(e, PATTERN_WRITE, flushed / (blocks * WARPS), flushed, 1 + fmin(held / WARP_LANES, 1));
}

/* Each block adds up the digits of the round before, a warp a stretch of them; one warp walks along the rank's. */
static void add_step(expectation *e, double blocks, const select_table *t, uint32_t round) {
    const double warps = blocks * WARPS, known = round > 1 ? 2 : t->before != NULL ? 1 : 0;
    expect_global(e, PATTERN_READ, known, known * warps, 1);
    if (round == 0) return;
    expect_global(e, PATTERN_READ, DIGITS_EACH, DIGITS_EACH * warps, 1);
    add_sums(e, 1, blocks);
    expect_global(e, PATTERN_READ, DIGITS_EACH, (DIGITS_EACH + 1) / 2.0 * blocks, 1);
    expect_shared(e, PATTERN_WRITE, 2, 2 * blocks);
    expect_shared(e, PATTERN_READ, 2, 2 * warps);
    expect_global(e, PATTERN_WRITE, 2, 2, 1);
}

static double elements_of_vector(const launch *work) { return 2 * sizeof(uint64_t) / (double)work->elem_bytes; }

void pattern_of_part_filter(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const select_table *const t = &p->of;
    if (t->attempt > 0 && t->capacity > 0) {
        describe_done(work, out);
        return;
    }
    const double blocks = work->grid, each = elements_of_vector(work), vectors = ceil(t->n / each);
    expectation e = expect_begin(out, work->grid, false);
    const double warps = blocks * WARPS, known = t->attempt > 0 ? 1 : 4,
                 written = t->attempt > 0 ? 2 : PART_CLASSES;
    expect_global(&e, PATTERN_READ, known, known * warps, 1);
    if (t->attempt > 0) add_step(&e, blocks, t, t->rounds);
    expect_global(&e, PATTERN_READ, ceil_div(t->vectors, (uint32_t)SELECT_THREADS), warps_of(vectors), 1);
    if (t->attempt == 0) add_listed(&e, blocks, listed_of(p), t->n);
    expect_global(&e, PATTERN_WRITE, written, written * warps, 1);
}

void pattern_of_part_settle(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const double shares = table_of(work)->shares, rounds = ceil(shares / SELECT_THREADS);
    expectation e = expect_begin(out, 1, false);
    expect_global(&e, PATTERN_READ, (PART_CLASSES + 1) * rounds, (PART_CLASSES + 1) * warps_of(shares), 1);
    add_sums(&e, PART_CLASSES, 1);
    expect_global(&e, PATTERN_READ, 1, WARPS, 1);
    expect_global(&e, PATTERN_WRITE, 2 * rounds, 2 * warps_of(shares), 1);
    expect_global(&e, PATTERN_WRITE, 4, 4, 1);
}

/* Counts of digits are cleared, and added to all. */
static void add_counts(expectation *e, double blocks) {
    expect_shared(e, PATTERN_WRITE, DIGITS_EACH, DIGITS_EACH * blocks * WARPS);
    expect_shared(e, PATTERN_READ, DIGITS_EACH, DIGITS_EACH * blocks * WARPS);
}

void pattern_of_part_digits(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const double blocks = work->grid, listed = warps_of(listed_of(p));
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 2, 2 * blocks * WARPS, 1);
    add_step(&e, blocks, &p->listed, p->listed.round);
    add_counts(&e, blocks);
    expect_global(&e, PATTERN_READ, ceil(listed / (blocks * WARPS)), listed, 1);
}

/* First digits of so many elements are counted: one that several lanes have at once, and any others. */
static void add_first_digits(expectation *e, double blocks, double elements) {
    const double warps = warps_of(elements), rounds = warps / (blocks * WARPS);
    expect_shared(e, PATTERN_WRITE, rounds, warps);
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, rounds, warps,
               random_fullest_bank(WARP_LANES, PART_DIGITS, WARP_LANES, false));
}

/* Where a sample bounds the pivot there is nothing to do. */
void pattern_of_part_exact(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const select_table *const t = &p->of;
    const double blocks = work->grid, vectors = ceil(t->n / elements_of_vector(work));
    if (t->capacity > 0) {
        describe_done(work, out);
        return;
    }
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, blocks * WARPS, 1);
    add_step(&e, blocks, t, t->round);
    add_counts(&e, blocks);
    expect_global(&e, PATTERN_READ, ceil_div(t->vectors, (uint32_t)SELECT_THREADS), warps_of(vectors), 1);
    if (t->round > 0) return;
    const double adds = blocks * WARPS * DIGITS_EACH * (1 - exp(-WARP_LANES * (t->n / blocks) / PART_DIGITS));
    add_first_digits(&e, blocks, t->n);
    expect_global(&e, PATTERN_WRITE, adds / (blocks * WARPS), adds, 1);
}

void pattern_of_part_tally(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const double blocks = work->grid, listed = warps_of(listed_of(p)), often = ceil(listed / (blocks * WARPS));
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 2, 2 * blocks * WARPS, 1);
    add_step(&e, blocks, &p->listed, p->listed.rounds);
    expect_global(&e, PATTERN_READ, often, listed, 1);
    expect_global(&e, PATTERN_WRITE, often, listed, 1); /* most of a warp's are of one share */
}

/* Arrays that elements go to, and what is read for them. */
typedef struct part_moved {
    double elements, each, tiles, blocks;
    unsigned reads, writes;
    bool carries;
} part_moved;

static part_moved moved_of(const launch *work, const part_along *along, double elements, double tiles,
                           bool carries) {
    part_moved m = {.elements = elements,
                    .each = elements_of_vector(work),
                    .tiles = tiles,
                    .blocks = work->grid,
                    .carries = carries};
    m.reads = carries ? (work->to != NULL ? 1U : 0U) + (along->values != NULL ? 1U : 0U) : 0;
    m.writes = carries ? m.reads + (along->indices != NULL ? 1U : 0U) : 1;
    return m;
}

/* Elements of tiles come to slots side by side, and go out as two runs each: whole vectors, but at their ends. */
static void add_tiles(expectation *e, const part_moved *m) {
    const double vectors = ceil(m->elements / m->each), warps = m->elements / WARP_LANES,
                 rounds = ceil(m->elements / (m->blocks * SELECT_THREADS)),
                 ends = m->tiles * 2 + m->tiles * WARPS, whole = warps / m->each, odd = 3.0 * m->tiles;
    expect_global(e, PATTERN_READ, ceil(vectors / (m->blocks * SELECT_THREADS)), warps_of(vectors), 1);
    add_sums(e, m->tiles / m->blocks, m->blocks);
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, rounds, warps, 1 + (m->each - 1) * 0.5);
    if (!m->carries) {
        expect_shared(e, PATTERN_READ, rounds / m->each, whole);
        expect_global(e, PATTERN_WRITE, rounds / m->each, whole, 1.8);
        expect_shared(e, PATTERN_READ, odd / 4 * m->each / m->blocks, odd * m->each / 2);
        expect_global(e, PATTERN_WRITE, odd / 4 * m->each / m->blocks, odd * m->each / 2, 1);
        return;
    }
    expect_shared(e, PATTERN_READ, rounds, warps);
    for (unsigned k = 0; k < m->reads; k++) expect_global(e, PATTERN_READ, rounds, warps, 2.5);
    for (unsigned k = 0; k < m->writes; k++)
        expect_global(e, PATTERN_WRITE, rounds, warps, 1 + ends / fmax(warps, 1));
}

/* Counts of all shares before a block's. */
static void add_begin(expectation *e, double blocks, double warps, double shares) {
    const double rounds = ceil(shares / (warps * WARP_LANES));
    expect_global(e, PATTERN_READ, 2, 2 * blocks * warps, 1);
    expect_global(e, PATTERN_READ, 1.5 * rounds, 1.5 * blocks * warps_of(shares), 1);
    expect_shared(e, PATTERN_WRITE, 3, 3 * blocks * warps);
    expect_shared(e, PATTERN_READ, 3 * warps, 3 * blocks * warps * warps);
}

/* Elements come to slots side by side, and go out as stretches, whole ones but at the ends of a warp's share. */
void pattern_of_part_move(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const double blocks = work->grid, warps = PART_MOVE_THREADS / WARP_LANES, each = elements_of_vector(work),
                 vectors = ceil(p->of.n / each), of_lane = ceil(vectors / p->shares / WARP_LANES),
                 whole = vectors / WARP_LANES, moving = fmin(p->shares, whole), ends = 2 * moving * (each - 1);
    expectation e = expect_begin(out, work->grid, false);
    add_begin(&e, blocks, warps, p->shares);
    expect_global(&e, PATTERN_READ, 3, 3 * p->shares, 1);
    expect_global(&e, PATTERN_READ, of_lane, warps_of(vectors), 1);
    expect_add(&e, PATTERN_SHARED, PATTERN_WRITE, of_lane * each, whole * each, 1 + (each - 1) * 0.5);
    expect_shared(&e, PATTERN_READ, of_lane, whole + 2 * moving);
    expect_global(&e, PATTERN_WRITE, of_lane, whole + 2 * moving, 1);
    expect_shared(&e, PATTERN_READ, 2 * (each - 1), ends);
    expect_global(&e, PATTERN_WRITE, 2 * (each - 1), ends, 1);
}

void pattern_of_part_move_carried(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const part_table *const p = table_of(work);
    const double vectors = ceil(p->of.n / elements_of_vector(work));
    const part_moved moved = moved_of(work, &p->along, p->of.n, fmax(vectors / PART_TILE, work->grid), true);
    expectation e = expect_begin(out, work->grid, false);
    add_begin(&e, work->grid, WARPS, p->shares);
    add_tiles(&e, &moved);
}

/* A block reads its segment once for each digit, and once to move it. */
static void describe_rows(const launch *work, bool carries, pattern *out) {
    const part_rows_table *const t = &((const struct part_rows_arguments *)work->arguments)->table;
    const double blocks = work->grid, vectors = ceil(t->length / elements_of_vector(work));
    const part_moved moved =
        moved_of(work, &t->along, t->length * blocks, blocks * ceil(vectors / PART_TILE), carries);
    expectation e = expect_begin(out, work->grid, false);
    if (t->begin != NULL) expect_global(&e, PATTERN_READ, 2, 2 * blocks * WARPS, 1);
    add_first_digits(&e, blocks, t->length * blocks);
    for (uint32_t round = 0; round < t->rounds; round++) {
        expect_shared(&e, PATTERN_WRITE, DIGITS_EACH, DIGITS_EACH * blocks * WARPS);
        expect_global(&e, PATTERN_READ, ceil(vectors / SELECT_THREADS), blocks * warps_of(vectors), 1);
        expect_shared(&e, PATTERN_READ, DIGITS_EACH, DIGITS_EACH * blocks * WARPS);
        add_sums(&e, 1, blocks);
        expect_shared(&e, PATTERN_READ, DIGITS_EACH, (DIGITS_EACH + 1) / 2.0 * blocks);
        expect_shared(&e, PATTERN_WRITE, 2, 2 * blocks);
        expect_shared(&e, PATTERN_READ, 2, 2 * blocks * WARPS);
    }
    add_tiles(&e, &moved);
}

void pattern_of_part_rows(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_rows(work, false, out);
}

void pattern_of_part_rows_carried(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_rows(work, true, out);
}

/* Rows that registers hold are read once and written once. A block's warps tell each other each time that the codes' range is halved, which
 * random ones take as often as a half of them goes. */
static void describe_held(const launch *work, bool carries, pattern *out) {
    const part_held_table *const t = &((const struct part_held_arguments *)work->arguments)->table;
    const double each = elements_of_vector(work), stretches = ceil(t->rows / (double)t->teams),
                 vectors = ceil(t->length / each), reads = stretches * warps_of(vectors),
                 all = (double)t->length * t->teams, times = t->times > 0 ? t->times : 1,
                 tells = t->times > 0 ? 0 : 4 + log2(t->length), rounds = times * t->used,
                 warps = work->block_x / WARP_LANES;
    const unsigned moved = carries ? (work->to != NULL ? 1U : 0U) + (t->along.values != NULL ? 1U : 0U) : 0;
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, rounds, reads, 1);
    expect_shared(&e, PATTERN_WRITE, tells, tells * t->rows * warps);
    expect_shared(&e, PATTERN_READ, tells, tells * t->rows * warps);
    expect_add(&e, PATTERN_SHARED, PATTERN_WRITE, rounds * each, reads * each, 1 + log2(each));
    const double written = stretches * warps_of(carries ? all : all / each),
                 often = carries ? rounds * each : rounds;
    expect_shared(&e, PATTERN_READ, often, written);
    for (unsigned k = 0; k < moved; k++) expect_global(&e, PATTERN_READ, often, written, 2.5);
    for (unsigned k = 0; k < (carries ? moved + (t->along.indices != NULL ? 1U : 0U) : 1); k++)
        expect_global(&e, PATTERN_WRITE, often, written, 1);
}

void pattern_of_part_held(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_held(work, false, out);
}

void pattern_of_part_held_carried(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe_held(work, true, out);
}

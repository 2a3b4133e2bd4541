/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of leaves: those of one length, where all is known but the banks that an order leads to, and buckets of random
 * keys, which have the lengths that samples leave to chance and begin anywhere.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/kernels/kernel.h"
#include "sort/predict/leaves/leaves.h"
#include "sort/predict/tied.h"

/* ------------------------------------------------------------------- lengths */

void leaves_add_run(uint32_t begin, uint32_t length, leaves *s) {
    const uint32_t behind = begin % WARP_LANES, last = length % WARP_LANES, whole = length / WARP_LANES;
    s->accesses += ceil_div(length, WARP_LANES);
    s->stages += whole * (behind > 0 ? 2.0 : 1.0) + (last > 0 ? 1 : 0) +
                 (last > 0 && behind + last > WARP_LANES ? 1 : 0);
}

/* Leaves of one length: 32 of them begin at any cell of an address group that one does. */
static void measure_even(const sort_leaf_places *places, leaves *s) {
    const uint32_t some = min(places->count, (uint32_t)WARP_LANES);
    for (uint32_t k = 0; k < some; k++) leaves_add_run(k * places->length, places->length, s);
    s->count = places->count;
    s->longest = places->length;
    s->accesses *= (double)places->count / some;
    s->stages *= (double)places->count / some;
}

/* As long as even odds have it that none is longer. */
static double longest_of(const sort_subject_level *level, double most) {
    double low = 0, high = most, keys;
    if (sort_subject_longer(level, most, &keys) > log(2)) return most;
    for (unsigned k = 0; k < 32; k++) {
        const double middle = (low + high) / 2;
        if (sort_subject_longer(level, middle, &keys) > log(2))
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Buckets: those of more than t->above keys, as far as the launch sorts them. */
static void measure_buckets(const sort_leaves_table *t, const sort_subject *of, leaves *s) {
    const sort_subject_level *const level = &of->level[of->levels - 1];
    const double most = s->lanes * s->each, sorted = t->are_alike != NULL ? 1 - sort_subject_alike(of) : 1;
    for (unsigned k = 0; k < level->of.classes; k++) {
        const length_class c = level->of.of[k];
        const double ways = sort_subject_ways(level->bucket, level->ways, c.length), mean = c.length / ways,
                     samples = sort_subject_samples(level, c.length);
        double keys, less;
        const double part =
            random_no_longer(most / mean, samples, &keys) - random_no_longer(t->above / mean, samples, &less);
        s->count += sorted * part * c.count * ways;
        s->accesses += sorted * (keys - less) * c.count * c.length / WARP_LANES;
    }
    const double last = s->count, whole = s->accesses - last / 2;
    s->longest = longest_of(level, most);
    s->accesses += s->count / 2;
    s->stages = whole * random_run_groups(WARP_LANES, WARP_LANES) +
                last * random_run_groups(WARP_LANES / 2, WARP_LANES);
}

/* --------------------------------------------------------------------- sorts */

/* Warps of a team exchange registers in each of so many sorts: groups of two, four and eight of them merge. */
static void add_exchanges(expectation *e, const leaves *s, double sorts) {
    double calls = 0;
    for (uint32_t group = 2, steps = 1; group <= s->warps; group *= 2) calls += steps++;
    const double rounds = sorts * calls * s->each / 2, warps = s->count * s->warps * rounds;
    for (unsigned k = 0; calls > 0 && k < 4; k++)
        expect_shared(e, k < 2 ? PATTERN_WRITE : PATTERN_READ, rounds * s->turns, warps);
}

static void add_turned(expectation *e, const leaves *s) {
    const double warps = s->count * s->warps * s->each;
    add_exchanges(e, s, 1);
    expect_shared(e, PATTERN_WRITE, s->each * s->turns, warps);
    expect_shared(e, PATTERN_READ, s->each * s->turns, warps);
}

static void add_global(expectation *e, const leaves *s, double rounds) {
    expect_global(e, PATTERN_READ, rounds, s->accesses, s->stages / s->accesses);
    expect_global(e, PATTERN_WRITE, rounds, s->accesses, s->stages / s->accesses);
}

/* A team finds together which bits differ, and whether neighbours were exchanged. */
static void add_joins(expectation *e, const leaves *s, double joins) {
    if (s->warps == 1) return;
    expect_shared(e, PATTERN_WRITE, joins * s->turns, joins * s->count * s->warps);
    expect_shared(e, PATTERN_READ, joins * s->turns, joins * s->count * s->warps);
}

/* Bits of a place among so many (sort/kernels/leaves/sort_order.h). */
static double place_bits(double most) { return fmax(ceil(log2(most)), 8); }

/* Keys of a leaf of so many whose digit is that of the next one: digits are as many as bits are left beside a place. Half of the floats
 * have the uppermost exponent, of which all leave four bits less. */
static double ties_of(const sort_subject *of, const leaves *s, double length) {
    const double all = exp2(32 - place_bits(s->lanes * s->each)),
                 digits = of->values > 0 ? fmin(all, of->values) : all;
    if (of->is_float && of->values == 0) return length * length / 6 / (all / 16);
    return length - digits * (1 - pow(1 - 1 / digits, length));
}

/* The mean of the most that one of a warp's lanes has, of Poisson numbers with that mean. */
static double most_of_lanes(double mean) {
    double sum = 0, term = exp(-mean), below = term;
    for (unsigned k = 0; k < 4 * WARP_LANES && below < 1 - 1e-9; k++) {
        sum += 1 - pow(below, WARP_LANES);
        term *= mean / (k + 1);
        below += term;
    }
    return sum;
}

/* Each lane's ties in turn: places, and the keys there. Once more, if any are exchanged, which equal keys are not, and where three tie. */
static void add_ties(expectation *e, const sort_subject *of, const leaves *s, double length) {
    const double ties = ties_of(of, s, length), mean = ties / s->lanes;
    const double threes = ties * ties / length * 2 / 3,
                 mends = of->values > 0 ? 1 : 3 - pow(0.5, ties) - exp(-threes),
                 most = fmin(most_of_lanes(mean), s->each - 1.0),
                 lanes = fmin(fmax(WARP_LANES * mean / fmax(most, 1), 1), WARP_LANES);
    const double warps = s->count * s->warps * mends * most;
    const double meet = random_fullest_bank((unsigned)lanes, (uint64_t)fmax(length, 1), WARP_LANES, true);
    for (unsigned k = 0; ties > 0.1 && k < 4; k++)
        expect_add(e, PATTERN_SHARED, PATTERN_READ, mends * fmin(most + 1, s->each), warps, meet);
    if (mends > 1) add_joins(e, s, mends - 1);
}

/* The list of a selection ends with its bound, again and again. Equal ones tie, and are left alone; where places tell them apart, all are
 * exchanged until that has taken too long, and the order is made by all digits. The keys of a warp's lanes lie in one bank meanwhile. Lanes
 * that exchange more than others write in other turns, so that half of them meet. */
static void add_filled(expectation *e, const sort_subject *of, const leaves *s, double length) {
    const bool is_apart = of->filled_bits > 0;
    const double mends = is_apart ? SORT_MENDS : 1, rounds = mends * s->each, lanes = of->filled / s->each,
                 warps = ceil(lanes / WARP_LANES), meet = lanes / warps;
    for (unsigned k = 0; k < 4; k++)
        expect_add(e, PATTERN_SHARED, PATTERN_READ, rounds, rounds * warps, k < 2 ? 1 : meet);
    if (!is_apart) return;
    const double digits = ceil(of->filled_bits / (32 - place_bits(s->lanes * s->each))), own = digits * s->each,
                 rows = digits * ceil(length / s->lanes), all = digits * ceil(length / WARP_LANES);
    add_joins(e, s, mends - 1);
    for (unsigned k = 0; k < 2; k++) expect_add(e, PATTERN_SHARED, PATTERN_WRITE, rounds, rounds * warps, 1.5);
    add_exchanges(e, s, digits);
    for (unsigned k = 0; k < 2; k++) expect_shared(e, PATTERN_READ, rows, all);
    expect_shared(e, PATTERN_READ, own, all);
    expect_shared(e, PATTERN_WRITE, own, own * s->warps);
}

/* The last key of a warp and the first of the next one are compared whole. */
static void add_borders(expectation *e, const leaves *s) {
    const double borders = s->count * (s->warps - 1);
    for (unsigned k = 0; k < 4; k++) expect_shared(e, PATTERN_READ, s->turns, borders);
}

/* By their order: keys lie in shared memory, and are taken from anywhere in it. */
static void add_ordered(expectation *e, const sort_subject *of, const leaves *s, double rounds,
                        bool has_carried) {
    const double own = s->count * s->warps * s->each, length = s->accesses * WARP_LANES / s->count;
    const double meet = random_fullest_bank(WARP_LANES, (uint64_t)fmax(length, 1), WARP_LANES, true);
    expect_shared(e, PATTERN_WRITE, s->turns, s->count);
    for (unsigned k = 0; k < (s->carries ? 2U : 1U); k++) {
        expect_shared(e, PATTERN_WRITE, rounds, s->accesses);
        expect_add(e, PATTERN_SHARED, PATTERN_READ, rounds, s->accesses, meet);
    }
    expect_shared(e, PATTERN_READ, s->turns, s->count * s->warps);
    add_joins(e, s, 2);
    add_exchanges(e, s, 1);
    expect_shared(e, PATTERN_WRITE, s->each * s->turns, own);
    if (of->filled > 0)
        add_filled(e, of, s, length);
    else if (of->levels == 0)
        add_ties(e, of, s, length);
    add_borders(e, s);
    expect_shared(e, PATTERN_READ, rounds, s->accesses);
    if (has_carried) expect_global(e, PATTERN_READ, rounds, s->accesses, s->stages / s->accesses);
    if (s->carries) expect_global(e, PATTERN_WRITE, rounds, s->accesses, s->stages / s->accesses);
}

void leaves_expect_sorts(expectation *e, const sort_subject *of, const leaves *s, double rounds,
                         bool has_carried) {
    if (s->is_ordered)
        add_ordered(e, of, s, rounds, has_carried);
    else
        add_turned(e, s);
}

/* -------------------------------------------------------------------- launch */

/* Where buckets begin is read by each warp; teams take turns by a counter, which those of a block share. */
static void add_places(expectation *e, const sort_leaves_table *t, const leaves *s) {
    const double takes = ceil_div(t->leaves.count, t->turn), warps = takes * s->warps;
    if (t->leaves.begin == NULL) return;
    for (unsigned k = 0; k < 2; k++)
        expect_global(e, PATTERN_READ, s->takes, warps, 1 + (t->turn - 1.0) / WARP_LANES);
    if (t->are_alike != NULL) expect_global(e, PATTERN_READ, s->takes, warps, 1);
    if (t->turns == NULL) return;
    expect_global(e, PATTERN_WRITE, s->takes, takes, 1);
    if (s->warps == 1) return;
    expect_shared(e, PATTERN_WRITE, s->takes, takes);
    expect_shared(e, PATTERN_READ, s->takes, warps);
}

/* The machine runs blocks one after the other: the first warp takes all that is not the first of another. Rows of segments without a key,
 * the last ones, have no leaf. */
static void measure_turns(const launch *work, const sort_leaves_table *t, const sort_subject *of, leaves *s) {
    const uint32_t teams = work->block_x / s->lanes, all = work->grid * teams,
                   takes = ceil_div(t->leaves.count, t->turn);
    s->takes = t->turns != NULL && takes > all ? 1.0 + (takes - all) : 1;
    const sort_subject_level *const last = of->levels > 0 ? &of->level[of->levels - 1] : NULL;
    const double all_leaves = t->leaves.count, most = s->takes * t->turn,
                 none = last != NULL ? all_leaves * (1 - last->of.count / last->segments) : 0;
    const double own = fmax(s->takes > 1 ? most - none : most, 0) * s->count / (all_leaves - none);
    s->turns = fmin(most, ceil(s->takes > 1 ? own : own + sqrt(own)));
}

static leaves leaves_of(const launch *work, const sort_leaves_table *t, unsigned size) {
    const uint32_t warps = sort_leaf_warps(size), e = (uint32_t)work->elem_bytes;
    const bool carries = t->carried.to != NULL;
    return (leaves){.each = sort_leaf_each(size),
                    .warps = warps,
                    .lanes = warps * WARP_LANES,
                    .is_ordered = carries || e > 4,
                    .carries = carries};
}

static void describe(const launch *work, const sort_subject *of, unsigned size, pattern *out) {
    const sort_leaves_table *const t = &((const struct sort_leaves_arguments *)work->arguments)->table;
    leaves s = leaves_of(work, t, size);
    const bool is_even = of->levels == 0, is_known = t->leaves.begin == NULL && !s.is_ordered;
    expectation e = expect_begin(out, work->grid, is_known);
    if (tied_are_sorted(of))
        s.count = 0;
    else if (is_even)
        measure_even(&t->leaves, &s);
    else
        measure_buckets(t, of, &s);
    measure_turns(work, t, of, &s);
    add_places(&e, t, &s);
    const double ends =
        t->summed.each == 0 ? 1 : s.turns; /* a warp ends its sums so often: a turn is about a segment */
    for (unsigned k = 0; t->summed.record != NULL && k < 2; k++)
        expect_global(&e, PATTERN_WRITE, ends, ends * work->grid * (work->block_x / WARP_LANES), 1);
    if (s.count < 0.5) return;
    const double mean = s.accesses / s.count / s.warps,
                 rounds = ceil(s.longest / s.lanes) + (s.turns - 1) * ceil(mean);
    add_global(&e, &s, rounds);
    leaves_expect_sorts(&e, of, &s, rounds, s.carries && t->carried.from != NULL);
}

#define OF_SIZE(size)                                                                                          \
    void pattern_of_sort_leaves_##size(const launch *work, const void *subject, pattern *out) {                \
        describe(work, subject, size, out);                                                                    \
    }

OF_SIZE(0)
OF_SIZE(1)
OF_SIZE(2)
OF_SIZE(3)
OF_SIZE(4)
OF_SIZE(5)

/* Most leaves have keys, and are told where they begin beside each other; their first keys are apart. */
void pattern_of_sort_borders(const launch *work, const void *subject, pattern *out) {
    const sort_borders_table *const t = &((const struct sort_borders_arguments *)work->arguments)->table;
    const sort_subject *const of = subject;
    const double warps = ceil_div(t->leaves, WARP_LANES),
                 all = work->grid * (double)(work->block_x / WARP_LANES);
    double filled = t->leaves;
    if (of->levels > 0) filled *= of->level[of->levels - 1].of.count / of->level[of->levels - 1].segments;
    const double full = filled / WARP_LANES, lanes = fmin(filled / full, WARP_LANES);
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, warps, 1);
    expect_global(&e, PATTERN_READ, 1, warps, 1 + (WARP_LANES - 1.0) / WARP_LANES);
    expect_global(&e, PATTERN_READ, 1, full, 1); /* where the segment begins */
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_READ, 1, full, lanes);
    if (t->are_alike != NULL) expect_global(&e, PATTERN_READ, 1, full, 1);
    for (unsigned k = 0; k < 2; k++) {
        expect_shared(&e, PATTERN_WRITE, 1, all);
        expect_shared(&e, PATTERN_READ, 1, work->grid);
        expect_global(&e, PATTERN_WRITE, 1, work->grid, 1);
    }
}

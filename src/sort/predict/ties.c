/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of what long keys take beside their codes: which bits tell elements apart, and what ties by the first of them. Random keys do not tie by 64 bits,
 * so that lists of those which do are empty: the launches that sort them find that, and leave (tied.c).
 */
#include <math.h>

#include "base/arithmetic.h"
#include "sort/predict/patterns.h"
#include "sort/predict/rows.h"
#include "sort/predict/tied.h"

enum { WARPS = SORT_ROW_THREADS / WARP_LANES };

/* ------------------------------------------------------------- bits that differ */

/* Turns of a block, which the last may not have. */
static uint32_t turns_of(const launch *work, uint32_t n) {
    return ceil_div(n, work->grid * (uint32_t)SORT_ROW_TILE);
}

/* Warps that have an element in some turn: they read as many of the piece as all do, those behind the last the first one's. */
static double busy_turns(const launch *work, uint32_t n) {
    double sum = 0;
    for (uint32_t left = n, step = work->grid * (uint32_t)SORT_ROW_TILE; left > 0; left -= min(left, step)) {
        const uint32_t here = min(left, step), whole = here / SORT_ROW_TILE, rest = here % SORT_ROW_TILE;
        sum += whole * (double)WARPS + ceil_div(min(rest, (uint32_t)SORT_ROW_THREADS), (uint32_t)WARP_LANES);
    }
    return sum;
}

/* Each element once by words, and the first one again and again: by each turn, and for places that are none. */
static void add_differing(expectation *e, const launch *work, const sort_differ_table *t, double turns) {
    const uint32_t n = t->ranges.n, last = n % WARP_LANES, rounds = turns_of(work, n);
    const bool is_later =
        n % SORT_ROW_TILE > SORT_ROW_THREADS; /* a thread whose first place is none does nothing */
    for (uint32_t p = 0; p < t->rows.pieces.count; p++) {
        const key_piece *const piece = &t->rows.pieces.piece[p];
        const row_words words = row_words_of(&t->rows, piece);
        for (uint32_t k = 0; k < words.count; k++) {
            const uint32_t at = piece->offset + k * words.bytes;
            const double own =
                             floor(n / (double)WARP_LANES) * row_groups(&t->rows, at, words.bytes, WARP_LANES) +
                             (last > 0 ? row_groups(&t->rows, at, words.bytes, last) + (is_later ? 1 : 0) : 0),
                         none = turns * SORT_ROW_EACH - ceil(n / (double)WARP_LANES), all = own + none + turns;
            expect_global(e, PATTERN_READ, rounds * (SORT_ROW_EACH + 1.0), turns * (SORT_ROW_EACH + 1),
                          all / (turns * (SORT_ROW_EACH + 1)));
        }
    }
}

void pattern_of_sort_differ(const launch *work, const void *subject, pattern *out) {
    const sort_differ_table *const t = &((const struct sort_differ_arguments *)work->arguments)->table;
    const double warps = (double)work->grid * WARPS, pieces = t->rows.pieces.count,
                 turns = busy_turns(work, t->ranges.n), rounds = turns_of(work, t->ranges.n) * pieces,
                 own = SORT_ROW_THREADS / WARP_LANES;
    expectation e = expect_begin(out, work->grid, false);
    (void)subject;
    for (unsigned k = 0; t->ranges.begin != NULL && k < 2; k++) expect_global(&e, PATTERN_READ, 1, warps, 1);
    expect_shared(&e, PATTERN_WRITE, pieces, warps * pieces);
    add_differing(&e, work, t, turns);
    expect_shared(&e, PATTERN_READ, rounds, turns * pieces);
    expect_shared(&e, PATTERN_WRITE, rounds, turns * pieces);
    expect_shared(&e, PATTERN_READ, ceil(pieces / WARPS) * own, work->grid * pieces * own);
    expect_global(&e, PATTERN_WRITE, ceil(pieces / WARPS), work->grid * pieces, 1);
}

/* A lane a piece: bits of those before are counted, and its own moved together; a squeeze is 8 words. */
void pattern_of_sort_squeezes(const launch *work, const void *subject, pattern *out) {
    enum { WORDS = sizeof(sort_squeeze) / sizeof(uint64_t), PARTS = WORDS / 2 };
    const sort_squeezes_table *const t = &((const struct sort_squeezes_arguments *)work->arguments)->table;
    expectation e = expect_begin(out, work->grid, true);
    (void)subject;
    expect_global(&e, PATTERN_READ, t->pieces, t->pieces, 1);
    expect_global(&e, PATTERN_READ, 1, 1, 1);
    expect_global(&e, PATTERN_WRITE, PARTS, PARTS, ceil_div(t->pieces + 1, (uint32_t)(2 * WARP_LANES / WORDS)));
}

void pattern_of_sort_clear(const launch *work, const void *subject, pattern *out) {
    const double count = ((const struct sort_words_arguments *)work->arguments)->count;
    expectation e = expect_begin(out, work->grid, true);
    (void)subject;
    expect_global(&e, PATTERN_WRITE, ceil(count / work->block_x), ceil(count / WARP_LANES), 1);
}

/* ---------------------------------------------------------------- what ties */

/* The bits that differ are all, or those of floats from 0 to 1, whose exponents leave some. */
static bool is_on(const sort_round *round, const sort_subject *of) { return of->key_bits > round->skip; }

/* Rounds in which some thread has a place. */
static double places_of(uint32_t places, uint32_t step) {
    const uint32_t turns = ceil_div(places, step),
                   last = min(places - (turns - 1) * step, (uint32_t)SORT_ROW_TILE);
    return (turns - 1.0) * SORT_ROW_EACH + ceil_div(last, (uint32_t)SORT_ROW_THREADS);
}

/* Each code is compared with the one before it, and none ties. */
static void add_neighbours(expectation *e, const launch *work, const sort_ties_table *t) {
    const uint32_t n = t->ranges.n, flags = n / 4 * 4 + 8, step = work->grid * (uint32_t)SORT_ROW_TILE;
    const double rounds = places_of(flags, step), warps = ceil_div(n, (uint32_t)WARP_LANES),
                 written = ceil_div(flags, (uint32_t)WARP_LANES);
    for (unsigned k = 0; t->ranges.begin != NULL && k < 4; k++)
        expect_global(e, PATTERN_READ, rounds, warps, 1);
    expect_global(e, PATTERN_READ, rounds, warps, 1);
    expect_global(e, PATTERN_READ, rounds, warps, 2 - 1 / warps);
    expect_global(e, PATTERN_WRITE, rounds, written, 1);
}

void pattern_of_sort_ties(const launch *work, const void *subject, pattern *out) {
    const sort_ties_table *const t = &((const struct sort_ties_arguments *)work->arguments)->table;
    expectation e = expect_begin(out, work->grid, false);
    tied_begin(subject, false);
    for (unsigned k = 0; k < (t->place != NULL ? 2U : 1U); k++)
        expect_global(&e, PATTERN_READ, 1, (double)work->grid * WARPS, 1);
    if (t->place == NULL && is_on(&t->round, subject)) add_neighbours(&e, work, t);
}

static void add_sum(expectation *e, double blocks) {
    expect_shared(e, PATTERN_WRITE, 1, blocks * WARPS);
    expect_shared(e, PATTERN_READ, WARPS, blocks * WARPS * WARPS);
}

/* Four flags of a thread, and the one behind them. */
void pattern_of_sort_tie_counts(const launch *work, const void *subject, pattern *out) {
    const sort_tie_counts_table *const t = &((const struct sort_tie_counts_arguments *)work->arguments)->table;
    const double rounds = ceil(t->piece / (double)SORT_ROW_TILE), warps = ceil(t->n / (4.0 * WARP_LANES));
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, (double)work->grid * WARPS, 1);
    if (is_on(&t->round, subject)) {
        expect_global(&e, PATTERN_READ, rounds, warps, 1);
        expect_global(&e, PATTERN_READ, rounds, warps, 5);
    }
    for (unsigned k = 0; k < 2; k++) add_sum(&e, work->grid);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_WRITE, 1, work->grid, 1);
}

/* Each block finds that nothing of it ties. */
void pattern_of_sort_tie_codes(const launch *work, const void *subject, pattern *out) {
    expectation e = expect_begin(out, work->grid, false);
    tied_begin(subject, true);
    for (unsigned k = 0; k < 4; k++) expect_global(&e, PATTERN_READ, 1, (double)work->grid * WARPS, 1);
    expect_global(&e, PATTERN_WRITE, 1, 1, 1);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of elements which are no codes: codes made of them, as they lie, and elements moved in their order, which is any
 * where keys are random.
 */
#include "sort/predict/rows.h"

#include <math.h>

#include "models/random_access.h"
#include "sort/predict/patterns.h"

static double warps_of(double threads) { return ceil(threads / WARP_LANES); }

/* Each lane asks where the first segment begins and the last one ends. */
static void add_inside(expectation *e, const sort_ranges *all, double rounds, double warps) {
    for (unsigned k = 0; all->begin != NULL && k < 2; k++) expect_global(e, PATTERN_READ, rounds, warps, 1);
}

/* ----------------------------------------------------------- numbers of 1 and 2 bytes */

void pattern_of_sort_numbers(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_number_table *const t = &((const struct sort_number_arguments *)work->arguments)->table;
    const double warps = warps_of(t->ranges.n);
    expectation e = expect_begin(out, work->grid, true);
    add_inside(&e, &t->ranges, 1, warps);
    expect_global(&e, PATTERN_READ, 1, warps, 1);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

/* ---------------------------------------------------------------------- codes */

row_words row_words_of(const sort_rows *rows, const key_piece *piece) {
    const uint32_t odd = rows->elem_bytes | piece->offset | piece->bytes | 8, bytes = odd & (0 - odd);
    return (row_words){bytes, piece->bytes / bytes};
}

/* Elements lie from one address group of words to the next again and again: all warps meet as many. */
uint32_t row_groups(const sort_rows *rows, uint32_t at, uint32_t word, uint32_t lanes) {
    uint32_t groups = 0, last = UINT32_MAX;
    for (uint32_t k = 0; k < lanes; k++) {
        const uint32_t group = (k * rows->elem_bytes + at) / (word * WARP_LANES);
        groups += group != last ? 1 : 0;
        last = group;
    }
    return groups;
}

/* Lanes behind the last element read that one. */
static void add_piece(expectation *e, const launch *work, const sort_codes_table *t, const key_piece *piece) {
    const row_words words = row_words_of(&t->rows, piece);
    const uint64_t all = (uint64_t)work->grid * work->block_x * SORT_ROW_EACH / WARP_LANES;
    const uint32_t n = t->ranges.n, whole = n / WARP_LANES, last = n % WARP_LANES;
    double stages = 0;
    for (uint32_t k = 0; k < words.count; k++) {
        const uint32_t at = piece->offset + k * words.bytes;
        stages += (double)whole * row_groups(&t->rows, at, words.bytes, WARP_LANES) +
                  row_groups(&t->rows, at, words.bytes, last) + (double)(all - whole - (last > 0 ? 1 : 0));
    }
    expect_global(e, PATTERN_READ, SORT_ROW_EACH * words.count, (double)all * words.count,
                  stages / ((double)all * words.count));
}

/* All lanes read where a piece's bits go, of each until one is behind the code, and of those that it has which they are: all of them. */
static void add_squeezes(expectation *e, const launch *work, const sort_codes_table *t, uint32_t from,
                         uint32_t each) {
    const double all = (double)work->grid * work->block_x / WARP_LANES;
    double looked_at = 0, used = 0;
    for (uint32_t p = 0; t->squeezes != NULL && p < t->rows.pieces.count; p++) {
        const key_piece *const piece = &t->rows.pieces.piece[p];
        looked_at++;
        if (piece->at >= from + each) break;
        if (piece->at + piece->bytes > from) used++;
    }
    for (unsigned k = 0; k < 2; k++) expect_global(e, PATTERN_READ, looked_at, all * looked_at, 1);
    expect_global(e, PATTERN_READ, used, all * used, 1);
}

void pattern_of_sort_codes(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_codes_table *const t = &((const struct sort_codes_arguments *)work->arguments)->table;
    const uint32_t each = (uint32_t)work->elem_bytes < 8 ? 4 : 8;
    const double warps = warps_of(t->ranges.n),
                 rounds = fmin(SORT_ROW_EACH, ceil(t->ranges.n / (double)SORT_ROW_THREADS));
    expectation e = expect_begin(out, work->grid, true);
    for (uint32_t from = 0; from < work->elem_bytes; from += each) {
        for (uint32_t p = 0; p < t->rows.pieces.count; p++) {
            const key_piece *const piece = &t->rows.pieces.piece[p];
            if (piece->at < from + each && piece->at + piece->bytes > from) add_piece(&e, work, t, piece);
        }
        add_squeezes(&e, work, t, from, each);
    }
    add_inside(&e, &t->ranges, rounds, warps);
    expect_global(&e, PATTERN_WRITE, rounds, warps, 1);
}

/* ---------------------------------------------------------------------- moves */

double row_random_groups(double rows, double units, double all) {
    const bool is_even = fmod(WARP_LANES, units) == 0 || fmod(units, WARP_LANES) == 0;
    const double each = is_even ? fmax(units / WARP_LANES, 1) : random_run_groups(units, WARP_LANES),
                 groups = fmax(all * units / WARP_LANES, 1);
    return groups * (1 - pow(1 - 1 / groups, rows * each));
}

/* The first of each segment, which lie apart by a segment, or all. */
static double picked_groups(const sort_results *of, double units) {
    const double each = (double)of->count / of->ranges.segments, rows = WARP_LANES / units,
                 length = (double)of->ranges.n / of->ranges.segments;
    if (of->ranges.segments == 1 || each >= length) return 1;
    return fmin(1 + rows / each * fmin(length * units / WARP_LANES, 1), WARP_LANES);
}

/* Rows of a warp, each of which comes from anywhere in its segment: the warp's own, and a segment's more. */
static double shuffled_groups(const sort_results *of, double units) {
    const double segments = of->ranges.segments, length = of->ranges.n / segments, each = of->count / segments;
    if (fmod(units, WARP_LANES) == 0) return 1;
    const double rows = fmod(WARP_LANES, units) == 0 ? WARP_LANES / units : 1 + (WARP_LANES - 1) / units,
                 own = rows / each * length + length + WARP_LANES / units,
                 all = segments > 1 ? own : of->ranges.n;
    return fmin(row_random_groups(rows, fmin(units, WARP_LANES / rows),
                                  fmin(all, of->ranges.n) * units / WARP_LANES * rows),
                WARP_LANES);
}

/* A warp of one side's reads past what the other side has. */
static double side_groups(double share, double rows, double units) {
    const double apart = fmin(1 / share, 1e6),
                 groups = rows * apart * fmax(units / WARP_LANES, 1.0 / WARP_LANES);
    return 1 + groups * (1 - pow(1 - 1 / fmax(groups, 1), rows));
}

double row_parted_groups(double parted, double length, double units) {
    const double share = fmin(parted / length, 1), rows = fmax(WARP_LANES / units, 1);
    double groups = 0;
    if (share > 0) groups += share * side_groups(share, rows, units);
    if (share < 1) groups += (1 - share) * side_groups(1 - share, rows, units);
    return fmin(groups, WARP_LANES);
}

static double gathered_groups(const sort_results *of, const sort_subject *subject, double units) {
    if (of->order != NULL) return shuffled_groups(of, units);
    if (subject->parted > 0)
        return row_parted_groups(subject->parted, of->ranges.n / (double)of->ranges.segments, units);
    return picked_groups(of, units);
}

static void add_places(expectation *e, const sort_results *of, double rounds, double warps) {
    if (of->picks != NULL)
        expect_global(e, PATTERN_READ, rounds, warps, 1);
    else
        add_inside(e, &of->ranges, rounds, warps);
    if (of->order != NULL) expect_global(e, PATTERN_READ, rounds, warps, picked_groups(of, 1));
}

void pattern_of_sort_gather(const launch *work, const void *subject, pattern *out) {
    const sort_gather_table *const t = &((const struct sort_gather_arguments *)work->arguments)->table;
    const sort_results *const of = &t->results;
    const double warps = warps_of(of->count * (double)t->units),
                 rounds = fmin(SORT_ROW_EACH, ceil(of->count * (double)t->units / SORT_ROW_THREADS));
    expectation e = expect_begin(out, work->grid, false);
    add_places(&e, of, rounds, warps);
    expect_global(&e, PATTERN_READ, rounds, warps, gathered_groups(of, subject, (double)t->units));
    expect_global(&e, PATTERN_WRITE, rounds, warps, 1);
}

void pattern_of_sort_widen(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const sort_results *const t = &((const struct sort_widen_arguments *)work->arguments)->table;
    const double warps = warps_of(t->count);
    expectation e = expect_begin(out, work->grid, t->picks == NULL);
    add_places(&e, t, 1, warps);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of a level of k-partition: the kernels of src/sort/kernels/levels, of one array.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/kernels/kernel.h"
#include "sort/predict/patterns.h"
#include "sort/predict/tied.h"
#include "sort/predict/tiles.h"

/* ------------------------------------------------------------------- samples */

/* Samples that one of a block's warps compares with its own: those of its part before them, behind them, and among them. */
typedef struct compared {
    uint32_t before, behind, among;
} compared;

static compared compared_by(uint32_t part, uint32_t begin, uint32_t samples) {
    const uint32_t parts = SORT_SAMPLE_THREADS / WARP_LANES, rounds = ceil_div(samples, (uint32_t)SORT_AT_ONCE);
    const uint32_t first = part * rounds / parts * SORT_AT_ONCE,
                   last = (part + 1) * rounds / parts * SORT_AT_ONCE;
    const uint32_t end = begin + SORT_RANKED, low = max(first, begin), high = min(last, end);
    const uint32_t ahead = min(last, begin), later = max(first, end);
    return (compared){.before = first < ahead ? round_up(ahead - first, (uint32_t)SORT_AT_ONCE) : 0,
                      .behind = later < last ? round_up(last - later, (uint32_t)SORT_AT_ONCE) : 0,
                      .among = low < high ? high - low : 0};
}

static void add_comparisons(expectation *e, uint32_t blocks, uint32_t samples, uint32_t words) {
    uint64_t before = 0, behind = 0, among = 0;
    compared most = {0};
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t part = 0; part < SORT_SAMPLE_THREADS / WARP_LANES; part++) {
            const compared c = compared_by(part, b * SORT_RANKED, samples);
            before += c.before, behind += c.behind, among += c.among;
            most.before = max(most.before, c.before), most.behind = max(most.behind, c.behind);
            most.among = max(most.among, c.among);
        }
    expect_shared(e, PATTERN_READ, words * most.before, words * (double)before);
    expect_shared(e, PATTERN_READ, words * most.behind, words * (double)behind);
    expect_shared(e, PATTERN_READ, words * most.among, words * (double)among);
}

/* Splitters are written by who has one: a warp's samples have any ranks. */
static void add_splitters(expectation *e, uint32_t samples, uint32_t ways) {
    const double groups = ceil_div(samples, WARP_LANES), splitters = ways - 1.0;
    const double hit = 1 - pow(1 - splitters / samples, WARP_LANES);
    double stages = 0;
    for (double left = splitters; left > 0; left -= WARP_LANES)
        stages += 1 - pow(1 - fmin(left, WARP_LANES) / samples, WARP_LANES);
    expect_shared(e, PATTERN_READ, 1, groups * hit);
    expect_global(e, PATTERN_WRITE, 1, groups, stages);
}

void pattern_of_sort_ranks(const launch *work, const void *subject, pattern *out) {
    const sort_sample_table *const t = &((const struct sort_sample_arguments *)work->arguments)->table;
    if (tied_are_sorted(subject)) {
        tied_ranks(work, out);
        return;
    }
    const uint32_t n = t->segments.n, samples = min(t->samples, n), blocks = work->grid;
    const uint32_t all = blocks * (SORT_SAMPLE_THREADS / WARP_LANES), own = SORT_RANKED / WARP_LANES;
    const uint32_t words = work->elem_bytes > 8 ? 2 : 1; /* that a key is read and written by */
    const double drawn = blocks * (double)tile_warps(samples);
    expectation e = expect_begin(out, blocks, false);
    expect_global(&e, PATTERN_READ, ceil_div(samples, (uint32_t)SORT_SAMPLE_THREADS), drawn,
                  random_drawn_groups(WARP_LANES, (double)n / samples, WARP_LANES) * samples / WARP_LANES /
                      tile_warps(samples));
    expect_add(&e, PATTERN_SHARED, PATTERN_WRITE,
               words * ceil_div(samples + WARP_LANES, (uint32_t)SORT_SAMPLE_THREADS),
               words * blocks * (double)tile_warps(samples + WARP_LANES), words);
    expect_shared(&e, PATTERN_WRITE, 1, blocks * own);
    if (t->cursors != NULL)
        expect_global(&e, PATTERN_WRITE, ceil_div(t->row, (uint32_t)SORT_SAMPLE_THREADS), tile_warps(t->row),
                      1);
    expect_shared(&e, PATTERN_READ, own, (double)all * own);
    add_comparisons(&e, blocks, samples, words);
    expect_shared(&e, PATTERN_WRITE, own, (double)all * own);
    expect_shared(&e, PATTERN_READ, 1, tile_warps(samples));
    add_splitters(&e, samples, t->segments.ways);
}

/* -------------------------------------------------------------------- counts */

static expectation describe_count(const launch *work, const tiles *s, const sort_cuts *cuts, pattern *out) {
    const double rows = s->blocks * s->way_warps, rounds = ceil(s->ways / s->threads);
    expectation e = expect_begin(out, work->grid, false);
    tiles_add_piece(&e, s);
    tiles_add_segment(&e, &cuts->of, s->grid * (double)tile_warps(s->threads));
    tiles_add_guide(&e, s);
    tiles_add_search(&e, s, s->rounds);
    expect_shared(&e, PATTERN_WRITE, rounds, rows);
    expect_add(&e, PATTERN_SHARED, PATTERN_WRITE, s->rounds, s->keys, tile_conflicts(s->ways, false));
    expect_shared(&e, PATTERN_READ, rounds, rows);
    expect_global(&e, PATTERN_WRITE, rounds, rows, tile_row_groups(s->row, work->grid));
    return e;
}

/* Pieces' counts lie one behind the other; a segment's are one row. */
void pattern_of_sort_count(const launch *work, const void *subject, pattern *out) {
    const sort_tile_table *const t = &((const struct sort_tile_arguments *)work->arguments)->table;
    const tiles s = tiles_of(work, t, sort_count_tile((uint32_t)work->elem_bytes), false, subject);
    describe_count(work, &s, &t->cuts, out);
}

/* A block's sums go to its shared memory and from there to the record. */
static void add_sums(expectation *e, const tiles *s) {
    for (unsigned k = 0; k < 2; k++) {
        expect_shared(e, PATTERN_WRITE, 1, s->blocks * tile_warps(s->threads));
        expect_shared(e, PATTERN_READ, 1, s->blocks);
        expect_global(e, PATTERN_WRITE, 1, s->blocks, 1);
    }
}

void pattern_of_sort_summed_count(const launch *work, const void *subject, pattern *out) {
    const sort_tile_table *const t = &((const struct sort_tile_arguments *)work->arguments)->table;
    const tiles s = tiles_of(work, t, sort_count_tile((uint32_t)work->elem_bytes), false, subject);
    expectation e = describe_count(work, &s, &t->cuts, out);
    add_sums(&e, &s);
}

void pattern_of_sort_carry_count(const launch *work, const void *subject, pattern *out) {
    const sort_tile_table *const t = &((const struct sort_tile_arguments *)work->arguments)->table;
    if (tied_are_sorted(subject)) {
        tied_tile(work, t, out);
        return;
    }
    const tiles s = tiles_of(work, t, sort_count_tile((uint32_t)work->elem_bytes), true, subject);
    describe_count(work, &s, &t->cuts, out);
}

/* Sums over a block's threads: each warp reads those of all. */
static void add_sum(expectation *e, double blocks, uint32_t warps) {
    expect_shared(e, PATTERN_WRITE, 1, blocks * warps);
    expect_shared(e, PATTERN_READ, warps, blocks * warps * warps);
}

/* Warps of all segments that have a bucket each, with a splitter each, and times the segment's pieces. */
typedef struct offsets {
    double rows, compared, pieces, most_pieces;
} offsets;

static offsets offsets_of(const sort_cuts *cuts, const length_classes *of) {
    offsets out = {.rows = cuts->segments - of->count, .most_pieces = ceil(of->longest / cuts->piece)};
    for (unsigned k = 0; k < of->classes; k++) {
        const length_class *const c = &of->of[k];
        const uint32_t ways = sort_subject_ways(cuts->of.bucket, cuts->of.ways, c->length);
        out.rows += c->count * tile_warps(ways), out.compared += c->count * tile_warps(ways - 1);
        out.pieces += c->count * tile_warps(ways) * ceil(c->length / cuts->piece);
    }
    return out;
}

/* Each piece's counts become those of the pieces before: by this launch, unless one before has done it. */
static void add_pieces(expectation *e, const sort_offsets_table *t, const offsets *s) {
    const double each = t->is_summed ? 1 : tile_row_groups(t->row, t->are_cursors ? t->cuts.segments : 2);
    if (t->is_summed || t->are_cursors) {
        expect_global(e, PATTERN_READ, 1, s->rows, each);
        return;
    }
    for (unsigned k = 0; t->cuts.first_piece != NULL && k < 2; k++)
        expect_global(e, PATTERN_READ, 1, s->rows, 1);
    expect_global(e, PATTERN_READ, s->most_pieces, s->pieces, s->most_pieces > 1 ? each : 1);
    expect_global(e, PATTERN_WRITE, s->most_pieces, s->pieces, s->most_pieces > 1 ? each : 1);
}

void pattern_of_sort_offsets(const launch *work, const void *subject, pattern *out) {
    const sort_offsets_table *const t = &((const struct sort_offsets_arguments *)work->arguments)->table;
    if (tied_are_sorted(subject)) {
        tied_offsets(work, out);
        return;
    }
    const offsets s = offsets_of(&t->cuts, sort_subject_segments(subject, t->cuts.segments));
    const uint32_t segments = t->cuts.segments, warps = tile_warps(t->row);
    const double all = (double)segments * warps, row = tile_row_groups(t->row, segments);
    const double wide = t->key_words; /* a splitter's first word is read, and that of the one before */
    expectation e = expect_begin(out, segments, false);
    tiles_add_segment(&e, &t->cuts.of, all);
    if (t->cuts.of.is_alike != NULL) expect_global(&e, PATTERN_READ, 1, all, 1);
    expect_global(&e, PATTERN_READ, 1, s.compared, wide + row - 1);
    expect_global(&e, PATTERN_READ, 1, s.compared, (s.compared * (wide + 1) - segments) / fmax(s.compared, 1));
    add_pieces(&e, t, &s);
    add_sum(&e, segments, warps);
    for (unsigned k = 0; k < (t->are_cursors ? 3U : 2U); k++) expect_global(&e, PATTERN_WRITE, 1, all, row);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_WRITE, 1, 1, 1);
    if (t->next_first_piece == NULL) return;
    add_sum(&e, segments, warps);
    expect_global(&e, PATTERN_WRITE, 1, warps, 1);
    expect_global(&e, PATTERN_WRITE, 1, 1, 1);
}

/* A block has 32 buckets, each of its warps a part of the pieces. */
void pattern_of_sort_sums(const launch *work, const void *subject, pattern *out) {
    enum { WARPS = SORT_SUM_THREADS / WARP_LANES };
    const sort_sums_table *const t = &((const struct sort_sums_arguments *)work->arguments)->table;
    if (tied_are_sorted(subject)) {
        tied_sums(work, out);
        return;
    }
    const double pieces = ceil_div(t->cuts.of.n, t->cuts.piece), part = ceil(pieces / WARPS);
    const double blocks = tile_warps(t->cuts.of.ways), each = tile_row_groups(t->row, 2);
    expectation e = expect_begin(out, work->grid, false);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_READ, part, blocks * pieces, each);
    expect_global(&e, PATTERN_WRITE, part, blocks * pieces, each);
    expect_shared(&e, PATTERN_WRITE, 1, (double)work->grid * WARPS);
    expect_shared(&e, PATTERN_READ, WARPS - 1, work->grid * (double)(WARPS * (WARPS - 1) / 2));
    expect_global(&e, PATTERN_WRITE, 1, blocks, 1);
}

/* ---------------------------------------------------------------------- move */

/* Ranks begin where cursors are; starts are sums. Only buckets that have a key go on. */
static void add_starts(expectation *e, const tiles *s) {
    const uint32_t per = SORT_MOST_WAYS / s->threads, warps = tile_warps(s->threads);
    const double some = s->count * ceil_div(s->row, per * WARP_LANES) * per, rounds = per * s->turns;
    const double each = s->count * tile_warps(s->row) * per / some, used = s->way_warps / tile_warps(s->row);
    expect_shared(e, PATTERN_WRITE, s->turns * ceil_div(s->row, s->threads), s->count * tile_warps(s->row));
    expect_add(e, PATTERN_SHARED, PATTERN_READ, rounds, some, each);
    expect_add(e, PATTERN_GLOBAL, PATTERN_WRITE, rounds, some * used,
               each + tile_row_groups(s->row, s->segments) - 1);
    expect_shared(e, PATTERN_WRITE, s->turns, s->count * warps);
    expect_shared(e, PATTERN_READ, s->turns, s->count * (warps - 1.0));
    for (unsigned k = 0; k < 2; k++) expect_add(e, PATTERN_SHARED, PATTERN_WRITE, rounds, some, each);
}

void pattern_of_sort_move(const launch *work, const void *subject, pattern *out) {
    const sort_tile_table *const t = &((const struct sort_tile_arguments *)work->arguments)->table;
    const tiles s = tiles_of(work, t, sort_move_tile((uint32_t)work->elem_bytes), false, subject);
    expectation e = expect_begin(out, work->grid, false);
    tiles_add_piece(&e, &s);
    tiles_add_segment(&e, &t->cuts.of, s.grid * (double)tile_warps(s.threads));
    tiles_add_guide(&e, &s);
    tiles_add_search(&e, &s, s.rounds);
    expect_add(&e, PATTERN_SHARED, PATTERN_WRITE, s.rounds, s.keys, tile_conflicts(s.ways, false));
    add_starts(&e, &s);
    tiles_add_buckets(&e, &s);
    for (unsigned k = 0; k < 2; k++) tiles_add_staged(&e, &s, s.rounds);
    tiles_add_writes(&e, &s);
}

/* ------------------------------------------------------- move with what is carried */

/* Warps count by themselves: a pair of buckets has a word of each warp, which becomes that of the warps before. */
static void add_stable_ranks(expectation *e, const tiles *s) {
    const double warps = s->threads / WARP_LANES, pairs = s->count * tile_warps(s->row / 2);
    const double words = warps * (s->row / 2), each = pairs > 0 ? s->count * tile_warps(s->row) / pairs : 0;
    expect_shared(e, PATTERN_WRITE, s->turns * ceil(words / s->threads), s->count * ceil(words / WARP_LANES));
    for (unsigned k = 0; k < 2; k++) tiles_add_buckets(e, s);
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, s->each * s->turns, s->keys, tile_conflicts(s->ways, true));
    for (unsigned k = 0; k < 4; k++)
        expect_shared(e, k < 2 ? PATTERN_READ : PATTERN_WRITE, warps * s->turns, pairs * warps);
    expect_shared(e, PATTERN_WRITE, s->turns, s->count * warps);
    expect_shared(e, PATTERN_READ, s->turns, s->count * (warps - 1));
    for (unsigned k = 0; k < 2; k++) expect_add(e, PATTERN_SHARED, PATTERN_WRITE, s->turns, pairs, each);
}

/* Two buckets a thread: where a piece's keys of them go. */
static void add_begins(expectation *e, const tiles *s) {
    const double rows = s->blocks * 2.0 * ceil(s->ways / (2 * WARP_LANES)),
                 each = s->blocks * 2.0 * s->way_warps / rows;
    expect_global(e, PATTERN_READ, 2, rows, each * (tile_row_groups(s->row, s->segments) + 1) / 2);
    expect_global(e, PATTERN_READ, 2, rows, each * (tile_row_groups(s->row, s->blocks) + 1) / 2);
}

static expectation describe_carry(const launch *work, const sort_carry_table *t, const tiles *of,
                                  pattern *out) {
    const tiles s = *of;
    expectation e = expect_begin(out, work->grid, false);
    tiles_add_piece(&e, &s);
    tiles_add_segment(&e, &t->tile.cuts.of, s.grid * (double)tile_warps(s.threads));
    tiles_add_guide(&e, &s);
    add_begins(&e, &s);
    tiles_add_search(&e, &s, s.each * s.turns);
    add_stable_ranks(&e, &s);
    for (unsigned k = 0; k < 3; k++) tiles_add_staged(&e, &s, s.each * s.turns);
    if (t->carried.from != NULL) expect_global(&e, PATTERN_READ, s.each * s.turns, s.keys, s.groups);
    for (unsigned k = 0; k < 2; k++) tiles_add_writes(&e, &s);
    return e;
}

static tiles carried_tiles(const launch *work, const void *subject) {
    const sort_carry_table *const t = &((const struct sort_carry_arguments *)work->arguments)->table;
    return tiles_of(work, &t->tile, sort_move_tile((uint32_t)work->elem_bytes), true, subject);
}

void pattern_of_sort_carry(const launch *work, const void *subject, pattern *out) {
    const sort_carry_table *const t = &((const struct sort_carry_arguments *)work->arguments)->table;
    if (tied_are_sorted(subject)) {
        tied_tile(work, &t->tile, out);
        return;
    }
    const tiles s = carried_tiles(work, subject);
    describe_carry(work, t, &s, out);
}

void pattern_of_sort_summed_carry(const launch *work, const void *subject, pattern *out) {
    const tiles s = carried_tiles(work, subject);
    expectation e =
        describe_carry(work, &((const struct sort_carry_arguments *)work->arguments)->table, &s, out);
    add_sums(&e, &s);
}

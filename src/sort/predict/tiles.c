/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/predict/tiles.h"

#include <math.h>

#include "models/random_access.h"

double tile_conflicts(double cells, bool merges) {
    return random_fullest_bank(WARP_LANES, (uint64_t)fmax(round(cells), 1), WARP_LANES, merges);
}

/* ------------------------------------------------------------------ measures */

/* One segment: tiles are the array's, taken in turn, or of pieces of one length. */
static void measure_one(const launch *work, const sort_tile_table *t, uint32_t tile, bool has_pieces,
                        tiles *s) {
    const uint32_t n = t->cuts.of.n, piece = has_pieces ? min(t->cuts.piece, n) : tile;
    const uint32_t count = has_pieces ? work->grid * ceil_div(piece, tile) : ceil_div(n, tile);
    const uint32_t blocks = min(work->grid, count);
    s->blocks = blocks, s->count = count;
    s->turns = ceil_div(count, blocks);
    const uint32_t last = has_pieces ? piece - (s->turns - 1) * tile : min(n, tile);
    s->rounds = (s->turns - 1) * s->each + ceil_div(last, s->threads);
    s->n = n, s->keys = ceil_div(n, WARP_LANES);
    s->groups = piece % WARP_LANES != 0 && blocks > 1 ? random_run_groups(WARP_LANES, WARP_LANES) : 1;
    s->ways = t->cuts.of.ways, s->way_warps = tile_warps(t->cuts.of.ways), s->levels = t->splitters.levels;
}

/* A segment's pieces but the last are whole; it begins and ends anywhere. */
static void measure_class(const sort_tile_table *t, uint32_t tile, const length_class *c, tiles *s) {
    const double piece = t->cuts.piece, whole = floor(c->length / piece), rest = c->length - whole * piece;
    const double blocks = c->count * (whole + (rest > 0 ? 1 : 0));
    const uint32_t ways = sort_subject_ways(t->cuts.of.bucket, t->cuts.of.ways, c->length);
    s->blocks += blocks;
    s->count += c->count * (whole * ceil(piece / tile) + ceil(rest / tile));
    s->n += c->count * c->length;
    s->keys += c->count * (whole * ceil(piece / WARP_LANES) + (rest > 0 ? rest / WARP_LANES + 0.5 : 0));
    s->ways += blocks * ways, s->way_warps += blocks * tile_warps(ways);
    s->levels += blocks * ceil(log2(ways));
}

static void measure_segments(const sort_tile_table *t, uint32_t tile, const length_classes *of, tiles *s) {
    const uint32_t most = (uint32_t)ceil(fmin(of->longest, t->cuts.piece));
    for (unsigned k = 0; k < of->classes; k++) measure_class(t, tile, &of->of[k], s);
    s->ways /= s->blocks, s->way_warps /= s->blocks, s->levels /= s->blocks;
    s->turns = ceil_div(most, tile);
    s->rounds = (s->turns - 1) * s->each + ceil_div(most - (s->turns - 1) * tile, s->threads);
    s->groups = random_run_groups(WARP_LANES, WARP_LANES);
    s->segments = t->cuts.segments;
}

tiles tiles_of(const launch *work, const sort_tile_table *t, uint32_t tile, bool has_pieces,
               const sort_subject *subject) {
    tiles s = {.row = t->splitters.row,
               .cell_bits = t->splitters.cell_bits,
               .threads = work->block_x,
               .each = tile / work->block_x,
               .grid = work->grid};
    if (t->cuts.first_piece == NULL)
        measure_one(work, t, tile, has_pieces, &s);
    else
        measure_segments(t, tile, sort_subject_segments(subject, t->cuts.segments), &s);
    return s;
}

/* -------------------------------------------------------------------- pieces */

/* A warp asks where 32 segments begin, evenly apart, until one is left. */
void tiles_add_piece(expectation *e, const tiles *s) {
    const double warps = s->grid * (double)tile_warps(s->threads);
    if (s->segments == 0) return;
    for (uint32_t left = s->segments; left > 1;) {
        const uint32_t step = ceil_div(left, WARP_LANES), lanes = ceil_div(left, step);
        expect_global(e, PATTERN_READ, 1, warps,
                      fmin(lanes, random_run_groups((double)(lanes - 1) * step + 1, WARP_LANES)));
        left = step;
    }
    expect_global(e, PATTERN_READ, 1, warps, 1);
}

void tiles_add_segment(expectation *e, const sort_segments *of, double warps) {
    for (unsigned k = 0; of->begin != NULL && k < 2; k++) expect_global(e, PATTERN_READ, 1, warps, 1);
    if (of->is_alike != NULL) expect_global(e, PATTERN_READ, 1, warps, 1);
}

/* --------------------------------------------------------------------- guide */

/* Neighbouring splitters in one cell of logarithms: octave after octave half of those that are left are in as many cells. */
static double ties_of(const tiles *s, double *groups) {
    double ties = 0, left = s->ways - 1, cells = (double)(1U << s->cell_bits) / WARP_LANES;
    *groups = 0;
    for (; left / 2 > cells; left /= 2) {
        ties += left / 2 - cells;
        *groups += left / 2 / WARP_LANES;
    }
    return ties;
}

/* Warps that read, of a step of the bisection, on both sides of a border where splitters 32 apart meet in a bank. */
static double crossings(const tiles *s) {
    double sum = 0;
    for (uint32_t step = (uint32_t)exp2(round(s->levels)) >> 2; step >= WARP_LANES / 2; step /= 2)
        if (s->ways - 1 > step) sum += floor((s->ways - 1 - step) / (2 * step));
    return sum;
}

static void add_cells(expectation *e, const tiles *s) {
    enum { EACH = 4 };
    const uint32_t threads = (1U << s->cell_bits) / EACH, passes = ceil_div(threads, s->threads);
    const double warps = s->blocks * tile_warps(threads), reads = s->levels * (EACH + 1.0);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, reads * passes, warps * reads,
               1 + crossings(s) * (EACH + 1) * s->blocks / fmax(warps * reads, 1));
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, EACH * passes, EACH * warps, EACH);
}

void tiles_add_guide(expectation *e, const tiles *s) {
    const double entries = exp2(s->levels), rounds = ceil(entries / s->threads);
    const double splitters = s->blocks * ceil((s->ways - 1) / WARP_LANES),
                 all = s->blocks * ceil(entries / WARP_LANES);
    double tied;
    const double ties = ties_of(s, &tied);
    expect_shared(e, PATTERN_WRITE, 1, s->blocks);
    expect_global(e, PATTERN_READ, rounds, splitters, tile_row_groups(s->row, s->segments));
    expect_shared(e, PATTERN_WRITE, rounds, all);
    for (unsigned k = 0; k < 2; k++) /* the first and the last, and how many tie in each scale */
        expect_shared(e, PATTERN_READ, 2, s->blocks * 2.0 * tile_warps(s->threads));
    expect_shared(e, PATTERN_READ, rounds, splitters);
    expect_shared(e, PATTERN_WRITE, rounds, splitters);
    expect_shared(e, PATTERN_READ, rounds, s->blocks * ceil((s->ways - 2) / WARP_LANES));
    if (ties > 0) expect_add(e, PATTERN_SHARED, PATTERN_WRITE, rounds, s->blocks, ties);
    add_cells(e, s);
}

/* -------------------------------------------------------------------- search */

/* Keys are read, and looked up in the guide: lanes behind the last key ask for the last cell. */
void tiles_add_search(expectation *e, const tiles *s, uint32_t rounds) {
    const double all = tiles_reads(s), meet = tile_conflicts((1U << s->cell_bits) - 2, true);
    expect_global(e, PATTERN_READ, rounds, s->keys, s->groups);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, s->each * s->turns, all,
               (s->keys * meet + all - s->keys) / all);
}

/* In a row of 32 staged keys there are runs of a few buckets, each from any cell on. */
static double run_groups(const tiles *s) {
    const double run = s->n / s->count / s->ways, runs = fmin(1 + (WARP_LANES - 1) / run, WARP_LANES);
    return runs + (WARP_LANES - runs) / WARP_LANES;
}

void tiles_add_writes(expectation *e, const tiles *s) {
    const double rounds = s->each * s->turns;
    for (unsigned k = 0; k < 3; k++) expect_shared(e, PATTERN_READ, rounds, tiles_reads(s));
    expect_global(e, PATTERN_WRITE, s->rounds, s->keys, run_groups(s));
}

void tiles_add_staged(expectation *e, const tiles *s, uint32_t rounds) {
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, rounds, s->keys,
               tile_conflicts((double)s->each * s->threads, false));
}

void tiles_add_buckets(expectation *e, const tiles *s) {
    const double all = tiles_reads(s);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, s->each * s->turns, all,
               (s->keys * tile_conflicts(s->ways, true) + all - s->keys) / all);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/predict/tiles.h"

#include <math.h>

#include "models/random_access.h"

double tile_conflicts(uint64_t cells, bool merges) {
    return random_fullest_bank(WARP_LANES, cells, WARP_LANES, merges);
}

tiles tiles_of(const launch *work, const sort_tile_table *t, uint32_t tile, bool has_pieces) {
    const uint32_t n = t->cuts.of.n, piece = has_pieces ? min(t->cuts.piece, n) : tile;
    const uint32_t count = has_pieces ? work->grid * ceil_div(piece, tile) : ceil_div(n, tile);
    const uint32_t blocks = min(work->grid, count), turns = ceil_div(count, blocks), threads = work->block_x;
    const uint32_t last = has_pieces ? piece - (turns - 1) * tile : min(n, tile);
    return (tiles){.n = n,
                   .ways = t->cuts.of.ways,
                   .row = t->splitters.row,
                   .levels = t->splitters.levels,
                   .cell_bits = t->splitters.cell_bits,
                   .threads = threads,
                   .each = tile / threads,
                   .blocks = blocks,
                   .count = count,
                   .turns = turns,
                   .rounds = (turns - 1) * (tile / threads) + ceil_div(last, threads)};
}

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
    for (uint32_t step = 1U << s->levels >> 2; step >= WARP_LANES / 2; step /= 2)
        if (s->ways - 1 > step) sum += (s->ways - 1 - step) / (2 * step);
    return sum;
}

static void add_cells(expectation *e, const tiles *s) {
    enum { EACH = 4 };
    const uint32_t threads = (1U << s->cell_bits) / EACH, passes = ceil_div(threads, s->threads);
    const double warps = s->blocks * (double)tile_warps(threads), reads = s->levels * (EACH + 1.0);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, reads * passes, warps * reads,
               1 + crossings(s) * (EACH + 1) * s->blocks / fmax(warps * reads, 1));
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, EACH * passes, EACH * warps, EACH);
}

void tiles_add_guide(expectation *e, const tiles *s) {
    const uint32_t splitters = s->ways - 1;
    const double rounds = ceil_div(1U << s->levels, s->threads);
    double tied;
    const double ties = ties_of(s, &tied);
    expect_shared(e, PATTERN_WRITE, 1, s->blocks);
    expect_global(e, PATTERN_READ, rounds, s->blocks * (double)tile_warps(splitters), 1);
    expect_shared(e, PATTERN_WRITE, rounds, s->blocks * (double)tile_warps(1U << s->levels));
    expect_shared(e, PATTERN_READ, 2, s->blocks * 2.0 * tile_warps(s->threads));
    expect_shared(e, PATTERN_READ, rounds, s->blocks * (double)tile_warps(splitters));
    expect_shared(e, PATTERN_WRITE, rounds, s->blocks * (double)tile_warps(splitters));
    expect_shared(e, PATTERN_READ, rounds, s->blocks * (double)tile_warps(splitters - 1));
    if (ties > 0) expect_add(e, PATTERN_SHARED, PATTERN_WRITE, rounds, s->blocks, ties);
    add_cells(e, s);
}

/* Keys are read, and looked up in the guide: lanes behind the last key ask for the last cell. */
void tiles_add_search(expectation *e, const tiles *s, uint32_t rounds) {
    const double keys = ceil_div(s->n, WARP_LANES), all = (double)s->count * s->each * tile_warps(s->threads);
    const double meet = tile_conflicts((1U << s->cell_bits) - 2, true);
    expect_global(e, PATTERN_READ, rounds, keys, 1);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, s->each * s->turns, all, (keys * meet + all - keys) / all);
}

/* In a row of 32 staged keys there are runs of a few buckets, each from any cell on. */
static double run_groups(const tiles *s) {
    const double run = (double)s->n / s->count / s->ways, runs = fmin(1 + (WARP_LANES - 1) / run, WARP_LANES);
    return runs + (WARP_LANES - runs) / WARP_LANES;
}

void tiles_add_writes(expectation *e, const tiles *s) {
    const double keys = ceil_div(s->n, WARP_LANES), rounds = s->each * s->turns;
    for (unsigned k = 0; k < 3; k++) expect_shared(e, PATTERN_READ, rounds, tiles_reads(s));
    expect_global(e, PATTERN_WRITE, s->rounds, keys, run_groups(s));
}

void tiles_add_staged(expectation *e, const tiles *s) {
    expect_add(e, PATTERN_SHARED, PATTERN_WRITE, s->each * s->turns, ceil_div(s->n, WARP_LANES),
               tile_conflicts((uint64_t)s->each * s->threads, false));
}

void tiles_add_buckets(expectation *e, const tiles *s) {
    const double keys = ceil_div(s->n, WARP_LANES), all = tiles_reads(s);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, s->each * s->turns, all,
               (keys * tile_conflicts(s->ways, true) + all - keys) / all);
}

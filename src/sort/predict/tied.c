/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/predict/tied.h"

#include "sort/predict/tiles.h"

static double warps_of(const launch *work) { return (double)work->grid * work->block_x / WARP_LANES; }

/* Keys behind the last, of which a warp's samples are none. */
void tied_ranks(const launch *work, pattern *out) {
    const sort_sample_table *const t = &((const struct sort_sample_arguments *)work->arguments)->table;
    const double own = SORT_RANKED / WARP_LANES, all = warps_of(work), words = work->elem_bytes > 8 ? 2 : 1;
    expectation e = expect_begin(out, work->grid, false);
    tiles_add_segment(&e, &t->segments, all);
    expect_add(&e, PATTERN_SHARED, PATTERN_WRITE, words, words * work->grid, words);
    expect_shared(&e, PATTERN_WRITE, 1, work->grid * own);
    expect_shared(&e, PATTERN_READ, own, all * own);
    expect_shared(&e, PATTERN_WRITE, own, all * own);
}

void tied_sample(const launch *work, pattern *out) {
    const sort_sample_table *const t = &((const struct sort_sample_arguments *)work->arguments)->table;
    expectation e = expect_begin(out, work->grid, false);
    tiles_add_segment(&e, &t->segments, warps_of(work));
}

/* Blocks look for their piece, and there is none. */
void tied_tile(const launch *work, const sort_tile_table *t, pattern *out) {
    const tiles none = {.threads = work->block_x, .grid = work->grid, .segments = t->cuts.segments};
    expectation e = expect_begin(out, work->grid, false);
    tiles_add_piece(&e, &none);
    tiles_add_segment(&e, &t->cuts.of, warps_of(work));
}

/* One bucket has a sum, of no pieces. */
void tied_sums(const launch *work, pattern *out) {
    enum { WARPS = SORT_SUM_THREADS / WARP_LANES };
    const sort_sums_table *const t = &((const struct sort_sums_arguments *)work->arguments)->table;
    const double all = warps_of(work);
    expectation e = expect_begin(out, work->grid, false);
    expect_global(&e, PATTERN_READ, 1, all, 1);
    tiles_add_segment(&e, &t->cuts.of, all);
    expect_shared(&e, PATTERN_WRITE, 1, all);
    expect_shared(&e, PATTERN_READ, WARPS - 1, work->grid * (double)(WARPS * (WARPS - 1) / 2));
    expect_global(&e, PATTERN_WRITE, 1, 1, 1);
}

/* A segment of nothing has one bucket, which no splitter is beside. */
void tied_offsets(const launch *work, pattern *out) {
    const sort_offsets_table *const t = &((const struct sort_offsets_arguments *)work->arguments)->table;
    const double segments = work->grid, warps = tile_warps(t->row), all = segments * warps,
                 row = tile_row_groups(t->row, segments);
    expectation e = expect_begin(out, work->grid, false);
    tiles_add_segment(&e, &t->cuts.of, all);
    if (t->cuts.of.is_alike != NULL) expect_global(&e, PATTERN_READ, 1, all, 1);
    for (unsigned k = 0; k < (t->is_summed ? 1U : 2U); k++) expect_global(&e, PATTERN_READ, 1, segments, 1);
    expect_shared(&e, PATTERN_WRITE, 1, all);
    expect_shared(&e, PATTERN_READ, warps, all * warps);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_WRITE, 1, all, row);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_WRITE, 1, 1, 1);
}

void tied_short(const launch *work, pattern *out) {
    expectation e = expect_begin(out, work->grid, false);
    for (unsigned k = 0; k < 2; k++) expect_global(&e, PATTERN_READ, 1, 1, 1);
}

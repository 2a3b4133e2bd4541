/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of what many segments take beside a level's other launches: a sample each, pieces, and the window of what is asked
 * for.
 */
#include <math.h>

#include "models/random_access.h"
#include "sort/predict/patterns.h"
#include "sort/predict/tied.h"
#include "sort/predict/tiles.h"

/* ------------------------------------------------------------------- samples */

/* A block's warps exchange all registers, in groups of two, four, ... 32 of them; long keys are read by halves. */
static void add_block_sort(expectation *e, double blocks, uint32_t each, uint32_t words) {
    enum { WARPS = SORT_SAMPLE_THREADS / WARP_LANES };
    uint32_t calls = 0;
    for (uint32_t group = 2, steps = 1; group <= WARPS; group *= 2) calls += steps++;
    const double rounds = calls * each, warps = blocks * WARPS * rounds;
    expect_shared(e, PATTERN_WRITE, rounds, warps);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, rounds * words, warps * words, words);
}

/* Splitters of a segment, which lie evenly in the samples of its warps, `each` of a lane. */
static double add_splitters(expectation *e, const length_classes *of, const sort_sample_table *t,
                            uint32_t each) {
    double warps = 0, stages = 0, read = 0;
    for (unsigned k = 0; k < of->classes; k++) {
        const length_class *const c = &of->of[k];
        const double samples = fmin(t->samples, c->length),
                     splitters = sort_subject_ways(t->segments.bucket, t->segments.ways, c->length) - 1.0;
        const double lanes = each * WARP_LANES, own = splitters * lanes / samples;
        const double hit = own < 1 ? own : each * (1 - pow(1 - 1.0 / each, own));
        warps += c->count * samples / lanes * hit;
        stages += c->count * samples / lanes * hit * random_run_groups(fmax(own, 1), WARP_LANES);
        if (splitters > 0) read += c->count * ceil(samples / WARP_LANES);
    }
    expect_global(e, PATTERN_WRITE, each, warps, stages / warps);
    return read;
}

static void describe_sample(const launch *work, const sort_subject *subject, unsigned size, pattern *out) {
    enum { WARPS = SORT_SAMPLE_THREADS / WARP_LANES };
    const sort_sample_table *const t = &((const struct sort_sample_arguments *)work->arguments)->table;
    if (tied_are_sorted(subject)) {
        tied_sample(work, out);
        return;
    }
    const length_classes *const of = sort_subject_segments(subject, work->grid);
    const uint32_t each = sort_sample_each(size), words = work->elem_bytes > 8 ? 2 : 1, row = t->row;
    const double samples = fmin(t->samples, of->mean);
    expectation e = expect_begin(out, work->grid, false);
    tiles_add_segment(&e, &t->segments, (double)work->grid * WARPS);
    if (t->cursors != NULL)
        expect_global(&e, PATTERN_WRITE, 1, (double)work->grid * tile_warps(row),
                      tile_row_groups(row, work->grid));
    const double read = add_splitters(&e, of, t, each);
    expect_global(&e, PATTERN_READ, ceil(samples / SORT_SAMPLE_THREADS), read,
                  random_drawn_groups(WARP_LANES, of->mean / samples, WARP_LANES));
    add_block_sort(&e, of->count, each, words);
}

#define OF_SIZE(size)                                                                                          \
    void pattern_of_sort_sample_##size(const launch *work, const void *subject, pattern *out) {                \
        describe_sample(work, subject, size, out);                                                             \
    }

OF_SIZE(0)
OF_SIZE(1)
OF_SIZE(2)

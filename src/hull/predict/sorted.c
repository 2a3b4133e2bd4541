/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of the steps that find the hull of more candidates than one block has room for: they are halved between both sides, sorted in tiles and
 * merged four by four, and hulls of tiles are joined by twos (hull/kernels/sorted/sorted.h). All is told in closed form, by numbers that were
 * counted of 6,000 and 12,000 points of a circle, where no candidate is thrown away. A kind of step is one round of them all.
 */
#include <math.h>

#include "hull/gpu/steps/steps_kernel.h"
#include "hull/predict/patterns.h"

/* All warps of the launch in a step, and what each candidate and each tile adds to it. */
typedef struct sorted_step {
    pattern_space space;
    pattern_op op;
    double rounds, warp, candidate, tile;
} sorted_step;

enum { ONCE, MERGES, JOINS, KINDS };

static const sorted_step once[] = {
    /* the ends, which are on which side, and candidates taken to theirs */
    {PATTERN_GLOBAL, PATTERN_READ, 30, 5.4, 0.1, 0},
    {PATTERN_GLOBAL, PATTERN_WRITE, 28, 0.07, 0.2, 0},
    {PATTERN_SHARED, PATTERN_READ, 231, 24.6, 0.03, 0},
    {PATTERN_SHARED, PATTERN_WRITE, 32, 1.2, 0.01, 0},
    /* tiles sorted */
    {PATTERN_GLOBAL, PATTERN_READ, 11, 2.1, 0.07, 0},
    {PATTERN_GLOBAL, PATTERN_WRITE, 2, 0, 0.07, 0},
    {PATTERN_SHARED, PATTERN_READ, 442, 0, 0, 34180},
    {PATTERN_SHARED, PATTERN_WRITE, 450, 0, 0, 24500},
    /* the hull of each tile, and results */
    {PATTERN_GLOBAL, PATTERN_READ, 18, 2.6, 0.5, 0},
    {PATTERN_GLOBAL, PATTERN_WRITE, 5, 0, 0.06, 0},
    {PATTERN_SHARED, PATTERN_READ, 930, 0, 0, 22500},
    {PATTERN_SHARED, PATTERN_WRITE, 54, 0, 0, 555}};
static const sorted_step merge[] = {{PATTERN_GLOBAL, PATTERN_READ, 57, 2.15, 1.7, 0},
                                    {PATTERN_GLOBAL, PATTERN_WRITE, 8, 0, 1.6, 0}};
static const sorted_step join[] = {{PATTERN_GLOBAL, PATTERN_READ, 66, 4.3, 1.5, 0},
                                   {PATTERN_GLOBAL, PATTERN_WRITE, 5, 0, 0.04, 0},
                                   {PATTERN_SHARED, PATTERN_READ, 9, 0, 0.04, 0},
                                   {PATTERN_SHARED, PATTERN_WRITE, 9, 0, 0.02, 0}};

static void add(expectation *e, const sorted_step *all, size_t count, double times, double warps,
                double candidates, double tiles) {
    for (size_t k = 0; k < count && times > 0; k++) {
        const double stages = all[k].warp * warps + all[k].candidate * candidates + all[k].tile * tiles;
        expect_add(e, all[k].space, all[k].op, times * all[k].rounds, times * stages, 1);
    }
}

void hull_expect_sorted(expectation *e, double warps, double tile, double candidates) {
    const double tiles = ceil(candidates / HULL_SIDES / tile), levels = ceil(log2(tiles)),
                 merges = ceil(log2(tiles) / log2(HULL_FAN)), all = HULL_SIDES * tiles;
    add(e, once, sizeof once / sizeof *once, 1, warps, candidates, all);
    add(e, merge, sizeof merge / sizeof *merge, merges, warps, candidates, all);
    add(e, join, sizeof join / sizeof *join, levels, warps, candidates, all);
}

static riffle_status describe(const launch *work, hull_trial *trial, pattern *out) {
    const hull_sorted_table *const t = &((const struct hull_sorted_arguments *)work->arguments)->table;
    expectation e = expect_begin(out, work->grid, false);
    if (trial->many > 0)
        hull_expect_sorted(&e, (double)work->grid * work->block_x / WARP_LANES, t->tile, trial->listed[2]);
    return RIFFLE_OK;
}

/* Few candidates are done by one block before, and then there is no step. */
void pattern_of_hull_sorted(const launch *work, const void *subject, pattern *out) {
    const hull_subject *const of = subject;
    bool is_any = false;
    hull_mean(work, subject, describe, out);
    for (unsigned k = 0; k < HULL_TRIALS; k++) is_any |= of->trials[k] != NULL && of->trials[k]->many > 0;
    out->has_no_step = !is_any;
}

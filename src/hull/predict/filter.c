/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of the launch that reads all points of a large set (hull/kernels/hull_filter.cu), in closed form: each point stays
 * with the same probability, and points fall into cells of the sieve at random.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "device/predict/expect.h"
#include "hull/predict/patterns.h"
#include "models/random_access.h"

/* The mean of the greatest of so many numbers of Poisson's distribution. */
static double greatest(double mean, double count) {
    double term = exp(-mean), below = term, sum = 0;
    for (unsigned k = 1; k < 2000 + 4 * (unsigned)mean; k++) {
        const double beyond = 1 - pow(fmin(below, 1), count);
        sum += beyond;
        if (beyond < 1e-9 && k > mean) break;
        term *= mean / k, below += term;
    }
    return sum;
}

/* The mean of a number of Poisson's distribution over `unit`, rounded up. */
static double units(double mean, unsigned unit) {
    double term = exp(-mean), below = term, sum = 0;
    for (unsigned k = 1; k < 2000 + 4 * (unsigned)mean; k++) {
        if ((k - 1) % unit == 0) sum += fmax(1 - below, 0);
        term *= mean / k, below += term;
    }
    return sum;
}

/* The launch, and what is kept. */
typedef struct filter {
    const hull_table *t;
    double n, warps, blocks; /* points; warps of a block; blocks */
    double points, turns;    /* a thread's at once, and a block's tiles, one after the other */
    double kept;             /* the part that stays */
} filter;

/* ---------------------------------------------------------------------- beginning */

enum { SIEVE_WARPS = 65 }; /* that have a stretch to fetch */

static void add_beginning(expectation *e, const filter *f) {
    const double rounds = ceil((HULL_CELLS + 2) / (f->warps * WARP_LANES)), all = f->blocks * f->warps;
    for (unsigned k = 0; k < 4; k++) expect_global(e, PATTERN_READ, 1, all, 1); /* the scale */
    for (unsigned side = 0; side < 2; side++) {
        const double apart = side == 0 ? 2 : 0; /* the ends, which have no cell */
        expect_global(e, PATTERN_READ, rounds, f->blocks * SIEVE_WARPS, (2.0 * SIEVE_WARPS - 1) / SIEVE_WARPS);
        expect_add(e, PATTERN_SHARED, PATTERN_WRITE, rounds + apart, f->blocks * (SIEVE_WARPS + apart),
                   (2.0 * SIEVE_WARPS - 1 + apart) / (SIEVE_WARPS + apart));
    }
    expect_shared(e, PATTERN_WRITE, 1, f->blocks);
    for (unsigned k = 0; k < 2; k++) expect_global(e, PATTERN_READ, 1, all, 1); /* how many corners there are */
}

/* --------------------------------------------------------------------- reading */

/* The mean of what a warp's points cost in the sieve, both sides of a cell lying side by side. */
static double conflicts_of(const hull_trial *trial, const pattern *out) {
    enum { WARPS = 256 };
    pattern drawn;
    pattern_begin(&drawn, out->machine, 1, UINT64_MAX);
    pattern_declare(&drawn, 0, PATTERN_SHARED, PATTERN_READ, sizeof(float));
    for (unsigned warp = 0; warp < WARPS; warp++) {
        pattern_lanes lanes = {0};
        for (unsigned k = 0; k < WARP_LANES; k++) {
            const uint32_t cell =
                hull_trial_cell(&trial->scale[0], hull_drawn(&trial->draw, warp * WARP_LANES + k).x);
            pattern_lane(&lanes, (cell + 1) * 2 * sizeof(float));
        }
        pattern_access(&drawn, 0, 0, &lanes);
    }
    const pattern_counts counts = pattern_end(&drawn);
    return (double)counts.of[PATTERN_SHARED][PATTERN_READ].stages / WARPS;
}

static void add_reading(expectation *e, const filter *f, double conflicts) {
    const double rounds = f->points * f->turns, warps = ceil(f->n / WARP_LANES);
    expect_global(e, PATTERN_READ, rounds, warps, 1);
    for (unsigned side = 0; side < 2; side++)
        expect_add(e, PATTERN_SHARED, PATTERN_READ, rounds, warps, conflicts);
}

/* -------------------------------------------------------------------- keeping */

/* A warp that keeps some asks for room, and then holds those of each row of its points. */
static void add_held(expectation *e, const filter *f) {
    const double of_row = 1 - pow(1 - f->kept, WARP_LANES), of_all = 1 - pow(1 - of_row, f->points);
    const double rows = f->n / WARP_LANES, all = f->blocks * f->warps;
    const double turns = rows / f->points / all; /* a warp's, in the mean */
    expect_shared(e, PATTERN_WRITE, greatest(turns * of_all, all), rows / f->points * of_all);
    expect_shared(e, PATTERN_WRITE, greatest(turns * f->points * of_row, all), rows * of_row);
}

/* A block lists what it has held, side by side. */
static void add_listed(expectation *e, const filter *f) {
    const double all = f->blocks * f->warps, held = f->kept * f->n / f->blocks,
                 warps = f->blocks * units(held, WARP_LANES), threads = f->warps * WARP_LANES;
    const double rounds = ceil(greatest(held, f->blocks) / threads);
    expect_shared(e, PATTERN_READ, 1, all);
    expect_global(e, PATTERN_WRITE, 1, f->blocks, 1);
    expect_shared(e, PATTERN_WRITE, 1, f->blocks);
    expect_shared(e, PATTERN_READ, 1, all);
    expect_shared(e, PATTERN_READ, rounds, warps);
    if (warps > 0)
        expect_global(e, PATTERN_WRITE, rounds, warps,
                      random_run_groups(fmax(fmin(f->kept * f->n / warps, WARP_LANES), 1), WARP_LANES));
}

static riffle_status describe(const launch *work, hull_trial *trial, pattern *out) {
    const hull_table *const t = hull_table_of(work);
    const unsigned points = t->coordinate_bytes == 8 ? HULL_AT_ONCE / 2 : HULL_AT_ONCE;
    const riffle_status status = hull_trial_keep(trial, t, points, work->block_x, work->grid);
    if (status != RIFFLE_OK) return status;
    const filter f = {.t = t,
                      .n = (double)t->n,
                      .warps = work->block_x / (double)WARP_LANES,
                      .blocks = work->grid,
                      .points = points,
                      .turns = (double)ceil_div(t->n, (uint64_t)points * work->block_x * work->grid),
                      .kept = trial->kept};
    expectation e = expect_begin(out, work->grid, false);
    add_beginning(&e, &f);
    add_reading(&e, &f, conflicts_of(trial, out));
    add_held(&e, &f);
    add_listed(&e, &f);
    return RIFFLE_OK;
}

void pattern_of_hull_filter(const launch *work, const void *subject, pattern *out) {
    hull_mean(work, subject, describe, out);
}

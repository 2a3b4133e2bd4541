/* SPDX-License-Identifier: Apache-2.0
 *
 * One large set that is drawn, on its way through the launches: what each of them leaves to the next (hull/kernels/hull.h). A sample's extremes,
 * the boundaries and the sieve of them are those of the kernels. The points that the sieve keeps are drawn anew, from what lies beside it, so
 * that sets of any length take as long.
 */
#ifndef RIFFLE_HULL_PREDICT_TRIAL_H
#define RIFFLE_HULL_PREDICT_TRIAL_H

#include <stdbool.h>

#include "hull/kernels/hull.h"
#include "hull/predict/draw.h"

/** As hull_scale (hull/kernels/hull_points.h). */
typedef struct hull_trial_scale {
    hull_f64 from;
    double u, v;
} hull_trial_scale;

/** As hull_boundary, as its way sees the points. */
typedef struct hull_trial_boundary {
    hull_f64 place[HULL_ENTRIES];
    uint32_t index[HULL_ENTRIES], until[HULL_CELLS], count, noted;
} hull_trial_boundary;

typedef struct hull_candidate {
    hull_f64 at;
    uint32_t index;
} hull_candidate;

enum { HULL_TRIAL_ROUNDS = 2 };

typedef struct hull_trial {
    hull_draw draw;
    hull_trial_scale scale[HULL_QUARTERS];
    uint64_t lower[HULL_TRIAL_ROUNDS][HULL_QUARTERS][HULL_ENTRIES],
        upper[HULL_TRIAL_ROUNDS][HULL_QUARTERS][HULL_ENTRIES]; /* extremes of each round */
    hull_trial_boundary boundary[HULL_TRIAL_ROUNDS][HULL_WAYS];
    float least[HULL_CELLS], most[HULL_CELLS]; /* the sieve */
    double kept;                               /* the part of all points that the sieve keeps */
    hull_candidate *list[2];                   /* candidates, by turns */
    uint32_t listed[3]; /* after the sieve, after the first boundaries, and after the second */
    uint32_t many;      /* corners of the hull of more candidates than one block has room for */
} hull_trial;

/** So few candidates that the second round has nothing to do. */
static inline bool hull_trial_is_early(const hull_trial *trial) { return trial->listed[1] <= HULL_SOON; }

/** Point j of the sample, as hull_sampled. */
uint64_t hull_trial_sampled(const hull_table *t, uint64_t j);

/** As a quarter sees a point, and as an upper boundary does. */
hull_f64 hull_trial_quartered(hull_f64 at, unsigned quarter);
hull_f64 hull_trial_turned(hull_f64 at, bool is_upper);

/** The cell of x. */
uint32_t hull_trial_cell(const hull_trial_scale *scale, double x);

/** The scales, by the bounds of the sample. */
void hull_trial_find_scale(hull_trial *trial, const hull_table *t);

/** Finds which part of all points the sieve keeps, and makes list 0: as many candidates as are expected of n points, drawn beside the sieve, and the
 *  corners that the boundaries have found, in the order of the kernel's list. RIFFLE_ERROR_OUT_OF_MEMORY. */
riffle_status hull_trial_keep(hull_trial *trial, const hull_table *t, unsigned points, unsigned threads,
                              unsigned grid);

#endif

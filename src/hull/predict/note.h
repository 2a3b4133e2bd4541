/* SPDX-License-Identifier: Apache-2.0
 *
 * Points noted in a round's extremes by a warp (hull/kernels/hull_extremes.h), followed, and what that accesses.
 */
#ifndef RIFFLE_HULL_PREDICT_NOTE_H
#define RIFFLE_HULL_PREDICT_NOTE_H

#include "device/predict/tape.h"
#include "hull/predict/trial.h"

/** Points of a warp's lanes; the other lanes have none. */
typedef struct hull_noted_points {
    unsigned count;
    uint32_t lane[32], index[32];
    hull_f64 at[32];
} hull_noted_points;

/** Extremes that nothing has been noted in. */
void hull_extremes_begin(uint64_t lower[HULL_QUARTERS][HULL_ENTRIES],
                         uint64_t upper[HULL_QUARTERS][HULL_ENTRIES]);

/** Declares its sites, from `site` on. */
void hull_note_declare(pattern *p, unsigned site);

/** Notes points in the extremes of a round, in both quarters. */
void hull_note(tape *on, unsigned site, const hull_table *t, unsigned round, unsigned warp,
               const hull_trial_scale scale[HULL_QUARTERS], uint64_t lower[HULL_QUARTERS][HULL_ENTRIES],
               uint64_t upper[HULL_QUARTERS][HULL_ENTRIES], const hull_noted_points *points);

#endif

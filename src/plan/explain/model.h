/* SPDX-License-Identifier: Apache-2.0
 *
 * The models' view of a permutation, algorithm by algorithm, beside what none can beat.
 */
#ifndef RIFFLE_PLAN_EXPLAIN_MODEL_H
#define RIFFLE_PLAN_EXPLAIN_MODEL_H

#include "device/predict/pattern.h"
#include "device/predict/predict.h"
#include "plan/plan.h"

/** A row of the table, of an algorithm. */
typedef struct model_row {
    const char *algorithm;
    bool is_known, has_blocks; /**< where it is not known the numbers are 0 */
    pattern_meaning meaning;
    uint64_t time_units, blocks; /**< blocks of w elements that it exchanges with memory */
    double over;                 /**< time units over the bound */
    uint64_t check_time_units;   /**< the launches of a check around the moves, which are among these ... */
    bool adds_read;              /**< ... which read src for it themselves */
} model_row;

/** Every time is at least that of reading each element once, n/w + L - 1 time units (Kasagi, Nakano, Ito 2013, section VII), and every
 *  block is exchanged once; some permutations take worst_blocks exchanges by any algorithm (Jurkiewicz 2013, section 4.1.1). */
typedef struct model_bounds {
    uint64_t time_units, blocks;
    double worst_blocks;
} model_bounds;

typedef void model_taker(const model_row *row, void *context);

/** A machine whose options have no zeros, as what is planned for. */
plan_target explain_target(const riffle_machine_options *machine);

/** A machine and how many elements of a permutation are evaluated at most. */
prediction_model explain_model_of(const riffle_perm *perm, const riffle_machine_options *machine);

/** Tells of each algorithm that can do what is asked, on a machine whose options have no zeros: the time units as the patterns of its
 *  launches have them (device/predict/pattern.h), a check's among them, and exchanges, the check's not. Long launches are estimated from
 *  some blocks. *check_time_units: the check's alone, which all rows have, but for
 *  those of algorithms with nothing to move, or whose moves read src for it; 0 without one. */
riffle_status explain_model_rows(const plan_request *request, const riffle_machine_options *machine,
                                 model_taker *take, void *context, uint64_t *check_time_units);

model_bounds explain_model_bounds(const plan_request *request, const riffle_machine_options *machine);

/** Prints the rows, and the bounds below. Prints nothing for n = 0. */
riffle_status explain_model(const plan_request *request, const riffle_machine_options *machine, FILE *stream);

#endif

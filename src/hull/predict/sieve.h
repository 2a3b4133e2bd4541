/* SPDX-License-Identifier: Apache-2.0
 *
 * The sieve of a boundary as its block makes it (hull/kernels/hull_boundary.cu, hull_make_sieve), followed cell by cell.
 */
#ifndef RIFFLE_HULL_PREDICT_SIEVE_H
#define RIFFLE_HULL_PREDICT_SIEVE_H

#include "device/predict/tape.h"
#include "hull/predict/trial.h"

/** The lower or the upper boundary of a trial, and where it lies in its block's shared memory, behind the places. */
typedef struct hull_sieved {
    hull_trial *trial;
    uint32_t threads;
    bool is_upper;
    uint64_t list, until;  /**< where the numbers of its points begin, and the counts of cells */
    const uint16_t *names; /**< these numbers */
} hull_sieved;

/** Declares all sites of a pattern. */
void hull_sieve_declare(pattern *p);

/** Follows the block, and leaves the trial's sieve of that side. */
riffle_status hull_sieve_follow(const hull_sieved *s, const hull_table *t, pattern *p);

#endif

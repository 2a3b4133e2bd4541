/* SPDX-License-Identifier: Apache-2.0
 *
 * Points sorted by numbers by a block (hull/kernels/hull_sort.h), followed step by step, and what that accesses in shared memory.
 */
#ifndef RIFFLE_HULL_PREDICT_SORT_H
#define RIFFLE_HULL_PREDICT_SORT_H

#include "device/predict/tape.h"
#include "hull/predicates.h"

/** Where things lie in shared memory; places begin at 0. */
typedef struct hull_sort_places {
    uint64_t names, numbers; /**< two lists of numbers */
    uint32_t room;           /**< numbers of a list */
} hull_sort_places;

/** Declares all sites of a pattern. */
void hull_sort_declare(pattern *p);

/** Follows the block; `sorted` gets the points in order. Returns where the order lies. */
uint64_t hull_sort_follow(tape *t, const hull_f64 *at, uint32_t count, uint32_t threads,
                          const hull_sort_places *places, uint16_t *sorted);

#endif

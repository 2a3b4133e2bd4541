/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of leaves, for launches of leaves and for those that sort alike.
 */
#ifndef RIFFLE_SORT_PREDICT_LEAVES_H
#define RIFFLE_SORT_PREDICT_LEAVES_H

#include "sort/predict/patterns.h"

/** A launch's leaves, and the means of what they access. */
typedef struct leaves {
    uint32_t each, warps, lanes; /**< a team's */
    bool is_ordered, carries;    /**< sorted by their order */
    double count, longest;       /**< leaves of this launch's length; keys of the longest */
    double accesses, stages;     /**< warps' of global memory, to read all keys once */
    double takes;                /**< at most, one after the other */
    double turns;                /**< leaves among these that it sorts */
} leaves;

/** Adds accesses to `length` keys from a cell on, and their stages. */
void leaves_add_run(uint32_t begin, uint32_t length, leaves *s);

/** Keys that were read become sorted, in shared memory, in so many rounds; with what goes along, which is read too where has_carried, and
 *  written. */
void leaves_expect_sorts(expectation *e, const sort_subject *of, const leaves *s, double rounds,
                         bool has_carried);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that sort what ties by the first bits of long keys (sort/kernels/codes/sort_ties.cu). Random keys do not tie by 64 bits, so that the list
 * is empty: each launch finds that, and leaves.
 */
#ifndef RIFFLE_SORT_PREDICT_TIED_H
#define RIFFLE_SORT_PREDICT_TIED_H

#include "device/predict/expect.h"
#include "sort/predict/subject.h"

/** True while the launches of a list are those that sort what ties. */
static inline bool tied_are_sorted(const void *subject) {
    const sort_subject *const of = subject;
    return of->sorts_ties != NULL && *of->sorts_ties;
}

/** Says that these launches begin or end, where the subject has long keys. */
static inline void tied_begin(const void *subject, bool are_sorted) {
    const sort_subject *const of = subject;
    if (of->sorts_ties != NULL) *of->sorts_ties = are_sorted;
}

/** Kernels of a level, and of short leaves, of no element. */
void tied_ranks(const launch *work, pattern *out);
void tied_sample(const launch *work, pattern *out);
void tied_tile(const launch *work, const sort_tile_table *t, pattern *out);
void tied_sums(const launch *work, pattern *out);
void tied_offsets(const launch *work, pattern *out);
void tied_short(const launch *work, pattern *out);

#endif

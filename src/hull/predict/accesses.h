/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that several kernels of hulls have: results, and places in the workspace, which begins with a hull's state.
 */
#ifndef RIFFLE_HULL_PREDICT_ACCESSES_H
#define RIFFLE_HULL_PREDICT_ACCESSES_H

#include "device/predict/tape.h"
#include "hull/kernels/hull.h"

enum { HULL_RESULT_SITES = 4 };

/** Declares how a result is written: an index, or both coordinates of a point that are read first. */
void hull_declare_result(pattern *p, unsigned site, const hull_table *t);

/** A lane writes result `at`, which stands for a point. */
void hull_note_result(tape *of, unsigned site, const hull_table *t, uint64_t at, uint64_t point);

/** Where something of the workspace lies, from its beginning on. */
static inline uint64_t hull_place_of(const hull_table *t, const void *in_workspace) {
    return (uint64_t)((uintptr_t)in_workspace - (uintptr_t)t->state);
}

/** The same access by each of so many warps of each block of the launch, all of its lanes at one place. */
void hull_add_uniform(pattern *p, unsigned site, size_t round, uint64_t warps);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on the memory machine: the steps of a GPU, each a launch.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_HULL_H
#define RIFFLE_ENGINES_SIMULATE_HULL_H

#include "engines/launch/hull_paper.h"
#include "engines/launch/hull_sorted.h"
#include "hull/points.h"
#include "machine/runtime/machine.h"

/** Finds the hull of points by sorting, as the cuda engine does; `candidates` has `count` indices, or is NULL. `hull` has room
 *  for all. */
riffle_status simulate_hull_sorted(machine *m, const hull_sizes *sizes, const hull_points *points,
                                   const uint32_t *candidates, uint32_t count, bool all, uint32_t *hull,
                                   uint64_t *length);

/** Finds the hull by the dissertation's algorithm on `blocks` blocks of `threads` threads, on a machine that has run
 *  nothing else. */
riffle_status simulate_hull_paper(machine *m, uint32_t blocks, uint32_t threads, const hull_points *points,
                                  const uint32_t *candidates, uint32_t count, uint32_t *hull, uint64_t *length,
                                  riffle_hull_counts *counts);

#endif

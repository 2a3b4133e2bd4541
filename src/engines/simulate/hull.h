/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on the memory machine: the steps of a GPU, each a launch.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_HULL_H
#define RIFFLE_ENGINES_SIMULATE_HULL_H

#include "engines/launch/hull_stages.h"
#include "hull/points.h"
#include "machine/runtime/machine.h"

/** Finds the hull of points, or of stages->most candidates among them where `candidates` is not NULL, on a machine that has
 *  run nothing else. `hull` has room for all. */
riffle_status simulate_hull(machine *m, const hull_stages *stages, const hull_points *points,
                            const uint32_t *candidates, uint32_t *hull, uint64_t *length,
                            riffle_hull_counts *counts);

#endif

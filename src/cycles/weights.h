/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights as a caller has them, made whole numbers without rounding.
 */
#ifndef RIFFLE_CYCLES_WEIGHTS_H
#define RIFFLE_CYCLES_WEIGHTS_H

#include "cycles/graph.h"

/** Fills graph->weight, which has room for graph->edges, and unit, total and heaviest. */
riffle_status cycles_read_weights(const riffle_cycles_graph *from, cycles_graph *graph);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The expected cost of moving a table's elements on a CPU: the traffic (models/traffic.h) and the faults of address translation
 * (models/translation.h), in bytes of traffic for each element.
 */
#ifndef RIFFLE_MODELS_MOVE_COST_H
#define RIFFLE_MODELS_MOVE_COST_H

#include <stddef.h>
#include <stdint.h>

#include "models/translation.h"

typedef struct move_cost {
    double traffic; /**< bytes an element */
    double faults;  /**< translation faults an element */
    double work;    /**< the processor's work in its caches, in bytes of traffic */
} move_cost;

/** The sum, a fault counted as the bytes that could be carried meanwhile. */
double move_cost_sum(const move_cost *cost);

/** An element at a time at random places. */
move_cost move_cost_gather(uint64_t n, size_t elem_bytes, size_t map_bytes, const translation_cache *cache);

/** Bucket passes over pieces of 2^piece_bits elements, 2 or 3. */
move_cost move_cost_bucket(uint64_t n, size_t elem_bytes, unsigned piece_bits, unsigned passes,
                           const translation_cache *cache);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The expected time of moving a table's elements on a GPU, in picoseconds for each element. The figures are an H200's, fitted
 * to bench/results/h200-arbitrary.json (docs/arbitrary.md); a choice depends on how they compare.
 */
#ifndef RIFFLE_PLAN_CHOOSE_DEVICE_COST_H
#define RIFFLE_PLAN_CHOOSE_DEVICE_COST_H

#include "models/line_reads.h"

/** A copy, of memory and not of a cache. */
double device_cost_copy(uint64_t n, size_t elem_bytes);

/** A gather with a map of map_bytes an element that reads so much. */
double device_cost_gather(uint64_t n, size_t elem_bytes, size_t map_bytes, const line_reads *reads);

/** Bucket passes, whatever the permutation. */
double device_cost_bucket(uint64_t n, size_t elem_bytes, unsigned passes);

#endif

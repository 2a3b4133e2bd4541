/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans (section 2.1): n reads in order, and n reads at random places. No place depends on a value that was
 * read, so the reads may overlap. The chapter reads the random places from a table, a second scan; here they
 * are computed.
 *
 * Whoever includes this has defined cells, load and store (all.h).
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_SCAN_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_SCAN_H

#include "machine/vat/programs/random.h"

/** n accesses. */
static uint64_t sequential_scan(cells a, uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) sum += load(a, i);
    return sum;
}

/** n accesses. */
static uint64_t random_scan(cells a, uint64_t n, uint64_t seed) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < n; k++) sum += load(a, random_below(&seed, n));
    return sum;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A random permutation (section 2.1): each element, from the last, changes places with one not behind it
 * (Fisher and Yates; Durstenfeld's algorithm 235, 1964).
 *
 * Whoever includes this has defined cells, load and store (all.h).
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_PERMUTE_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_PERMUTE_H

#include "machine/vat/programs/random.h"
#include "machine/vat/programs/weigh.h"

/** 4 n accesses. */
static uint64_t permute(cells a, uint64_t n, uint64_t seed) {
    uint64_t sum = 0;
    for (uint64_t j = n; j-- > 0;) {
        const uint64_t i = random_below(&seed, j + 1);
        const uint64_t from = load(a, i), last = load(a, j);
        store(a, i, last);
        store(a, j, from);
        sum += weigh(from, j);
    }
    return sum;
}

#endif

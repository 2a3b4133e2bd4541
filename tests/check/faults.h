/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults put into results on purpose, as memory and programs make them: a bit that flips, rows that change places, a row that takes another's
 * place.
 */
#ifndef RIFFLE_TESTS_CHECK_FAULTS_H
#define RIFFLE_TESTS_CHECK_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "random_numbers.h"

typedef enum fault { FAULT_BIT, FAULT_SWAP, FAULT_DOUBLE, FAULTS } fault;

static inline const char *fault_name(fault what) {
    return what == FAULT_BIT    ? "a bit that flipped"
           : what == FAULT_SWAP ? "rows that changed places"
                                : "a row twice";
}

static inline void fault_swap(char *a, char *b, size_t bytes) {
    for (size_t k = 0; k < bytes; k++) {
        const char held = a[k];
        a[k] = b[k];
        b[k] = held;
    }
}

/** Puts one into n rows; false where two rows are wanted and the ones that chance names are the same. */
static inline bool fault_put(rng *r, fault what, void *rows, uint64_t n, size_t row_bytes) {
    char *const a = (char *)rows + rng_below(r, n) * row_bytes, *const b =
                                                                    (char *)rows + rng_below(r, n) * row_bytes;
    if (what == FAULT_BIT) {
        a[rng_below(r, row_bytes)] ^= (char)(1 << rng_below(r, 8));
        return true;
    }
    if (memcmp(a, b, row_bytes) == 0) return false;
    if (what == FAULT_SWAP)
        fault_swap(a, b, row_bytes);
    else
        memcpy(a, b, row_bytes);
    return true;
}

#endif

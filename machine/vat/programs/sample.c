/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs at full speed, but only some of their operations: n searches, or heapsort, of 2^28 elements take too
 * long to wait for, and a sample of their operations tells as well what one takes.
 */
#include <stdint.h>

typedef uint64_t *cells;

static inline uint64_t load(cells a, uint64_t i) { return a[i]; }

static inline void store(cells a, uint64_t i, uint64_t value) { a[i] = value; }

#include "base/status.h"
#include "machine/library.h"
#include "machine/vat/programs/all.h"

enum { HEAP_SIZES = 64 };

static uint64_t sample_binary_search(cells a, uint64_t n, uint64_t searches, uint64_t seed) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < searches; k++) sum += weigh(search_sorted(a, n, random_key(&seed, n)), k);
    return sum;
}

/* Removals at sizes that divide n evenly, from the largest on: the first elements of a heap are a heap too. */
static uint64_t sample_heapsort(cells a, uint64_t n, uint64_t removals) {
    uint64_t sum = 0;
    for (uint64_t j = HEAP_SIZES; j > 0; j--) {
        const uint64_t size = n / HEAP_SIZES * j;
        for (uint64_t end = size; end-- > size - removals / HEAP_SIZES;) {
            const uint64_t largest = load(a, 0), last = load(a, end);
            store(a, end, largest);
            sum += weigh(largest, end) + sift(a, 0, end, 0, last);
        }
    }
    return sum;
}

riffle_status vat_program_sample(riffle_vat_program program, uint64_t n, uint64_t operations, uint64_t seed,
                                 uint64_t *array, uint64_t *checksum, double *share) {
    RETURN_IF_NULL(checksum, share);
    if (vat_program_elements(program, n) > 0) RETURN_IF_NULL(array);
    const riffle_status status = program_check(program, n);
    if (status != RIFFLE_OK) return status;
    const uint64_t removals = operations / HEAP_SIZES * HEAP_SIZES;
    *share = 1;
    if (program == RIFFLE_VAT_PROGRAM_HEAPSORT && removals > 0 && removals < n) {
        *checksum = sample_heapsort(array, n, removals);
        *share = (double)removals / (double)n;
    } else if (program == RIFFLE_VAT_PROGRAM_BINARY_SEARCH && operations < n) {
        *checksum = sample_binary_search(array, n, operations, seed);
        *share = (double)operations / (double)n;
    } else if (program == RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS && operations < n) {
        *checksum = van_emde_boas_search(array, program_size(program, n), operations, seed);
        *share = (double)operations / (double)n;
    } else {
        *checksum = run_program(program, n, seed, array);
    }
    return RIFFLE_OK;
}

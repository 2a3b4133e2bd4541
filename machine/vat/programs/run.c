/* SPDX-License-Identifier: Apache-2.0
 *
 * The programs at full speed: an access is an access.
 */
#include <stdint.h>

typedef uint64_t *cells;

static inline uint64_t load(cells a, uint64_t i) { return a[i]; }

static inline void store(cells a, uint64_t i, uint64_t value) { a[i] = value; }

#include "base/status.h"
#include "machine/library.h"
#include "machine/vat/programs/all.h"

riffle_status vat_program_run(riffle_vat_program program, uint64_t n, uint64_t seed, uint64_t *array,
                              uint64_t *checksum) {
    RETURN_IF_NULL(checksum);
    if (vat_program_elements(program, n) > 0) RETURN_IF_NULL(array);
    const riffle_status status = program_check(program, n);
    if (status != RIFFLE_OK) return status;
    *checksum = run_program(program, n, seed, array);
    return RIFFLE_OK;
}

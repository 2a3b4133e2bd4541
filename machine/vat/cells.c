/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/cells.h"

#include <stdlib.h>

#include "base/status.h"

riffle_status vat_cells_create(uint64_t capacity, unsigned height, vat_cells *out) {
    vat_cells cells = {.capacity = (uint32_t)capacity, .whole_path = capacity > height, .hash_bits = 1};
    while ((uint64_t)1 << cells.hash_bits < 2 * capacity) cells.hash_bits++;
    const uint64_t buckets = (uint64_t)1 << cells.hash_bits;
    cells.cell = calloc((size_t)capacity + 1, sizeof *cells.cell);
    cells.bucket = calloc((size_t)buckets, sizeof *cells.bucket);
    if (cells.cell == NULL || cells.bucket == NULL) {
        vat_cells_free(&cells);
        return fail_memory("a translation cache",
                           (capacity + 1) * sizeof *cells.cell + buckets * sizeof *cells.bucket);
    }
    *out = cells;
    return RIFFLE_OK;
}

void vat_cells_free(vat_cells *cells) {
    free(cells->cell);
    free(cells->bucket);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"

#include <string.h>

array_units array_units_of(const riffle_npy_header *header, uint64_t length, bool rows) {
    if (!rows) return (array_units){length, length > 0 ? header->elem_bytes : 0};
    uint64_t count = header->shape[0];
    return (array_units){count, length > 0 ? (size_t)(length / count) * header->elem_bytes : 0};
}

bool array_is_fortran(const riffle_npy_header *header) { return header->fortran_order && header->rank >= 2; }

/* Memory in Fortran order is the C-order array of the reversed shape: reverse its axes. */
riffle_status array_to_c_order(const riffle_npy_header *header, riffle_perm **out) {
    uint64_t shape[RIFFLE_MAX_RANK];
    unsigned order[RIFFLE_MAX_RANK];
    for (unsigned k = 0; k < header->rank; ++k) {
        order[k] = header->rank - 1 - k;
        shape[k] = header->shape[order[k]];
    }
    return riffle_perm_axes(header->rank, shape, order, out);
}

bool array_output_header(const riffle_npy_header *header, const riffle_perm *perm, bool rows,
                         riffle_npy_header *out) {
    uint64_t shape[RIFFLE_MAX_RANK];
    unsigned rank = riffle_perm_output_shape(perm, shape);
    unsigned kept = rows ? header->rank - 1 : 0; /* the axes within a row stay behind the new ones */
    riffle_npy_header result = *header;
    result.fortran_order = false;
    if (rank > 0) {
        if (rank + kept > RIFFLE_MAX_RANK) return false;
        memcpy(result.shape, shape, rank * sizeof shape[0]);
        memcpy(result.shape + rank, header->shape + header->rank - kept, kept * sizeof shape[0]);
        result.rank = rank + kept;
    }
    *out = result;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/status.h"
#include "base/threads/threads.h"
#include "f2/echelon.h"

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

riffle_status riffle_f2_rank_profile(const riffle_f2_matrix *a, uint64_t *rank, uint64_t *rows,
                                     uint64_t *columns, const riffle_call_options *options) {
    f2_echelon e;
    riffle_status status = f2_check("a", a);
    if (status != RIFFLE_OK) return status;
    RETURN_IF_NULL(rank);
    status = f2_echelon_create(a->rows, a->columns, 0, threads_most_of_call(options), &e);
    if (status != RIFFLE_OK) return status;
    f2_copy(&e.whole, a);
    f2_eliminate(&e);
    *rank = e.rank;
    for (uint64_t k = 0; k < e.rank; k++) {
        if (rows != NULL) rows[k] = e.order[k];
        if (columns != NULL) columns[k] = e.pivots[k];
    }
    if (rows != NULL) qsort(rows, e.rank, sizeof *rows, by_number);
    f2_echelon_free(&e);
    return RIFFLE_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of the algorithms.
 */
#include <string.h>

#include "base/status.h"

static const char *const NAMES[] = {
    [RIFFLE_ALGORITHM_AUTO] = "auto",           [RIFFLE_ALGORITHM_COPY] = "copy",
    [RIFFLE_ALGORITHM_SCATTER] = "scatter",     [RIFFLE_ALGORITHM_GATHER] = "gather",
    [RIFFLE_ALGORITHM_AFFINE] = "affine",       [RIFFLE_ALGORITHM_AXES] = "axes",
    [RIFFLE_ALGORITHM_BUCKET] = "bucket",       [RIFFLE_ALGORITHM_TRANSPOSE] = "transpose",
    [RIFFLE_ALGORITHM_ROW_WISE] = "row-wise",   [RIFFLE_ALGORITHM_COLUMN_WISE] = "column-wise",
    [RIFFLE_ALGORITHM_SCHEDULED] = "scheduled", [RIFFLE_ALGORITHM_CONFLICT_FREE] = "conflict-free",
};
enum { ALGORITHMS = sizeof NAMES / sizeof NAMES[0] };

riffle_status riffle_algorithm_parse(const char *name, riffle_algorithm *out) {
    for (unsigned k = 0; k < ALGORITHMS; k++) {
        if (strcmp(name, NAMES[k]) != 0) continue;
        *out = (riffle_algorithm)k;
        return RIFFLE_OK;
    }
    return fail(
        RIFFLE_ERROR_INVALID_ARGUMENT,
        "unknown algorithm '%s'; there are auto, copy, scatter, gather, affine, axes, bucket, transpose, "
        "row-wise, column-wise, scheduled and conflict-free",
        name);
}

const char *riffle_algorithm_string(riffle_algorithm algorithm) {
    return (unsigned)algorithm < ALGORITHMS ? NAMES[algorithm] : "unknown";
}

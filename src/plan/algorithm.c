/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of the algorithms.
 */
#include <string.h>

#include "base/status.h"

static const char *const NAMES[] = {
    [RIFFLE_ALGORITHM_AUTO] = "auto",
    [RIFFLE_ALGORITHM_COPY] = "copy",
    [RIFFLE_ALGORITHM_SCATTER] = "scatter",
    [RIFFLE_ALGORITHM_GATHER] = "gather",
    [RIFFLE_ALGORITHM_AFFINE] = "affine",
    [RIFFLE_ALGORITHM_AXES] = "axes",
    [RIFFLE_ALGORITHM_BUCKET] = "bucket",
    [RIFFLE_ALGORITHM_TRANSPOSE] = "transpose",
    [RIFFLE_ALGORITHM_ROW_WISE] = "row-wise",
    [RIFFLE_ALGORITHM_COLUMN_WISE] = "column-wise",
    [RIFFLE_ALGORITHM_SCHEDULED] = "scheduled",
    [RIFFLE_ALGORITHM_CONFLICT_FREE] = "conflict-free",
    [RIFFLE_ALGORITHM_BMMC_NAIVE] = "bmmc-naive",
    [RIFFLE_ALGORITHM_BMMC_TILE] = "bmmc-tile",
    [RIFFLE_ALGORITHM_BMMC_TILE_BANKS] = "bmmc-tile-banks",
    [RIFFLE_ALGORITHM_BMMC_TILE_ITERS] = "bmmc-tile-iters",
    [RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS] = "bmmc-tile-banks-iters",
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
        "row-wise, column-wise, scheduled, conflict-free, bmmc-naive, bmmc-tile, bmmc-tile-banks, "
        "bmmc-tile-iters and bmmc-tile-banks-iters",
        name);
}

const char *riffle_algorithm_string(riffle_algorithm algorithm) {
    return (unsigned)algorithm < ALGORITHMS ? NAMES[algorithm] : "unknown";
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/launch.h"

const char *const launch_kernel_names[LAUNCH_KERNELS] = {
    [LAUNCH_COPY] = "copy",
    [LAUNCH_SCATTER] = "scatter",
    [LAUNCH_GATHER] = "gather",
    [LAUNCH_TRANSPOSE] = "transpose",
    [LAUNCH_ROW_WISE] = "row_wise",
    [LAUNCH_AFFINE_TILE_32] = "affine_tile",
    [LAUNCH_AFFINE_TILE_32_PAIR] = "affine_tile_pair",
    [LAUNCH_AFFINE_TILE_64] = "affine_tile",
    [LAUNCH_AFFINE_TILE_64_PAIR] = "affine_tile_pair",
    [LAUNCH_AFFINE_UNITS] = "affine_tile",
    [LAUNCH_AFFINE_UNITS_PAIR] = "affine_tile_pair",
    [LAUNCH_BUCKET_FIRST] = "bucket_first",
    [LAUNCH_BUCKET_NEXT] = "bucket_next",
    [LAUNCH_SCATTER_ROWS] = "scatter_rows",
    [LAUNCH_GATHER_ROWS] = "gather_rows",
    [LAUNCH_SCATTER_ROW_WORDS] = "scatter_row_words",
    [LAUNCH_GATHER_ROW_WORDS] = "gather_row_words",
    [LAUNCH_BMMC_NAIVE] = "bmmc_naive",
    [LAUNCH_BMMC_TILE] = "bmmc_tile",
    [LAUNCH_BMMC_TILE_BANKS] = "bmmc_tile_banks",
    [LAUNCH_BMMC_TILE_ITERS] = "bmmc_tile_iters",
    [LAUNCH_BMMC_TILE_BANKS_ITERS] = "bmmc_tile_banks_iters",
};

void launch_argument_addresses(launch *work, void *out[LAUNCH_MAX_ARGUMENTS]) {
    for (unsigned k = 0; k < LAUNCH_MAX_ARGUMENTS; k++) out[k] = &work->arguments[k];
    if (work->has_table) out[2] = &work->table;
}

void launch_arrays(const pass *p, launch_array out[LAUNCH_MAX_ARRAYS]) {
    for (unsigned k = 0; k < LAUNCH_MAX_ARRAYS; k++) out[k] = (launch_array){NULL, NULL, 0};
    if (p->kind->arrays != NULL) p->kind->arrays(p, out);
}

uint64_t launch_blocks(const pass *p, const launch_limits *limits) { return p->kind->blocks(p, limits); }

size_t launch_alignment(const pass *p, size_t elem_bytes) {
    return p->kind->alignment != NULL ? p->kind->alignment(p) : elem_bytes;
}

void launch_of_pass(const pass *p, const launch_limits *limits, const void *const arrays[LAUNCH_MAX_ARRAYS],
                    launch *out) {
    p->kind->launch(p, limits, arrays, out);
    out->grid = (unsigned)launch_blocks(p, limits);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels' own code, compiled as C with a hook before every access.
 */
#include "engines/machine/device_c.h"

/* The GPU's side of these kernels has the same names; here only the table below needs them. */
#undef __global__
#define __global__ static __attribute__((noinline, unused))

#include "kernels/families.h"

/* An entry is the host's side of a call: its reads of the arguments are nobody's accesses. */
#define HOST_SIDE __attribute__((no_sanitize("thread")))

/* enter_NAME_BYTES, for whatever ELEMENT_BYTES is. */
#define ENTER_NAME_EXPANDED(name, bytes) enter_##name##_##bytes
#define ENTER_NAME(name, bytes) ENTER_NAME_EXPANDED(name, bytes)
#define ENTER(name) ENTER_NAME(name, ELEMENT_BYTES)

#define EACH_ACCESS "engines/machine/kernel_entries_access.h"
#define ELEMENT_BYTES 4
#include "kernels/each_access.h"

#include "engines/machine/kernel_entries.h"
#include "engines/machine/kernel_entries_size.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 8
#include "kernels/each_access.h"

#include "engines/machine/kernel_entries.h"
#include "engines/machine/kernel_entries_size.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 1
#include "kernels/each_access.h"

#include "engines/machine/kernel_entries_size.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 2
#include "kernels/each_access.h"

#include "engines/machine/kernel_entries_size.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 16
#include "kernels/each_access.h"

#include "engines/machine/kernel_entries_size.h"
#undef ELEMENT_BYTES

#include "engines/machine/kernels.h"

/* By the logarithm of an element's bytes. */
static const machine_entry entries[LAUNCH_KERNELS][LAUNCH_ELEMENT_SIZES] = {
    [LAUNCH_COPY] = {[2] = enter_copy_4, enter_copy_8},
    [LAUNCH_SCATTER] = {[2] = enter_scatter_4, enter_scatter_8},
    [LAUNCH_GATHER] = {[2] = enter_gather_4, enter_gather_8},
    [LAUNCH_TRANSPOSE] = {[2] = enter_transpose_4, enter_transpose_8},
    [LAUNCH_ROW_WISE] = {[2] = enter_row_wise_4, enter_row_wise_8},
    [LAUNCH_AFFINE_TILE_32] = {enter_affine_tile_1_16_32, enter_affine_tile_2_16_32, enter_affine_tile_4_16_32,
                               enter_affine_tile_8_16_32, enter_affine_tile_16_16_32},
    [LAUNCH_AFFINE_TILE_32_PAIR] = {enter_affine_tile_pair_1_16_32, enter_affine_tile_pair_2_16_32,
                                    enter_affine_tile_pair_4_16_32, enter_affine_tile_pair_8_16_32,
                                    enter_affine_tile_pair_16_16_32},
    [LAUNCH_AFFINE_TILE_64] = {enter_affine_tile_1_16_64, enter_affine_tile_2_16_64, enter_affine_tile_4_16_64,
                               enter_affine_tile_8_16_64, enter_affine_tile_16_16_64},
    [LAUNCH_AFFINE_TILE_64_PAIR] = {enter_affine_tile_pair_1_16_64, enter_affine_tile_pair_2_16_64,
                                    enter_affine_tile_pair_4_16_64, enter_affine_tile_pair_8_16_64,
                                    enter_affine_tile_pair_16_16_64},
    [LAUNCH_AFFINE_UNITS] = {enter_affine_tile_1_1_64, enter_affine_tile_2_2_64, enter_affine_tile_4_4_64,
                             enter_affine_tile_8_8_64},
    [LAUNCH_AFFINE_UNITS_PAIR] = {enter_affine_tile_pair_1_1_64, enter_affine_tile_pair_2_2_64,
                                  enter_affine_tile_pair_4_4_64, enter_affine_tile_pair_8_8_64},
    [LAUNCH_BUCKET_FIRST] = {enter_bucket_first_1, enter_bucket_first_2, enter_bucket_first_4,
                             enter_bucket_first_8, enter_bucket_first_16},
    [LAUNCH_BUCKET_NEXT] = {enter_bucket_next_1, enter_bucket_next_2, enter_bucket_next_4, enter_bucket_next_8,
                            enter_bucket_next_16},
    [LAUNCH_SCATTER_ROWS] = {enter_scatter_rows_1, enter_scatter_rows_2, enter_scatter_rows_4,
                             enter_scatter_rows_8, enter_scatter_rows_16},
    [LAUNCH_GATHER_ROWS] = {enter_gather_rows_1, enter_gather_rows_2, enter_gather_rows_4, enter_gather_rows_8,
                            enter_gather_rows_16},
    [LAUNCH_SCATTER_ROW_WORDS] = {enter_scatter_row_words_1, enter_scatter_row_words_2,
                                  enter_scatter_row_words_4, enter_scatter_row_words_8},
    [LAUNCH_GATHER_ROW_WORDS] = {enter_gather_row_words_1, enter_gather_row_words_2, enter_gather_row_words_4,
                                 enter_gather_row_words_8},
    [LAUNCH_BMMC_NAIVE] = {[2] = enter_bmmc_naive_4, enter_bmmc_naive_8},
    [LAUNCH_BMMC_TILE] = {[2] = enter_bmmc_tile_4, enter_bmmc_tile_8},
    [LAUNCH_BMMC_TILE_BANKS] = {[2] = enter_bmmc_tile_banks_4, enter_bmmc_tile_banks_8},
    [LAUNCH_BMMC_TILE_ITERS] = {[2] = enter_bmmc_tile_iters_4, enter_bmmc_tile_iters_8},
    [LAUNCH_BMMC_TILE_BANKS_ITERS] = {[2] = enter_bmmc_tile_banks_iters_4, enter_bmmc_tile_banks_iters_8},
};

HOST_SIDE machine_entry machine_kernel_entry(launch_kernel kernel, size_t elem_bytes) {
    return entries[kernel][__builtin_ctzll(elem_bytes)];
}

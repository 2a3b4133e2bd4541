/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of src/kernels as the host names them for cudaLaunchKernel. Nobody calls them, only their
 * addresses are taken, so their parameters are left to the kernels' own files.
 */
#ifndef RIFFLE_ENGINES_CUDA_KERNELS_H
#define RIFFLE_ENGINES_CUDA_KERNELS_H

typedef void cuda_kernel(void);

extern cuda_kernel riffle_copy_4, riffle_copy_8;
extern cuda_kernel riffle_scatter_4, riffle_scatter_8;
extern cuda_kernel riffle_gather_4, riffle_gather_8;
extern cuda_kernel riffle_transpose_4, riffle_transpose_8;
extern cuda_kernel riffle_row_wise_4, riffle_row_wise_8;

extern cuda_kernel riffle_bucket_first_1, riffle_bucket_first_2, riffle_bucket_first_4, riffle_bucket_first_8,
    riffle_bucket_first_16;
extern cuda_kernel riffle_bucket_next_1, riffle_bucket_next_2, riffle_bucket_next_4, riffle_bucket_next_8,
    riffle_bucket_next_16;

extern cuda_kernel riffle_scatter_rows_1, riffle_scatter_rows_2, riffle_scatter_rows_4, riffle_scatter_rows_8,
    riffle_scatter_rows_16;
extern cuda_kernel riffle_gather_rows_1, riffle_gather_rows_2, riffle_gather_rows_4, riffle_gather_rows_8,
    riffle_gather_rows_16;
extern cuda_kernel riffle_scatter_row_words_1, riffle_scatter_row_words_2, riffle_scatter_row_words_4,
    riffle_scatter_row_words_8;
extern cuda_kernel riffle_gather_row_words_1, riffle_gather_row_words_2, riffle_gather_row_words_4,
    riffle_gather_row_words_8;

/* The sizes of an access and of a place behind that of an element. */
extern cuda_kernel riffle_affine_tile_1_16_32, riffle_affine_tile_2_16_32, riffle_affine_tile_4_16_32,
    riffle_affine_tile_8_16_32, riffle_affine_tile_16_16_32;
extern cuda_kernel riffle_affine_tile_pair_1_16_32, riffle_affine_tile_pair_2_16_32,
    riffle_affine_tile_pair_4_16_32, riffle_affine_tile_pair_8_16_32, riffle_affine_tile_pair_16_16_32;
extern cuda_kernel riffle_affine_tile_1_16_64, riffle_affine_tile_2_16_64, riffle_affine_tile_4_16_64,
    riffle_affine_tile_8_16_64, riffle_affine_tile_16_16_64;
extern cuda_kernel riffle_affine_tile_pair_1_16_64, riffle_affine_tile_pair_2_16_64,
    riffle_affine_tile_pair_4_16_64, riffle_affine_tile_pair_8_16_64, riffle_affine_tile_pair_16_16_64;
extern cuda_kernel riffle_affine_tile_1_1_64, riffle_affine_tile_2_2_64, riffle_affine_tile_4_4_64,
    riffle_affine_tile_8_8_64;
extern cuda_kernel riffle_affine_tile_pair_1_1_64, riffle_affine_tile_pair_2_2_64,
    riffle_affine_tile_pair_4_4_64, riffle_affine_tile_pair_8_8_64;

extern cuda_kernel riffle_bmmc_naive_4, riffle_bmmc_naive_8;
extern cuda_kernel riffle_bmmc_tile_4, riffle_bmmc_tile_8;
extern cuda_kernel riffle_bmmc_tile_banks_4, riffle_bmmc_tile_banks_8;
extern cuda_kernel riffle_bmmc_tile_iters_4, riffle_bmmc_tile_iters_8;
extern cuda_kernel riffle_bmmc_tile_banks_iters_4, riffle_bmmc_tile_banks_iters_8;

extern cuda_kernel riffle_copy_in_block_4, riffle_copy_in_block_8;
extern cuda_kernel riffle_scatter_in_block_4, riffle_scatter_in_block_8;
extern cuda_kernel riffle_gather_in_block_4, riffle_gather_in_block_8;
extern cuda_kernel riffle_conflict_free_in_block_4, riffle_conflict_free_in_block_8;

#endif

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

extern cuda_kernel riffle_copy_in_block_4, riffle_copy_in_block_8;
extern cuda_kernel riffle_scatter_in_block_4, riffle_scatter_in_block_8;
extern cuda_kernel riffle_gather_in_block_4, riffle_gather_in_block_8;
extern cuda_kernel riffle_conflict_free_in_block_4, riffle_conflict_free_in_block_8;

#endif

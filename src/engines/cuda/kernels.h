/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of src/kernels as the host names them for cudaLaunchKernel.
 */
#ifndef RIFFLE_ENGINES_CUDA_KERNELS_H
#define RIFFLE_ENGINES_CUDA_KERNELS_H

#include <stddef.h>

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kernel for elements of that size; NULL where it does not exist for them (kernels/list.h). */
const void *cuda_kernel(kernel_id kernel, size_t elem_bytes);

/** The same of kernels of hulls, which are compiled by themselves; NULL for others. */
const void *cuda_hull_kernel(kernel_id kernel, size_t elem_bytes);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of sorts as the host names them for cudaLaunchKernel.
 */
#ifndef RIFFLE_ENGINES_CUDA_SORT_KERNELS_H
#define RIFFLE_ENGINES_CUDA_SORT_KERNELS_H

#include <stddef.h>

#include "kernels/sort/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kernel for keys of that size; NULL where it does not exist for them (kernels/sort/list.h). */
const void *cuda_sort_kernel(sort_kernel kernel, size_t key_bytes);

#ifdef __cplusplus
}
#endif
#endif

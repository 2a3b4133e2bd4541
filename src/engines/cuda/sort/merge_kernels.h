/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that merge as the host names them for cudaLaunchKernel.
 */
#ifndef RIFFLE_ENGINES_CUDA_SORT_MERGE_KERNELS_H
#define RIFFLE_ENGINES_CUDA_SORT_MERGE_KERNELS_H

#include <stddef.h>

#include "kernels/sort/merge/merge.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kernel for keys of that size; NULL where there is none. */
const void *cuda_merge_kernel(merge_kernel kernel, size_t key_bytes);

#ifdef __cplusplus
}
#endif

#endif

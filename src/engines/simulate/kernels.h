/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of src/kernels as the machine runs them.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_KERNELS_H
#define RIFFLE_ENGINES_SIMULATE_KERNELS_H

#include <stddef.h>

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*machine_entry)(void *const *args);

/** Calls the kernel for elements of that size, args pointing to its arguments in their order; NULL where the
 *  kernel does not exist for them (kernels/list.h). */
machine_entry machine_kernel_entry(kernel_id kernel, size_t elem_bytes);

#ifdef __cplusplus
}
#endif

#endif

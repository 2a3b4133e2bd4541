/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of src/kernels as the machine runs them.
 */
#ifndef RIFFLE_ENGINES_MACHINE_KERNELS_H
#define RIFFLE_ENGINES_MACHINE_KERNELS_H

#include "engines/launch.h"

typedef void (*machine_entry)(void *const *args);

/** Calls the kernel for elements of a size that it exists for (engines/launch.h), args pointing to its arguments in
 *  their order. */
machine_entry machine_kernel_entry(launch_kernel kernel, size_t elem_bytes);

#endif

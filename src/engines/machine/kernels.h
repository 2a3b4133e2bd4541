/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of src/kernels as the machine runs them.
 */
#ifndef RIFFLE_ENGINES_MACHINE_KERNELS_H
#define RIFFLE_ENGINES_MACHINE_KERNELS_H

#include "engines/launch.h"

typedef void (*machine_entry)(void *const *args);

/** Calls the kernel for elements of 4 or 8 bytes, args pointing to its arguments in their order; NULL for other
 *  sizes. */
machine_entry machine_kernel_entry(launch_kernel kernel, size_t elem_bytes);

#endif

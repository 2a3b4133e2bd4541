/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of sorts as the memory machine calls them.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_SORT_KERNELS_H
#define RIFFLE_ENGINES_SIMULATE_SORT_KERNELS_H

#include <stddef.h>

#include "kernels/sort/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*machine_sort_entry)(void *const *args);

/** What machine_launch wants of the kernel for keys of that size; NULL where it does not exist for them. */
machine_sort_entry machine_sort_kernel(sort_kernel kernel, size_t key_bytes);

#ifdef __cplusplus
}
#endif
#endif

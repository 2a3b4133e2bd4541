/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of sorts as the host names them (kernels/sort/list.h).
 */
#ifndef RIFFLE_KERNELS_SORT_KERNELS_H
#define RIFFLE_KERNELS_SORT_KERNELS_H

#include "kernels/sort/sort.h"

typedef enum sort_kernel {
#define SORT_KERNEL(id, instance, bytes) KERNEL_OF_##id,
#include "kernels/sort/list.h"
#undef SORT_KERNEL
    SORT_KERNELS,
} sort_kernel;

#endif

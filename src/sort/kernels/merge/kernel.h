/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of merges as the host names them, and how they are appended to a list of launches.
 */
#ifndef RIFFLE_KERNELS_MERGE_KERNEL_H
#define RIFFLE_KERNELS_MERGE_KERNEL_H

#define KERNEL_LIST "sort/kernels/merge/list.h"
#include "device/kernels/family.h"

#endif

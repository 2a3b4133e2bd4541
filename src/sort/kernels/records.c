/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of sorts' kernels.
 */
#include "sort/kernels/kernel.h"

#define KERNEL_LIST "sort/kernels/list.h"
#define KERNEL_FAMILY FAMILY_sort
#include "device/kernels/records.h"

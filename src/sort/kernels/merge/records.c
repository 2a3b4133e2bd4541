/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of merges' kernels.
 */
#include "sort/kernels/merge/kernel.h"

#define KERNEL_LIST "sort/kernels/merge/list.h"
#define KERNEL_FAMILY FAMILY_merge
#include "device/kernels/records.h"

/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of hulls' kernels.
 */
#include "hull/kernels/kernel.h"

#define KERNEL_LIST "hull/kernels/list.h"
#define KERNEL_FAMILY FAMILY_hull
#include "device/kernels/records.h"

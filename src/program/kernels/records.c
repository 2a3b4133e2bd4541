/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of array programs' kernels.
 */
#include "program/kernels/kernel.h"

#define KERNEL_LIST "program/kernels/list.h"
#define KERNEL_FAMILY FAMILY_program
#include "device/kernels/records.h"

/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of the kernels of moves.
 */
#include "move/kernels/kernel.h"
#include "move/kernels/once/kernel.h"

#define KERNEL_LIST "move/kernels/list.h"
#define KERNEL_FAMILY FAMILY_move
#include "device/kernels/records.h"

#define KERNEL_LIST "move/kernels/once/list.h"
#define KERNEL_FAMILY FAMILY_once
#include "device/kernels/records.h"

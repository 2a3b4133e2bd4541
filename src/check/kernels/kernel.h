/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of checks as the host names them, and how they are appended to a list of launches.
 */
#ifndef RIFFLE_CHECK_KERNELS_KERNEL_H
#define RIFFLE_CHECK_KERNELS_KERNEL_H

#define KERNEL_LIST "check/kernels/list.h"
#include "device/kernels/family.h"

#endif

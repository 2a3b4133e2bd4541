/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of matrices over F2 as the host names them, and how they are appended to a list of launches.
 */
#ifndef RIFFLE_F2_KERNELS_KERNEL_H
#define RIFFLE_F2_KERNELS_KERNEL_H

#define KERNEL_LIST "f2/kernels/list.h"
#include "device/kernels/family.h"

#endif

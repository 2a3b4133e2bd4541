/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of array programs as the host names them, and how they are appended to a list of launches.
 */
#ifndef RIFFLE_PROGRAM_KERNELS_KERNEL_H
#define RIFFLE_PROGRAM_KERNELS_KERNEL_H

#define KERNEL_LIST "program/kernels/list.h"
#include "device/kernels/family.h"

#endif

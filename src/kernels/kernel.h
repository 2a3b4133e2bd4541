/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of moves and programs as the host names them, and how they are appended to a list of launches.
 */
#ifndef RIFFLE_KERNELS_KERNEL_H
#define RIFFLE_KERNELS_KERNEL_H

#define KERNEL_LIST "kernels/list.h"
#include "kernels/family.h"

#endif

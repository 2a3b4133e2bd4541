/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of bit transpositions as the host names them, and how they are appended to a list of launches.
 */
#ifndef RIFFLE_BITS_KERNELS_KERNEL_H
#define RIFFLE_BITS_KERNELS_KERNEL_H

#define KERNEL_LIST "bits/kernels/list.h"
#include "device/kernels/family.h"

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of histograms as the host names them, and how they are appended to a list of launches.
 */
#ifndef RIFFLE_HISTOGRAM_KERNELS_KERNEL_H
#define RIFFLE_HISTOGRAM_KERNELS_KERNEL_H

#define KERNEL_LIST "histogram/kernels/list.h"
#include "device/kernels/family.h"

#endif

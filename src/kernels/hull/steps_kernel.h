/* SPDX-License-Identifier: Apache-2.0
 *
 * All steps of a hull as the host names them (kernels/hull/stages.h), and how they are appended to a list of launches.
 */
#ifndef RIFFLE_KERNELS_HULL_STEPS_KERNEL_H
#define RIFFLE_KERNELS_HULL_STEPS_KERNEL_H

#define KERNEL_LIST "kernels/hull/steps_list.h"
#include "kernels/family.h"

#endif

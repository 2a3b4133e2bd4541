/* SPDX-License-Identifier: Apache-2.0
 *
 * All steps of a hull as the host names them (hull/gpu/steps/stages.h), and how they are appended to a list of launches.
 */
#ifndef RIFFLE_HULL_GPU_STEPS_STEPS_KERNEL_H
#define RIFFLE_HULL_GPU_STEPS_STEPS_KERNEL_H

#define KERNEL_LIST "hull/gpu/steps/steps_list.h"
#include "device/kernels/family.h"

#endif

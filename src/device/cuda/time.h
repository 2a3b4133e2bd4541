/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that a GPU takes for a list of launches.
 */
#ifndef RIFFLE_DEVICE_CUDA_TIME_H
#define RIFFLE_DEVICE_CUDA_TIME_H

#include "device/device.h"

/** As cuda_library has it. */
riffle_status cuda_time(const device *d, const char *what, const launch_list *list, double *seconds);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of packed elements on a device, a GPU or the memory machine: launches for all arrays. Moves of whole bytes have a plan of bytes instead.
 */
#ifndef RIFFLE_BITS_GPU_PLAN_H
#define RIFFLE_BITS_GPU_PLAN_H

#include "bits/plan.h"

/** Plans the bytes of BITS_AXES for a device of those limits. */
riffle_status bits_device_plan_boxes(riffle_bits_plan *plan, const device_limits *limits);

/** Finds the plan's device, puts there what executions read, and makes the kernel ready. Whole bytes have no part in it. */
riffle_status bits_device_prepare(riffle_bits_plan *plan);

/** Gives back what the plan has there. */
void bits_device_release(riffle_bits_plan *plan);

/** Appends the launches between arrays of the device. */
void bits_device_append(const riffle_bits_plan *plan, void *dst, const void *src, launch_list *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison of the user's for a device, as a kernel that the device compiles (sort/gpu/own_source.h).
 */
#ifndef RIFFLE_SORT_GPU_OWN_KERNEL_H
#define RIFFLE_SORT_GPU_OWN_KERNEL_H

#include "device/device.h"
#include "riffle/sort.h"

/** Compiles the comparison of a key, if it has one. RIFFLE_ERROR_SYNTAX with the compiler's first words if it does not compile;
 *  RIFFLE_ERROR_UNSUPPORTED without a compiler. */
riffle_status own_load_sort(const device *d, const riffle_sort_key *key, users_kernel *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel with what the user wrote, compiled by NVRTC or found where it was kept, and loaded.
 */
#ifndef RIFFLE_DEVICE_CUDA_COMPILE_H
#define RIFFLE_DEVICE_CUDA_COMPILE_H

#include "device/device.h"

/** As device_ops has it. Unloading harms no capture. */
riffle_status cuda_compile(const device *d, const char *source, const char *kernel, users_kernel *out,
                           char **messages);

#endif

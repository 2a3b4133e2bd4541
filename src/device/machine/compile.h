/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel with what users write on the memory machine: the source that a GPU would run, compiled by the host's C++ compiler as
 * `riffle lint` compiles a user's kernel.
 */
#ifndef RIFFLE_DEVICE_MACHINE_COMPILE_H
#define RIFFLE_DEVICE_MACHINE_COMPILE_H

#include "device/device.h"

/** As device_ops has it. */
riffle_status machine_compile(const device *d, const char *source, const char *kernel, users_kernel *out,
                              char **messages);

#endif

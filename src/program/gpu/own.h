/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' operations of a program for a device, as a kernel that the device compiles (program/fused/own_source.h).
 */
#ifndef RIFFLE_PROGRAM_GPU_OWN_H
#define RIFFLE_PROGRAM_GPU_OWN_H

#include "device/device.h"
#include "program/pass.h"

/** Compiles the operations of a program, if it has some. RIFFLE_ERROR_SYNTAX, with the place and the compiler's first words, if one
 *  does not compile; RIFFLE_ERROR_UNSUPPORTED without a compiler. */
riffle_status own_load_program(const device *d, const program_passes *passes, riffle_type type,
                               users_kernel *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that users write for a device, a program's operations or a sort's comparison, as a kernel that the device compiles
 * (plan/fused/own_source.h, engines/launch/sort_own_source.h).
 */
#ifndef RIFFLE_ENGINES_DEVICE_OWN_H
#define RIFFLE_ENGINES_DEVICE_OWN_H

#include "device/device.h"
#include "program/pass.h"
#include "riffle/sort.h"

/** Compiles the operations of a program, if it has some. RIFFLE_ERROR_SYNTAX, with the place and the compiler's first words, if one
 *  does not compile; RIFFLE_ERROR_UNSUPPORTED without a compiler. */
riffle_status own_load_program(const device *d, const program_passes *passes, riffle_type type,
                               users_kernel *out);

/** Compiles the comparison of a key, if it has one; fails alike. */
riffle_status own_load_sort(const device *d, const riffle_sort_key *key, users_kernel *out);

#endif

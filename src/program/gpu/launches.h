/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass of a program, as it was lowered (program/fused/fused.h), as launches.
 */
#ifndef RIFFLE_PROGRAM_GPU_LAUNCHES_H
#define RIFFLE_PROGRAM_GPU_LAUNCHES_H

#include "program/fused/fused.h"

/** Appends the launches of a pass between two arrays of a device, which may be one. `users`: the kernel with the users'
 *  operations, which does all launches; or NULL. */
void launch_program_pass(const fused_launches *launches, const users_kernel *users, void *to, const void *from,
                         launch_list *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on a device: the one list of launches that a plan and arrays become.
 */
#ifndef RIFFLE_ENGINES_DEVICE_PROGRAM_H
#define RIFFLE_ENGINES_DEVICE_PROGRAM_H

#include "engines/program.h"

/** Appends all launches of an execution of a device's plan, between arrays that have been checked. */
void program_append(const riffle_program_plan *plan, void *dst, const void *src, void *workspace,
                    launch_list *out);

#endif

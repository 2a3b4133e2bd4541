/* SPDX-License-Identifier: Apache-2.0
 *
 * From a schedule of a strided move that needs no boxes (plan/axes/direct.h) to the launch of its kernel.
 */
#ifndef RIFFLE_MOVE_GPU_DIRECT_H
#define RIFFLE_MOVE_GPU_DIRECT_H

#include "move/gpu/launch.h"
#include "plan/axes/direct.h"

/** Appends the launch, but for the arrays that it moves between. */
launch *launch_direct(const direct_schedule *s, launch_list *out);

#endif

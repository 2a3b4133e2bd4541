/* SPDX-License-Identifier: Apache-2.0
 *
 * From a schedule of boxes (plan/axes/box.h) to the launch of its kernel.
 */
#ifndef RIFFLE_MOVE_GPU_BOX_H
#define RIFFLE_MOVE_GPU_BOX_H

#include "move/gpu/launch.h"
#include "plan/axes/box.h"

/** Appends the launch that moves the boxes, but for the arrays that it moves between. */
launch *launch_boxes(const box_schedule *s, launch_list *out);

#endif

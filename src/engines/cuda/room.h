/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan has on the device that it was made on: a workspace.
 */
#ifndef RIFFLE_ENGINES_CUDA_ROOM_H
#define RIFFLE_ENGINES_CUDA_ROOM_H

#include "device/cuda/capture.h"
#include "device/device.h"

typedef struct cuda_room {
    device gpu;
    void *workspace; /**< or NULL */
} cuda_room;

/** Before a plan is made: the current device is the room's, and captures are passed by until capture_leave(*before). */
riffle_status cuda_room_begin(cuda_room *room, enum cudaStreamCaptureMode *before);

/** Its workspace; `plan` ("a plan of hulls") and `what` ("the workspace of hulls") are named where there is no memory. */
riffle_status cuda_room_allocate(cuda_room *room, const char *plan, const char *what, size_t bytes);

/** Gives the workspace back, and harms no capture. */
void cuda_room_free(const cuda_room *room);

#endif

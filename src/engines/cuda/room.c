/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cuda/room.h"

#include "base/status.h"
#include "device/cuda/runtime.h"

riffle_status cuda_room_begin(cuda_room *room, enum cudaStreamCaptureMode *before) {
    const riffle_status status = device_of_cuda(&room->gpu);
    return status == RIFFLE_OK ? capture_pass_by("planning", NULL, before) : status;
}

riffle_status cuda_room_allocate(cuda_room *room, const char *plan, const char *what, size_t bytes) {
    const riffle_status status = cuda_check_free(plan, bytes);
    return status == RIFFLE_OK ? cuda_allocate(what, bytes, &room->workspace) : status;
}

void cuda_room_free(const cuda_room *room) {
    enum cudaStreamCaptureMode before;
    capture_pass_by_quietly(&before);
    cudaFree(room->workspace);
    capture_leave(before);
}

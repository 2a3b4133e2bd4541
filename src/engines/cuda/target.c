/* SPDX-License-Identifier: Apache-2.0
 *
 * The current GPU as the planner sees it.
 */
#include "base/status.h"
#include "engines/cuda/device.h"
#include "engines/cuda/engine.h"
#include "riffle/cuda.h"

enum { OLDEST_MAJOR = 8 }; /* compute capability that the kernels are compiled for at least */

/* Nothing here asks the driver anything that it has to look up: every call that takes indices comes here. */
riffle_status cuda_engine_target(plan_target *out) {
    riffle_cuda_device device;
    int width;
    riffle_status status = riffle_cuda_describe(&device);
    if (status == RIFFLE_OK)
        status = cuda_device_attribute(device.index, cudaDevAttrWarpSize, "asking what the GPU is", &width);
    if (status != RIFFLE_OK) return status;
    if (device.compute_major < OLDEST_MAJOR) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the cuda engine needs a GPU of compute capability %d.0 or later; device %d has %u.x",
                    OLDEST_MAJOR, device.index, device.compute_major);
    }
    *out = (plan_target){.kind = TARGET_CUDA,
                         .name = "cuda",
                         .width = (unsigned)width,
                         .shared_bytes = device.shared_bytes,
                         .block_threads = device.block_threads,
                         .multiprocessors = device.multiprocessors,
                         .capability = 10 * device.compute_major + device.compute_minor,
                         .l2_bytes = device.l2_bytes,
                         .memory_bytes = device.memory_bytes};
    cudaGetLastError(); /* launches are checked by it: an earlier call's error must not pass for one of theirs */
    return RIFFLE_OK;
}

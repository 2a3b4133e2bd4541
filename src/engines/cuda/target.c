/* SPDX-License-Identifier: Apache-2.0
 *
 * The current GPU as the planner sees it.
 */
#include "base/status.h"
#include "engines/cuda/device.h"
#include "engines/cuda/engine.h"

enum { OLDEST_MAJOR = 8 }; /* compute capability that the kernels are compiled for at least */

static riffle_status read_attributes(int device, int *width, int *threads, int *shared, int *processors,
                                     int *l2, int *major, int *minor) {
    const struct {
        enum cudaDeviceAttr attribute;
        int *out;
    } asked[] = {
        {cudaDevAttrWarpSize, width},
        {cudaDevAttrMaxThreadsPerBlock, threads},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, shared},
        {cudaDevAttrMultiProcessorCount, processors},
        {cudaDevAttrL2CacheSize, l2},
        {cudaDevAttrComputeCapabilityMajor, major},
        {cudaDevAttrComputeCapabilityMinor, minor},
    };
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; status == RIFFLE_OK && k < sizeof asked / sizeof asked[0]; k++)
        status = cuda_device_attribute(device, asked[k].attribute, "asking what the GPU is", asked[k].out);
    return status;
}

riffle_status cuda_engine_target(plan_target *out) {
    int device, width, threads, shared, processors, l2, major, minor;
    size_t free_bytes = 0, memory_bytes = 0;
    riffle_status status = cuda_device_current(&device);
    if (status == RIFFLE_OK)
        status = read_attributes(device, &width, &threads, &shared, &processors, &l2, &major, &minor);
    if (status == RIFFLE_OK)
        status = cuda_result(cudaMemGetInfo(&free_bytes, &memory_bytes), "asking for the GPU's memory");
    if (status != RIFFLE_OK) return status;
    if (major < OLDEST_MAJOR) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the cuda engine needs a GPU of compute capability %d.0 or later; device %d has %d.x",
                    OLDEST_MAJOR, device, major);
    }
    *out = (plan_target){.kind = TARGET_CUDA,
                         .name = "cuda",
                         .width = (unsigned)width,
                         .shared_bytes = (size_t)shared,
                         .block_threads = (unsigned)threads,
                         .multiprocessors = (unsigned)processors,
                         .capability = (unsigned)(10 * major + minor),
                         .l2_bytes = (uint64_t)l2,
                         .memory_bytes = memory_bytes};
    cudaGetLastError(); /* launches are checked by it: an earlier call's error must not pass for one of theirs */
    return RIFFLE_OK;
}

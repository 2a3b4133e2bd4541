/* SPDX-License-Identifier: Apache-2.0
 *
 * The way to GPUs, which has libriffle-cuda loaded.
 */
#include "base/status.h"
#include "device/cuda_library.h"

static library cuda = {.name = "cuda",
                       .has = "the cuda engine",
                       .instead = "use the cpu engine",
                       .linked = &riffle_cuda_library.head};

riffle_status cuda_library_find(const cuda_library **out) {
    const library_head *head;
    const riffle_status status = library_find(&cuda, &head);
    *out = (const cuda_library *)(const void *)head;
    return status;
}

const cuda_library *cuda_library_loaded(void) { return (const void *)library_loaded(&cuda); }

riffle_status device_of_cuda(device *out) {
    const cuda_library *there;
    *out = (device){.ops = NULL};
    const riffle_status status = cuda_library_find(&there);
    return status == RIFFLE_OK ? there->current(out) : status;
}

riffle_status riffle_cuda_describe(riffle_cuda_device *out) {
    const cuda_library *there;
    RETURN_IF_NULL(out);
    const riffle_status status = cuda_library_find(&there);
    return status == RIFFLE_OK ? there->describe(out) : status;
}

riffle_status riffle_cuda_memory_find(const riffle_cuda_memory **out) {
    const cuda_library *there;
    riffle_cuda_device gpu;
    RETURN_IF_NULL(out);
    riffle_status status = cuda_library_find(&there);
    if (status == RIFFLE_OK) status = there->describe(&gpu);
    if (status == RIFFLE_OK) *out = there->memory;
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cuda/device.h"

#include <string.h>

#include "base/status.h"
#include "engines/cuda/engine.h"
#include "riffle/cuda.h"

enum { OLDEST_MAJOR = 8 }; /* compute capability that the kernels are compiled for at least */

static riffle_status status_of(cudaError_t error) {
    switch (error) {
    case cudaErrorMemoryAllocation: return RIFFLE_ERROR_OUT_OF_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorNoKernelImageForDevice: return RIFFLE_ERROR_UNSUPPORTED;
    default: return RIFFLE_ERROR_DEVICE;
    }
}

riffle_status cuda_result(cudaError_t error, const char *attempt) {
    if (error == cudaSuccess) return RIFFLE_OK;
    cudaGetLastError(); /* it is reported here; the caller's next look at CUDA's last error should not see it */
    return fail(status_of(error), "%s: CUDA says '%s' (%s)", attempt, cudaGetErrorString(error),
                cudaGetErrorName(error));
}

riffle_status cuda_device_current(int *out) {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0) error = cudaErrorNoDevice;
    if (error == cudaSuccess) error = cudaGetDevice(out);
    if (error == cudaSuccess) return RIFFLE_OK;
    cudaGetLastError();
    if (status_of(error) != RIFFLE_ERROR_UNSUPPORTED) return cuda_result(error, "looking for a GPU");
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "the cuda engine finds no GPU or no driver for CUDA %d: CUDA says '%s'; use the cpu engine",
                CUDART_VERSION / 1000, cudaGetErrorString(error));
}

riffle_status cuda_device_attribute(int device, enum cudaDeviceAttr attribute, const char *what, int *out) {
    return cuda_result(cudaDeviceGetAttribute(out, attribute, device), what);
}

riffle_status cuda_allocate(const char *what, size_t bytes, void **out) {
    *out = NULL;
    if (bytes == 0) return RIFFLE_OK;
    const cudaError_t error = cudaMalloc(out, bytes);
    if (error != cudaErrorMemoryAllocation) return cuda_result(error, what);
    cudaGetLastError();
    return fail(RIFFLE_ERROR_OUT_OF_MEMORY, "the GPU has no %zu bytes left for %s", bytes, what);
}

riffle_status cuda_check_free(const char *what, size_t bytes) {
    size_t left, all;
    const riffle_status status = cuda_result(cudaMemGetInfo(&left, &all), "asking for the GPU's free memory");
    if (status != RIFFLE_OK || bytes <= left) return status;
    return fail(RIFFLE_ERROR_OUT_OF_MEMORY, "%s needs %zu bytes of the GPU's memory, and %zu are free", what,
                bytes, left);
}

riffle_status cuda_load_kernel(const void *kernel, size_t shared_bytes) {
    struct cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel); /* CUDA loads it to answer */
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
    return cuda_result(error, "loading a kernel");
}

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

riffle_status riffle_cuda_describe(riffle_cuda_device *out) {
    int device, driver = 0, runtime = 0;
    riffle_status status = cuda_device_current(&device);
    if (status != RIFFLE_OK) return status;
    struct cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error == cudaSuccess) error = cudaDriverGetVersion(&driver);
    if (error == cudaSuccess) error = cudaRuntimeGetVersion(&runtime);
    if (error != cudaSuccess) return cuda_result(error, "describing the GPU");
    *out = (riffle_cuda_device){.index = device,
                                .compute_major = (unsigned)p.major,
                                .compute_minor = (unsigned)p.minor,
                                .multiprocessors = (unsigned)p.multiProcessorCount,
                                .driver = (unsigned)driver,
                                .runtime = (unsigned)runtime,
                                .block_threads = (unsigned)p.maxThreadsPerBlock,
                                .shared_bytes = p.sharedMemPerBlockOptin,
                                .l2_bytes = (size_t)p.l2CacheSize,
                                .memory_bytes = p.totalGlobalMem};
    memcpy(out->name, p.name, sizeof out->name);
    out->name[sizeof out->name - 1] = '\0';
    return RIFFLE_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda/runtime.h"

#include <string.h>

#include "base/status.h"
#include "riffle/cuda.h"

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

riffle_status cuda_device_attribute(int number, enum cudaDeviceAttr attribute, const char *what, int *out) {
    return cuda_result(cudaDeviceGetAttribute(out, attribute, number), what);
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
    if (error == cudaSuccess && shared_bytes > 0)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
    return cuda_result(error, "loading a kernel");
}

riffle_status cuda_describe(riffle_cuda_device *out) {
    int number, driver = 0, runtime = 0;
    riffle_status status = cuda_device_current(&number);
    if (status != RIFFLE_OK) return status;
    struct cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, number);
    if (error == cudaSuccess) error = cudaDriverGetVersion(&driver);
    if (error == cudaSuccess) error = cudaRuntimeGetVersion(&runtime);
    if (error != cudaSuccess) return cuda_result(error, "describing the GPU");
    *out = (riffle_cuda_device){.index = number,
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

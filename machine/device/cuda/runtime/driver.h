/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's driver, as far as programs of the runtime use it: its types, and questions about the device. Modules are not
 * supplied: a kernel is part of the program's own text.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_DRIVER_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_DRIVER_H

#include "device.h"

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999,
} CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef enum CUdevice_attribute_enum {
#define RIFFLE_DRIVER_ATTRIBUTE(name, number) CU_DEVICE_ATTRIBUTE_##name = number
    RIFFLE_DRIVER_ATTRIBUTE(MAX_THREADS_PER_BLOCK, 1),
    RIFFLE_DRIVER_ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK, 8),
    RIFFLE_DRIVER_ATTRIBUTE(WARP_SIZE, 10),
    RIFFLE_DRIVER_ATTRIBUTE(CLOCK_RATE, 13),
    RIFFLE_DRIVER_ATTRIBUTE(MULTIPROCESSOR_COUNT, 16),
    RIFFLE_DRIVER_ATTRIBUTE(MEMORY_CLOCK_RATE, 36),
    RIFFLE_DRIVER_ATTRIBUTE(GLOBAL_MEMORY_BUS_WIDTH, 37),
    RIFFLE_DRIVER_ATTRIBUTE(L2_CACHE_SIZE, 38),
    RIFFLE_DRIVER_ATTRIBUTE(UNIFIED_ADDRESSING, 41),
    RIFFLE_DRIVER_ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR, 75),
    RIFFLE_DRIVER_ATTRIBUTE(COMPUTE_CAPABILITY_MINOR, 76),
#undef RIFFLE_DRIVER_ATTRIBUTE
} CUdevice_attribute;

#include "tensor_map.h"

namespace riffle_lint {
inline CUresult driver_status(cudaError_t error) { return (CUresult)error; }
} // namespace riffle_lint
inline CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int *out) { return riffle_lint::driver_status(cudaDriverGetVersion(out)); }
inline CUresult cuDeviceGetCount(int *out) { return riffle_lint::driver_status(cudaGetDeviceCount(out)); }
inline CUresult cuDeviceGet(CUdevice *out, int number) {
    *out = number;
    return number == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDeviceGetName(char *out, int length, CUdevice) {
    snprintf(out, (size_t)length, "riffle's memory machine");
    return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetAttribute(int *out, CUdevice_attribute which, CUdevice device) {
    return riffle_lint::driver_status(cudaDeviceGetAttribute(out, (cudaDeviceAttr)which, device));
}
inline CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice) {
    *major = 9;
    *minor = 0;
    return CUDA_SUCCESS;
}
inline CUresult cuDeviceTotalMem(size_t *out, CUdevice) {
    *out = (size_t)16 << 30;
    return CUDA_SUCCESS;
}
inline CUresult cuMemGetInfo(size_t *left, size_t *all) { return riffle_lint::driver_status(cudaMemGetInfo(left, all)); }
inline CUresult cuCtxSynchronize(void) { return riffle_lint::driver_status(cudaDeviceSynchronize()); }
inline CUresult cuGetErrorString(CUresult error, const char **out) {
    *out = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}
inline CUresult cuGetErrorName(CUresult error, const char **out) {
    *out = cudaGetErrorName((cudaError_t)error);
    return CUDA_SUCCESS;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's driver, as far as programs of the runtime use it: its types, questions about the device, contexts, memory, streams and events. Modules are not
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
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_FAILED = 719,
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
/* There is one context, and it is current. */
enum CUctx_flags { CU_CTX_SCHED_AUTO = 0, CU_CTX_SCHED_SPIN = 1, CU_CTX_SCHED_YIELD = 2, CU_CTX_SCHED_BLOCKING_SYNC = 4, CU_CTX_MAP_HOST = 8 };
namespace riffle_lint {
inline CUresult one_context(CUcontext *out) {
    static char context;
    *out = (CUcontext)&context;
    return CUDA_SUCCESS;
}
} // namespace riffle_lint
inline CUresult cuCtxCreate(CUcontext *out, unsigned, CUdevice) { return riffle_lint::one_context(out); }
inline CUresult cuCtxCreate(CUcontext *out, void *, unsigned, CUdevice) { return riffle_lint::one_context(out); }
inline CUresult cuCtxGetCurrent(CUcontext *out) { return riffle_lint::one_context(out); }
inline CUresult cuCtxPopCurrent(CUcontext *out) { return riffle_lint::one_context(out); }
inline CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice) { return riffle_lint::one_context(out); }
inline CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
inline CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxGetDevice(CUdevice *out) { return cuDeviceGet(out, 0); }
inline CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes) {
    void *at = nullptr;
    const cudaError_t error = cudaMalloc(&at, bytes);
    *out = (CUdeviceptr)at;
    return riffle_lint::driver_status(error);
}
RIFFLE_CALL CUresult cuMemFree(CUdeviceptr at) { return riffle_lint::driver_status(riffle_lint::release((void *)at, "cuMemFree", RIFFLE_SITE)); }
RIFFLE_CALL CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
    return riffle_lint::driver_status(riffle_lint::copy((void *)to, from, bytes, {"cuMemcpyHtoD", RIFFLE_SITE, cudaMemcpyHostToDevice}));
}
RIFFLE_CALL CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
    return riffle_lint::driver_status(riffle_lint::copy(to, (const void *)from, bytes, {"cuMemcpyDtoH", RIFFLE_SITE, cudaMemcpyDeviceToHost}));
}
RIFFLE_CALL CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return riffle_lint::driver_status(riffle_lint::copy((void *)to, (const void *)from, bytes, {"cuMemcpyDtoD", RIFFLE_SITE, cudaMemcpyDeviceToDevice}));
}
RIFFLE_CALL CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t bytes) {
    return riffle_lint::driver_status(riffle_lint::fill((void *)to, value, bytes, RIFFLE_SITE));
}
inline CUresult cuStreamCreate(CUstream *out, unsigned flags) { return riffle_lint::driver_status(cudaStreamCreateWithFlags(out, flags)); }
inline CUresult cuStreamDestroy(CUstream stream) { return riffle_lint::driver_status(cudaStreamDestroy(stream)); }
inline CUresult cuStreamSynchronize(CUstream stream) { return riffle_lint::driver_status(cudaStreamSynchronize(stream)); }
inline CUresult cuEventCreate(CUevent *out, unsigned flags) { return riffle_lint::driver_status(cudaEventCreateWithFlags(out, flags)); }
inline CUresult cuEventDestroy(CUevent event) { return riffle_lint::driver_status(cudaEventDestroy(event)); }
inline CUresult cuEventRecord(CUevent event, CUstream stream) { return riffle_lint::driver_status(cudaEventRecord(event, stream)); }
inline CUresult cuEventSynchronize(CUevent event) { return riffle_lint::driver_status(cudaEventSynchronize(event)); }
inline CUresult cuEventElapsedTime(float *out, CUevent begin, CUevent end) { return riffle_lint::driver_status(cudaEventElapsedTime(out, begin, end)); }
#define RIFFLE_NO_DRIVER(name) RIFFLE_NOT_SUPPLIED(CUresult, name, #name ": not supplied of CUDA's driver", CUDA_ERROR_NOT_SUPPORTED)
RIFFLE_NO_DRIVER(cuMemGetAddressRange)
RIFFLE_NO_DRIVER(cuModuleLoad)
RIFFLE_NO_DRIVER(cuModuleLoadData)
RIFFLE_NO_DRIVER(cuModuleLoadDataEx)
RIFFLE_NO_DRIVER(cuModuleUnload)
RIFFLE_NO_DRIVER(cuModuleGetFunction)
RIFFLE_NO_DRIVER(cuModuleGetGlobal)
RIFFLE_NO_DRIVER(cuLaunchKernel)
#undef RIFFLE_NO_DRIVER
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

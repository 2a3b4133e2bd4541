/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's driver, as far as programs of the runtime use it: its types, questions about the device, contexts, memory, streams and events. Modules are not
 * supplied: a kernel is part of the program's own text.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_DRIVER_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_DRIVER_H

#include "device.h"
#include "driver_names.h"

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

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
    if (which == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) { /* programs that ask take cudaMalloc then */
        *out = 0;
        return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
    }
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
RIFFLE_CALL CUresult cuMemHostRegister(void *start, size_t bytes, unsigned flags) {
    return riffle_lint::driver_status(riffle_lint::enroll(start, bytes, flags, "cuMemHostRegister", RIFFLE_SITE));
}
RIFFLE_CALL CUresult cuMemHostUnregister(void *start) {
    return riffle_lint::driver_status(riffle_lint::give_back(start, "cuMemHostUnregister", RIFFLE_SITE));
}
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
namespace riffle_lint {
/* The name of the driver's error; nullptr for a number that is none. */
inline const char *driver_error(CUresult error) {
    switch (error) {
#define RIFFLE_ERROR_CASE(name, number)                                                                        \
    case name: return #name;
        RIFFLE_DRIVER_ERRORS(RIFFLE_ERROR_CASE)
#undef RIFFLE_ERROR_CASE
    }
    return nullptr;
}
} // namespace riffle_lint
inline CUresult cuGetErrorString(CUresult error, const char **out) {
    *out = riffle_lint::driver_error(error) == nullptr ? nullptr : cudaGetErrorString((cudaError_t)error);
    return *out == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
inline CUresult cuGetErrorName(CUresult error, const char **out) {
    *out = riffle_lint::driver_error(error);
    return *out == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

#endif

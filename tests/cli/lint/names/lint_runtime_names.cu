/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of CUDA's runtime and driver beside their numbers, what the device says of its attributes, and launches that need not wait for the
 * one before. The program says which differ.
 */
#include <cstdio>
#include <cstring>
#include <cuda.h>

static int failures;
#define SAME(is, should)                                                                                       \
    do {                                                                                                       \
        if ((long long)(is) != (long long)(should)) {                                                          \
            printf("line %d: %lld in place of %lld\n", __LINE__, (long long)(is), (long long)(should));        \
            failures++;                                                                                        \
        }                                                                                                      \
    } while (0)

static void errors() {
    SAME(CUDA_ERROR_PROFILER_DISABLED, 5);
    SAME(CUDA_ERROR_NO_BINARY_FOR_GPU, 209);
    SAME(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703);
    SAME(CUDA_ERROR_KEY_ROTATION, 916);
    SAME(cudaErrorProfilerAlreadyStopped, 8);
    SAME(cudaErrorDeviceUninitialized, 201);
    SAME(cudaErrorHardwareStackError, 714);
    SAME(cudaErrorInvalidResourceConfiguration, 915);
    SAME(strcmp(cudaGetErrorName(cudaErrorIllegalInstruction), "cudaErrorIllegalInstruction"), 0);
    SAME(strcmp(cudaGetErrorString(cudaErrorIllegalInstruction), "an illegal instruction was encountered"), 0);
    const char *text = nullptr;
    SAME(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text), CUDA_SUCCESS);
    SAME(strcmp(text, "CUDA_ERROR_INVALID_PTX"), 0);
    SAME(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text), CUDA_SUCCESS);
    SAME(strcmp(text, "out of memory"), 0);
    SAME(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
    SAME(text == nullptr, 1);
}

static void attributes() {
    int value = -1;
    SAME(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39);
    SAME(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 127);
    SAME(cudaDevAttrHostNumaId, 134);
    SAME(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0), CUDA_SUCCESS);
    SAME(value, 227 << 10);
    SAME(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture3DDepth, 0), cudaSuccess);
    SAME(value, 16384);
    SAME(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 0), CUDA_SUCCESS);
    SAME(value, 1);
    SAME(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0), CUDA_SUCCESS);
    SAME(value, 0);
    SAME(cudaDeviceGetAttribute(&value, cudaDevAttrHostNumaId, 0), cudaErrorInvalidValue);
    SAME(cudaGetLastError(), cudaErrorInvalidValue);
}

__global__ void next(int *a) {
    cudaGridDependencySynchronize();
    a[threadIdx.x]++;
    cudaTriggerProgrammaticLaunchCompletion();
}

static void launches() {
    int *a;
    cudaMallocManaged(&a, 32 * sizeof *a);
    cudaMemset(a, 0, 32 * sizeof *a);
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    attributes[1].val.sharedMemCarveout = 50;
    cudaLaunchConfig_t with = {};
    with.gridDim = dim3(1);
    with.blockDim = dim3(32);
    with.attrs = attributes;
    with.numAttrs = 2;
    for (int k = 0; k < 3; k++) SAME(cudaLaunchKernelEx(&with, next, a), cudaSuccess);
    SAME(cudaDeviceSynchronize(), cudaSuccess);
    SAME(a[31], 3);
    SAME(cudaFree(a), cudaSuccess);
}

static void places() {
    int *a;
    SAME(cudaMemLocationTypeHostNumaCurrent, 4);
    cudaMemLocation on_device = {}, on_host = {}, elsewhere = {};
    on_device.type = elsewhere.type = cudaMemLocationTypeDevice;
    on_host.type = cudaMemLocationTypeHost;
    elsewhere.id = 1;
    cudaMallocManaged(&a, 32 * sizeof *a);
    SAME(cudaMemAdvise(a, 32 * sizeof *a, cudaMemAdviseSetPreferredLocation, on_device), cudaSuccess);
    SAME(cudaMemPrefetchAsync(a, 32 * sizeof *a, on_host, 0, 0), cudaSuccess);
    SAME(cudaMemPrefetchAsync(a, 32 * sizeof *a, elsewhere, 0), cudaErrorInvalidDevice);
    SAME(cudaMemPrefetchAsync(a, 32 * sizeof *a, cudaMemLocation{}, 0), cudaErrorInvalidValue);
    SAME(cudaGetLastError(), cudaErrorInvalidValue);
    SAME(cudaFree(a), cudaSuccess);
    cudaMemPoolProps as = {};
    as.allocType = cudaMemAllocationTypePinned;
    as.handleTypes = cudaMemHandleTypeNone;
    as.location = on_device;
    cudaMemPool_t pool;
    SAME(cudaMemPoolCreate(&pool, &as), cudaSuccess);
    SAME(cudaMallocAsync(&a, 32 * sizeof *a, pool, 0), cudaSuccess);
    SAME(cudaFreeAsync(a, 0), cudaSuccess);
    SAME(cudaMemPoolDestroy(pool), cudaSuccess);
}

__device__ int number;

/* Arguments that are left out have defaults, and a number stands for a stream. */
static void defaults() {
    int sent = 7, fetched = 0;
    SAME(cudaMemcpyToSymbolAsync(number, &sent, sizeof sent), cudaSuccess);
    SAME(cudaMemcpyFromSymbolAsync(&fetched, number, sizeof fetched), cudaSuccess);
    SAME(cudaStreamSynchronize(cudaStreamDefault), cudaSuccess);
    SAME(fetched, 7);
}

int main() {
    defaults();
    errors();
    attributes();
    places();
    launches();
    return failures;
}

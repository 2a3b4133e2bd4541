/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's runtime for whole programs, on the memory machine: one device, one stream, all in order. What host.h declares is
 * defined here where a program runs; the rest is missing, and said to be when it is called.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_H

#include "host_api.h"

extern "C" machine_host_api riffle_lint_host;

namespace riffle_lint {
/* k<<<grid, block, shared, stream>>>(args) becomes configure("k", grid, block, shared, stream)([&](auto &...a) { k(a...); })(args):
 * the arguments are copied once, and each thread calls the kernel with copies of them. */
template <class Call, class... Copies> struct arguments {
    Call call;
    std::tuple<Copies...> copies;
    __attribute__((no_sanitize_thread)) static void enter(void *const *args) {
        arguments *self = static_cast<arguments *>(args[0]);
        std::apply(self->call, self->copies);
    }
};

inline cudaError_t &last_error() {
    static cudaError_t error = cudaSuccess;
    return error;
}
inline cudaError_t note(cudaError_t error) {
    if (error != cudaSuccess) last_error() = error;
    return error;
}

struct configuration {
    const char *kernel;
    dim3 grid, block;
    size_t shared;
    template <class Call> auto operator()(Call call) const {
        const configuration self = *this;
        return [self, call](auto &&...given) {
            arguments<Call, std::decay_t<decltype(given)>...> all{call, {std::forward<decltype(given)>(given)...}};
            const machine_host_launch one = {self.kernel, all.enter, &all, sizeof all, self.shared,
                                             {self.grid.x, self.grid.y, self.grid.z},
                                             {self.block.x, self.block.y, self.block.z}};
            note(riffle_lint_host.launch(&one) ? cudaSuccess : cudaErrorInvalidConfiguration);
        };
    }
};
inline configuration configure(const char *kernel, dim3 grid, dim3 block, size_t shared = 0, cudaStream_t = 0) {
    return {kernel, grid, block, shared};
}

inline cudaError_t copy(void *to, const void *from, size_t bytes) {
    if (!riffle_lint_host.holds(to, bytes) || !riffle_lint_host.holds(from, bytes)) return note(cudaErrorInvalidValue);
    memmove(to, from, bytes);
    riffle_lint_host.written(to, bytes);
    return cudaSuccess;
}
inline cudaError_t fill(void *to, int value, size_t bytes) {
    if (!riffle_lint_host.holds(to, bytes)) return note(cudaErrorInvalidValue);
    memset(to, value, bytes);
    riffle_lint_host.written(to, bytes);
    return cudaSuccess;
}
inline cudaError_t allocate(void **out, size_t bytes, bool shared) {
    void *start = riffle_lint_host.allocate(bytes, shared);
    if (start == nullptr) return note(cudaErrorMemoryAllocation);
    *out = start;
    return cudaSuccess;
}
inline cudaError_t release(void *start) {
    return note(start == nullptr || riffle_lint_host.release(start) ? cudaSuccess : cudaErrorInvalidValue);
}
inline const char *error_text(cudaError_t error) {
    switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    default: return "unknown error";
    }
}
} // namespace riffle_lint

extern "C" {
inline const char *cudaGetErrorString(cudaError_t error) { return riffle_lint::error_text(error); }
inline const char *cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : "cudaError"; }
inline cudaError_t cudaPeekAtLastError(void) { return riffle_lint::last_error(); }
inline cudaError_t cudaGetLastError(void) {
    const cudaError_t last = riffle_lint::last_error();
    riffle_lint::last_error() = cudaSuccess;
    return last;
}
inline cudaError_t cudaDeviceSynchronize(void) { return riffle_lint::last_error(); }
inline cudaError_t cudaDeviceReset(void) { return cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) {
    return riffle_lint::note(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *out, int device) {
    if (device != 0) return riffle_lint::note(cudaErrorInvalidDevice);
    memset(static_cast<void *>(out), 0, sizeof *out);
    strcpy(out->name, "riffle's memory machine");
    out->totalGlobalMem = (size_t)16 << 30;
    out->sharedMemPerBlock = 48 << 10;
    out->sharedMemPerBlockOptin = 227 << 10;
    out->sharedMemPerMultiprocessor = 228 << 10;
    out->regsPerBlock = 65536;
    out->warpSize = 32;
    out->maxThreadsPerBlock = 1024;
    out->maxThreadsDim[0] = out->maxThreadsDim[1] = 1024;
    out->maxThreadsDim[2] = 64;
    out->maxGridSize[0] = 0x7fffffff;
    out->maxGridSize[1] = out->maxGridSize[2] = 65535;
    out->clockRate = 1000000;
    out->memoryClockRate = 1000000;
    out->memoryBusWidth = 1024;
    out->l2CacheSize = 32 << 20;
    out->major = 8;
    out->multiProcessorCount = 132;
    out->maxThreadsPerMultiProcessor = 2048;
    out->unifiedAddressing = 1;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *out, cudaDeviceAttr which, int) {
    switch (which) {
    case cudaDevAttrMaxThreadsPerBlock: *out = 1024; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *out = 48 << 10; break;
    case cudaDevAttrWarpSize: *out = 32; break;
    case cudaDevAttrMultiProcessorCount: *out = 132; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *out = 227 << 10; break;
    default: return riffle_lint::note(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
inline cudaError_t cudaFree(void *start) { return riffle_lint::release(start); }
inline cudaError_t cudaFreeHost(void *start) { return riffle_lint::release(start); }
inline cudaError_t cudaFreeAsync(void *start, cudaStream_t) { return riffle_lint::release(start); }
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    return riffle_lint::copy(to, from, bytes);
}
inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind) {
    for (size_t row = 0; row < height; row++) {
        const cudaError_t error = riffle_lint::copy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemset(void *to, int value, size_t bytes) { return riffle_lint::fill(to, value, bytes); }
inline cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all) {
    *free_bytes = *all = (size_t)16 << 30;
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t *out) {
    *out = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return riffle_lint::last_error(); }
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
/* There is no time on the machine that a program could divide by. */
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = 1;
    return cudaSuccess;
}
inline cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
inline cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
}

inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
    return riffle_lint::copy(to, from, bytes);
}
inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t) {
    return riffle_lint::fill(to, value, bytes);
}
inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned) { return cudaStreamCreate(out); }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t *out, unsigned) {
    *out = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned) { return cudaEventCreate(out, 0); }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
template <class T> cudaError_t cudaMalloc(T **out, size_t bytes) { return riffle_lint::allocate((void **)out, bytes, false); }
template <class T> cudaError_t cudaMallocAsync(T **out, size_t bytes, cudaStream_t) { return cudaMalloc(out, bytes); }
template <class T> cudaError_t cudaMallocHost(T **out, size_t bytes, unsigned) {
    return riffle_lint::allocate((void **)out, bytes, true);
}
template <class T> cudaError_t cudaHostAlloc(T **out, size_t bytes, unsigned) {
    return riffle_lint::allocate((void **)out, bytes, true);
}
template <class T> cudaError_t cudaMallocManaged(T **out, size_t bytes, unsigned) {
    return riffle_lint::allocate((void **)out, bytes, true);
}
template <class T> cudaError_t cudaMallocPitch(T **out, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(out, *pitch * height);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind) {
    if (offset > sizeof symbol || bytes > sizeof symbol - offset) return riffle_lint::note(cudaErrorInvalidValue);
    return riffle_lint::copy((char *)&symbol + offset, from, bytes);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset, cudaMemcpyKind) {
    if (offset > sizeof symbol || bytes > sizeof symbol - offset) return riffle_lint::note(cudaErrorInvalidValue);
    return riffle_lint::copy(to, (const char *)&symbol + offset, bytes);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **out, const T &symbol) {
    *out = (void *)&symbol;
    return cudaSuccess;
}
template <class T> cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int) { return cudaSuccess; }
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache) { return cudaSuccess; }
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *, int threads, size_t) {
    *blocks = threads > 0 ? 2048 / threads : 0;
    return cudaSuccess;
}
template <class T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *, size_t, int) {
    *grid = 264;
    *block = 1024;
    return cudaSuccess;
}

/* With the kernel's own type: its parameters tell what the addresses point to. */
namespace riffle_lint {
template <class... Parameters, size_t... K>
void launch_addresses(const configuration &with, void (*kernel)(Parameters...), void **args, std::index_sequence<K...>) {
    with([kernel](auto &...a) __attribute__((no_sanitize_thread)) { kernel(a...); })(
        *static_cast<std::decay_t<Parameters> *>(args[K])...);
}
} // namespace riffle_lint
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **args, size_t shared = 0,
                             cudaStream_t = 0) {
    riffle_lint::launch_addresses({"cudaLaunchKernel", grid, block, shared}, kernel, args,
                                  std::index_sequence_for<Parameters...>());
    return cudaPeekAtLastError();
}

#endif

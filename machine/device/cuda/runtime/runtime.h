/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's runtime for host code, on the memory machine: one device, all in order. A kernel alone has it too, so that its file
 * compiles; there nobody calls it.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_RUNTIME_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_RUNTIME_H

#include "host.h"
#include "work.h"

#include "launch.h"

/* A function that host code calls, and whose line in it is asked for. */
#define RIFFLE_CALL inline __attribute__((noinline))

struct CUstream_st {
    unsigned flags;
    int priority;
};
struct CUevent_st {
    unsigned flags;
    bool recorded;
};

namespace riffle_lint {
struct error_row {
    cudaError_t error;
    const char *name, *text;
};
inline __attribute__((no_sanitize_thread)) const error_row &error_of(cudaError_t error) {
#define RIFFLE_ERROR_ROW(name, number, text) {name, #name, text},
    static const error_row rows[] = {RIFFLE_CUDA_ERRORS(RIFFLE_ERROR_ROW)};
#undef RIFFLE_ERROR_ROW
    for (const error_row &row : rows)
        if (row.error == error) return row;
    static const error_row unknown = {cudaErrorUnknown, "unrecognized error code", "unrecognized error code"};
    return unknown;
}

/* A call that CUDA would refuse: the report names its line. */
inline cudaError_t refuse(cudaError_t error, const char *call, const char *why, const void *site) {
    if (riffle_lint_host.refuse != nullptr && site != nullptr) riffle_lint_host.refuse(call, error_of(error).name, why, site);
    return note(error);
}

/* A call of the program's: who it is, where host code makes it, and which way it copies. */
struct call {
    const char *name;
    const void *site;
    cudaMemcpyKind kind;
};
inline const char *whose_memory(const void *at) {
    switch (riffle_lint_host.kind(at)) {
    case MACHINE_MEMORY_DEVICE: return "the device's";
    case MACHINE_MEMORY_SHARED: return "both sides'";
    case MACHINE_MEMORY_FREED: return "freed";
    default: return "the host's";
    }
}
/* False if memory that a copy's direction says is the device's is the host's own. The other way about a GPU finds it all the same. */
inline bool is_there(const void *at, bool on_device) { return !on_device || riffle_lint_host.kind(at) != MACHINE_MEMORY_HOST; }
inline cudaError_t check_direction(const call &by, const void *to, const void *from) {
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    char why[160];
    const bool is_freed = riffle_lint_host.kind(to) == MACHINE_MEMORY_FREED || riffle_lint_host.kind(from) == MACHINE_MEMORY_FREED;
    const bool to_device = by.kind == cudaMemcpyHostToDevice || by.kind == cudaMemcpyDeviceToDevice;
    const bool from_device = by.kind == cudaMemcpyDeviceToHost || by.kind == cudaMemcpyDeviceToDevice;
    if (by.kind < cudaMemcpyHostToHost || by.kind > cudaMemcpyDefault)
        return refuse(cudaErrorInvalidMemcpyDirection, by.name, "no such direction of a copy", by.site);
    if (!is_freed && (by.kind == cudaMemcpyDefault || (is_there(to, to_device) && is_there(from, from_device)))) return cudaSuccess;
    snprintf(why, sizeof why, "%s, but the destination is %s memory and the source %s", by.kind < cudaMemcpyDefault ? names[by.kind] : "cudaMemcpyDefault",
             whose_memory(to), whose_memory(from));
    return refuse(cudaErrorInvalidValue, by.name, why, by.site);
}
inline cudaError_t copy_now(void *to, const void *from, size_t bytes, const call &by = {"cudaMemcpy", nullptr, cudaMemcpyDefault}) {
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr) return refuse(cudaErrorInvalidValue, by.name, "an address is NULL", by.site);
    if (!riffle_lint_host.holds(to, bytes) || !riffle_lint_host.holds(from, bytes))
        return refuse(cudaErrorInvalidValue, by.name, "more bytes than the array has", by.site);
    const cudaError_t error = check_direction(by, to, from);
    if (error != cudaSuccess) return error;
    memmove(to, from, bytes);
    riffle_lint_host.written(to, bytes);
    return cudaSuccess;
}
inline cudaError_t fill_now(void *to, int value, size_t bytes, const void *site = nullptr) {
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr || !riffle_lint_host.holds(to, bytes))
        return refuse(cudaErrorInvalidValue, "cudaMemset", to == nullptr ? "the address is NULL" : "more bytes than the array has", site);
    const int whose = riffle_lint_host.kind(to);
    if (whose == MACHINE_MEMORY_HOST || whose == MACHINE_MEMORY_FREED)
        return refuse(cudaErrorInvalidValue, "cudaMemset", whose == MACHINE_MEMORY_HOST ? "the memory is the host's" : "the memory is freed", site);
    if (value != 0 || !riffle_lint_host.clear(to, bytes)) memset(to, value, bytes);
    riffle_lint_host.written(to, bytes);
    return cudaSuccess;
}
inline cudaError_t copy(void *to, const void *from, size_t bytes, const call &by = {"cudaMemcpy", nullptr, cudaMemcpyDefault}) {
    return in_order("cudaMemcpy", [=] { return copy_now(to, from, bytes, by); });
}
inline cudaError_t fill(void *to, int value, size_t bytes, const void *site) {
    return in_order("cudaMemset", [=] { return fill_now(to, value, bytes, site); });
}
/* Rows of planes, each with a pitch of its own. */
struct box_side {
    char *start;
    size_t pitch, slice;
    char *row(size_t y, size_t z) const { return start + z * slice + y * pitch; }
};
inline cudaError_t copy_box(box_side to, box_side from, cudaExtent bytes, const call &by = {"cudaMemcpy", nullptr, cudaMemcpyDefault}) {
    return in_order("cudaMemcpy", [=] {
        for (size_t z = 0; z < bytes.depth; z++)
            for (size_t y = 0; y < bytes.height; y++) {
                const cudaError_t error = copy_now(to.row(y, z), from.row(y, z), bytes.width, by);
                if (error != cudaSuccess) return error;
            }
        return cudaSuccess;
    });
}
inline cudaError_t fill_box(box_side to, int value, cudaExtent bytes, const void *site) {
    return in_order("cudaMemset", [=] {
        for (size_t z = 0; z < bytes.depth; z++)
            for (size_t y = 0; y < bytes.height; y++) {
                const cudaError_t error = fill_now(to.row(y, z), value, bytes.width, site);
                if (error != cudaSuccess) return error;
            }
        return cudaSuccess;
    });
}

/* Arrays of cudaMallocHost, which cudaFree does not free. */
struct pinned_array {
    char *start;
    size_t bytes;
    pinned_array *next;
};
inline pinned_array *&pinned() {
    static pinned_array *first;
    return first;
}
inline pinned_array **find_pinned(const void *at) {
    pinned_array **one = &pinned();
    while (*one != nullptr && ((const char *)at < (*one)->start || (const char *)at >= (*one)->start + (*one)->bytes)) one = &(*one)->next;
    return one;
}
inline cudaError_t allocate(void **out, size_t bytes, bool shared) {
    leave_to_host("cudaMalloc");
    if (out == nullptr) return note(cudaErrorInvalidValue);
    *out = nullptr;
    if (fault() != cudaSuccess) return waited(cudaSuccess);
    if (bytes == 0) return cudaSuccess;
    void *start = riffle_lint_host.allocate(bytes, shared);
    if (start == nullptr) return note(cudaErrorMemoryAllocation);
    *out = start;
    return cudaSuccess;
}
inline cudaError_t allocate_pinned(void **out, size_t bytes) {
    const cudaError_t error = allocate(out, bytes, true);
    if (error == cudaSuccess && bytes > 0) pinned() = new pinned_array{(char *)*out, bytes, pinned()};
    return error;
}
/* A kernel's copy of an argument may free what that has, when it goes; a GPU's copies have no destructors. */
inline __attribute__((no_sanitize_thread)) cudaError_t release(void *start, const char *call = "cudaFree", const void *site = nullptr) {
    if (riffle_lint_host.in_kernel != nullptr && riffle_lint_host.in_kernel()) return cudaSuccess;
    leave_to_host(call);
    if (start == nullptr) return waited(cudaSuccess);
    const int whose = riffle_lint_host.kind(start);
    const bool is_freed = whose == MACHINE_MEMORY_FREED;
    const bool frees_host = strcmp(call, "cudaFreeHost") == 0;
    pinned_array **const its = find_pinned(start), *const one = *its;
    if (frees_host && whose == MACHINE_MEMORY_DEVICE) return refuse(cudaErrorInvalidValue, call, "the memory is the device's", site);
    if (!frees_host && one != nullptr) return refuse(cudaErrorInvalidValue, call, "the memory is the host's, which cudaFreeHost frees", site);
    if (riffle_lint_host.release(start)) {
        if (one != nullptr) {
            *its = one->next;
            delete one;
        }
        return waited(cudaSuccess);
    }
    return refuse(cudaErrorInvalidValue, call, is_freed ? "the memory is freed" : "no memory of CUDA's begins there", site);
}
inline cudaError_t enroll(void *start, size_t bytes, unsigned flags, const char *call, const void *site) {
    leave_to_host(call);
    if (start == nullptr || bytes == 0) return refuse(cudaErrorInvalidValue, call, "there are no bytes to register", site);
    if (flags >= 16) return refuse(cudaErrorInvalidValue, call, "no such flags", site);
    switch (riffle_lint_host.enroll(start, bytes)) {
    case MACHINE_REGISTER_DONE: return cudaSuccess;
    case MACHINE_REGISTER_HAD: return refuse(cudaErrorHostMemoryAlreadyRegistered, call, "some of the memory is registered, or CUDA's", site);
    default: return refuse(cudaErrorInvalidValue, call, "the memory is not the host's", site);
    }
}
inline cudaError_t give_back(void *start, const char *call, const void *site) {
    leave_to_host(call);
    if (start == nullptr) return refuse(cudaErrorInvalidValue, call, "there is no memory", site);
    if (riffle_lint_host.give_back(start)) return waited(cudaSuccess);
    return refuse(cudaErrorHostMemoryNotRegistered, call, "nothing that is registered begins there", site);
}
inline cudaError_t synchronize(const char *what) {
    leave_to_host(what);
    return waited(cudaSuccess);
}

/* The one device: an H200's limits, with round numbers where programs only divide by them. */
inline void describe_device(cudaDeviceProp &p) {
    memset(static_cast<void *>(&p), 0, sizeof p);
    strcpy(p.name, "riffle's memory machine");
    p.totalGlobalMem = (size_t)16 << 30;
    p.sharedMemPerBlock = 48 << 10;
    p.sharedMemPerBlockOptin = 227 << 10;
    p.sharedMemPerMultiprocessor = 228 << 10;
    p.reservedSharedMemPerBlock = 1 << 10;
    p.memPitch = 0x7fffffff;
    p.totalConstMem = 64 << 10;
    p.textureAlignment = p.surfaceAlignment = 512;
    p.texturePitchAlignment = 32;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = 32;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.clockRate = p.memoryClockRate = 1000000;
    p.memoryBusWidth = 1024;
    p.l2CacheSize = 32 << 20;
    p.major = 9;
    p.multiProcessorCount = 132;
    p.maxThreadsPerMultiProcessor = 2048;
    p.maxBlocksPerMultiProcessor = 32;
    p.concurrentKernels = p.unifiedAddressing = p.deviceOverlap = p.asyncEngineCount = 1;
    p.canMapHostMemory = p.managedMemory = p.concurrentManagedAccess = p.cooperativeLaunch = 1;
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = p.memoryPoolsSupported = 1;
    p.computePreemptionSupported = 1;
    p.singleToDoublePrecisionPerfRatio = 2;
    p.maxTexture1D = p.maxTexture2D[0] = p.maxSurface1D = p.maxSurface2D[0] = 131072;
    p.maxTexture2D[1] = p.maxSurface2D[1] = 65536;
    p.maxTexture1DLinear = 1 << 28;
    for (int k = 0; k < 3; k++) p.maxTexture3D[k] = p.maxSurface3D[k] = 16384;
}
inline cudaError_t only_device(int device) { return note(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
} // namespace riffle_lint

/* ---- errors */

/* Kernels may ask for these too, which reads nothing of theirs; their own launches come later, and leave them no error. */
#define RIFFLE_ASK inline __attribute__((noinline, no_sanitize_thread))
RIFFLE_ASK const char *cudaGetErrorString(cudaError_t error) { return riffle_lint::error_of(error).text; }
RIFFLE_ASK const char *cudaGetErrorName(cudaError_t error) { return riffle_lint::error_of(error).name; }
RIFFLE_ASK cudaError_t cudaPeekAtLastError(void) { return riffle_lint::is_kernel() ? cudaSuccess : riffle_lint::last_error(); }
RIFFLE_ASK cudaError_t cudaGetLastError(void) {
    if (riffle_lint::is_kernel()) return cudaSuccess;
    const cudaError_t last = riffle_lint::last_error();
    riffle_lint::last_error() = cudaSuccess;
    return last;
}

/* ---- the device */

inline cudaError_t cudaDeviceSynchronize(void) { return riffle_lint::synchronize("cudaDeviceSynchronize"); }
inline cudaError_t cudaThreadSynchronize(void) { return riffle_lint::synchronize("cudaThreadSynchronize"); }
inline cudaError_t cudaDeviceReset(void) {
    riffle_lint::fault() = cudaSuccess;
    return cudaSuccess;
}
inline cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
inline cudaError_t cudaSetDevice(int device) { return riffle_lint::only_device(device); }
inline cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return riffle_lint::only_device(device); }
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    *flags = 0;
    return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { return cudaGetDevice(device); }
inline cudaError_t cudaSetValidDevices(int *, int) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *out, int device) {
    if (device != 0) return riffle_lint::note(cudaErrorInvalidDevice);
    riffle_lint::describe_device(*out);
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *out, cudaDeviceAttr which, int device) {
    cudaDeviceProp p;
    riffle_lint::describe_device(p);
    switch (which) {
#define RIFFLE_ATTRIBUTE_CASE(name, number, value)                                                             \
    case cudaDevAttr##name: *out = (int)(value); break;
        RIFFLE_DEVICE_ATTRIBUTES(RIFFLE_ATTRIBUTE_CASE)
#undef RIFFLE_ATTRIBUTE_CASE
    default: return riffle_lint::note(cudaErrorInvalidValue);
    }
    return riffle_lint::only_device(device);
}
inline cudaError_t cudaDeviceGetPCIBusId(char *out, int length, int device) {
    snprintf(out, (size_t)length, "0000:00:00.0");
    return riffle_lint::only_device(device);
}
inline cudaError_t cudaDeviceGetP2PAttribute(int *out, cudaDeviceP2PAttr, int, int) {
    *out = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
    *can = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned) {
    return riffle_lint::note(device == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return riffle_lint::note(cudaErrorPeerAccessNotEnabled); }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
inline cudaError_t cudaThreadSetLimit(cudaLimit, size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetLimit(size_t *out, cudaLimit) {
    *out = 8 << 20;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *out) {
    *out = cudaFuncCachePreferNone;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *out) {
    *out = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
inline cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
inline cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

/* ---- memory */

template <class T> cudaError_t cudaMalloc(T **out, size_t bytes) { return riffle_lint::allocate((void **)out, bytes, false); }
template <class T> cudaError_t cudaMallocAsync(T **out, size_t bytes, cudaStream_t) { return cudaMalloc(out, bytes); }
template <class T> cudaError_t cudaMallocHost(T **out, size_t bytes, unsigned = 0) { return riffle_lint::allocate_pinned((void **)out, bytes); }
/* The one whose address may be taken. */
inline cudaError_t cudaMallocHost(void **out, size_t bytes) { return cudaMallocHost(out, bytes, 0); }
template <class T> cudaError_t cudaHostAlloc(T **out, size_t bytes, unsigned = 0) { return riffle_lint::allocate_pinned((void **)out, bytes); }
template <class T> cudaError_t cudaMallocManaged(T **out, size_t bytes, unsigned = cudaMemAttachGlobal) {
    return riffle_lint::allocate((void **)out, bytes, true);
}
template <class T> cudaError_t cudaMallocPitch(T **out, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(out, *pitch * height);
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr *out, cudaExtent extent) {
    *out = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
}
RIFFLE_CALL cudaError_t cudaFree(void *start) { return riffle_lint::release(start, "cudaFree", RIFFLE_SITE); }
RIFFLE_CALL cudaError_t cudaFreeHost(void *start) { return riffle_lint::release(start, "cudaFreeHost", RIFFLE_SITE); }
RIFFLE_CALL cudaError_t cudaFreeAsync(void *start, cudaStream_t) { return riffle_lint::release(start, "cudaFreeAsync", RIFFLE_SITE); }
inline cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all) {
    *free_bytes = *all = (size_t)16 << 30;
    return cudaSuccess;
}
template <class T> RIFFLE_CALL cudaError_t cudaHostGetDevicePointer(T **out, void *host, unsigned) {
    *out = nullptr;
    if (riffle_lint_host.kind(host) == MACHINE_MEMORY_HOST)
        return riffle_lint::refuse(cudaErrorInvalidValue, "cudaHostGetDevicePointer", "the memory is neither pinned nor registered", RIFFLE_SITE);
    *out = (T *)host;
    return cudaSuccess;
}
RIFFLE_CALL cudaError_t cudaHostRegister(void *start, size_t bytes, unsigned flags) {
    return riffle_lint::enroll(start, bytes, flags, "cudaHostRegister", RIFFLE_SITE);
}
RIFFLE_CALL cudaError_t cudaHostUnregister(void *start) { return riffle_lint::give_back(start, "cudaHostUnregister", RIFFLE_SITE); }
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *out, const void *at) {
    const int whose = riffle_lint_host.kind(at);
    const bool both = whose == MACHINE_MEMORY_SHARED, own = both || whose == MACHINE_MEMORY_DEVICE;
    const cudaMemoryType type = !own                                        ? cudaMemoryTypeUnregistered
                                : !both                                     ? cudaMemoryTypeDevice
                                : *riffle_lint::find_pinned(at) != nullptr ? cudaMemoryTypeHost
                                                                            : cudaMemoryTypeManaged;
    *out = {type, 0, own ? (void *)at : nullptr, both ? (void *)at : nullptr};
    return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0) { return cudaSuccess; }
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0, unsigned = cudaMemAttachSingle) { return cudaSuccess; }

RIFFLE_CALL cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    return riffle_lint::copy(to, from, bytes, {"cudaMemcpy", RIFFLE_SITE, kind});
}
RIFFLE_CALL cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t = 0) {
    return riffle_lint::copy(to, from, bytes, {"cudaMemcpyAsync", RIFFLE_SITE, kind});
}
inline cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes) { return riffle_lint::copy(to, from, bytes); }
inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t = 0) {
    return riffle_lint::copy(to, from, bytes);
}
namespace riffle_lint {
inline cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, const call &by) {
    if (width > to_pitch || width > from_pitch) return refuse(cudaErrorInvalidPitchValue, by.name, "rows are longer than a pitch", by.site);
    return copy_box({(char *)to, to_pitch, 0}, {(char *)from, from_pitch, 0}, {width, height, 1}, by);
}
} // namespace riffle_lint
RIFFLE_CALL cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
    return riffle_lint::copy_2d(to, to_pitch, from, from_pitch, width, height, {"cudaMemcpy2D", RIFFLE_SITE, kind});
}
RIFFLE_CALL cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                                          cudaMemcpyKind kind, cudaStream_t = 0) {
    return riffle_lint::copy_2d(to, to_pitch, from, from_pitch, width, height, {"cudaMemcpy2DAsync", RIFFLE_SITE, kind});
}
RIFFLE_CALL cudaError_t cudaMemset(void *to, int value, size_t bytes) { return riffle_lint::fill(to, value, bytes, RIFFLE_SITE); }
RIFFLE_CALL cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t = 0) {
    return riffle_lint::fill(to, value, bytes, RIFFLE_SITE);
}
RIFFLE_CALL cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    return riffle_lint::fill_box({(char *)to, pitch, 0}, value, {width, height, 1}, RIFFLE_SITE);
}
RIFFLE_CALL cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t = 0) {
    return riffle_lint::fill_box({(char *)to, pitch, 0}, value, {width, height, 1}, RIFFLE_SITE);
}
RIFFLE_CALL cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return riffle_lint::fill_box({(char *)to.ptr, to.pitch, to.pitch * to.ysize}, value, extent, RIFFLE_SITE);
}

#include "graphs.h"
#include "launch_ex.h"
#include "streams.h"
#include "symbols.h"
#include "textures.h"

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams, events, pools of memory and other processes, for a machine that does all in order.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_STREAMS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_STREAMS_H

/* ---- streams and events */

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority) {
    riffle_lint::leave_to_host("cudaStreamCreate");
    *out = new CUstream_st{flags, priority};
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags) {
    return cudaStreamCreateWithPriority(out, flags, 0);
}
inline cudaError_t cudaStreamCreate(cudaStream_t *out) { return cudaStreamCreateWithPriority(out, 0, 0); }
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete stream;
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return riffle_lint::synchronize("cudaStreamSynchronize"); }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return riffle_lint::waited(cudaSuccess); }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *out) {
    *out = stream != nullptr ? stream->priority : 0;
    return cudaSuccess;
}
inline cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *out) {
    *out = stream != nullptr ? stream->flags : 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void *with) {
    return riffle_lint::in_order("cudaLaunchHostFunc", [=] {
        function(with);
        return cudaSuccess;
    });
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *with, unsigned) {
    return riffle_lint::in_order("cudaStreamAddCallback", [=] {
        function(stream, cudaSuccess, with);
        return cudaSuccess;
    });
}
inline cudaError_t cudaEventCreate(cudaEvent_t *out, unsigned flags = 0) {
    *out = new CUevent_st{flags, false};
    return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags) { return cudaEventCreate(out, flags); }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = 0) {
    if (event == nullptr) return riffle_lint::note(cudaErrorInvalidResourceHandle);
    event->recorded = true;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t = 0, unsigned = 0) { return cudaEventRecord(event); }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return riffle_lint::synchronize("cudaEventSynchronize"); }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return riffle_lint::waited(cudaSuccess); }
/* There is no time on the machine that a program could divide by. */
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    for (const CUevent_st *one : {begin, end})
        if (one == nullptr || !one->recorded || (one->flags & cudaEventDisableTiming) != 0)
            return riffle_lint::note(cudaErrorInvalidResourceHandle);
    *milliseconds = 1;
    return riffle_lint::waited(cudaSuccess);
}

/* ---- places and pools: all memory is in one */

enum cudaMemLocationType {
    cudaMemLocationTypeInvalid,
    cudaMemLocationTypeNone = 0,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost,
    cudaMemLocationTypeHostNuma,
    cudaMemLocationTypeHostNumaCurrent,
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
namespace riffle_lint {
inline cudaError_t only_place(const cudaMemLocation &place) {
    if (place.type == cudaMemLocationTypeInvalid) return note(cudaErrorInvalidValue);
    return place.type == cudaMemLocationTypeDevice ? only_device(place.id) : cudaSuccess;
}
} // namespace riffle_lint
inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation place) { return riffle_lint::only_place(place); }
inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation place, unsigned, cudaStream_t = 0) {
    return riffle_lint::only_place(place);
}

typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned, cudaMemAllocationTypeManaged };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeWin32Kmt = 4,
    cudaMemHandleTypeFabric = 8,
};
enum cudaMemAccessFlags { cudaMemAccessFlagsProtNone = 0, cudaMemAccessFlagsProtRead = 1, cudaMemAccessFlagsProtReadWrite = 3 };
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic,
    cudaMemPoolReuseAllowInternalDependencies,
    cudaMemPoolAttrReleaseThreshold,
    cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrReservedMemHigh,
    cudaMemPoolAttrUsedMemCurrent,
    cudaMemPoolAttrUsedMemHigh,
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const cudaMemPoolProps *as) {
    *out = nullptr;
    return riffle_lint::only_place(as->location);
}
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t) { return riffle_lint::only_device(device); }
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device) {
    *out = nullptr;
    return riffle_lint::only_device(device);
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device) { return cudaDeviceGetDefaultMemPool(out, device); }
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *out) {
    *(unsigned long long *)out = 0;
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, size_t) { return cudaSuccess; }
template <class T> cudaError_t cudaMallocFromPoolAsync(T **out, size_t bytes, cudaMemPool_t, cudaStream_t) { return cudaMalloc(out, bytes); }
template <class T> cudaError_t cudaMallocAsync(T **out, size_t bytes, cudaMemPool_t, cudaStream_t) { return cudaMalloc(out, bytes); }

/* ---- between processes: there is but this one */

typedef struct cudaIpcMemHandle_st {
    char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
    char reserved[64];
} cudaIpcEventHandle_t;
enum { cudaIpcMemLazyEnablePeerAccess = 1 };
inline cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) { return riffle_lint::note(cudaErrorNotSupported); }
inline cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned) { return riffle_lint::note(cudaErrorNotSupported); }
inline cudaError_t cudaIpcCloseMemHandle(void *) { return riffle_lint::note(cudaErrorNotSupported); }
inline cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) { return riffle_lint::note(cudaErrorNotSupported); }
inline cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) { return riffle_lint::note(cudaErrorNotSupported); }

#endif

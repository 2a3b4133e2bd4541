/* SPDX-License-Identifier: Apache-2.0
 *
 * The types of CUDA's runtime, with the values that CUDA gives their names. The functions stand in runtime.h and the files
 * beside it.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_HOST_H
#define RIFFLE_MACHINE_DEVICE_CUDA_HOST_H

/* Each error with what CUDA says of it. */
#define RIFFLE_CUDA_ERRORS(ERROR)                                                                              \
    ERROR(cudaSuccess, 0, "no error")                                                                          \
    ERROR(cudaErrorInvalidValue, 1, "invalid argument")                                                        \
    ERROR(cudaErrorMemoryAllocation, 2, "out of memory")                                                       \
    ERROR(cudaErrorInitializationError, 3, "initialization error")                                             \
    ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")                                                 \
    ERROR(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")               \
    ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                  \
    ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                            \
    ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                 \
    ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                             \
    ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                         \
    ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference")                                            \
    ERROR(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                             \
    ERROR(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                                 \
    ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                            \
    ERROR(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")              \
    ERROR(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type")             \
    ERROR(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")     \
    ERROR(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")            \
    ERROR(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")                     \
    ERROR(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")                     \
    ERROR(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")                \
    ERROR(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")                               \
    ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                     \
    ERROR(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")         \
    ERROR(cudaErrorLaunchFileScopedTex, 66, "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)") \
    ERROR(cudaErrorLaunchFileScopedSurf, 67, "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)") \
    ERROR(cudaErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth") \
    ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                       \
    ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                        \
    ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                               \
    ERROR(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")                                     \
    ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                  \
    ERROR(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                              \
    ERROR(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                          \
    ERROR(cudaErrorAlreadyMapped, 208, "resource already mapped")                                              \
    ERROR(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")    \
    ERROR(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                               \
    ERROR(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                       \
    ERROR(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread")    \
    ERROR(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")       \
    ERROR(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                            \
    ERROR(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                          \
    ERROR(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                         \
    ERROR(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")               \
    ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                      \
    ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")                                              \
    ERROR(cudaErrorNotReady, 600, "device not ready")                                                          \
    ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                            \
    ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                       \
    ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                              \
    ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                            \
    ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                              \
    ERROR(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")               \
    ERROR(cudaErrorAssert, 710, "device-side assert triggered")                                                \
    ERROR(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                      \
    ERROR(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the memory is already registered")        \
    ERROR(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")  \
    ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")                                               \
    ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                           \
    ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                    \
    ERROR(cudaErrorNotPermitted, 800, "operation not permitted")                                               \
    ERROR(cudaErrorNotSupported, 801, "operation not supported")                                               \
    ERROR(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")          \
    ERROR(cudaErrorGraphExecUpdateFailure, 910, "the graph update was not performed")                          \
    ERROR(cudaErrorUnknown, 999, "unknown error")

typedef enum cudaError {
#define RIFFLE_ERROR_NAME(name, number, text) name = number,
    RIFFLE_CUDA_ERRORS(RIFFLE_ERROR_NAME)
#undef RIFFLE_ERROR_NAME
} cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 13,
};

enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte,
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100,
};
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize,
};
enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess,
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged,
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy,
};

/* Each attribute of a device with its number in CUDA, and what the device of host.h's properties says. */
#define RIFFLE_DEVICE_ATTRIBUTES(ATTRIBUTE)                                                                    \
    ATTRIBUTE(MaxThreadsPerBlock, 1, p.maxThreadsPerBlock)                                                     \
    ATTRIBUTE(MaxBlockDimX, 2, p.maxThreadsDim[0])                                                             \
    ATTRIBUTE(MaxBlockDimY, 3, p.maxThreadsDim[1])                                                             \
    ATTRIBUTE(MaxBlockDimZ, 4, p.maxThreadsDim[2])                                                             \
    ATTRIBUTE(MaxGridDimX, 5, p.maxGridSize[0])                                                                \
    ATTRIBUTE(MaxGridDimY, 6, p.maxGridSize[1])                                                                \
    ATTRIBUTE(MaxGridDimZ, 7, p.maxGridSize[2])                                                                \
    ATTRIBUTE(MaxSharedMemoryPerBlock, 8, p.sharedMemPerBlock)                                                 \
    ATTRIBUTE(TotalConstantMemory, 9, p.totalConstMem)                                                         \
    ATTRIBUTE(WarpSize, 10, p.warpSize)                                                                        \
    ATTRIBUTE(MaxPitch, 11, p.memPitch)                                                                        \
    ATTRIBUTE(MaxRegistersPerBlock, 12, p.regsPerBlock)                                                        \
    ATTRIBUTE(ClockRate, 13, p.clockRate)                                                                      \
    ATTRIBUTE(TextureAlignment, 14, p.textureAlignment)                                                        \
    ATTRIBUTE(GpuOverlap, 15, p.deviceOverlap)                                                                 \
    ATTRIBUTE(MultiProcessorCount, 16, p.multiProcessorCount)                                                  \
    ATTRIBUTE(KernelExecTimeout, 17, 0)                                                                        \
    ATTRIBUTE(Integrated, 18, 0)                                                                               \
    ATTRIBUTE(CanMapHostMemory, 19, 1)                                                                         \
    ATTRIBUTE(ComputeMode, 20, 0)                                                                              \
    ATTRIBUTE(ConcurrentKernels, 31, 1)                                                                        \
    ATTRIBUTE(EccEnabled, 32, 0)                                                                               \
    ATTRIBUTE(MemoryClockRate, 36, p.memoryClockRate)                                                          \
    ATTRIBUTE(GlobalMemoryBusWidth, 37, p.memoryBusWidth)                                                      \
    ATTRIBUTE(L2CacheSize, 38, p.l2CacheSize)                                                                  \
    ATTRIBUTE(MaxThreadsPerMultiProcessor, 39, p.maxThreadsPerMultiProcessor)                                  \
    ATTRIBUTE(AsyncEngineCount, 40, p.asyncEngineCount)                                                        \
    ATTRIBUTE(UnifiedAddressing, 41, 1)                                                                        \
    ATTRIBUTE(ComputeCapabilityMajor, 75, p.major)                                                             \
    ATTRIBUTE(ComputeCapabilityMinor, 76, p.minor)                                                             \
    ATTRIBUTE(StreamPrioritiesSupported, 78, 1)                                                                \
    ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, 81, p.sharedMemPerMultiprocessor)                              \
    ATTRIBUTE(MaxRegistersPerMultiprocessor, 82, p.regsPerMultiprocessor)                                      \
    ATTRIBUTE(ManagedMemory, 83, 1)                                                                            \
    ATTRIBUTE(HostNativeAtomicSupported, 86, 0)                                                                \
    ATTRIBUTE(PageableMemoryAccess, 88, 0)                                                                     \
    ATTRIBUTE(ConcurrentManagedAccess, 89, 1)                                                                  \
    ATTRIBUTE(ComputePreemptionSupported, 90, 1)                                                               \
    ATTRIBUTE(CooperativeLaunch, 95, 1)                                                                        \
    ATTRIBUTE(CooperativeMultiDeviceLaunch, 96, 0)                                                             \
    ATTRIBUTE(ClusterLaunch, 120, 1)                                                                           \
    ATTRIBUTE(MaxSharedMemoryPerBlockOptin, 97, p.sharedMemPerBlockOptin)                                      \
    ATTRIBUTE(MaxBlocksPerMultiprocessor, 106, p.maxBlocksPerMultiProcessor)                                   \
    ATTRIBUTE(ReservedSharedMemoryPerBlock, 111, p.reservedSharedMemPerBlock)                                  \
    ATTRIBUTE(MemoryPoolsSupported, 115, 1)

enum cudaDeviceAttr {
#define RIFFLE_ATTRIBUTE_NAME(name, number, value) cudaDevAttr##name = number,
    RIFFLE_DEVICE_ATTRIBUTES(RIFFLE_ATTRIBUTE_NAME)
#undef RIFFLE_ATTRIBUTE_NAME
};
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported,
    cudaDevP2PAttrNativeAtomicSupported,
};

enum {
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaEventRecordDefault = 0,
    cudaEventWaitDefault = 0,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaDeviceLmemResizeToMax = 16,
    cudaOccupancyDefault = 0,
    cudaCpuDeviceId = -1,
    cudaInvalidDeviceId = -2,
    cudaPeerAccessDefault = 0,
};
#define CUDART_CB
#define CUDARTAPI

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

typedef struct CUuuid_st {
    char bytes[16];
} cudaUUID_t;

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    size_t reservedSharedMemPerBlock, memPitch, totalConstMem, textureAlignment, texturePitchAlignment, surfaceAlignment;
    int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    int major, minor, multiProcessorCount, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize, concurrentKernels, integrated;
    int ECCEnabled, unifiedAddressing, deviceOverlap, asyncEngineCount, kernelExecTimeoutEnabled, canMapHostMemory;
    int computeMode, pciBusID, pciDeviceID, pciDomainID, tccDriver, streamPrioritiesSupported, globalL1CacheSupported;
    int localL1CacheSupported, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
    int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch, memoryPoolsSupported;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, clusterLaunch;
    int maxTexture1D, maxTexture1DLinear, maxTexture2D[2], maxTexture2DLinear[3], maxTexture3D[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};

struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *at, size_t pitch, size_t width, size_t height) {
    return {at, pitch, width, height};
}

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

#endif

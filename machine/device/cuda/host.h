/* SPDX-License-Identifier: Apache-2.0
 *
 * The types of CUDA's runtime, with the values that CUDA gives their names. The functions stand in runtime.h and the files
 * beside it.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_HOST_H
#define RIFFLE_MACHINE_DEVICE_CUDA_HOST_H

#include "errors.h"

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
    ATTRIBUTE(MaxTexture1DWidth, 21, p.maxTexture1D)                                                           \
    ATTRIBUTE(MaxTexture2DWidth, 22, p.maxTexture2D[0])                                                        \
    ATTRIBUTE(MaxTexture2DHeight, 23, p.maxTexture2D[1])                                                       \
    ATTRIBUTE(MaxTexture3DWidth, 24, p.maxTexture3D[0])                                                        \
    ATTRIBUTE(MaxTexture3DHeight, 25, p.maxTexture3D[1])                                                       \
    ATTRIBUTE(MaxTexture3DDepth, 26, p.maxTexture3D[2])                                                        \
    ATTRIBUTE(SurfaceAlignment, 30, p.surfaceAlignment)                                                        \
    ATTRIBUTE(ConcurrentKernels, 31, 1)                                                                        \
    ATTRIBUTE(EccEnabled, 32, 0)                                                                               \
    ATTRIBUTE(PciBusId, 33, p.pciBusID)                                                                        \
    ATTRIBUTE(PciDeviceId, 34, p.pciDeviceID)                                                                  \
    ATTRIBUTE(TccDriver, 35, p.tccDriver)                                                                      \
    ATTRIBUTE(MemoryClockRate, 36, p.memoryClockRate)                                                          \
    ATTRIBUTE(GlobalMemoryBusWidth, 37, p.memoryBusWidth)                                                      \
    ATTRIBUTE(L2CacheSize, 38, p.l2CacheSize)                                                                  \
    ATTRIBUTE(MaxThreadsPerMultiProcessor, 39, p.maxThreadsPerMultiProcessor)                                  \
    ATTRIBUTE(AsyncEngineCount, 40, p.asyncEngineCount)                                                        \
    ATTRIBUTE(UnifiedAddressing, 41, 1)                                                                        \
    ATTRIBUTE(PciDomainId, 50, p.pciDomainID)                                                                  \
    ATTRIBUTE(TexturePitchAlignment, 51, p.texturePitchAlignment)                                              \
    ATTRIBUTE(MaxSurface1DWidth, 55, p.maxSurface1D)                                                           \
    ATTRIBUTE(MaxSurface2DWidth, 56, p.maxSurface2D[0])                                                        \
    ATTRIBUTE(MaxSurface2DHeight, 57, p.maxSurface2D[1])                                                       \
    ATTRIBUTE(MaxSurface3DWidth, 58, p.maxSurface3D[0])                                                        \
    ATTRIBUTE(MaxSurface3DHeight, 59, p.maxSurface3D[1])                                                       \
    ATTRIBUTE(MaxSurface3DDepth, 60, p.maxSurface3D[2])                                                        \
    ATTRIBUTE(MaxTexture1DLinearWidth, 69, p.maxTexture1DLinear)                                               \
    ATTRIBUTE(ComputeCapabilityMajor, 75, p.major)                                                             \
    ATTRIBUTE(ComputeCapabilityMinor, 76, p.minor)                                                             \
    ATTRIBUTE(StreamPrioritiesSupported, 78, 1)                                                                \
    ATTRIBUTE(GlobalL1CacheSupported, 79, p.globalL1CacheSupported)                                            \
    ATTRIBUTE(LocalL1CacheSupported, 80, p.localL1CacheSupported)                                              \
    ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, 81, p.sharedMemPerMultiprocessor)                              \
    ATTRIBUTE(MaxRegistersPerMultiprocessor, 82, p.regsPerMultiprocessor)                                      \
    ATTRIBUTE(ManagedMemory, 83, 1)                                                                            \
    ATTRIBUTE(IsMultiGpuBoard, 84, p.isMultiGpuBoard)                                                          \
    ATTRIBUTE(MultiGpuBoardGroupID, 85, p.multiGpuBoardGroupID)                                                \
    ATTRIBUTE(HostNativeAtomicSupported, 86, 0)                                                                \
    ATTRIBUTE(SingleToDoublePrecisionPerfRatio, 87, p.singleToDoublePrecisionPerfRatio)                        \
    ATTRIBUTE(PageableMemoryAccess, 88, 0)                                                                     \
    ATTRIBUTE(ConcurrentManagedAccess, 89, 1)                                                                  \
    ATTRIBUTE(ComputePreemptionSupported, 90, 1)                                                               \
    ATTRIBUTE(CanUseHostPointerForRegisteredMem, 91, p.canUseHostPointerForRegisteredMem)                      \
    ATTRIBUTE(CooperativeLaunch, 95, 1)                                                                        \
    ATTRIBUTE(CooperativeMultiDeviceLaunch, 96, 0)                                                             \
    ATTRIBUTE(MaxSharedMemoryPerBlockOptin, 97, p.sharedMemPerBlockOptin)                                      \
    ATTRIBUTE(HostRegisterSupported, 99, 1)                                                                    \
    ATTRIBUTE(PageableMemoryAccessUsesHostPageTables, 100, p.pageableMemoryAccessUsesHostPageTables)           \
    ATTRIBUTE(DirectManagedMemAccessFromHost, 101, p.directManagedMemAccessFromHost)                           \
    ATTRIBUTE(MaxBlocksPerMultiprocessor, 106, p.maxBlocksPerMultiProcessor)                                   \
    ATTRIBUTE(MaxPersistingL2CacheSize, 108, p.persistingL2CacheMaxSize)                                       \
    ATTRIBUTE(MaxAccessPolicyWindowSize, 109, p.accessPolicyMaxWindowSize)                                     \
    ATTRIBUTE(ReservedSharedMemoryPerBlock, 111, p.reservedSharedMemPerBlock)                                  \
    ATTRIBUTE(MemoryPoolsSupported, 115, 1)                                                                    \
    ATTRIBUTE(ClusterLaunch, 120, 1)                                                                           \
    ATTRIBUTE(Reserved127, 127, 1) /* the driver has a name: tensor maps */

enum cudaDeviceAttr {
#define RIFFLE_ATTRIBUTE_NAME(name, number, value) cudaDevAttr##name = number,
    RIFFLE_DEVICE_ATTRIBUTES(RIFFLE_ATTRIBUTE_NAME)
#undef RIFFLE_ATTRIBUTE_NAME
    /* These have names only: who asks for one gets cudaErrorInvalidValue. */
    cudaDevAttrMaxTexture2DLayeredWidth = 27,
    cudaDevAttrMaxTexture2DLayeredHeight = 28,
    cudaDevAttrMaxTexture2DLayeredLayers = 29,
    cudaDevAttrMaxTexture1DLayeredWidth = 42,
    cudaDevAttrMaxTexture1DLayeredLayers = 43,
    cudaDevAttrMaxTexture2DGatherWidth = 45,
    cudaDevAttrMaxTexture2DGatherHeight = 46,
    cudaDevAttrMaxTexture3DWidthAlt = 47,
    cudaDevAttrMaxTexture3DHeightAlt = 48,
    cudaDevAttrMaxTexture3DDepthAlt = 49,
    cudaDevAttrMaxTextureCubemapWidth = 52,
    cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
    cudaDevAttrMaxTextureCubemapLayeredLayers = 54,
    cudaDevAttrMaxSurface1DLayeredWidth = 61,
    cudaDevAttrMaxSurface1DLayeredLayers = 62,
    cudaDevAttrMaxSurface2DLayeredWidth = 63,
    cudaDevAttrMaxSurface2DLayeredHeight = 64,
    cudaDevAttrMaxSurface2DLayeredLayers = 65,
    cudaDevAttrMaxSurfaceCubemapWidth = 66,
    cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
    cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
    cudaDevAttrMaxTexture2DLinearWidth = 70,
    cudaDevAttrMaxTexture2DLinearHeight = 71,
    cudaDevAttrMaxTexture2DLinearPitch = 72,
    cudaDevAttrMaxTexture2DMipmappedWidth = 73,
    cudaDevAttrMaxTexture2DMipmappedHeight = 74,
    cudaDevAttrMaxTexture1DMipmappedWidth = 77,
    cudaDevAttrReserved92 = 92,
    cudaDevAttrReserved93 = 93,
    cudaDevAttrReserved94 = 94,
    cudaDevAttrReserved96 = 96,
    cudaDevAttrCanFlushRemoteWrites = 98,
    cudaDevAttrSparseCudaArraySupported = 112,
    cudaDevAttrHostRegisterReadOnlySupported = 113,
    cudaDevAttrTimelineSemaphoreInteropSupported = 114,
    cudaDevAttrGPUDirectRDMASupported = 116,
    cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
    cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
    cudaDevAttrDeferredMappingCudaArraySupported = 121,
    cudaDevAttrReserved122 = 122,
    cudaDevAttrReserved123 = 123,
    cudaDevAttrReserved124 = 124,
    cudaDevAttrIpcEventSupport = 125,
    cudaDevAttrMemSyncDomainCount = 126,
    cudaDevAttrReserved128 = 128,
    cudaDevAttrReserved129 = 129,
    cudaDevAttrNumaConfig = 130,
    cudaDevAttrNumaId = 131,
    cudaDevAttrReserved132 = 132,
    cudaDevAttrMpsEnabled = 133,
    cudaDevAttrHostNumaId = 134,
    cudaDevAttrD3D12CigSupported = 135,
    cudaDevAttrVulkanCigSupported = 138,
    cudaDevAttrGpuPciDeviceId = 139,
    cudaDevAttrGpuPciSubsystemId = 140,
    cudaDevAttrReserved141 = 141,
    cudaDevAttrHostNumaMemoryPoolsSupported = 142,
    cudaDevAttrHostNumaMultinodeIpcSupported = 143,
    cudaDevAttrHostMemoryPoolsSupported = 144,
    cudaDevAttrReserved145 = 145,
    cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147,
};
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported,
    cudaDevP2PAttrNativeAtomicSupported,
};

/* Macros, as CUDA's are: 0 by one of them is no stream, too. */
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventRecordDefault 0
#define cudaEventWaitDefault 0
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaDeviceLmemResizeToMax 16
#define cudaOccupancyDefault 0
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaPeerAccessDefault 0
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

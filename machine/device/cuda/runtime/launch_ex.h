/* SPDX-License-Identifier: Apache-2.0
 *
 * cudaLaunchKernelEx: a launch whose shape and attributes stand in a structure. Work is done in order, so that what lets a launch begin before
 * the one before it has ended changes nothing.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_LAUNCH_EX_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_LAUNCH_EX_H

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributeMemSyncDomainMap = 9,
    cudaLaunchAttributeMemSyncDomain = 10,
    cudaLaunchAttributePreferredClusterDimension = 11,
    cudaLaunchAttributeLaunchCompletionEvent = 12,
    cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14,
    cudaLaunchAttributeNvlinkUtilCentricScheduling = 16,
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    struct {
        unsigned x, y, z;
    } clusterDim;
    int clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    struct {
        cudaEvent_t event;
        int flags, triggerAtBlockStart;
    } programmaticEvent;
    int priority;
    unsigned sharedMemCarveout;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    union {
        cudaLaunchAttributeValue val, value;
    };
};
typedef cudaLaunchAttribute CUlaunchAttribute;
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

namespace riffle_lint {
inline void take_attributes(const cudaLaunchConfig_t *given, configuration *with) {
    for (unsigned k = 0; k < given->numAttrs; k++) {
        const cudaLaunchAttributeValue &value = given->attrs[k].val;
        if (given->attrs[k].id == cudaLaunchAttributeClusterDimension) with->cluster = dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
        if (given->attrs[k].id == cudaLaunchAttributeCooperative) with->cooperative = value.cooperative != 0;
    }
}
} // namespace riffle_lint

inline __attribute__((noinline)) cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *given, const void *kernel, void **args) {
    riffle_lint::configuration with = {nullptr, given->gridDim, given->blockDim, given->dynamicSmemBytes};
    with.site = RIFFLE_SITE;
    riffle_lint::take_attributes(given, &with);
    return riffle_lint::typed(kernel).run(with, args);
}

template <class... Parameters, class... Given>
__attribute__((noinline)) cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *given, void (*kernel)(Parameters...), Given &&...values) {
    riffle_lint::configuration with = {riffle_lint::name_of_kernel(kernel, "cudaLaunchKernelEx"), given->gridDim, given->blockDim,
                                       given->dynamicSmemBytes};
    with.site = RIFFLE_SITE;
    riffle_lint::take_attributes(given, &with);
    with([kernel](auto &...a) __attribute__((no_sanitize_thread)) { kernel(a...); })(std::decay_t<Parameters>(std::forward<Given>(values))...);
    return riffle_lint::is_kernel() ? cudaSuccess : riffle_lint::last_error();
}

/* All of the launch before has ended, and the next begins when all of this one has: nothing is left to wait for or to let go. */
inline RIFFLE_DEVICE void cudaGridDependencySynchronize() {}
inline RIFFLE_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {}

/* Clusters: as many as the blocks of the device make. */
template <class T> cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, T, const cudaLaunchConfig_t *) {
    *blocks = 8;
    return cudaSuccess;
}
template <class T> cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T, const cudaLaunchConfig_t *given) {
    const unsigned threads = given->blockDim.x * given->blockDim.y * given->blockDim.z;
    unsigned size = 1;
    for (unsigned k = 0; k < given->numAttrs; k++) {
        const auto &shape = given->attrs[k].val.clusterDim;
        if (given->attrs[k].id == cudaLaunchAttributeClusterDimension) size = shape.x * shape.y * shape.z;
    }
    *clusters = threads > 0 && size > 0 ? 132 * (int)riffle_lint_host.resident(threads, given->dynamicSmemBytes) / (int)size : 0;
    return cudaSuccess;
}

#endif

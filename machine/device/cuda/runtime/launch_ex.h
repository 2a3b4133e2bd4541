/* SPDX-License-Identifier: Apache-2.0
 *
 * cudaLaunchKernelEx: a launch whose shape and attributes stand in a structure. Work is done in order, so that what lets a launch begin before
 * the one before it has ended changes nothing; clusters are refused.
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
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    struct {
        unsigned x, y, z;
    } clusterDim;
    int clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    int priority;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    union {
        cudaLaunchAttributeValue val, value;
    };
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

namespace riffle_lint {
inline bool asks_for_cluster(const cudaLaunchAttribute &one) {
    const auto &size = one.val.clusterDim;
    return one.id == cudaLaunchAttributeClusterDimension && (size.x > 1 || size.y > 1 || size.z > 1);
}
} // namespace riffle_lint

template <class... Parameters, class... Given>
__attribute__((noinline)) cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *given, void (*kernel)(Parameters...), Given &&...values) {
    riffle_lint::configuration with = {riffle_lint::name_of_kernel(kernel, "cudaLaunchKernelEx"), given->gridDim, given->blockDim,
                                       given->dynamicSmemBytes};
    with.site = RIFFLE_SITE;
    for (unsigned k = 0; k < given->numAttrs; k++) {
        if (riffle_lint::asks_for_cluster(given->attrs[k])) {
            fprintf(stderr, "riffle: cudaLaunchKernelEx: clusters of blocks are not supplied\n");
            return riffle_lint::note(cudaErrorNotSupported);
        }
        if (given->attrs[k].id == cudaLaunchAttributeCooperative) with.cooperative = given->attrs[k].val.cooperative != 0;
    }
    with([kernel](auto &...a) __attribute__((no_sanitize_thread)) { kernel(a...); })(std::decay_t<Parameters>(std::forward<Given>(values))...);
    return riffle_lint::is_kernel() ? cudaSuccess : riffle_lint::last_error();
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cuda/planner/sort.h"

/* CUB includes <iostream> without using it, and its start-up code would want the C++ run-time library: what
 * marks it as included already (in GNU's library) leaves that out. Ranges for profilers would need dlopen. */
#define _GLIBCXX_IOSTREAM 1
#define CCCL_DISABLE_NVTX
#include <ostream>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#if CUB_VERSION < 200700
#error "scans of 2^31 entries and more want CUB 2.7 or later, which CUDA 12.8 brings"
#endif

/* Bytes are always asked for all bits of a key: fewer need no more. */
enum { KEY_BITS = 32 };

cudaError_t device_sort_bytes(uint64_t count, size_t *out) {
    cub::DoubleBuffer<uint32_t> none(nullptr, nullptr);
    return cub::DeviceRadixSort::SortPairs(nullptr, *out, none, none, count, 0, KEY_BITS);
}

cudaError_t device_sort(void *temp, size_t temp_bytes, device_pair *keys, device_pair *values, uint64_t count,
                        unsigned bits, cudaStream_t stream) {
    if (count == 0 || bits == 0) return cudaSuccess;
    cub::DoubleBuffer<uint32_t> sorted_keys(keys->now, keys->other), sorted_values(values->now, values->other);
    const cudaError_t error = cub::DeviceRadixSort::SortPairs(temp, temp_bytes, sorted_keys, sorted_values,
                                                              count, 0, (int)bits, stream);
    *keys = {sorted_keys.Current(), sorted_keys.Alternate()};
    *values = {sorted_values.Current(), sorted_values.Alternate()};
    return error;
}

cudaError_t device_scan_bytes(uint64_t count, size_t *out) {
    uint32_t *const none = nullptr;
    return cub::DeviceScan::InclusiveSum(nullptr, *out, none, none, count);
}

cudaError_t device_scan(void *temp, size_t temp_bytes, uint32_t *entries, uint64_t count, cudaStream_t stream) {
    return count == 0 ? cudaSuccess
                      : cub::DeviceScan::InclusiveSum(temp, temp_bytes, entries, entries, count, stream);
}

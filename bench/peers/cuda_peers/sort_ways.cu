/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of CUB and Thrust that sort_ways.h names, by type of number. Sorts in place get a copy, which counts: riffle's
 * leave their input alone too.
 */
#include "sort_ways.h"

#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>

#include <new>

typedef unsigned __int128 wide;

struct fields {
    int64_t x, y, z;
};
static __device__ bool operator<(const fields &a, const fields &b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

struct before {
    template <typename Number> __device__ bool operator()(const Number &a, const Number &b) const {
        return a < b;
    }
};

/* With no scratch all only say how much they want. */
struct call {
    const sort_peer *peer;
    void *scratch;
    size_t *scratch_bytes;
    cudaStream_t stream;
};

template <typename Number>
static cudaError_t merge(const call &c, Number *dst, uint32_t *indices, const Number *src) {
    const uint64_t n = c.peer->n;
    if (indices == nullptr)
        return cub::DeviceMergeSort::SortKeysCopy(c.scratch, *c.scratch_bytes, src, dst, n, before(), c.stream);
    if (c.scratch == nullptr)
        return cub::DeviceMergeSort::StableSortPairs(c.scratch, *c.scratch_bytes, dst, indices, n, before(),
                                                     c.stream);
    cudaError_t error = cudaMemcpyAsync(dst, src, n * sizeof *dst, cudaMemcpyDeviceToDevice, c.stream);
    if (error == cudaSuccess)
        error =
            cudaMemcpyAsync(indices, c.peer->indices, n * sizeof *indices, cudaMemcpyDeviceToDevice, c.stream);
    if (error != cudaSuccess) return error;
    return cub::DeviceMergeSort::StableSortPairs(c.scratch, *c.scratch_bytes, dst, indices, n, before(),
                                                 c.stream);
}

template <typename Number>
static cudaError_t radix(const call &c, Number *dst, uint32_t *indices, const Number *src) {
    const int bits = 8 * sizeof(Number);
    if (indices == nullptr)
        return cub::DeviceRadixSort::SortKeys(c.scratch, *c.scratch_bytes, src, dst, c.peer->n, 0, bits,
                                              c.stream);
    return cub::DeviceRadixSort::SortPairs(c.scratch, *c.scratch_bytes, src, dst, c.peer->indices, indices,
                                           c.peer->n, 0, bits, c.stream);
}

template <typename Number>
static cudaError_t segmented(const call &c, Number *dst, uint32_t *, const Number *src) {
    const uint32_t *const first = c.peer->first;
    return cub::DeviceSegmentedSort::SortKeys(c.scratch, *c.scratch_bytes, src, dst, (int)c.peer->n,
                                              (int)c.peer->segments, first, first + 1, c.stream);
}

/* Levels of merges, the last of them to dst; what CUB works with has room for the largest, and behind it lies a second array. */
template <typename Number> static cudaError_t pairs(const call &c, Number *dst, const Number *src) {
    const uint64_t n = c.peer->n, segments = c.peer->segments;
    size_t bytes = 0;
    cudaError_t error = cub::DeviceMerge::MergeKeys(nullptr, bytes, src, (int64_t)(n / 2), src, (int64_t)(n / 2),
                                                    dst, before(), c.stream);
    const size_t room = (bytes + 255) / 256 * 256;
    if (c.scratch == nullptr) *c.scratch_bytes = room + n * sizeof *dst;
    if (error != cudaSuccess || c.scratch == nullptr) return error;
    Number *const spare = (Number *)((char *)c.scratch + room);
    for (uint64_t length = n / segments; length < n && error == cudaSuccess; length *= 2) {
        unsigned left = 0;
        for (uint64_t after = 2 * length; after < n; after *= 2) ++left;
        Number *const to = left % 2 == 0 ? dst : spare;
        for (uint64_t at = 0; at < n && error == cudaSuccess; at += 2 * length)
            error = cub::DeviceMerge::MergeKeys(c.scratch, bytes, src + at, (int64_t)length, src + at + length,
                                                (int64_t)length, to + at, before(), c.stream);
        src = to;
    }
    return error;
}

template <typename Number>
static cudaError_t by_thrust(const call &c, Number *dst, uint32_t *indices, const Number *src) {
    const uint64_t n = c.peer->n;
    const auto policy = thrust::cuda::par_nosync.on(c.stream);
    if (c.scratch == nullptr) {
        *c.scratch_bytes = 1; /* it allocates its own */
        return cudaSuccess;
    }
    cudaError_t error = cudaMemcpyAsync(dst, src, n * sizeof *dst, cudaMemcpyDeviceToDevice, c.stream);
    if (error == cudaSuccess && indices != nullptr)
        error =
            cudaMemcpyAsync(indices, c.peer->indices, n * sizeof *indices, cudaMemcpyDeviceToDevice, c.stream);
    if (error != cudaSuccess) return error;
    if (indices == nullptr)
        thrust::sort(policy, dst, dst + n);
    else
        thrust::stable_sort_by_key(policy, dst, dst + n, indices);
    return cudaGetLastError();
}

template <typename Number>
static cudaError_t sort_of(const call &c, void *dst, void *indices, const void *src) {
    Number *const to = (Number *)dst;
    const Number *const from = (const Number *)src;
    uint32_t *const carried = (uint32_t *)indices;
    switch (c.peer->way) {
    case SORT_PEER_MERGE: return merge(c, to, carried, from);
    case SORT_PEER_RADIX: return radix(c, to, carried, from);
    case SORT_PEER_THRUST: return by_thrust(c, to, carried, from);
    case SORT_PEER_PAIRS: return pairs(c, to, from);
    case SORT_PEER_SEGMENTED:
        if constexpr (sizeof(Number) <= 8) return segmented(c, to, carried, from);
        return cudaErrorInvalidValue;
    default: return cudaErrorInvalidValue;
    }
}

static cudaError_t sort_any(const call &c, void *dst, void *indices, const void *src) {
    switch (c.peer->type) {
    case SORT_PEER_U32: return sort_of<uint32_t>(c, dst, indices, src);
    case SORT_PEER_U64: return sort_of<uint64_t>(c, dst, indices, src);
    case SORT_PEER_I64: return sort_of<int64_t>(c, dst, indices, src);
    case SORT_PEER_F32: return sort_of<float>(c, dst, indices, src);
    case SORT_PEER_F64: return sort_of<double>(c, dst, indices, src);
    case SORT_PEER_U128: return sort_of<wide>(c, dst, indices, src);
    case SORT_PEER_ROWS: return merge(c, (fields *)dst, (uint32_t *)indices, (const fields *)src);
    }
    return cudaErrorInvalidValue;
}

/* Thrust reports by exceptions, which no C program may see. */
static cudaError_t sort_caught(const call &c, void *dst, void *indices, const void *src) {
    try {
        return sort_any(c, dst, indices, src);
    } catch (const thrust::system_error &error) {
        return (cudaError_t)error.code().value();
    } catch (const std::bad_alloc &) {
        return cudaErrorMemoryAllocation;
    } catch (...) {
        return cudaErrorUnknown;
    }
}

int sort_peer_can(const sort_peer *p, int has_indices) {
    if (p->is_merge || p->way == SORT_PEER_PAIRS) return p->is_merge && p->way == SORT_PEER_PAIRS;
    if (p->type == SORT_PEER_ROWS) return p->way == SORT_PEER_MERGE;
    if (p->way == SORT_PEER_SEGMENTED)
        return p->segments > 1 && !has_indices && p->type != SORT_PEER_U128 && p->n < (uint64_t)1 << 31;
    return p->segments <= 1;
}

cudaError_t sort_peer_measure(sort_peer *p, int has_indices) {
    uint32_t any = 0;
    p->scratch_bytes = 0;
    const call c = {p, nullptr, &p->scratch_bytes, nullptr};
    return sort_caught(c, nullptr, has_indices ? &any : nullptr, nullptr);
}

cudaError_t sort_peer_prepare(const sort_peer *p) {
    try {
        if (p->indices != nullptr) thrust::sequence(thrust::device, p->indices, p->indices + p->n);
        if (p->first != nullptr)
            thrust::sequence(thrust::device, p->first, p->first + p->segments + 1, 0u,
                             (uint32_t)(p->n / p->segments));
    } catch (...) {
        return cudaErrorUnknown;
    }
    return cudaDeviceSynchronize();
}

cudaError_t sort_peer_sort(const sort_peer *p, void *dst, void *indices, const void *src, cudaStream_t stream) {
    size_t bytes = p->scratch_bytes;
    return sort_caught(call{p, p->scratch, &bytes, stream}, dst, indices, src);
}

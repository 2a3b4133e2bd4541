/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of Thrust and CUB that ways.h names, by size of element. Thrust reports by exceptions, which
 * no C program may see: the door to it catches all.
 */
#include "ways.h"

#include <cub/device/device_radix_sort.cuh>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>
#include <thrust/system_error.h>

#include <new>

#include "bench/word.h"

/* The bits that keys below n have: a sort need not look at the others. */
static int key_bits(uint32_t n) {
    int bits = 0;
    while (bits < 32 && (uint64_t)1 << bits < n) ++bits;
    return bits > 0 ? bits : 1;
}

template <typename Element>
static cudaError_t sort(const peer *p, void *scratch, size_t *scratch_bytes, void *dst, const void *src,
                        cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairs(scratch, *scratch_bytes, p->map, p->keys, (const Element *)src,
                                           (Element *)dst, p->n, 0, key_bits(p->n), stream);
}

template <typename Element>
static cudaError_t move(const peer *p, void *dst, const void *src, cudaStream_t stream) {
    const Element *from = (const Element *)src;
    Element *to = (Element *)dst;
    size_t scratch_bytes = p->scratch_bytes;
    switch (p->way) {
    case PEER_GATHER:
        thrust::gather(thrust::cuda::par_nosync.on(stream), p->map, p->map + p->n, from, to);
        return cudaGetLastError();
    case PEER_SORT: return sort<Element>(p, p->scratch, &scratch_bytes, dst, src, stream);
    default: return cudaErrorInvalidValue;
    }
}

/* One size of element tells enough. */
static cudaError_t shuffle(const peer *p, void *dst, const void *src, cudaStream_t stream) {
    if (p->elem_bytes != sizeof(uint32_t)) return cudaErrorInvalidValue;
    const uint32_t *from = (const uint32_t *)src;
    thrust::shuffle_copy(thrust::cuda::par_nosync.on(stream), from, from + p->n, (uint32_t *)dst,
                         thrust::default_random_engine(1));
    return cudaGetLastError();
}

static cudaError_t move_any(const peer *p, void *dst, const void *src, cudaStream_t stream) {
    if (p->way == PEER_SHUFFLE) return shuffle(p, dst, src, stream);
    switch (p->elem_bytes) {
    case 4: return move<uint32_t>(p, dst, src, stream);
    case 8: return move<uint64_t>(p, dst, src, stream);
    case 16: return move<uint4>(p, dst, src, stream);
    default: return cudaErrorInvalidValue;
    }
}

extern "C" cudaError_t peer_move(const peer *p, void *dst, const void *src, cudaStream_t stream) {
    try {
        return move_any(p, dst, src, stream);
    } catch (const std::bad_alloc &) {
        return cudaErrorMemoryAllocation;
    } catch (const thrust::system_error &error) {
        return (cudaError_t)error.code().value();
    } catch (...) {
        return cudaErrorUnknown;
    }
}

/* CUB says what it needs where it is given none. */
extern "C" cudaError_t peer_measure(peer *p) {
    p->scratch_bytes = 0;
    if (p->way != PEER_SORT) return cudaSuccess;
    switch (p->elem_bytes) {
    case 4: return sort<uint32_t>(p, nullptr, &p->scratch_bytes, nullptr, nullptr, nullptr);
    case 8: return sort<uint64_t>(p, nullptr, &p->scratch_bytes, nullptr, nullptr, nullptr);
    case 16: return sort<uint4>(p, nullptr, &p->scratch_bytes, nullptr, nullptr, nullptr);
    default: return cudaErrorInvalidValue;
    }
}

enum { SUMS = 3 };

/* sums[0] and sums[1] receive sums of hashes of dst's and src's words, which no order changes; sums[2] how many
 * words differ from those at the same place. Any number of threads. */
static __global__ void sum_words(unsigned long long *sums, const uint32_t *dst, const uint32_t *src,
                                 uint64_t count) {
    unsigned long long of_dst = 0, of_src = 0, differ = 0;
    const uint64_t first = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (uint64_t k = first; k < count; k += (uint64_t)gridDim.x * blockDim.x) {
        of_dst += bench_word(dst[k]);
        of_src += bench_word(src[k]);
        differ += dst[k] != src[k];
    }
    atomicAdd(&sums[0], of_dst);
    atomicAdd(&sums[1], of_src);
    atomicAdd(&sums[2], differ);
}

extern "C" cudaError_t peer_compare_words(const void *dst, const void *src, uint64_t count, int *same) {
    enum { BLOCKS = 1 << 12, THREADS = 256 };
    unsigned long long *device = nullptr, sums[SUMS] = {0, 0, 0};
    cudaError_t error = cudaDeviceSynchronize(); /* waits for all that has been queued on any stream */
    if (error == cudaSuccess) error = cudaMalloc(&device, sizeof sums);
    if (error == cudaSuccess) error = cudaMemset(device, 0, sizeof sums);
    if (error == cudaSuccess) {
        sum_words<<<BLOCKS, THREADS>>>(device, (const uint32_t *)dst, (const uint32_t *)src, count);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) error = cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(device);
    *same = error == cudaSuccess && sums[0] == sums[1] && sums[2] > 0;
    return error;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of Thrust and CUB that bench_peers.h names, by size of element. Thrust reports by exceptions, which
 * no C program may see: the door to it catches all.
 */
#include "bench_peers.h"

#include <cub/device/device_radix_sort.cuh>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>
#include <thrust/system_error.h>

#include <new>

/* The bits that keys below n have: a sort need not look at the others. */
static int key_bits(uint32_t n) {
    int bits = 0;
    while (bits < 32 && (uint64_t)1 << bits < n) ++bits;
    return bits > 0 ? bits : 1;
}

template <typename Element>
static cudaError_t sort(const bench_peer *peer, void *scratch, size_t *scratch_bytes, void *dst,
                        const void *src, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairs(scratch, *scratch_bytes, peer->map, peer->keys, (const Element *)src,
                                           (Element *)dst, peer->n, 0, key_bits(peer->n), stream);
}

template <typename Element>
static cudaError_t move(const bench_peer *peer, void *dst, const void *src, cudaStream_t stream) {
    const Element *from = (const Element *)src;
    Element *to = (Element *)dst;
    size_t scratch_bytes = peer->scratch_bytes;
    switch (peer->way) {
    case BENCH_PEER_GATHER:
        thrust::gather(thrust::cuda::par_nosync.on(stream), peer->map, peer->map + peer->n, from, to);
        return cudaGetLastError();
    case BENCH_PEER_SORT: return sort<Element>(peer, peer->scratch, &scratch_bytes, dst, src, stream);
    default: return cudaErrorInvalidValue;
    }
}

/* One size of element tells enough. */
static cudaError_t shuffle(const bench_peer *peer, void *dst, const void *src, cudaStream_t stream) {
    if (peer->elem_bytes != sizeof(uint32_t)) return cudaErrorInvalidValue;
    const uint32_t *from = (const uint32_t *)src;
    thrust::shuffle_copy(thrust::cuda::par_nosync.on(stream), from, from + peer->n, (uint32_t *)dst,
                         thrust::default_random_engine(1));
    return cudaGetLastError();
}

static cudaError_t move_any(const bench_peer *peer, void *dst, const void *src, cudaStream_t stream) {
    if (peer->way == BENCH_PEER_SHUFFLE) return shuffle(peer, dst, src, stream);
    switch (peer->elem_bytes) {
    case 4: return move<uint32_t>(peer, dst, src, stream);
    case 8: return move<uint64_t>(peer, dst, src, stream);
    case 16: return move<uint4>(peer, dst, src, stream);
    default: return cudaErrorInvalidValue;
    }
}

extern "C" cudaError_t bench_peer_move(const bench_peer *peer, void *dst, const void *src,
                                       cudaStream_t stream) {
    try {
        return move_any(peer, dst, src, stream);
    } catch (const std::bad_alloc &) {
        return cudaErrorMemoryAllocation;
    } catch (const thrust::system_error &error) {
        return (cudaError_t)error.code().value();
    } catch (...) {
        return cudaErrorUnknown;
    }
}

/* CUB says what it needs where it is given none. */
extern "C" cudaError_t bench_peer_measure(bench_peer *peer) {
    peer->scratch_bytes = 0;
    if (peer->way != BENCH_PEER_SORT) return cudaSuccess;
    switch (peer->elem_bytes) {
    case 4: return sort<uint32_t>(peer, nullptr, &peer->scratch_bytes, nullptr, nullptr, nullptr);
    case 8: return sort<uint64_t>(peer, nullptr, &peer->scratch_bytes, nullptr, nullptr, nullptr);
    case 16: return sort<uint4>(peer, nullptr, &peer->scratch_bytes, nullptr, nullptr, nullptr);
    default: return cudaErrorInvalidValue;
    }
}

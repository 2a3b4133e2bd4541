/* SPDX-License-Identifier: Apache-2.0
 *
 * What a user of CUDA has without riffle: the ways of Thrust and CUB to permute an array, behind C's doors.
 * riffle's seeds and thrust::shuffle's are unrelated, so the latter moves along a permutation of its own.
 */
#ifndef RIFFLE_CLI_BENCH_PEERS_H
#define RIFFLE_CLI_BENCH_PEERS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_peer_way {
    BENCH_PEER_GATHER,  /**< thrust::gather: dst[i] = src[map[i]] */
    BENCH_PEER_SORT,    /**< cub::DeviceRadixSort::SortPairs: src is sorted by the keys `map` into dst */
    BENCH_PEER_SHUFFLE, /**< thrust::shuffle_copy, what thrust::shuffle calls after a copy of the array */
    BENCH_PEER_WAYS,
} bench_peer_way;

/** A peer and what it works with, device memory. */
typedef struct bench_peer {
    bench_peer_way way;
    uint32_t n;
    size_t elem_bytes;    /**< 4, 8 or 16 */
    uint32_t *map;        /**< n entries: the permutation for SORT, its inverse for GATHER; else NULL */
    uint32_t *keys;       /**< n entries that SORT leaves the sorted keys in; else NULL */
    void *scratch;        /**< of SORT */
    size_t scratch_bytes; /**< that SORT needs; bench_peer_measure sets it */
} bench_peer;

/** Sets peer->scratch_bytes, all else but the pointers being set. */
cudaError_t bench_peer_measure(bench_peer *peer);

/** Queues the move of src to dst. GATHER and SORT may be captured into a CUDA graph; SHUFFLE allocates. */
cudaError_t bench_peer_move(const bench_peer *peer, void *dst, const void *src, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif

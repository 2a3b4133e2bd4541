/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways that a user of CUDA has without riffle: those of Thrust and CUB to permute an array, behind C's doors. riffle's
 * seeds and thrust::shuffle's are unrelated, so the latter moves along a permutation of its own.
 */
#ifndef RIFFLE_BENCH_PEERS_WAYS_H
#define RIFFLE_BENCH_PEERS_WAYS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_way {
    PEER_GATHER,  /**< thrust::gather: dst[i] = src[map[i]] */
    PEER_SORT,    /**< cub::DeviceRadixSort::SortPairs: src is sorted by the keys `map` into dst */
    PEER_SHUFFLE, /**< thrust::shuffle_copy, what thrust::shuffle calls after a copy of the array */
    PEER_WAYS,
} peer_way;

/** A peer and what it works with, device memory. */
typedef struct peer {
    peer_way way;
    uint32_t n;
    size_t elem_bytes;    /**< 4, 8 or 16 */
    uint32_t *map;        /**< n entries: the permutation for SORT, its inverse for GATHER; else NULL */
    uint32_t *keys;       /**< n entries that SORT leaves the sorted keys in; else NULL */
    void *scratch;        /**< for SORT */
    size_t scratch_bytes; /**< that SORT needs; peer_measure sets it */
} peer;

/** Sets p->scratch_bytes, all else but the pointers being set. */
cudaError_t peer_measure(peer *p);

/** Queues the move of src to dst. GATHER and SORT may be captured into a CUDA graph; SHUFFLE allocates. */
cudaError_t peer_move(const peer *p, void *dst, const void *src, cudaStream_t stream);

/** Waits until *same is true if dst holds src's `count` words in another order, as far as a sum of their hashes
 *  tells. */
cudaError_t peer_compare_words(const void *dst, const void *src, uint64_t count, int *same);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The sorts that a user of CUDA has: CUB's and Thrust's, behind C's doors.
 */
#ifndef RIFFLE_BENCH_PEERS_SORT_WAYS_H
#define RIFFLE_BENCH_PEERS_SORT_WAYS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sort_peer_way {
    SORT_PEER_MERGE,     /**< cub::DeviceMergeSort: by comparisons; stable where indices go along */
    SORT_PEER_RADIX,     /**< cub::DeviceRadixSort */
    SORT_PEER_THRUST,    /**< thrust::sort, or stable_sort_by_key, in place of a copy; allocates */
    SORT_PEER_SEGMENTED, /**< cub::DeviceSegmentedSort */
    SORT_PEER_PAIRS,     /**< cub::DeviceMerge of two sorted segments at a time; a power of two of them */
    SORT_PEER_WAYS,
} sort_peer_way;

typedef enum sort_peer_type {
    SORT_PEER_U32,
    SORT_PEER_U64,
    SORT_PEER_I64,
    SORT_PEER_F32,
    SORT_PEER_F64,
    SORT_PEER_U128,
    SORT_PEER_ROWS /**< rows of three int64_t, by a comparison: MERGE only */
} sort_peer_type;

/** A sort and what it works with, device memory. */
typedef struct sort_peer {
    sort_peer_way way;
    sort_peer_type type;
    uint64_t n, segments; /**< all numbers; segments of n / segments each */
    int is_merge;         /**< segments are sorted, and merged */
    uint32_t *indices;    /**< 0, 1, ...: what goes along where indices are asked for; else NULL */
    uint32_t *first;      /**< for SEGMENTED: where segments begin, and n */
    void *scratch;
    size_t scratch_bytes;
} sort_peer;

/** True if there is such a sort. */
int sort_peer_can(const sort_peer *p, int has_indices);

/** Sets p->scratch_bytes, all else but the pointers being set. */
cudaError_t sort_peer_measure(sort_peer *p, int has_indices);

/** Fills p->indices and p->first, where they are not NULL. */
cudaError_t sort_peer_prepare(const sort_peer *p);

/** Queues the sort of src to dst, and of p->indices to `indices`, NULL where none are asked for. */
cudaError_t sort_peer_sort(const sort_peer *p, void *dst, void *indices, const void *src, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif

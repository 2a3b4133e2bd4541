/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of bucket_planner.c that a thread does for each element of a sequence (plan/bucket/tile.h has the
 * words). All arrays are on the device; a step is one kernel, queued on `stream`, and returns whether it could
 * be launched.
 */
#ifndef RIFFLE_MOVE_CUDA_PLANNER_BUCKET_STEPS_H
#define RIFFLE_MOVE_CUDA_PLANNER_BUCKET_STEPS_H

#include <stdint.h>

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A pass's elements s = 0..n-1. */
typedef struct bucket_sequence {
    uint64_t n;                  /**< at least 1 */
    uint32_t piece;              /**< elements of a piece */
    unsigned unit_bits;          /**< a chunk has 2^unit_bits elements */
    const uint32_t *dest;        /**< each element's place in dst */
    const uint32_t *at;          /**< its place in the pass's input, NULL in the first pass, where it is s */
    const uint32_t *ordinal;     /**< how many chunks begin at or before s, modulo 2^32; NULL as at is */
    const uint32_t *first_chunk; /**< each piece's first chunk, and the count of all; NULL as at is */
} bucket_sequence;

/** How many chunks there are, modulo 2^32, and in the piece with the most. */
typedef struct bucket_chunk_counts {
    uint32_t all, most;
} bucket_chunk_counts;

/** heads[s] = 1 where a chunk begins, else 0. Needs `at`. */
cudaError_t bucket_steps_mark_heads(const bucket_sequence *q, uint32_t *heads, cudaStream_t stream);

/** first_chunk from `ordinal`; counts->most, which was 0, becomes the most chunks of a piece. */
cudaError_t bucket_steps_count_chunks(const bucket_sequence *q, uint32_t *first_chunk,
                                      bucket_chunk_counts *counts, cudaStream_t stream);

/** chunks from `at` and `ordinal`. */
cudaError_t bucket_steps_list_chunks(const bucket_sequence *q, uint32_t *chunks, cudaStream_t stream);

/** Marks entries whose chunk has a bit in `listed`, bits of all chunks that were 0; it has them all behind. */
cudaError_t bucket_steps_mark_again(uint32_t *chunks, uint64_t count, uint32_t *listed, cudaStream_t stream);

/** For `count` elements from `first` on, the first of a piece: values[k] = s = first + k, and keys[k] is its
 *  bucket in the low bucket_bits bits and above them its piece, counted from the one that begins at `first`. */
cudaError_t bucket_steps_key_pieces(const bucket_sequence *q, uint64_t first, uint64_t count, uint32_t bucket,
                                    unsigned bucket_bits, uint32_t *keys, uint32_t *values,
                                    cudaStream_t stream);

/** For these elements in the order that `sorted` lists them in: for s = sorted[k] and t = first + k, order[t]
 *  is where s is staged, and dest[t] its place in dst. */
cudaError_t bucket_steps_order_pieces(const bucket_sequence *q, uint64_t first, uint64_t count,
                                      const uint32_t *sorted, uint16_t *order, uint32_t *dest,
                                      cudaStream_t stream);

/** keys[t] = dest[t] / bucket, values[t] = t. */
cudaError_t bucket_steps_key_buckets(const uint32_t *dest, uint64_t n, uint32_t bucket, uint32_t *keys,
                                     uint32_t *values, cudaStream_t stream);

/** to[s] = from[at[s]]. */
cudaError_t bucket_steps_gather(const uint32_t *from, const uint32_t *at, uint64_t n, uint32_t *to,
                                cudaStream_t stream);

/** The order of a single pass from q->dest = the indices that dst gathers from: order[i] is where dest[i] is staged. */
cudaError_t bucket_steps_order_only(const bucket_sequence *q, uint16_t *order, cudaStream_t stream);

/** The order of the last pass: order[dest[s]] is where s is staged. */
cudaError_t bucket_steps_order_last(const bucket_sequence *q, uint16_t *order, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes (plan/bucket/tile.h): a piece of the output a block, gathered from shared memory.
 *
 *     a --16 bytes, asynchronously--> shared memory --order--> registers --16 bytes, in a row--> b
 *
 * bucket_first stages a piece as it lies in a, bucket_next the chunks that are listed for it. Only the existing part of the
 * last chunk is touched. An array of n elements that does not begin on 16 bytes is written element by element, and read so, or
 * by vectors that are put together from two words (row_words.h).
 */
#include "move/kernels/bucket/bucket_stage.h"

template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_first(element *__restrict__ b, const element *__restrict__ a, const uint16_t *__restrict__ order,
                 uint64_t n, uint32_t piece) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    const uint32_t count = piece_length(start, n, piece);
    stage_lying<typename accesses::template read<element>>(staged, a, start, count, n);
    write_piece<typename accesses::template write<element>>(b + start, staged, order + start, count, nobody());
}

template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_next(element *__restrict__ b, const element *__restrict__ a, const uint16_t *__restrict__ order,
                const uint32_t *__restrict__ chunks, const uint32_t *__restrict__ first_chunk, uint64_t n,
                uint32_t piece) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    const uint32_t first = first_chunk[blockIdx.x];
    stage_listed<typename accesses::template read<element>>(staged, a, chunks + first,
                                                            first_chunk[blockIdx.x + 1] - first, n);
    write_piece<typename accesses::template write<element>>(b + start, staged, order + start,
                                                            piece_length(start, n, piece), nobody());
}

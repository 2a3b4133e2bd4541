/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cuda/planner/schedule.h"

riffle_status bucket_create_order(bucket_tile_schedule *s, struct CUstream_st *stream) {
    const size_t bytes = bucket_tile_order_bytes(s), used = (size_t)s->n * sizeof *s->order;
    const riffle_status status = cuda_allocate("a bucket schedule", bytes, (void **)&s->order);
    if (status != RIFFLE_OK || bytes == used) return status;
    return bucket_result(cudaMemsetAsync((char *)s->order + used, 0, bytes - used, stream));
}

riffle_status bucket_create_first_chunk(bucket_tile_schedule *s) {
    return cuda_allocate("a bucket schedule", ((size_t)s->pieces + 1) * sizeof *s->first_chunk,
                         (void **)&s->first_chunk);
}

riffle_status bucket_create_chunks(bucket_tile_schedule *s) {
    return cuda_allocate("a bucket schedule's chunks", (size_t)s->chunk_count * sizeof *s->chunks,
                         (void **)&s->chunks);
}

void cuda_bucket_free(cuda_bucket_schedule *s) {
    cudaFree(s->order);
    cudaFree(s->chunks);
    cudaFree(s->first_chunk);
    *s = (cuda_bucket_schedule){0};
}

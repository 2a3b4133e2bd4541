/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the files that plan bucket schedules (move/cuda/steps.h) share.
 */
#ifndef RIFFLE_MOVE_CUDA_PLANNER_SCHEDULE_H
#define RIFFLE_MOVE_CUDA_PLANNER_SCHEDULE_H

#include "device/cuda/runtime.h"
#include "move/cuda/steps.h"

void cuda_bucket_free(cuda_bucket_schedule *schedule);

enum { BUCKET_ARRAY_ALIGNMENT = 256 };

static inline riffle_status bucket_result(cudaError_t error) {
    return cuda_result(error, "planning on the GPU");
}

static inline uint64_t bucket_quotient_up(uint64_t v, uint64_t unit) { return (v + unit - 1) / unit; }

/** Hands out one array after another, or only counts where there is no memory yet. */
typedef struct bucket_arena {
    char *start;
    size_t used;
} bucket_arena;

static inline void *bucket_carve(bucket_arena *a, size_t bytes) {
    void *const array = a->start != NULL ? a->start + a->used : NULL;
    a->used += (size_t)bucket_quotient_up(bytes, BUCKET_ARRAY_ALIGNMENT) * BUCKET_ARRAY_ALIGNMENT;
    return array;
}

/** s->order, with zeros behind what is used. */
riffle_status bucket_create_order(bucket_tile_schedule *s, struct CUstream_st *stream);

/** s->first_chunk. */
riffle_status bucket_create_first_chunk(bucket_tile_schedule *s);

/** s->chunks, from s->chunk_count. */
riffle_status bucket_create_chunks(bucket_tile_schedule *s);

#endif

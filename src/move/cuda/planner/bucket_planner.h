/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes planned on the GPU: the schedule that plan/bucket/tile.h defines, what bucket_tile_plan makes on the
 * host but for the order of elements within a run. Functions here belong to the current
 * device; they queue on a stream and wait for it.
 */
#ifndef RIFFLE_MOVE_CUDA_PLANNER_BUCKET_PLANNER_H
#define RIFFLE_MOVE_CUDA_PLANNER_BUCKET_PLANNER_H

#include "move/cuda/planner/schedule.h"

/** Plans a permutation of n elements, as bucket_tile_plan does, into shape.passes schedules. Before anything is allocated it asks how much memory is
 *  free, and says so if it is less than cuda_bucket_planning_bytes and bucket_tile_most_bytes together
 *  (RIFFLE_ERROR_OUT_OF_MEMORY). After a failure nothing is left behind. */
riffle_status cuda_bucket_plan(const cuda_bucket_source *source, uint64_t n, size_t elem_bytes,
                               bucket_tile_shape shape, struct CUstream_st *stream,
                               cuda_bucket_schedule out[BUCKET_TILE_PASSES]);

/** Device memory that planning takes at most beside the schedules themselves and the entries: of two passes 2
 *  bytes for each piece and tile, and of places to scatter to 2 for each element; of three 20 to 26 for each element.
 *  RIFFLE_ERROR_DEVICE if CUB will not say. */
riffle_status cuda_bucket_planning_bytes(uint64_t n, size_t elem_bytes, bucket_tile_shape shape,
                                         bool is_inverse, size_t *out);

#endif

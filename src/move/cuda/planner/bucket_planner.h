/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes planned on the GPU, as move/cuda/steps.h has them: the schedule that plan/bucket/tile.h defines.
 */
#ifndef RIFFLE_MOVE_CUDA_PLANNER_BUCKET_PLANNER_H
#define RIFFLE_MOVE_CUDA_PLANNER_BUCKET_PLANNER_H

#include "move/cuda/planner/schedule.h"

riffle_status cuda_bucket_plan(const cuda_bucket_source *source, uint64_t n, size_t elem_bytes,
                               bucket_tile_shape shape, struct CUstream_st *stream,
                               cuda_bucket_schedule out[BUCKET_TILE_PASSES]);
riffle_status cuda_bucket_mark(const cuda_bucket_schedule *schedule, struct CUstream_st *stream);
riffle_status cuda_bucket_planning_bytes(uint64_t n, size_t elem_bytes, bucket_tile_shape shape,
                                         bool is_inverse, size_t *out);

#endif

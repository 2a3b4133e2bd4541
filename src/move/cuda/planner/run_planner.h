/* SPDX-License-Identifier: Apache-2.0
 *
 * Two bucket passes planned from how many elements each piece of src has for each tile of dst (plan/bucket/tile.h has the
 * words): places follow from counts, and nothing is sorted.
 */
#ifndef RIFFLE_MOVE_CUDA_PLANNER_RUN_PLANNER_H
#define RIFFLE_MOVE_CUDA_PLANNER_RUN_PLANNER_H

#include "move/cuda/planner/schedule.h"

/** Plans both passes of a shape that has two into out[], which bucket_tile_pass has filled, for n > 0, unless a tile's chunks take more than
 *  shape->positions: *fits. After a failure, and where it does not fit, the arrays that out[] has got are the caller's to
 *  free. */
riffle_status run_plan(const cuda_bucket_source *source, uint64_t n, size_t elem_bytes,
                       const bucket_tile_shape *shape, struct CUstream_st *stream,
                       cuda_bucket_schedule out[BUCKET_TILE_PASSES], bool *fits);

/** Device memory that run_plan takes beside what it makes: 2 bytes for each piece and tile, and of places to scatter to
 *  2 for each element. */
riffle_status run_planning_bytes(uint64_t n, const bucket_tile_shape *shape, bool is_inverse, size_t *out);

#endif

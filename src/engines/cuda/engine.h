/* SPDX-License-Identifier: Apache-2.0
 *
 * The cuda engine: a plan's schedules and buffers on a GPU, and its passes as launches of src/kernels. A build
 * without CUDA has absent.c in place of the other files here.
 */
#ifndef RIFFLE_ENGINES_CUDA_ENGINE_H
#define RIFFLE_ENGINES_CUDA_ENGINE_H

#include "engines/launch.h"
#include "plan/plan.h"

struct CUstream_st;

/** The current device as the planner sees it. RIFFLE_ERROR_UNSUPPORTED where there is none that the kernels run on. */
riffle_status cuda_engine_target(plan_target *out);

/** What a plan keeps on the device that was current when it was made. */
typedef struct cuda_plan cuda_plan;

/** Uploads the schedules, allocates the buffers between passes and makes the kernels ready.
 *  RIFFLE_ERROR_UNSUPPORTED for a pass that is too large to launch or of elements that no kernel takes. */
riffle_status cuda_plan_create(const riffle_plan *plan, cuda_plan **out);
void cuda_plan_free(cuda_plan *device);

/** Queues the passes on `stream`; dst and src are device memory, checked by the caller. Allocates nothing,
 *  waits for nothing. RIFFLE_ERROR_INVALID_ARGUMENT if another device is current. */
riffle_status cuda_plan_execute(const cuda_plan *device, const riffle_plan *plan, void *dst, const void *src,
                                struct CUstream_st *stream);

/** The same from host memory to host memory by way of two arrays on the device, which it allocates and frees.
 *  Returns when dst is written. */
riffle_status cuda_plan_execute_host(const cuda_plan *device, const riffle_plan *plan, void *dst,
                                     const void *src);

#endif

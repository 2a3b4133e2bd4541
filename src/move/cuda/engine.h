/* SPDX-License-Identifier: Apache-2.0
 *
 * The cuda engine: a plan's schedules and buffers on a GPU, and its passes as launches of kernels. It asks
 * the device (device/device.h) and libriffle-cuda (steps.h), and nothing here calls CUDA itself.
 */
#ifndef RIFFLE_MOVE_CUDA_ENGINE_H
#define RIFFLE_MOVE_CUDA_ENGINE_H

#include "device/arrays.h"
#include "move/cuda/tables.h"
#include "move/gpu/launch.h"
#include "plan/plan.h"

struct CUstream_st;

/** The current device as the planner sees it. RIFFLE_ERROR_UNSUPPORTED where there is none that the kernels run
 *  on. */
riffle_status cuda_engine_target(plan_target *out);

/** A plan's memory on the device that was current when it was made. */
typedef struct cuda_plan cuda_plan;

/** The source of maps and bucket schedules: the permutation that the plan was decided for, or, where table is not NULL, its
 *  table on the device. */
typedef struct cuda_source {
    const riffle_perm *perm;
    const cuda_table *table;
    bool is_inverse; /**< the table is that of the inverse */
    struct CUstream_st *stream;
} cuda_source;

/** Makes the schedules on the device or uploads them, allocates the buffers between passes and makes the
 *  kernels ready; plan->engine keeps it all, and plan->passes and plan->bytes get the sizes of what was made
 *  here. How much memory is free is asked first, and RIFFLE_ERROR_OUT_OF_MEMORY says how much is needed.
 *  RIFFLE_ERROR_UNSUPPORTED for a pass that is too large to launch. */
riffle_status cuda_plan_create(riffle_plan *plan, const cuda_source *source);
void cuda_plan_free(cuda_plan *device);

/** Queues the passes on `stream`; dst and src are device memory, checked by the caller, and so is `workspace`,
 *  the plan's or another. Allocates nothing, waits for nothing. RIFFLE_ERROR_INVALID_ARGUMENT if another device
 *  is current. */
riffle_status cuda_plan_execute(const riffle_plan *plan, void *dst, const void *src, void *workspace,
                                struct CUstream_st *stream);

/** Waits for the stream and says what the last execution's check has found; nothing of a plan that has none. */
riffle_status cuda_plan_ask(const riffle_plan *plan, const void *workspace, struct CUstream_st *stream);

/** Appends all launches of an execution, of each array of a batch. */
void cuda_plan_append(const riffle_plan *plan, void *dst, const void *src, void *workspace, launch_list *out);

/** The arrays of an execution, for checks and to be carried. */
enum { CUDA_PLAN_DST, CUDA_PLAN_SRC, CUDA_PLAN_ARRAYS };
void cuda_plan_arrays(const riffle_plan *plan, void *dst, const void *src, call_array out[CUDA_PLAN_ARRAYS]);

/** The same from host memory to host memory by way of two arrays on the device, which it allocates and frees.
 *  Returns when dst is written. */
riffle_status cuda_plan_execute_host(const riffle_plan *plan, void *dst, const void *src);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_execute: the door for arrays that are on the device already.
 */
#include "base/status.h"
#include "engines/cuda/engine.h"
#include "engines/engine.h"
#include "riffle/cuda.h"

/* Kernels and copies alike take whole elements; elements of other sizes are only ever copied byte by byte. */
static bool is_aligned(const riffle_plan *plan, const void *array) {
    const size_t elem_bytes = plan->summary.elem_bytes;
    return (elem_bytes != 4 && elem_bytes != 8) || (uintptr_t)array % elem_bytes == 0;
}

riffle_status riffle_cuda_execute(const riffle_plan *plan, void *dst, const void *src,
                                  struct CUstream_st *stream) {
    if (plan->summary.target.kind != TARGET_CUDA) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the plan is for the %s engine; create it with RIFFLE_ENGINE_CUDA",
                    plan->summary.target.name);
    }
    if (plan->summary.array_bytes == 0) return RIFFLE_OK;
    const riffle_status status = engine_check_arrays(plan, dst, src);
    if (status != RIFFLE_OK) return status;
    if (!is_aligned(plan, dst) || !is_aligned(plan, src)) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is not aligned to its elements of %zu bytes",
                    is_aligned(plan, dst) ? "src" : "dst", plan->summary.elem_bytes);
    }
    return cuda_plan_execute(plan->engine, plan, dst, src, stream);
}

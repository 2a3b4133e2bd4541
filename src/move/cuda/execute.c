/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_execute: the door for arrays that are on the device already.
 */
#include "base/status.h"
#include "check/check.h"
#include "device/arrays.h"
#include "move/cuda/engine.h"
#include "move/engine.h"
#include "riffle/cuda.h"

/* A check reads whole units. */
static size_t alignment_of(const riffle_plan *plan) {
    size_t most = plan_has_record(plan) ? array_alignment(plan->request.elem_bytes) : 1;
    for (unsigned k = 0; k < plan->built; k++) {
        const size_t bytes = launch_alignment(&plan->passes[k], plan->request.elem_bytes);
        if (bytes > most) most = bytes;
    }
    return most;
}

static riffle_status check_engine(const riffle_plan *plan) {
    if (plan->request.target.kind == TARGET_CUDA) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "the plan is for the %s engine; create it with RIFFLE_ENGINE_CUDA", plan->request.target.name);
}

static riffle_status check_arrays(const riffle_plan *plan, const void *dst, const void *src) {
    riffle_status status = check_engine(plan);
    if (status != RIFFLE_OK) return status;
    if (plan->request.array_bytes == 0) return RIFFLE_OK;
    status = engine_check_arrays(plan, dst, src);
    const size_t alignment = alignment_of(plan);
    const char *const wanted_by =
        alignment == plan->request.elem_bytes ? "this plan's elements" : "this plan's accesses";
    if (status == RIFFLE_OK) status = array_check_aligned("dst", dst, alignment, wanted_by);
    return status == RIFFLE_OK ? array_check_aligned("src", src, alignment, wanted_by) : status;
}

riffle_status riffle_cuda_execute(const riffle_plan *plan, void *dst, const void *src, void *workspace,
                                  size_t workspace_bytes, struct CUstream_st *stream) {
    RETURN_IF_NULL(plan);
    riffle_status status = check_arrays(plan, dst, src);
    if (status != RIFFLE_OK || plan->request.array_bytes == 0) return status;
    call_array all[CUDA_PLAN_ARRAYS];
    void *place;
    cuda_plan_arrays(plan, dst, src, all);
    status = plan_base_find_workspace(&plan->base, all, CUDA_PLAN_ARRAYS, workspace, workspace_bytes, &place);
    return status == RIFFLE_OK ? cuda_plan_execute(plan, dst, src, place, stream) : status;
}

riffle_status riffle_cuda_check(const riffle_plan *plan, const void *workspace, struct CUstream_st *stream) {
    void *place = NULL;
    RETURN_IF_NULL(plan);
    riffle_status status = check_engine(plan);
    if (status == RIFFLE_OK && plan->request.check == RIFFLE_CHECK_NONE) status = check_is_missing();
    if (status == RIFFLE_OK) status = plan_base_check_device(&plan->base);
    if (status == RIFFLE_OK)
        status = plan_base_find_workspace(&plan->base, NULL, 0, workspace, plan->base.workspace_bytes, &place);
    return status == RIFFLE_OK ? cuda_plan_ask(plan, place, stream) : status;
}

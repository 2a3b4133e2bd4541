/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_execute: the door for arrays that are on the device already.
 */
#include "base/status.h"
#include "engines/cuda/engine.h"
#include "engines/engine.h"
#include "riffle/cuda.h"

/* What addresses must be multiples of: kernels take whole elements, affine ones whole vectors of 16 bytes where the
 * arrays consist of such; rotations are copied byte by byte. */
static size_t alignment_of(const riffle_plan *plan) {
    size_t most = 1;
    for (unsigned k = 0; k < plan->built; k++) {
        const pass *p = &plan->passes[k];
        size_t bytes = plan->summary.elem_bytes;
        if (p->kind == PASS_COPY && !p->copy.rotation.reflected) bytes = 1;
        if (p->kind == PASS_AFFINE_TILE)
            bytes = (size_t)1 << (p->affine_tile.vector_bits + p->affine_tile.arrays.unit_bits);
        if (bytes > most) most = bytes;
    }
    return most;
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
    const size_t alignment = alignment_of(plan);
    if ((uintptr_t)dst % alignment != 0 || (uintptr_t)src % alignment != 0) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is not aligned to %zu bytes, which this plan's %s want",
                    (uintptr_t)dst % alignment != 0 ? "dst" : "src", alignment,
                    alignment == plan->summary.elem_bytes ? "elements" : "accesses");
    }
    return cuda_plan_execute(plan->engine, plan, dst, src, stream);
}

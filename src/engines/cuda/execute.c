/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_execute: the door for arrays that are on the device already.
 */
#include "base/status.h"
#include "engines/cuda/engine.h"
#include "engines/engine.h"
#include "engines/launch_rows.h"
#include "riffle/cuda.h"

/* What addresses must be multiples of: kernels take whole elements, bucket passes whole chunks of 16 bytes,
 * affine ones likewise where the arrays consist of such; rotations are copied byte by byte. */
static size_t alignment_of(const riffle_plan *plan) {
    size_t most = 1;
    for (unsigned k = 0; k < plan->built; k++) {
        const pass *p = &plan->passes[k];
        size_t bytes = plan->summary.elem_bytes;
        if (p->kind == PASS_COPY && !p->copy.rotation.reflected) bytes = 1;
        if (p->kind == PASS_SCATTER || p->kind == PASS_GATHER) bytes = launch_unit_bytes(bytes);
        if (p->kind == PASS_AFFINE_TILE)
            bytes = (size_t)1 << (p->affine_tile.vector_bits + p->affine_tile.arrays.unit_bits);
        if (p->kind == PASS_BUCKET_TILE) bytes = BUCKET_TILE_CHUNK_BYTES;
        if (bytes > most) most = bytes;
    }
    return most;
}

static riffle_status check_aligned(const char *name, const void *array, size_t alignment,
                                   const char *wanted_by) {
    if ((uintptr_t)array % alignment == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is not aligned to %zu bytes, which this plan's %s want",
                name, alignment, wanted_by);
}

static riffle_status check_apart(const riffle_plan *plan, const char *name, const void *array,
                                 const void *workspace) {
    const uintptr_t a = (uintptr_t)array, w = (uintptr_t)workspace;
    const size_t bytes = riffle_plan_workspace_bytes(plan);
    if (workspace == NULL || (a < w ? w - a >= plan->summary.span_bytes : a - w >= bytes)) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the workspace of %zu bytes overlaps %s; bring one apart", bytes,
                name);
}

static riffle_status check_arrays(const riffle_plan *plan, const void *dst, const void *src,
                                  const void *workspace) {
    if (plan->summary.target.kind != TARGET_CUDA) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the plan is for the %s engine; create it with RIFFLE_ENGINE_CUDA",
                    plan->summary.target.name);
    }
    if (plan->summary.array_bytes == 0) return RIFFLE_OK;
    riffle_status status = engine_check_arrays(plan, dst, src);
    const size_t alignment = alignment_of(plan);
    const char *const wanted_by = alignment == plan->summary.elem_bytes ? "elements" : "accesses";
    if (status == RIFFLE_OK) status = check_aligned("dst", dst, alignment, wanted_by);
    if (status == RIFFLE_OK) status = check_aligned("src", src, alignment, wanted_by);
    if (status == RIFFLE_OK) status = check_aligned("workspace", workspace, PLAN_BUFFER_ALIGNMENT, "buffers");
    if (status == RIFFLE_OK) status = check_apart(plan, "dst", dst, workspace);
    if (status == RIFFLE_OK) status = check_apart(plan, "src", src, workspace);
    return status;
}

riffle_status riffle_cuda_execute_with(const riffle_plan *plan, void *dst, const void *src, void *workspace,
                                       struct CUstream_st *stream) {
    const riffle_status status = check_arrays(plan, dst, src, workspace);
    if (status != RIFFLE_OK || plan->summary.array_bytes == 0) return status;
    return cuda_plan_execute(plan, dst, src, workspace, stream);
}

riffle_status riffle_cuda_execute(const riffle_plan *plan, void *dst, const void *src,
                                  struct CUstream_st *stream) {
    return riffle_cuda_execute_with(plan, dst, src, NULL, stream);
}

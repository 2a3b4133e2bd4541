/* SPDX-License-Identifier: Apache-2.0
 *
 * The doors to explanations: for an engine that is here, or for a GPU that need not be.
 */
#include "device/explain/explain.h"
#include "base/status.h"
#include "move/door/times.h"
#include "move/engine.h"
#include "plan/checked.h"
#include "plan/explain/how.h"
#include "riffle/cuda.h"

enum { LEAST_BLOCK = 256, LEAST_SHARED = 48 << 10 };

static plan_target target_of(const riffle_cuda_device *gpu) {
    const device_limits limits = {.width = 32,
                                  .block_threads = gpu->block_threads,
                                  .multiprocessors = gpu->multiprocessors,
                                  .capability = 10 * gpu->compute_major + gpu->compute_minor,
                                  .shared_bytes = gpu->shared_bytes,
                                  .l2_bytes = gpu->l2_bytes,
                                  .memory_bytes = gpu->memory_bytes};
    return plan_target_of(TARGET_CUDA, "cuda", &limits);
}

/* Beyond these no GPU is, and sums of a planner's might not fit their types. */
static bool is_plausible(const riffle_cuda_device *gpu) {
    static const riffle_cuda_device most = {.compute_major = 99,
                                            .compute_minor = 9,
                                            .multiprocessors = 1 << 16,
                                            .block_threads = 1024,
                                            .shared_bytes = 1 << 24,
                                            .l2_bytes = (size_t)1 << 40,
                                            .memory_bytes = (size_t)1 << 50};
    return gpu->compute_major <= most.compute_major && gpu->compute_minor <= most.compute_minor &&
           gpu->multiprocessors <= most.multiprocessors && gpu->block_threads <= most.block_threads &&
           gpu->shared_bytes <= most.shared_bytes && gpu->l2_bytes <= most.l2_bytes &&
           gpu->memory_bytes <= most.memory_bytes;
}

static bool is_whole(const riffle_cuda_device *gpu) {
    return gpu->multiprocessors > 0 && gpu->block_threads >= LEAST_BLOCK && gpu->shared_bytes >= LEAST_SHARED &&
           gpu->l2_bytes > 0 && gpu->memory_bytes > 0;
}

static riffle_status find_target(riffle_engine engine, const riffle_cuda_device *gpu, plan_target *out) {
    if (gpu == NULL) return engine_target(engine, out);
    if (!is_whole(gpu))
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "the GPU lacks a number: plans want multiprocessors, l2_bytes and memory_bytes, at least %d "
            "block_threads and %d shared_bytes",
            LEAST_BLOCK, LEAST_SHARED);
    if (!is_plausible(gpu))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the GPU has a number that no GPU has; check its block_threads, at most 1024, and its "
                    "bytes");
    *out = target_of(gpu);
    return RIFFLE_OK;
}

static riffle_status take_how(const riffle_explanation *asked, explain_how *out) {
    *out = (explain_how){.json = asked != NULL && asked->json};
    if (asked != NULL) out->bytes_per_second = (double)asked->bytes_per_second;
    if (asked != NULL && asked->gpu != NULL) out->gpu = asked->gpu->name;
    return explain_take_machine(asked != NULL ? &asked->model : NULL, &out->model);
}

riffle_status riffle_explain_as(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                                const riffle_plan_options *options, const riffle_explanation *explanation,
                                FILE *stream) {
    RETURN_IF_NULL(perm, stream);
    plan_target target;
    plan_request request;
    explain_how how;
    riffle_status status = take_how(explanation, &how);
    if (status == RIFFLE_OK && options != NULL) status = plan_check_fits(options->check, &how.model);
    if (status == RIFFLE_OK && explanation != NULL) status = explain_check_gpu(engine, explanation);
    if (status == RIFFLE_OK)
        status = find_target(engine, explanation != NULL ? explanation->gpu : NULL, &target);
    if (status == RIFFLE_OK) status = plan_request_take(perm, elem_bytes, &target, options, &request);
    if (status != RIFFLE_OK) return status;
    if (explanation != NULL && explanation->measure)
        status = explain_measure(perm, elem_bytes, engine, options, &how.times);
    if (status == RIFFLE_OK) status = plan_explain(&request, &how, stream);
    plan_request_drop(&request);
    return status;
}

riffle_status riffle_explain(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                             const riffle_plan_options *options, FILE *stream) {
    return riffle_explain_as(perm, elem_bytes, engine, options, NULL, stream);
}

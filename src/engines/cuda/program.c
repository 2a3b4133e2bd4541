/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on a GPU: each pass is a launch of a fused kernel, seldom several (plan/fused/fused.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/cuda/capture.h"
#include "device/cuda/runtime.h"
#include "engines/cuda/engine.h"
#include "engines/cuda/own.h"
#include "engines/launch/program.h"
#include "engines/nvrtc/own.h"
#include "engines/program.h"
#include "plan/fused/paper.h"
#include "plan/fused/policy.h"
#include "riffle/cuda.h"

typedef struct cuda_program {
    size_t count;
    fused_launches *launches; /* of each pass */
    size_t alignment;         /* of arrays */
    cuda_own users; /* the kernel with the program's users' operations, if any: it does all launches */
} cuda_program;

typedef struct arrays {
    const void *src;
    void *to[PROGRAM_ARRAYS];
} arrays;

static void append_pass(const cuda_program *own, const program_pass *p, const fused_launches *launches,
                        const arrays *a, launch_list *out) {
    const void *const from = p->from == PROGRAM_SRC ? a->src : a->to[p->from];
    launch_program_pass(launches, cuda_own_kernel(&own->users), a->to[p->to], from, out);
}

static riffle_status load_users(const riffle_program_plan *plan, const plan_target *target, cuda_program *own) {
    nvrtc_code code = {0};
    if (plan->passes.own_count == 0) return RIFFLE_OK;
    const riffle_status status = nvrtc_own_make(&plan->passes, plan->type, target->capability, &code);
    return status == RIFFLE_OK ? cuda_own_load(&code, &own->users) : status;
}

static riffle_status load_kernels(const device *gpu, const program_pass *p, const fused_launches *launches,
                                  cuda_program *own) {
    launch_list list;
    for (size_t k = 0; k < launches->count; k++)
        if (launches->launches[k].alignment > own->alignment) own->alignment = launches->launches[k].alignment;
    launch_list_begin(&list);
    append_pass(own, p, launches, &(arrays){0}, &list);
    const riffle_status status = gpu->ops->load(gpu, "a pass", &list);
    launch_list_free(&list);
    return status;
}

static riffle_status lower_passes(const riffle_program_plan *plan, const plan_target *target,
                                  cuda_program *own) {
    const size_t count = plan->passes.count;
    own->alignment = 1;
    own->launches = calloc(count + 1, sizeof *own->launches);
    if (own->launches == NULL) return fail_memory("a program's launches", count * sizeof *own->launches);
    riffle_status status = load_users(plan, target, own);
    for (; status == RIFFLE_OK && own->count < count; own->count++) {
        const program_pass *p = &plan->passes.passes[own->count];
        fused_launches *const launches = &own->launches[own->count];
        status = fused_lower(p, plan->type, plan->arrays, p->from != p->to, launches);
        if (status != RIFFLE_OK) continue;
        fused_fetch_early(launches, target->multiprocessors);
        status = load_kernels(&plan->base.on, p, launches, own);
    }
    return status;
}

static riffle_status prepare(riffle_program_plan *plan, const plan_target *target, cuda_program *own) {
    const riffle_status status = lower_passes(plan, target, own);
    plan->base.is_exclusive = program_wants_workspace(&plan->passes);
    plan->base.workspace_bytes = plan->base.is_exclusive ? program_plan_bytes(plan) : 0;
    return status == RIFFLE_OK
               ? plan_base_allocate(&plan->base, "a plan of a program", "a third array on the GPU")
               : status;
}

static riffle_status create(riffle_program_plan *plan, const riffle_program *program,
                            const riffle_program_options *options) {
    plan_target target;
    int before;
    riffle_status status = cuda_engine_target(&target);
    if (status != RIFFLE_OK) return status;
    status = (options->algorithm == RIFFLE_PROGRAM_PAPER ? fused_compile_paper : fused_compile)(
        program, plan->type, target.shared_bytes, target.block_threads, &plan->passes);
    if (status != RIFFLE_OK) return status;
    cuda_program *const own = calloc(1, sizeof *own);
    if (own == NULL) return fail_memory("a program for a GPU", sizeof *own);
    plan->own = own;
    status = device_of_cuda(&plan->base.on);
    if (status == RIFFLE_OK) status = plan->base.on.ops->guard(&plan->base.on, "planning", NULL, &before);
    if (status != RIFFLE_OK) return status;
    status = prepare(plan, &target, own);
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
}

static void destroy(void *own) {
    cuda_program *const program = own;
    if (program == NULL) return;
    for (size_t k = 0; k < program->count; k++) fused_launches_free(&program->launches[k]);
    free(program->launches);
    cuda_own_unload(&program->users);
    free(program);
}

/* A program that does nothing copies. */
static riffle_status run(const riffle_program_plan *plan, void *dst, const void *src, void *workspace,
                         struct CUstream_st *stream) {
    const cuda_program *own = plan->own;
    const arrays a = {src, {[PROGRAM_DST] = dst, [PROGRAM_WORKSPACE] = workspace}};
    launch_list list;
    launch_list_begin(&list);
    for (size_t k = 0; k < own->count; k++)
        append_pass(own, &plan->passes.passes[k], &own->launches[k], &a, &list);
    if (own->count == 0 && dst != src) launch_append_copy(&list, dst, src, program_plan_bytes(plan));
    return device_run(&plan->base.on, "launching a pass", &list, stream);
}

static riffle_status run_through(const riffle_program_plan *plan, void *dst, const void *src, void *to,
                                 void *from) {
    const size_t bytes = program_plan_bytes(plan);
    riffle_status status =
        cuda_result(cudaMemcpy(from, src, bytes, cudaMemcpyHostToDevice), "copying the array to the GPU");
    if (status == RIFFLE_OK) status = run(plan, to, from, plan->base.workspace, NULL);
    if (status == RIFFLE_OK)
        status = cuda_result(cudaMemcpy(dst, to, bytes, cudaMemcpyDeviceToHost),
                             "running the program and copying the array back");
    return status;
}

/* Between host arrays, by way of one array on the device, or two. */
static riffle_status execute(const riffle_program_plan *plan, void *dst, const void *src) {
    const size_t bytes = program_plan_bytes(plan);
    void *from = NULL, *to = NULL;
    enum cudaStreamCaptureMode mode;
    riffle_status status = plan_base_check_device(&plan->base);
    if (status == RIFFLE_OK) status = capture_pass_by("a program for host arrays", NULL, &mode);
    if (status != RIFFLE_OK) return status;
    status = cuda_allocate("the array on the GPU", bytes, &from);
    if (status == RIFFLE_OK && !riffle_program_plan_in_place(plan))
        status = cuda_allocate("the moved array on the GPU", bytes, &to);
    if (status == RIFFLE_OK) status = run_through(plan, dst, src, to != NULL ? to : from, from);
    cudaFree(to);
    cudaFree(from);
    capture_leave(mode);
    return status;
}

const program_engine cuda_program_engine = {
    .name = "cuda", .most_bits = FUSED_MAX_BITS, .create = create, .execute = execute, .destroy = destroy};

static riffle_status check_aligned(const char *name, const void *array, size_t alignment) {
    if ((uintptr_t)array % alignment == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "%s is not aligned to %zu bytes, which this plan's accesses want", name, alignment);
}

riffle_status riffle_cuda_program_execute(const riffle_program_plan *plan, void *dst, const void *src,
                                          void *workspace, struct CUstream_st *stream) {
    if (plan->engine != &cuda_program_engine)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the plan is for the %s engine; create it with RIFFLE_ENGINE_CUDA", plan->engine->name);
    if (plan->arrays == 0) return RIFFLE_OK;
    const cuda_program *own = plan->own;
    riffle_status status = program_check_arrays(plan, dst, src);
    if (status == RIFFLE_OK) status = check_aligned("dst", dst, own->alignment);
    if (status == RIFFLE_OK) status = check_aligned("src", src, own->alignment);
    if (status == RIFFLE_OK) status = plan_base_check_device(&plan->base);
    void *place = NULL;
    if (status == RIFFLE_OK) status = plan_base_find_workspace(&plan->base, workspace, &place);
    const size_t bytes = program_plan_bytes(plan);
    const call_array all[] = {{.name = "dst", dst, 1, bytes}, {.name = "src", src, 1, bytes}};
    if (status == RIFFLE_OK) status = arrays_check_workspace(all, 2, place, plan->base.workspace_bytes);
    return status == RIFFLE_OK ? run(plan, dst, src, place, stream) : status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on a device, a GPU or the memory machine: a plan and arrays become a list of launches (program_append), and the doors queue
 * it, for arrays of the device and of the host. Each pass is a launch of a fused kernel, seldom several (program/fused/fused.h).
 */
#include "program/gpu/plan.h"

#include <stdlib.h>

#include "base/status.h"
#include "device/carry.h"
#include "papers/program/tiles.h"
#include "program/fused/policy.h"
#include "program/gpu/launches.h"
#include "program/gpu/own.h"
#include "riffle/cuda.h"

typedef struct device_program {
    size_t count;
    fused_launches *launches; /* each pass's */
    size_t alignment;         /* that arrays want */
    users_kernel users; /* the kernel with the program's users' operations, if any: it does all launches */
} device_program;

typedef struct arrays {
    const void *src;
    void *to[PROGRAM_ARRAYS];
} arrays;

static void append_pass(const device_program *own, const program_pass *p, const fused_launches *launches,
                        const arrays *a, launch_list *out) {
    const void *const from = p->from == PROGRAM_SRC ? a->src : a->to[p->from];
    launch_program_pass(launches, users_kernel_of(&own->users), a->to[p->to], from, out);
}

static riffle_status load_kernels(const device *gpu, const program_pass *p, const fused_launches *launches,
                                  device_program *own) {
    launch_list list;
    for (size_t k = 0; k < launches->count; k++)
        if (launches->launches[k].alignment > own->alignment) own->alignment = launches->launches[k].alignment;
    launch_list_begin(&list);
    append_pass(own, p, launches, &(arrays){0}, &list);
    return device_load(gpu, "a pass", &list);
}

static riffle_status lower_passes(const riffle_program_plan *plan, unsigned multiprocessors,
                                  device_program *own) {
    const size_t count = plan->passes.count;
    own->alignment = 1;
    own->launches = calloc(count + 1, sizeof *own->launches);
    if (own->launches == NULL) return fail_memory("a program's launches", count * sizeof *own->launches);
    riffle_status status = own_load_program(&plan->base.on, &plan->passes, plan->type, &own->users);
    for (; status == RIFFLE_OK && own->count < count; own->count++) {
        const program_pass *p = &plan->passes.passes[own->count];
        fused_launches *const launches = &own->launches[own->count];
        status = fused_lower(p, plan->type, plan->arrays, p->from != p->to, launches);
        if (status != RIFFLE_OK) continue;
        fused_fetch_early(launches, multiprocessors);
        status = load_kernels(&plan->base.on, p, launches, own);
    }
    return status;
}

static riffle_status prepare(riffle_program_plan *plan, const device_limits *limits,
                             const riffle_program *program, const riffle_program_options *options) {
    riffle_status status =
        (options->algorithm == RIFFLE_PROGRAM_ALGORITHM_PAPER ? paper_compile_tiles : fused_compile)(
            program, plan->type, limits->shared_bytes, limits->block_threads, &plan->passes);
    if (status != RIFFLE_OK) return status;
    plan->own = calloc(1, sizeof(device_program));
    if (plan->own == NULL) return fail_memory("a program for a GPU", sizeof(device_program));
    status = lower_passes(plan, limits->multiprocessors, plan->own);
    plan->base.workspace_bytes = program_wants_workspace(&plan->passes) ? program_plan_bytes(plan) : 0;
    return status == RIFFLE_OK
               ? plan_base_allocate(&plan->base, "a plan of a program", "a third array on the GPU")
               : status;
}

static riffle_status create(riffle_program_plan *plan, const riffle_program *program,
                            const riffle_program_options *options) {
    device_limits limits;
    int before;
    riffle_status status = plan_base_find_device(&plan->base, &limits, &before);
    if (status != RIFFLE_OK) return status;
    status = prepare(plan, &limits, program, options);
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
}

static void destroy(void *own) {
    device_program *const program = own;
    if (program == NULL) return;
    for (size_t k = 0; k < program->count; k++) fused_launches_free(&program->launches[k]);
    free(program->launches);
    users_kernel_unload(&program->users);
    free(program);
}

/* A program that does nothing copies. */
void program_append(const riffle_program_plan *plan, void *dst, const void *src, void *workspace,
                    launch_list *out) {
    const device_program *own = plan->own;
    const arrays a = {src, {[PROGRAM_DST] = dst, [PROGRAM_WORKSPACE] = workspace}};
    for (size_t k = 0; k < own->count; k++)
        append_pass(own, &plan->passes.passes[k], &own->launches[k], &a, out);
    if (own->count == 0 && dst != src) launch_append_copy(out, dst, src, program_plan_bytes(plan));
}

static riffle_status run(const riffle_program_plan *plan, void *dst, const void *src, void *workspace,
                         struct CUstream_st *stream) {
    launch_list list;
    launch_list_begin(&list);
    program_append(plan, dst, src, workspace, &list);
    return device_run(&plan->base.on, "launching a pass", &list, stream);
}

enum { DST, SRC, ARRAYS, WORKSPACE = ARRAYS, CARRIED };

static void list_arrays(const riffle_program_plan *plan, void *dst, const void *src, call_array out[ARRAYS]) {
    const size_t bytes = program_plan_bytes(plan);
    out[DST] = call_array_of_bytes("dst", dst, bytes, ARRAY_WRITTEN);
    out[SRC] = call_array_of_bytes("src", src, bytes, ARRAY_READ);
    if (riffle_program_plan_in_place(plan)) out[DST].joined_to = &out[SRC];
}

static riffle_status run_there(const void *context, call_array *a) {
    const riffle_program_plan *const plan = context;
    return run(plan, a[DST].there, a[SRC].there, plan_base_workspace_there(&plan->base, &a[WORKSPACE]), NULL);
}

/* Between host arrays, by way of one array on the device, or two. */
static riffle_status execute(const riffle_program_plan *plan, void *dst, const void *src) {
    call_array all[CARRIED];
    list_arrays(plan, dst, src, all);
    all[WORKSPACE] = plan_base_carry_workspace(&plan->base, "a third array on the GPU");
    return device_carry(&plan->base.on, "a program for host arrays", all, CARRIED, run_there, plan);
}

const program_engine device_program_engine = {
    .name = "cuda", .most_bits = FUSED_MAX_BITS, .create = create, .execute = execute, .destroy = destroy};

static riffle_status check_aligned(const char *name, const void *array, size_t alignment) {
    return array_check_aligned(name, array, alignment, "this plan's accesses");
}

riffle_status riffle_cuda_program_execute(const riffle_program_plan *plan, void *dst, const void *src,
                                          void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    RETURN_IF_NULL(plan);
    if (plan->engine != &device_program_engine)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the plan is for the %s engine; create it with RIFFLE_ENGINE_CUDA", plan->engine->name);
    if (plan->arrays == 0) return RIFFLE_OK;
    const device_program *own = plan->own;
    riffle_status status = program_check_arrays(plan, dst, src);
    if (status == RIFFLE_OK) status = check_aligned("dst", dst, own->alignment);
    if (status == RIFFLE_OK) status = check_aligned("src", src, own->alignment);
    if (status == RIFFLE_OK) status = plan_base_check_device(&plan->base);
    call_array all[ARRAYS];
    list_arrays(plan, dst, src, all);
    void *place = NULL;
    if (status == RIFFLE_OK)
        status = plan_base_find_workspace(&plan->base, all, ARRAYS, workspace, workspace_bytes, &place);
    return status == RIFFLE_OK ? run(plan, dst, src, place, stream) : status;
}

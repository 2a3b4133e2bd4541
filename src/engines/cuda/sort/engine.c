/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on a GPU: the doors, for arrays of the device and of the host. What is launched stands in launch/sort_task.c.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "device/cuda/capture.h"
#include "device/cuda/runtime.h"
#include "engines/cuda/engine.h"
#include "engines/cuda/own.h"
#include "engines/cuda/sort/merge.h"
#include "engines/launch/sort_task.h"
#include "engines/nvrtc/own.h"
#include "riffle/cuda.h"

enum { ALIGNMENT = 256 };

typedef struct cuda_sort {
    sort_task task[2]; /* of at least one element: without `first`, and with it */
    merge_job merge;   /* instead, of a plan that merges */
    cuda_own own;      /* of a plan by a comparison of the user's */
} cuda_sort;

/* ---------------------------------------------------------------------- plans */

static riffle_sort_algorithm algorithm_of(const riffle_sort_plan *plan) {
    if (plan->task == RIFFLE_SORT_MERGE) return RIFFLE_SORT_TWO_PHASE;
    return plan->key.before != NULL ? RIFFLE_SORT_PAIRWISE : RIFFLE_SORT_K_PARTITION;
}

static riffle_status refuse(const riffle_sort_plan *plan) {
    merge_job job;
    if (plan->task == RIFFLE_SORT_MERGE) return merge_job_of(plan, &job);
    const bool is_own = plan->key.before != NULL;
    const riffle_sort_algorithm algorithm = algorithm_of(plan);
    if (plan->n > UINT32_MAX || plan->segments >= UINT32_MAX)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU sorts fewer than 2^32 elements at a time, not %" PRIu64,
                    plan->n > UINT32_MAX ? plan->n : plan->segments);
    if (plan->algorithm == RIFFLE_SORT_AUTO || plan->algorithm == algorithm) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the cuda engine sorts%s by %s, and not by %s",
                is_own ? " with a comparison of yours" : "", riffle_sort_algorithm_string(algorithm),
                riffle_sort_algorithm_string(plan->algorithm));
}

/* The kernel that gathers elements is chosen by the arrays' addresses. */
static void append_gathers(launch_list *out) {
    for (size_t unit = 1; unit <= 16; unit *= 2)
        append_sort(out, &KERNEL_sort_gather, unit, &(struct sort_arguments){0});
}

/* Any arrays will do to learn which kernels there are. */
static riffle_status load_kernels(const riffle_sort_plan *plan, bool has_first, const cuda_sort *own) {
    launch_list list;
    void *const any = (void *)(uintptr_t)ALIGNMENT;
    riffle_sort_arrays arrays = {.keys = any, .from_keys = any};
    if (plan->value_bytes > 0) arrays.values = any, arrays.from_values = any;
    if (plan->index_bytes > 0) arrays.indices = any;
    if (plan->task == RIFFLE_SORT_UNIQUE) arrays.lengths = any;
    if (has_first) arrays.first = any;
    launch_list_begin(&list);
    launch_sort_task(&own->task[has_first], &arrays, any, cuda_own_kernel(&own->own), &list);
    append_gathers(&list);
    const riffle_status status = plan->base.on.ops->load(&plan->base.on, "a step of sorts", &list);
    launch_list_free(&list);
    return status;
}

static riffle_status prepare_steps(riffle_sort_plan *plan, const plan_target *target, cuda_sort *own) {
    if (plan->task == RIFFLE_SORT_MERGE) {
        const riffle_status status = merge_job_of(plan, &own->merge);
        plan->base.workspace_bytes = merge_workspace_bytes(&own->merge);
        return status == RIFFLE_OK ? merge_load(&own->merge, &plan->base.on) : status;
    }
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < 2; k++) {
        own->task[k] = sort_task_of(plan, k == 1, target->multiprocessors);
        if (own->task[k].bytes > plan->base.workspace_bytes) plan->base.workspace_bytes = own->task[k].bytes;
        status = load_kernels(plan, k == 1, own);
    }
    return status;
}

/* What does not compile is refused whatever there is to sort. */
static riffle_status load_comparison(const riffle_sort_plan *plan, const plan_target *target, cuda_sort *own) {
    nvrtc_code code = {0};
    if (plan->key.before == NULL) return RIFFLE_OK;
    const riffle_status status = nvrtc_own_make_sort(&plan->key, target->capability, &code);
    return status == RIFFLE_OK ? cuda_own_load(&code, &own->own) : status;
}

static riffle_status prepare(riffle_sort_plan *plan, const plan_target *target, cuda_sort *own) {
    riffle_status status = load_comparison(plan, target, own);
    if (status != RIFFLE_OK || plan->n == 0) return status;
    status = prepare_steps(plan, target, own);
    plan->base.is_exclusive = !plan->base.callers_workspace;
    return status == RIFFLE_OK ? plan_base_allocate(&plan->base, "a plan of a sort", "the workspace of a sort")
                               : status;
}

static riffle_status create(riffle_sort_plan *plan, const riffle_sort_options *options) {
    (void)options;
    plan_target target;
    riffle_status status = refuse(plan);
    if (status == RIFFLE_OK) status = cuda_engine_target(&target);
    if (status != RIFFLE_OK) return status;
    cuda_sort *const own = calloc(1, sizeof *own);
    if (own == NULL) return fail_memory("the plan of a sort", sizeof *own);
    plan->own = own;
    plan->algorithm = algorithm_of(plan);
    int before;
    status = device_of_cuda(&plan->base.on);
    if (status == RIFFLE_OK) status = plan->base.on.ops->guard(&plan->base.on, "planning", NULL, &before);
    if (status != RIFFLE_OK) return status;
    status = prepare(plan, &target, own);
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
}

static void destroy(void *plan_own) {
    cuda_sort *const own = plan_own;
    if (own == NULL) return;
    cuda_own_unload(&own->own);
    free(own);
}

/* ------------------------------------------------------------------ executions */

static void append_merge_of(const merge_job *job, const riffle_sort_arrays *arrays, void *workspace,
                            launch_list *out) {
    const merge_arrays of_merge = {.keys = arrays->keys,
                                   .places = arrays->indices,
                                   .from_keys = arrays->from_keys,
                                   .first = arrays->first,
                                   .workspace = workspace};
    launch_merge(job, &of_merge, out);
}

static riffle_status queue(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *workspace,
                           cudaStream_t stream) {
    const cuda_sort *const own = plan->own;
    launch_list list;
    launch_list_begin(&list);
    if (plan->n == 0) { /* what is left of none */
        if (plan->task == RIFFLE_SORT_UNIQUE)
            launch_append_fill(&list, arrays->lengths, 0, plan->segments * sizeof *arrays->lengths);
    } else if (plan->task == RIFFLE_SORT_MERGE) {
        append_merge_of(&own->merge, arrays, workspace, &list);
    } else {
        launch_sort_task(&own->task[arrays->first != NULL], arrays, workspace, cuda_own_kernel(&own->own),
                         &list);
    }
    return device_run(&plan->base.on, "launching a step of a sort", &list, stream);
}

static riffle_status check_plan(const riffle_sort_plan *plan) {
    return plan != NULL ? plan_base_check_device(&plan->base)
                        : fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
}

static riffle_status check_workspace(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                                     const void *workspace) {
    call_array all[SORT_ARRAYS];
    sort_arrays_of(plan, arrays, all);
    return arrays_check_workspace(all, SORT_ARRAYS, workspace, plan->base.workspace_bytes);
}

static riffle_status check_task(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    if (plan->task == RIFFLE_SORT_MERGE) return merge_check_arrays(plan, arrays);
    if (arrays->first == NULL && plan->n % plan->segments != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%" PRIu64 " elements are no %" PRIu64 " segments of as many; say where segments begin",
                    plan->n, plan->segments);
    return RIFFLE_OK;
}

riffle_status riffle_cuda_sort_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                                       void *workspace, struct CUstream_st *stream) {
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = sort_check_arrays(plan, arrays);
    if (status == RIFFLE_OK) status = check_task(plan, arrays);
    if (status != RIFFLE_OK) return status;
    void *place = NULL;
    status = plan_base_find_workspace(&plan->base, workspace, &place);
    if (status == RIFFLE_OK) status = check_workspace(plan, arrays, place);
    return status == RIFFLE_OK ? queue(plan, arrays, place, stream) : status;
}

/* ----------------------------------------------------------------- host arrays */

/* What a call from host memory has on the device: results apart from what they are made of where only some of them are
 * written. */
typedef struct carried {
    void *from_keys, *from_values, *keys, *values, *indices, *first, *lengths, *workspace;
    size_t n, results, lengths_bytes; /* results: elements that there are at most, from `begin` on */
    size_t begin;
} carried;

static bool is_apart(const riffle_sort_plan *plan) {
    return plan->task == RIFFLE_SORT_MERGE || plan->task == RIFFLE_SORT_TOP;
}

static size_t first_bytes(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    return arrays->first != NULL ? (plan->segments + 1) * sizeof *arrays->first : 0;
}

static riffle_status allocate(carried *c, const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    const size_t key_bytes = c->n * plan->layout.elem_bytes, value_bytes = c->n * plan->value_bytes;
    const struct {
        const char *what;
        size_t bytes;
        void **to;
    } all[] = {{"keys to sort", key_bytes, &c->from_keys},
               {"values to sort", value_bytes, &c->from_values},
               {"sorted keys", is_apart(plan) ? key_bytes : 0, &c->keys},
               {"sorted values", is_apart(plan) ? value_bytes : 0, &c->values},
               {"indices", c->n * plan->index_bytes, &c->indices},
               {"where segments begin", first_bytes(plan, arrays), &c->first},
               {"lengths", c->lengths_bytes, &c->lengths},
               {"the workspace of a sort", plan->base.callers_workspace ? plan->base.workspace_bytes : 0,
                &c->workspace}};
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; status == RIFFLE_OK && k < sizeof all / sizeof *all; k++)
        if (all[k].bytes > 0) status = cuda_allocate(all[k].what, all[k].bytes, all[k].to);
    if (!is_apart(plan)) c->keys = c->from_keys, c->values = c->from_values;
    return status;
}

static cudaError_t bring_array(void *to, const void *from, size_t bytes) {
    return to != NULL && from != NULL && bytes > 0 ? cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice)
                                                   : cudaSuccess;
}

/* Results too, where segments may have fewer than their place: what they leave alone is brought back as it was. */
static riffle_status bring(const carried *c, const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    const size_t key_bytes = c->n * plan->layout.elem_bytes, value_bytes = c->n * plan->value_bytes;
    const size_t results = plan->task == RIFFLE_SORT_TOP ? c->results : 0;
    cudaError_t error = bring_array(c->from_keys, arrays->from_keys, key_bytes);
    if (error == cudaSuccess) error = bring_array(c->from_values, arrays->from_values, value_bytes);
    if (error == cudaSuccess) error = bring_array(c->first, arrays->first, first_bytes(plan, arrays));
    if (error == cudaSuccess) error = bring_array(c->keys, arrays->keys, results * plan->layout.elem_bytes);
    if (error == cudaSuccess) error = bring_array(c->values, arrays->values, results * plan->value_bytes);
    if (error == cudaSuccess) error = bring_array(c->indices, arrays->indices, results * plan->index_bytes);
    return cuda_result(error, "bringing what is to be sorted to the GPU");
}

static cudaError_t fetch_array(const carried *c, void *to, const void *from, size_t item_bytes) {
    if (to == NULL || item_bytes == 0 || c->results == 0) return cudaSuccess;
    return cudaMemcpy((char *)to + c->begin * item_bytes, (const char *)from + c->begin * item_bytes,
                      c->results * item_bytes, cudaMemcpyDeviceToHost);
}

static riffle_status fetch(const carried *c, const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    cudaError_t error = fetch_array(c, arrays->keys, c->keys, plan->layout.elem_bytes);
    if (error == cudaSuccess) error = fetch_array(c, arrays->values, c->values, plan->value_bytes);
    if (error == cudaSuccess) error = fetch_array(c, arrays->indices, c->indices, plan->index_bytes);
    if (error == cudaSuccess && c->lengths_bytes > 0)
        error = cudaMemcpy(arrays->lengths, c->lengths, c->lengths_bytes, cudaMemcpyDeviceToHost);
    return cuda_result(error, "bringing what is sorted back from the GPU");
}

static carried carried_by(const riffle_sort_plan *plan, const uint64_t *first) {
    carried c = {.n = plan->n, .results = plan->n};
    if (plan->task == RIFFLE_SORT_UNIQUE) c.lengths_bytes = plan->segments * sizeof *first;
    if (plan->task == RIFFLE_SORT_TOP) {
        c.results = plan->segments * plan->count;
    } else if (first != NULL) {
        c.begin = first[0];
        c.results = first[plan->segments] - first[0];
    }
    return c;
}

static void release(const riffle_sort_plan *plan, const carried *c) {
    void *const all[] = {c->from_keys, c->from_values, c->indices, c->first, c->lengths, c->workspace};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) cudaFree(all[k]);
    if (!is_apart(plan)) return;
    cudaFree(c->keys);
    cudaFree(c->values);
}

static riffle_status execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    enum cudaStreamCaptureMode mode;
    carried c = carried_by(plan, arrays->first);
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = capture_pass_by("sorting arrays of the host", NULL, &mode);
    if (status != RIFFLE_OK) return status;
    status = allocate(&c, plan, arrays);
    if (status == RIFFLE_OK) status = bring(&c, plan, arrays);
    const riffle_sort_arrays there = {.keys = arrays->keys != NULL || is_apart(plan) ? c.keys : NULL,
                                      .values = c.values,
                                      .indices = c.indices,
                                      .from_keys = c.from_keys,
                                      .from_values = c.from_values,
                                      .first = c.first,
                                      .lengths = c.lengths};
    if (status == RIFFLE_OK) status = riffle_cuda_sort_execute(plan, &there, c.workspace, NULL);
    if (status == RIFFLE_OK) status = fetch(&c, plan, arrays);
    release(plan, &c);
    capture_leave(mode);
    return status;
}

const sort_engine cuda_sort_engine = {.create = create, .execute = execute, .destroy = destroy};

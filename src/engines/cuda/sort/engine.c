/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on a GPU: the doors, for arrays of the device and of the host. What is launched stands in launch/sort_task.c.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "engines/cuda/capture.h"
#include "engines/cuda/device.h"
#include "engines/cuda/engine.h"
#include "engines/cuda/sort/kernels.h"
#include "engines/cuda/sort/merge.h"
#include "engines/launch/sort_task.h"
#include "riffle/cuda.h"

enum { ALIGNMENT = 256 };

typedef struct cuda_sort {
    int device;
    sort_task task;  /* of at least one element */
    merge_job merge; /* instead, of a plan that merges */
    void *workspace; /* the plan's own; NULL if each execution brings one */
} cuda_sort;

/* ---------------------------------------------------------------------- plans */

static riffle_status refuse(const riffle_sort_plan *plan) {
    static const char *const tasks[] = {[RIFFLE_SORT_TOP] = "sorts the first elements only",
                                        [RIFFLE_SORT_PARTITION] = "partitions",
                                        [RIFFLE_SORT_UNIQUE] = "removes equal elements"};
    merge_job job;
    if (plan->task == RIFFLE_SORT_MERGE) return merge_job_of(plan, &job);
    if (plan->task != RIFFLE_SORT_ALL)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "no GPU %s yet; use the cpu engine, or sort all",
                    tasks[plan->task]);
    if (plan->segments > 1)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a GPU sorts one array at a time; use the cpu engine for %" PRIu64 " segments",
                    plan->segments);
    if (plan->key.before != NULL)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a GPU sorts by fields; use the cpu engine for a comparison of your own");
    if (plan->n > UINT32_MAX)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU sorts fewer than 2^32 elements at a time, not %" PRIu64,
                    plan->n);
    if (plan->algorithm == RIFFLE_SORT_AUTO || plan->algorithm == RIFFLE_SORT_K_PARTITION) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the cuda engine sorts by k-partition, and not by %s",
                riffle_sort_algorithm_string(plan->algorithm));
}

/* Any arrays will do to learn which kernels there are. */
static riffle_status load_kernels(const riffle_sort_plan *plan, const plan_target *target,
                                  const sort_task *task) {
    sort_launch list[SORT_TASK_LAUNCHES];
    void *const any = (void *)(uintptr_t)ALIGNMENT;
    riffle_sort_arrays arrays = {.keys = any, .from_keys = any};
    if (plan->value_bytes > 0) arrays.values = any, arrays.from_values = any;
    if (plan->index_bytes > 0) arrays.indices = any;
    const unsigned count = launch_sort_task(task, &arrays, any, list);
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++) {
        if (list[k].copied > 0) continue;
        if (list[k].shared_bytes > target->shared_bytes)
            return fail(RIFFLE_ERROR_UNSUPPORTED,
                        "a step of sorts needs %zu bytes of shared memory in a block and this GPU gives %zu",
                        list[k].shared_bytes, target->shared_bytes);
        status = cuda_load_kernel(cuda_sort_kernel(list[k].kernel, list[k].key_bytes), target->shared_bytes);
    }
    for (size_t unit = 1; status == RIFFLE_OK && unit <= 16; unit *= 2) /* by the arrays' addresses */
        status = cuda_load_kernel(cuda_sort_kernel(KERNEL_OF_sort_gather, unit), target->shared_bytes);
    return status;
}

static riffle_status prepare_steps(riffle_sort_plan *plan, const plan_target *target, cuda_sort *own) {
    if (plan->task == RIFFLE_SORT_MERGE) {
        const riffle_status status = merge_job_of(plan, &own->merge);
        plan->workspace_bytes = merge_workspace_bytes(&own->merge);
        return status == RIFFLE_OK ? merge_load(&own->merge) : status;
    }
    own->task = sort_task_of(plan, target->multiprocessors);
    plan->workspace_bytes = own->task.bytes;
    return load_kernels(plan, target, &own->task);
}

static riffle_status prepare(riffle_sort_plan *plan, const plan_target *target, cuda_sort *own) {
    if (plan->n == 0) return RIFFLE_OK;
    riffle_status status = prepare_steps(plan, target, own);
    if (status != RIFFLE_OK || plan->callers_workspace) return status;
    status = cuda_check_free("a plan of a sort", plan->workspace_bytes);
    return status == RIFFLE_OK
               ? cuda_allocate("the workspace of a sort", plan->workspace_bytes, &own->workspace)
               : status;
}

static riffle_status create(riffle_sort_plan *plan, const riffle_sort_options *options) {
    (void)options;
    plan_target target;
    enum cudaStreamCaptureMode mode;
    riffle_status status = refuse(plan);
    if (status == RIFFLE_OK) status = cuda_engine_target(&target);
    if (status != RIFFLE_OK) return status;
    cuda_sort *const own = calloc(1, sizeof *own);
    if (own == NULL) return fail_memory("the plan of a sort", sizeof *own);
    plan->own = own;
    plan->algorithm = plan->task == RIFFLE_SORT_MERGE ? RIFFLE_SORT_TWO_PHASE : RIFFLE_SORT_K_PARTITION;
    status = cuda_device_current(&own->device);
    if (status == RIFFLE_OK) status = capture_pass_by("planning", NULL, &mode);
    if (status != RIFFLE_OK) return status;
    status = prepare(plan, &target, own);
    capture_leave(mode);
    return status;
}

static void destroy(void *plan_own) {
    cuda_sort *const own = plan_own;
    enum cudaStreamCaptureMode mode;
    if (own == NULL) return;
    capture_pass_by_quietly(&mode);
    cudaFree(own->workspace);
    capture_leave(mode);
    free(own);
}

/* ------------------------------------------------------------------ executions */

static riffle_status launch_one(sort_launch *work, cudaStream_t stream) {
    void *arguments[] = {&work->to, &work->from, &work->table};
    const dim3 grid = {work->grid, 1, 1}, block = {work->block, 1, 1};
    if (work->copied > 0)
        return cuda_result(
            cudaMemcpyAsync(work->to, work->from, work->copied, cudaMemcpyDeviceToDevice, stream),
            "copying what is sorted");
    return cuda_result(cudaLaunchKernel(cuda_sort_kernel(work->kernel, work->key_bytes), grid, block, arguments,
                                        work->shared_bytes, stream),
                       "launching a step of a sort");
}

static riffle_status queue(const sort_task *task, const riffle_sort_arrays *arrays, void *workspace,
                           cudaStream_t stream) {
    sort_launch list[SORT_TASK_LAUNCHES];
    const unsigned count = launch_sort_task(task, arrays, workspace, list);
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++) status = launch_one(&list[k], stream);
    return status;
}

static riffle_status check_plan(const riffle_sort_plan *plan) {
    int device;
    if (plan == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (plan->engine != &cuda_sort_engine)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the plan is for the cpu engine; create it with RIFFLE_ENGINE_CUDA");
    const cuda_sort *const own = plan->own;
    const riffle_status status = cuda_device_current(&device);
    if (status != RIFFLE_OK || device == own->device) return status;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the plan was made on device %d and device %d is current",
                own->device, device);
}

static riffle_status check_apart(const riffle_sort_plan *plan, const char *name, const void *array,
                                 size_t bytes, const void *workspace) {
    const uintptr_t a = (uintptr_t)array, w = (uintptr_t)workspace;
    if (array == NULL || (a < w ? w - a >= bytes : a - w >= plan->workspace_bytes)) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the workspace of %zu bytes overlaps %s; bring one apart",
                plan->workspace_bytes, name);
}

static riffle_status check_workspace(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                                     const void *workspace) {
    const size_t n = plan->n;
    if (workspace == NULL && plan->workspace_bytes > 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the plan has no workspace of its own; bring one of %zu bytes", plan->workspace_bytes);
    if ((uintptr_t)workspace % ALIGNMENT != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the workspace is not aligned to %d bytes", ALIGNMENT);
    const struct {
        const char *name;
        const void *at;
        size_t bytes;
    } all[] = {{"keys", arrays->keys, n * plan->layout.elem_bytes},
               {"from_keys", arrays->from_keys, n * plan->layout.elem_bytes},
               {"values", arrays->values, n * plan->value_bytes},
               {"from_values", arrays->from_values, n * plan->value_bytes},
               {"indices", arrays->indices, n * plan->index_bytes}};
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < sizeof all / sizeof *all; k++)
        status = check_apart(plan, all[k].name, all[k].at, all[k].bytes, workspace);
    return status;
}

static riffle_status check_task(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    if (plan->task == RIFFLE_SORT_MERGE) return merge_check_arrays(plan, arrays);
    if (arrays->first == NULL) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU sorts whole arrays; first has to be NULL");
}

riffle_status riffle_cuda_sort_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                                       void *workspace, struct CUstream_st *stream) {
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = sort_check_arrays(plan, arrays);
    if (status == RIFFLE_OK) status = check_task(plan, arrays);
    if (status != RIFFLE_OK) return status;
    const cuda_sort *const own = plan->own;
    void *const place = workspace != NULL ? workspace : own->workspace;
    status = check_workspace(plan, arrays, place);
    if (status != RIFFLE_OK || plan->n == 0) return status;
    if (plan->task != RIFFLE_SORT_MERGE) return queue(&own->task, arrays, place, stream);
    return merge_queue(&own->merge,
                       &(merge_arrays){.keys = arrays->keys,
                                       .places = arrays->indices,
                                       .from_keys = arrays->from_keys,
                                       .first = arrays->first,
                                       .workspace = place},
                       stream);
}

/* ----------------------------------------------------------------- host arrays */

/* What a call from host memory has on the device. */
typedef struct carried {
    void *keys, *values, *indices, *workspace;
    void *merged, *first; /* of a merge: another array for keys, and where segments begin */
    size_t key_bytes, value_bytes, index_bytes, merged_bytes, first_bytes;
    size_t begin, count; /* elements that there are results of */
} carried;

static riffle_status bring(carried *c, const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    riffle_status status = cuda_allocate("keys to sort", c->key_bytes, &c->keys);
    if (status == RIFFLE_OK) status = cuda_allocate("values to sort", c->value_bytes, &c->values);
    if (status == RIFFLE_OK) status = cuda_allocate("indices", c->index_bytes, &c->indices);
    if (status == RIFFLE_OK) status = cuda_allocate("merged keys", c->merged_bytes, &c->merged);
    if (status == RIFFLE_OK) status = cuda_allocate("where segments begin", c->first_bytes, &c->first);
    if (status == RIFFLE_OK && plan->callers_workspace)
        status = cuda_allocate("the workspace of a sort", plan->workspace_bytes, &c->workspace);
    if (status != RIFFLE_OK) return status;
    cudaError_t error = cudaMemcpy(c->keys, arrays->from_keys, c->key_bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && c->value_bytes > 0)
        error = cudaMemcpy(c->values, arrays->from_values, c->value_bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && c->first_bytes > 0)
        error = cudaMemcpy(c->first, arrays->first, c->first_bytes, cudaMemcpyHostToDevice);
    return cuda_result(error, "bringing what is to be sorted to the GPU");
}

static cudaError_t fetch_array(const carried *c, void *to, const void *from, size_t item_bytes) {
    if (to == NULL || item_bytes == 0) return cudaSuccess;
    return cudaMemcpy((char *)to + c->begin * item_bytes, (const char *)from + c->begin * item_bytes,
                      c->count * item_bytes, cudaMemcpyDeviceToHost);
}

static riffle_status fetch(const carried *c, const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    const void *const keys = c->merged != NULL ? c->merged : c->keys;
    cudaError_t error = fetch_array(c, arrays->keys, keys, plan->layout.elem_bytes);
    if (error == cudaSuccess) error = fetch_array(c, arrays->values, c->values, plan->value_bytes);
    if (error == cudaSuccess) error = fetch_array(c, arrays->indices, c->indices, plan->index_bytes);
    return cuda_result(error, "bringing what is sorted back from the GPU");
}

static riffle_status check_whole(const riffle_sort_plan *plan, const uint64_t *first) {
    if (plan->task == RIFFLE_SORT_MERGE || first == NULL || (first[0] == 0 && first[1] == plan->n))
        return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "a GPU sorts whole arrays, not elements %" PRIu64 " to %" PRIu64 " of %" PRIu64, first[0],
                first[1], plan->n);
}

static carried carried_by(const riffle_sort_plan *plan, const uint64_t *first) {
    const size_t n = plan->n;
    carried c = {.key_bytes = n * plan->layout.elem_bytes,
                 .value_bytes = n * plan->value_bytes,
                 .index_bytes = n * plan->index_bytes,
                 .count = n};
    if (plan->task != RIFFLE_SORT_MERGE) return c;
    c.merged_bytes = c.key_bytes;
    if (first == NULL) return c;
    c.first_bytes = (size_t)(plan->segments + 1) * sizeof *first;
    c.begin = (size_t)first[0];
    c.count = (size_t)(first[plan->segments] - first[0]);
    return c;
}

static riffle_status execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    enum cudaStreamCaptureMode mode;
    carried c = carried_by(plan, arrays->first);
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = check_whole(plan, arrays->first);
    if (status == RIFFLE_OK) status = capture_pass_by("sorting arrays of the host", NULL, &mode);
    if (status != RIFFLE_OK) return status;
    status = bring(&c, plan, arrays);
    const riffle_sort_arrays there = {.keys = c.merged != NULL ? c.merged : c.keys,
                                      .values = c.values,
                                      .indices = c.indices,
                                      .from_keys = c.keys,
                                      .from_values = c.values,
                                      .first = c.first};
    if (status == RIFFLE_OK) status = riffle_cuda_sort_execute(plan, &there, c.workspace, NULL);
    if (status == RIFFLE_OK) status = fetch(&c, plan, arrays);
    cudaFree(c.keys);
    cudaFree(c.values);
    cudaFree(c.indices);
    cudaFree(c.merged);
    cudaFree(c.first);
    cudaFree(c.workspace);
    capture_leave(mode);
    return status;
}

const sort_engine cuda_sort_engine = {.create = create, .execute = execute, .destroy = destroy};

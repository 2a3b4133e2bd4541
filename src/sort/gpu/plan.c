/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on a device, a GPU or the memory machine: a plan and arrays become a list of launches (sort_append), and the doors queue
 * it, for arrays of the device and of the host. The launches stand in rows.c (a task's), launches.c
 * (of sorted codes) and merge.c.
 */
#include "sort/gpu/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/names.h"
#include "base/status.h"
#include "check/check.h"
#include "device/carry.h"
#include "riffle/cuda.h"
#include "sort/gpu/checked/checked.h"
#include "sort/gpu/merge.h"
#include "sort/gpu/own_kernel.h"
#include "sort/gpu/task.h"

enum { ALIGNMENT = 256 };

typedef struct device_sort {
    sort_task task[2];  /* for at least one element: without `first`, and with it */
    merge_job merge;    /* instead, of a plan that merges; with as much workspace as it ever wants */
    users_kernel users; /* the user's comparison, if the plan has one */
    size_t record;      /* where a check's begins in the workspace, if the plan has one */
} device_sort;

/* ---------------------------------------------------------------------- plans */

/* True if sorted streams are merged: the given ones, or runs of a block each where a sort asks for its algorithm. */
static bool merges(const riffle_sort_plan *plan) {
    if (plan->task == RIFFLE_SORT_TASK_MERGE) return true;
    return plan->key.before == NULL && (plan->algorithm == RIFFLE_SORT_ALGORITHM_TWO_PHASE ||
                                        plan->algorithm == RIFFLE_SORT_ALGORITHM_PAIRWISE);
}

static riffle_sort_algorithm algorithm_of(const riffle_sort_plan *plan) {
    if (merges(plan))
        return plan->algorithm == RIFFLE_SORT_ALGORITHM_PAIRWISE ? plan->algorithm
                                                                 : RIFFLE_SORT_ALGORITHM_TWO_PHASE;
    return plan->key.before != NULL ? RIFFLE_SORT_ALGORITHM_PAIRWISE : RIFFLE_SORT_ALGORITHM_K_PARTITION;
}

static riffle_status refuse(const riffle_sort_plan *plan) {
    merge_job job;
    if (merges(plan)) return merge_job_of(plan, &job);
    const bool is_own = plan->key.before != NULL;
    if (is_own && plan->check != RIFFLE_CHECK_NONE)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU checks no sort by a comparison of yours");
    const riffle_sort_algorithm algorithm = algorithm_of(plan);
    if (plan->n > UINT32_MAX || plan->segments >= UINT32_MAX)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU sorts fewer than 2^32 elements at a time, not %" PRIu64,
                    plan->n > UINT32_MAX ? plan->n : plan->segments);
    if (plan->algorithm == RIFFLE_SORT_ALGORITHM_AUTO || plan->algorithm == algorithm) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the cuda engine sorts%s by %s, and not by %s",
                is_own ? " with a comparison of yours" : "", riffle_sort_algorithm_string(algorithm),
                riffle_sort_algorithm_string(plan->algorithm));
}

/* The kernel that gathers elements is chosen by the arrays' addresses. */
static void append_gathers(launch_list *out) {
    for (size_t unit = 1; unit <= 16; unit *= 2)
        append_sort_gather(out, &KERNEL_sort_gather, unit, &(struct sort_gather_arguments){0});
}

/* The record that launches add to for the plan's check; none where all is read once more. */
static sort_compared compared_by(const riffle_sort_plan *plan, const sort_task *task, void *record) {
    const bool are_passes = plan->check == RIFFLE_CHECK_PASSES;
    const bool are_added = plan->check == RIFFLE_CHECK_FULL && task->way == SORT_NUMBERS &&
                           !task->is_segmented && plan->layout.elem_bytes <= sizeof(uint64_t);
    if (merges(plan) || !sort_task_is_compared(task) || !(are_passes || are_added)) return (sort_compared){0};
    return (sort_compared){record, are_passes};
}

/* Any arrays will do to learn which kernels there are. */
static riffle_status load_kernels(const riffle_sort_plan *plan, bool has_first, const device_sort *own) {
    launch_list list;
    void *const any = (void *)(uintptr_t)ALIGNMENT;
    riffle_sort_arrays arrays = {.keys = any, .from_keys = any};
    if (plan->value_bytes > 0) arrays.values = any, arrays.from_values = any;
    if (plan->index_bytes > 0) arrays.indices = any;
    if (plan->task == RIFFLE_SORT_TASK_UNIQUE) arrays.lengths = any;
    if (has_first) arrays.first = any;
    launch_list_begin(&list);
    launch_sort_task(&own->task[has_first], &arrays, any, users_kernel_of(&own->users),
                     compared_by(plan, &own->task[has_first], any), &list);
    append_gathers(&list);
    return device_load(&plan->base.on, "a step of sorts", &list);
}

static riffle_status prepare_steps(riffle_sort_plan *plan, unsigned multiprocessors, device_sort *own) {
    if (merges(plan)) {
        const riffle_status status = merge_job_of(plan, &own->merge);
        plan->base.workspace_bytes = merge_workspace_bytes(&own->merge);
        return status == RIFFLE_OK ? merge_load(&own->merge, &plan->base.on) : status;
    }
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < 2; k++) {
        own->task[k] = sort_task_of(plan, k == 1, multiprocessors);
        if (own->task[k].bytes > plan->base.workspace_bytes) plan->base.workspace_bytes = own->task[k].bytes;
        status = load_kernels(plan, k == 1, own);
    }
    return status;
}

/* Passes are compared of codes that go through levels once, alone or with what goes along. */
static riffle_status refuse_passes(const riffle_sort_plan *plan, const device_sort *own) {
    if (plan->check != RIFFLE_CHECK_PASSES) return RIFFLE_OK;
    const uint64_t length = plan->n / plan->segments;
    if (merges(plan))
        return fail(
            RIFFLE_ERROR_UNSUPPORTED,
            "a check of passes is of sorts by k-partition on a GPU; leave the algorithm out, or take 'full'");
    if (own->task[0].mends > 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a GPU's check of passes is of keys of up to 8 bytes, not of %" PRIu32
                    ": rows that tie by these are sorted again by the others; take 'full'",
                    plan->layout.key_bytes);
    if (!sort_task_is_compared(&own->task[0]))
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a check of passes has nothing to compare: a block sorts %" PRIu64
                    " element%s in one pass; take the check 'full'",
                    length, plural(length));
    return RIFFLE_OK;
}

static riffle_status prepare_check(riffle_sort_plan *plan, device_sort *own) {
    void *const any = (void *)(uintptr_t)ALIGNMENT;
    const riffle_sort_arrays none = {0}, alone = {.keys = any, .from_keys = any};
    launch_list list;
    own->record = round_up(plan->base.workspace_bytes, (size_t)ALIGNMENT);
    plan->base.workspace_bytes = own->record + CHECK_RECORD_BYTES;
    launch_list_begin(&list);
    sort_check_append_written(plan, &none, any, &list);
    sort_check_append_written(plan, &alone, any, &list);
    return device_load(&plan->base.on, "a check of a sort", &list);
}

/* A comparison that does not compile is refused whatever there is to sort. */
static riffle_status prepare(riffle_sort_plan *plan, unsigned multiprocessors, device_sort *own) {
    riffle_status status = own_load_sort(&plan->base.on, &plan->key, &own->users);
    if (status != RIFFLE_OK || plan->n == 0) return status;
    status = prepare_steps(plan, multiprocessors, own);
    plan->adds_up = compared_by(plan, &own->task[0], own).record != NULL;
    if (status == RIFFLE_OK) status = refuse_passes(plan, own);
    if (status == RIFFLE_OK && plan->check != RIFFLE_CHECK_NONE) status = prepare_check(plan, own);
    return status == RIFFLE_OK ? plan_base_allocate(&plan->base, "a plan of a sort", "the workspace of a sort")
                               : status;
}

static riffle_status create(riffle_sort_plan *plan, const riffle_sort_options *options) {
    (void)options;
    device_limits limits;
    int before;
    riffle_status status = refuse(plan);
    if (status == RIFFLE_OK) status = plan_base_find_device(&plan->base, &limits, &before);
    if (status != RIFFLE_OK) return status;
    plan->algorithm = algorithm_of(plan);
    plan->own = calloc(1, sizeof(device_sort));
    status = plan->own != NULL ? prepare(plan, limits.multiprocessors, plan->own)
                               : fail_memory("the plan of a sort", sizeof(device_sort));
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
}

static void destroy(void *plan_own) {
    device_sort *const own = plan_own;
    if (own == NULL) return;
    users_kernel_unload(&own->users);
    free(own);
}

/* ------------------------------------------------------------------ executions */

static void append_merge_of(const merge_job *job, const riffle_sort_arrays *arrays, void *workspace,
                            launch_list *out) {
    merge_job here = *job;
    here.is_in_place = arrays->keys == arrays->from_keys;
    const merge_arrays of_merge = {.keys = arrays->keys,
                                   .places = arrays->indices,
                                   .from_keys = arrays->from_keys,
                                   .first = arrays->first,
                                   .workspace = workspace};
    launch_merge(&here, &of_merge, out);
}

static void append_steps(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *workspace,
                         sort_compared compared, launch_list *out) {
    const device_sort *const own = plan->own;
    if (plan->n == 0) { /* nothing stays nothing */
        if (plan->task == RIFFLE_SORT_TASK_UNIQUE)
            launch_append_fill(out, arrays->lengths, 0, plan->segments * sizeof *arrays->lengths);
    } else if (merges(plan)) {
        append_merge_of(&own->merge, arrays, workspace, out);
    } else {
        launch_sort_task(&own->task[arrays->first != NULL], arrays, workspace, users_kernel_of(&own->users),
                         compared, out);
    }
}

static void append_checked(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *workspace,
                           launch_list *out) {
    const device_sort *const own = plan->own;
    const sort_task *const task = &own->task[arrays->first != NULL];
    void *const record = (char *)workspace + own->record;
    const sort_compared compared = compared_by(plan, task, record);
    if (compared.record != NULL)
        check_append_begin(record, out);
    else
        sort_check_append_read(plan, arrays, record, out);
    append_steps(plan, arrays, workspace, compared, out);
    if (!compared.are_passes) sort_check_append_written(plan, arrays, record, out);
}

void sort_append(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *workspace,
                 launch_list *out) {
    if (plan->n > 0 && plan->check != RIFFLE_CHECK_NONE)
        append_checked(plan, arrays, workspace, out);
    else
        append_steps(plan, arrays, workspace, (sort_compared){0}, out);
}

sort_subject sort_subject_of(const riffle_sort_plan *plan) {
    const device_sort *const own = plan->own;
    return sort_task_subject(&own->task[0]);
}

static riffle_status queue(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, void *workspace,
                           struct CUstream_st *stream) {
    launch_list list;
    launch_list_begin(&list);
    sort_append(plan, arrays, workspace, &list);
    return device_run(&plan->base.on, "launching a step of a sort", &list, stream);
}

static riffle_status check_plan(const riffle_sort_plan *plan) {
    RETURN_IF_NULL(plan);
    return plan_base_check_device(&plan->base);
}

static riffle_status check_task(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    if (merges(plan)) return merge_check_arrays(plan, arrays);
    if (plan->check == RIFFLE_CHECK_PASSES && arrays->first != NULL)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a GPU's check of passes is of segments of one length; leave out first, or plan with the "
                    "check 'full'");
    return arrays->first == NULL ? sort_check_equal_segments(plan) : RIFFLE_OK;
}

riffle_status riffle_cuda_sort_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                                       void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    call_array all[SORT_ARRAYS];
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = sort_check_arrays(plan, arrays);
    if (status == RIFFLE_OK) status = check_task(plan, arrays);
    if (status != RIFFLE_OK) return status;
    void *place = NULL;
    sort_arrays_of(plan, arrays, all);
    status = plan_base_find_workspace(&plan->base, all, SORT_ARRAYS, workspace, workspace_bytes, &place);
    return status == RIFFLE_OK ? queue(plan, arrays, place, stream) : status;
}

static riffle_status ask_check(const riffle_sort_plan *plan, const void *workspace,
                               struct CUstream_st *stream) {
    if (plan->n == 0) return RIFFLE_OK;
    const size_t record = ((const device_sort *)plan->own)->record;
    return check_ask(&plan->base.on, (const char *)workspace + record, "the sort", stream);
}

riffle_status riffle_cuda_sort_check(const riffle_sort_plan *plan, const void *workspace,
                                     struct CUstream_st *stream) {
    void *place = NULL;
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK && plan->check == RIFFLE_CHECK_NONE) status = check_is_missing();
    if (status == RIFFLE_OK)
        status = plan_base_find_workspace(&plan->base, NULL, 0, workspace, plan->base.workspace_bytes, &place);
    return status == RIFFLE_OK ? ask_check(plan, place, stream) : status;
}

/* ----------------------------------------------------------------- host arrays */

enum { WORKSPACE = SORT_ARRAYS, CARRIED };

/* Results are apart from what they are made of where only some of them are written. */
static bool is_apart(const riffle_sort_plan *plan) {
    return merges(plan) || plan->task == RIFFLE_SORT_TASK_TOP;
}

/* Segments of TOP may have fewer results than their place: what they leave alone is brought, and fetched as it was. */
static void carry_result(const riffle_sort_plan *plan, const uint64_t *first, call_array *a) {
    if (plan->task == RIFFLE_SORT_TASK_TOP) {
        a->use = ARRAY_CHANGED;
    } else if (first != NULL) {
        a->kept_before = first[0] * a->item_bytes;
        a->kept_behind = (plan->n - first[plan->segments]) * a->item_bytes;
    }
}

static void list_carried(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                         call_array out[CARRIED]) {
    sort_arrays_of(plan, arrays, out);
    for (unsigned k = SORT_KEYS; k <= SORT_INDICES; k++) carry_result(plan, arrays->first, &out[k]);
    out[WORKSPACE] = plan_base_carry_workspace(&plan->base, "the workspace of a sort");
    if (is_apart(plan)) return;
    out[SORT_KEYS].joined_to = &out[SORT_FROM_KEYS];
    out[SORT_VALUES].joined_to = &out[SORT_FROM_VALUES];
}

static riffle_status run_there(const void *context, call_array *a) {
    const riffle_sort_arrays there = {.keys = a[SORT_KEYS].there,
                                      .values = a[SORT_VALUES].there,
                                      .indices = a[SORT_INDICES].there,
                                      .from_keys = a[SORT_FROM_KEYS].there,
                                      .from_values = a[SORT_FROM_VALUES].there,
                                      .first = a[SORT_FIRST].there,
                                      .lengths = a[SORT_LENGTHS].there};
    const riffle_sort_plan *const plan = context;
    const riffle_status status =
        riffle_cuda_sort_execute(plan, &there, a[WORKSPACE].there, call_array_bytes(&a[WORKSPACE]), NULL);
    if (status != RIFFLE_OK || plan->check == RIFFLE_CHECK_NONE) return status;
    return ask_check(plan, plan_base_workspace_there(&plan->base, &a[WORKSPACE]), NULL);
}

static riffle_status execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    call_array all[CARRIED];
    list_carried(plan, arrays, all);
    return device_carry(&plan->base.on, "sorting arrays of the host", all, CARRIED, run_there, plan);
}

const sort_engine device_sort_engine = {.create = create, .execute = execute, .destroy = destroy};

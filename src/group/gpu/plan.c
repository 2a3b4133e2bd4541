/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups on a device, a GPU or the memory machine: the doors queue the list that a plan and arrays become (launches.h), for arrays of the
 * device and of the host.
 */
#include <inttypes.h>

#include "base/status.h"
#include "check/check.h"
#include "device/carry.h"
#include "group/gpu/launches.h"
#include "group/kernels/table.h"
#include "riffle/cuda.h"

/* Any workspace will do to learn which launches there are. */
static riffle_status load_launches(const riffle_group_plan *plan) {
    launch_list list;
    launch_list_begin(&list);
    group_append(plan, &(riffle_group_arrays){0}, (void *)(uintptr_t)WORKSPACE_ALIGNMENT, &list);
    return device_load(&plan->base.on, "a step of groups", &list);
}

static riffle_status refuse_passes(const riffle_group_plan *plan) {
    if (plan->check != RIFFLE_CHECK_PASSES || plan->entries == 0 ||
        group_lay_out(plan, plan->multiprocessors).way == GROUP_TWICE)
        return RIFFLE_OK;
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "a check of passes has nothing to compare: but for rows alone of 1, 2, 4, 8 or 16 bytes in more than "
        "%d groups, a GPU moves rows in one pass; take the check 'full'",
        (int)GROUP_STAGED_GROUPS);
}

static riffle_status create(riffle_group_plan *plan, const riffle_group_options *options) {
    (void)options;
    device_limits limits;
    int before;
    if (plan->room > UINT32_MAX || plan->entries > UINT32_MAX)
        return fail(RIFFLE_ERROR_LENGTH,
                    "%" PRIu64 " keys and room for %" PRIu64 " rows; on a GPU both are at most 2^32 - 1",
                    plan->entries, plan->room);
    riffle_status status = plan_base_find_device(&plan->base, &limits, &before);
    if (status != RIFFLE_OK) return status;
    plan->multiprocessors = limits.multiprocessors;
    status = refuse_passes(plan);
    plan->base.workspace_bytes = group_lay_out(plan, limits.multiprocessors).bytes;
    if (status == RIFFLE_OK) status = load_launches(plan);
    if (status == RIFFLE_OK)
        status = plan_base_allocate(&plan->base, "a plan of groups", "the workspace of groups");
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
}

riffle_status riffle_cuda_group_execute(const riffle_group_plan *plan, const riffle_group_arrays *arrays,
                                        void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    call_array all[GROUP_MOST_ARRAYS];
    launch_list list;
    void *place = NULL;
    RETURN_IF_NULL(plan);
    riffle_status status = plan_base_check_device(&plan->base);
    if (status == RIFFLE_OK) status = group_check_arrays(plan, arrays);
    if (status != RIFFLE_OK) return status;
    group_arrays_of(plan, arrays, all);
    status = plan_base_find_workspace(&plan->base, all, group_arrays_count(plan), workspace, workspace_bytes,
                                      &place);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    group_append(plan, arrays, place, &list);
    return device_run(&plan->base.on, "launching a step of groups", &list, stream);
}

/* ------------------------------------------------------------------------ checks */

static riffle_status ask_check(const riffle_group_plan *plan, const void *workspace,
                               struct CUstream_st *stream) {
    const group_layout layout = group_lay_out(plan, plan->multiprocessors);
    riffle_status status = RIFFLE_OK;
    if (plan->entries == 0) return RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < plan->columns; k++)
        status =
            check_ask(&plan->base.on, (const char *)workspace + group_record(&layout, k), "groups", stream);
    return status;
}

riffle_status riffle_cuda_group_check(const riffle_group_plan *plan, const void *workspace,
                                      struct CUstream_st *stream) {
    void *place = NULL;
    RETURN_IF_NULL(plan);
    riffle_status status = plan_base_check_device(&plan->base);
    if (status == RIFFLE_OK && plan->check == RIFFLE_CHECK_NONE) status = check_is_missing();
    if (status == RIFFLE_OK)
        status = plan_base_find_workspace(&plan->base, NULL, 0, workspace, plan->base.workspace_bytes, &place);
    return status == RIFFLE_OK ? ask_check(plan, place, stream) : status;
}

/* ----------------------------------------------------------------- host arrays */

static riffle_status run_there(const void *context, call_array *all) {
    const riffle_group_plan *const plan = context;
    const unsigned others = plan->columns - 1;
    const call_array *const a = all + others, *const behind = a + GROUP_ARRAYS,
                            *const workspace = behind + others;
    riffle_group_column columns[RIFFLE_GROUP_MAX_COLUMNS];
    for (unsigned k = 0; k < others; k++) columns[k] = (riffle_group_column){behind[k].there, all[k].there};
    const riffle_group_arrays there = {.rows = a[GROUP_ROWS].there,
                                       .from_rows = a[GROUP_FROM_ROWS].there,
                                       .keys = a[GROUP_KEYS].there,
                                       .offsets = a[GROUP_OFFSETS].there,
                                       .counts = a[GROUP_COUNTS].there,
                                       .places = a[GROUP_PLACES].there,
                                       .left_out = a[GROUP_LEFT_OUT].there,
                                       .columns = others > 0 ? columns : NULL};
    const riffle_status status =
        riffle_cuda_group_execute(plan, &there, workspace->there, call_array_bytes(workspace), NULL);
    if (status != RIFFLE_OK || plan->check == RIFFLE_CHECK_NONE) return status;
    return ask_check(plan, plan_base_workspace_there(&plan->base, workspace), NULL);
}

static riffle_status execute(const riffle_group_plan *plan, const riffle_group_arrays *arrays) {
    call_array all[GROUP_MOST_ARRAYS + 1];
    const unsigned count = group_arrays_count(plan);
    group_arrays_of(plan, arrays, all);
    all[count] = plan_base_carry_workspace(&plan->base, "the workspace of groups");
    return device_carry(&plan->base.on, "groups of host memory", all, count + 1, run_there, plan);
}

const group_engine device_group_engine = {.create = create, .execute = execute};

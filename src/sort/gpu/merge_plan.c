/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/plan.h"

#include <inttypes.h>

#include "base/status.h"

static riffle_status refuse_elements(const riffle_sort_plan *plan) {
    const sort_layout *const layout = &plan->layout;
    const sort_field *const field = &layout->field[0];
    const uint32_t bytes = layout->elem_bytes;
    if (plan->key.before == NULL && sort_layout_is_number(layout) && field->kind == RIFFLE_SORT_KEY_UNSIGNED &&
        !field->descending && (bytes == 4 || bytes == 8 || bytes == 16))
        return RIFFLE_OK;
    if (plan->task == RIFFLE_SORT_TASK_MERGE)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU merges unsigned numbers of 4, 8 and 16 bytes, ascending; "
                                              "use the cpu engine for others");
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "a GPU sorts by %s unsigned numbers of 4, 8 and 16 bytes, ascending; use k-partition for others",
        riffle_sort_algorithm_string(plan->algorithm));
}

/* Merging two at a time is there to be compared with, for what it was published for. */
static riffle_status refuse_algorithm(const riffle_sort_plan *plan) {
    if (plan->algorithm == RIFFLE_SORT_ALGORITHM_K_PARTITION)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU merges by two-phase or pairwise, and not by k-partition");
    if (plan->algorithm == RIFFLE_SORT_ALGORITHM_PAIRWISE &&
        (plan->layout.elem_bytes == 16 || plan->index_bytes != 0))
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "pairwise merging is for numbers of 4 and 8 bytes, without indices; use two-phase");
    if (plan->task == RIFFLE_SORT_TASK_MERGE || (plan->task == RIFFLE_SORT_TASK_SORT && plan->segments == 1))
        return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "a GPU sorts one array, and all of it, by %s; use k-partition for segments and other tasks",
                riffle_sort_algorithm_string(plan->algorithm));
}

static riffle_status refuse_company(const riffle_sort_plan *plan) {
    if (plan->task == RIFFLE_SORT_TASK_MERGE)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU merges numbers alone, or with indices of 4 bytes");
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "a GPU sorts by %s numbers alone, or with indices of 4 bytes; use k-partition for others",
                riffle_sort_algorithm_string(plan->algorithm));
}

riffle_status merge_job_of(const riffle_sort_plan *plan, merge_job *out) {
    riffle_status status = refuse_elements(plan);
    if (status != RIFFLE_OK) return status;
    if (plan->value_bytes != 0 || plan->index_bytes == 8) return refuse_company(plan);
    status = refuse_algorithm(plan);
    if (status != RIFFLE_OK) return status;
    if (plan->n > MERGE_MOST_KEYS || plan->segments > MERGE_MOST_KEYS)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU merges %" PRIu64 " numbers at most, not %" PRIu64,
                    MERGE_MOST_KEYS, plan->n > MERGE_MOST_KEYS ? plan->n : plan->segments);
    *out = (merge_job){.n = plan->n,
                       .streams = plan->segments,
                       .key_bytes = plan->layout.elem_bytes,
                       .is_placed = plan->index_bytes == 4,
                       .is_sort = plan->task != RIFFLE_SORT_TASK_MERGE,
                       .is_pairwise = plan->algorithm == RIFFLE_SORT_ALGORITHM_PAIRWISE,
                       .is_in_place = plan->task != RIFFLE_SORT_TASK_MERGE};
    return RIFFLE_OK;
}

riffle_status merge_check_arrays(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    if (arrays->keys == NULL && plan->n > 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU's merge writes keys too; keys is NULL");
    if (plan->task != RIFFLE_SORT_TASK_MERGE && arrays->first != NULL)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a GPU sorts all elements by merging; first is not NULL");
    if (plan->task == RIFFLE_SORT_TASK_MERGE && arrays->keys == arrays->from_keys && plan->n > 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a GPU merges into another array; keys and from_keys are the same");
    return arrays->first == NULL ? sort_check_equal_segments(plan) : RIFFLE_OK;
}

/* Any arrays will do to learn which launches there are. */
riffle_status merge_load(const merge_job *job, const device *d) {
    const merge_arrays none = {.workspace = (void *)(uintptr_t)MERGE_WORKSPACE_ALIGNMENT};
    launch_list list;
    launch_list_begin(&list);
    launch_merge(job, &none, &list);
    return device_load(d, "a step of a merge", &list);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on the CPU: the order of the elements is found, and what was asked for is taken by it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "engines/cpu/sort/result.h"
#include "plan/threads.h"

static riffle_status create(riffle_sort_plan *plan, const riffle_sort_options *options) {
    if (plan->key.before != NULL)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the cpu engine has no comparisons of the user's yet");
    if (plan->algorithm == RIFFLE_SORT_AUTO) plan->algorithm = RIFFLE_SORT_TWO_PHASE;
    if (plan->algorithm != RIFFLE_SORT_TWO_PHASE)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the cpu engine sorts in two phases, and not by %s",
                    riffle_sort_algorithm_string(plan->algorithm));
    const unsigned most = threads_most(options->threads);
    plan->threads = threads_for(plan->n * plan->layout.elem_bytes, BYTES_A_THREAD, most);
    plan->workspace_bytes = plan->n * (2 * sizeof(uint64_t) + sort_order_entry_bytes(plan));
    return RIFFLE_OK;
}

static void destroy(void *own) { free(own); }

/* The order of all segments by the definition. */
static void find_order(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, sort_before *before,
                       uint64_t *places, const sort_order *order) {
    for (uint64_t i = 0; i < plan->n; i++) places[i] = i;
    const uint64_t segments = plan->task == RIFFLE_SORT_MERGE ? 1 : plan->segments;
    for (uint64_t s = 0; s < segments; s++) {
        const uint64_t first = sort_segment_first(plan, arrays->first, s);
        const uint64_t last = plan->task == RIFFLE_SORT_MERGE ? plan->segments : s + 1;
        sort_definition(before, &plan->layout, arrays->from_keys, plan->layout.elem_bytes, places + first,
                        places + plan->n, sort_segment_first(plan, arrays->first, last) - first);
    }
    for (uint64_t i = 0; i < plan->n; i++) sort_order_set(order, i, places[i]);
}

static riffle_status execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    sort_before *const before = plan->is_number ? sort_before_by_number : sort_before_by_fields;
    const size_t room_bytes = sort_result_room(plan, arrays), places_bytes = 2 * plan->n * sizeof(uint64_t);
    sort_order order = {.entry_bytes = sort_order_entry_bytes(plan)};
    void *room = NULL, *places = NULL;
    riffle_status status = buffer_create("a sort", room_bytes, &room);
    if (status == RIFFLE_OK) status = buffer_create("a sort", places_bytes, &places);
    if (status == RIFFLE_OK) status = buffer_create("a sort", plan->n * order.entry_bytes, &order.entries);
    if (status == RIFFLE_OK) {
        find_order(plan, arrays, before, places, &order);
        sort_result_write(plan, arrays, &order, sort_before_by_fields, &plan->layout, room);
    }
    riffle_buffer_free(room, room_bytes);
    riffle_buffer_free(places, places_bytes);
    riffle_buffer_free(order.entries, plan->n * order.entry_bytes);
    return status;
}

const sort_engine cpu_sort_engine = {.create = create, .execute = execute, .destroy = destroy};

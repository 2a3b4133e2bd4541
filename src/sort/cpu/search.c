/* SPDX-License-Identifier: Apache-2.0
 *
 * Places of elements in an array that a plan's order has sorted.
 */
#include "base/status.h"
#include "sort/cpu/comparison.h"
#include "sort/definition.h"
#include "sort/plan.h"

typedef struct searching {
    sort_before *before;
    const void *context;
    const char *sorted;
    uint64_t n;
    size_t elem_bytes;
} searching;

/* How many elements of the array the one sought does not come before, or that come before it. */
static uint64_t place_of(const searching *s, const void *sought, riffle_sort_side side) {
    uint64_t from = 0, end = s->n;
    while (from < end) {
        const uint64_t middle = from + (end - from) / 2;
        const void *const element = s->sorted + middle * s->elem_bytes;
        const bool is_ahead = side == RIFFLE_SORT_SIDE_LEFT ? s->before(s->context, element, sought)
                                                            : !s->before(s->context, sought, element);
        if (is_ahead)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

static void search_all(const searching *s, const char *elements, uint64_t count, riffle_sort_side side,
                       uint64_t *places) {
    for (uint64_t k = 0; k < count; k++) places[k] = place_of(s, elements + k * s->elem_bytes, side);
}

/* A user's comparison is compiled once in a process, so that to ask for it again costs little. */
static riffle_status search_by_comparison(const riffle_sort_plan *plan, searching *s, const char *elements,
                                          uint64_t count, riffle_sort_side side, uint64_t *places) {
    comparison *own = NULL;
    const riffle_status status = comparison_compile(&plan->key, &own);
    if (status != RIFFLE_OK) return status;
    comparing by = comparing_by(own, NULL, NULL);
    s->before = comparing_before;
    s->context = &by;
    search_all(s, elements, count, side, places);
    comparison_free(own);
    return RIFFLE_OK;
}

riffle_status riffle_sort_search(const riffle_sort_plan *plan, const void *sorted, uint64_t n,
                                 const void *elements, uint64_t count, riffle_sort_side side,
                                 uint64_t *places) {
    RETURN_IF_NULL(plan);
    if (side != RIFFLE_SORT_SIDE_LEFT && side != RIFFLE_SORT_SIDE_RIGHT)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "side %d is neither left nor right", (int)side);
    if (count == 0) return RIFFLE_OK;
    RETURN_IF_NULL(elements, places);
    if (n > 0) RETURN_IF_NULL(sorted);
    searching s = {.before = plan->is_number ? sort_before_by_number : sort_before_by_fields,
                   .context = &plan->layout,
                   .sorted = sorted,
                   .n = n,
                   .elem_bytes = plan->layout.elem_bytes};
    if (plan->key.before != NULL) return search_by_comparison(plan, &s, elements, count, side, places);
    search_all(&s, elements, count, side, places);
    return RIFFLE_OK;
}

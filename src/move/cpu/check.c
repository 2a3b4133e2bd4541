/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/check.h"

#include "base/threads/threads.h"
#include "check/check.h"
#include "perm/kind.h"

static void places_of(const void *context, uint64_t first, size_t count, uint64_t *places) {
    perm_map(context, first, count, places);
}

/* The sum over the batch's arrays, each of which has places of its own. */
static check_sums sum(const riffle_plan *plan, const void *rows, check_places *places) {
    const plan_request *const r = &plan->request;
    const unsigned threads = threads_for(r->array_bytes, BYTES_A_THREAD, r->most_threads);
    check_sums all = {0, 0};
    for (uint64_t k = 0; k < r->batch; k++)
        check_sum(&(check_side){.rows = (const char *)rows + k * r->stride * r->elem_bytes,
                                .row_bytes = r->elem_bytes,
                                .items = r->n,
                                .each = 1,
                                .places = places,
                                .context = plan->checked,
                                .before = k * r->n},
                  threads, &all);
    return all;
}

check_sums cpu_check_read(const riffle_plan *plan, const void *src) { return sum(plan, src, places_of); }

riffle_status cpu_check_written(const riffle_plan *plan, const void *dst, check_sums read) {
    return check_result("the move", read, sum(plan, dst, NULL), 0);
}

riffle_status cpu_check_compared(check_sums written_less_read) {
    return check_result("the move", (check_sums){0, 0}, written_less_read, 0);
}

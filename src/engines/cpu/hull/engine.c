/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on the CPU.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "engines/hull.h"
#include "hull/definition.h"

static riffle_status create(riffle_hull_plan *plan, const riffle_hull_options *options) {
    (void)options;
    plan->threads = 1;
    return RIFFLE_OK;
}

/* One result, the point with this index. */
static void write_result(const riffle_hull_plan *plan, void *to, const void *points, uint32_t index) {
    const uint64_t wide = index;
    if (plan->points)
        memcpy(to, (const char *)points + index * hull_point_bytes(plan), hull_point_bytes(plan));
    else
        memcpy(to, plan->index_bytes == 4 ? (const void *)&index : &wide, plan->index_bytes);
}

static riffle_status execute(const riffle_hull_plan *plan, void *hulls, uint64_t *lengths, const void *points,
                             const uint64_t *first) {
    const hull_points all = {plan->type, points, plan->n};
    const uint64_t end = hull_set_first(plan, first, plan->sets), bad = hull_first_not_finite(&all, 0, end);
    if (bad != end) return hull_refuse(&all, bad);
    uint32_t *const found = malloc((plan->n + 1) * sizeof *found);
    if (found == NULL) return fail_memory("the indices of a hull", (plan->n + 1) * sizeof *found);
    riffle_status status = RIFFLE_OK;
    for (uint64_t k = 0; status == RIFFLE_OK && k < plan->sets; k++) {
        const uint64_t begin = hull_set_first(plan, first, k);
        status =
            hull_definition(&all, begin, hull_set_first(plan, first, k + 1), plan->all, found, &lengths[k]);
        const size_t bytes = riffle_hull_plan_result_bytes(plan);
        for (uint64_t j = 0; status == RIFFLE_OK && j < lengths[k]; j++)
            write_result(plan, (char *)hulls + (begin + j) * bytes, points, found[j]);
    }
    free(found);
    return status;
}

const hull_engine cpu_hull_engine = {.create = create, .execute = execute, .destroy = free};

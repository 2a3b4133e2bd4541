/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU's engine for the dissertation's hull, its sequential algorithm: one set, one thread, corners only.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "hull/plan.h"
#include "papers/hull/sequential.h"

static riffle_status create(riffle_hull_plan *plan, const riffle_hull_options *options) {
    (void)options;
    plan->base.threads = 1;
    return RIFFLE_OK;
}

static void destroy(void *own) { (void)own; }

static void write_hull(const riffle_hull_plan *plan, const void *points, const uint32_t *hull, uint64_t length,
                       char *to) {
    const size_t bytes = riffle_hull_plan_result_bytes(plan);
    for (uint64_t k = 0; k < length; k++) {
        const uint64_t index = hull[k];
        if (plan->points)
            memcpy(to + k * bytes, (const char *)points + index * bytes, bytes);
        else if (bytes == sizeof index)
            memcpy(to + k * bytes, &index, bytes);
        else
            memcpy(to + k * bytes, &hull[k], bytes);
    }
}

static riffle_status execute(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays) {
    const hull_points points = {plan->type, arrays->points, plan->n};
    const uint64_t begin = hull_set_first(plan, arrays->first, 0), end = hull_set_first(plan, arrays->first, 1);
    const uint64_t bad = hull_first_not_finite(&points, begin, end);
    if (bad != end) return hull_refuse(&points, bad);
    uint32_t *const hull = malloc((size_t)(end - begin + 1) * sizeof *hull);
    if (hull == NULL) return fail_memory("the corners of a hull", (size_t)(end - begin + 1) * sizeof *hull);
    const riffle_status status = hull_sequential(&points, begin, end, hull, arrays->lengths, NULL);
    if (status == RIFFLE_OK)
        write_hull(plan, arrays->points, hull, arrays->lengths[0],
                   (char *)arrays->hulls + begin * riffle_hull_plan_result_bytes(plan));
    free(hull);
    return status;
}

static const char *way(const riffle_hull_plan *plan) {
    (void)plan;
    return "the dissertation's";
}

static void explain(const riffle_hull_plan *plan, FILE *out) {
    (void)plan;
    fprintf(out, "phases      the highest point normal to a random pair splits a problem; points within others "
                 "are discarded\n"
                 "            in pairs; the halves follow, the shorter first\n");
}

const hull_engine sequential_hull_engine = {
    .create = create, .execute = execute, .way = way, .explain = explain, .destroy = destroy};

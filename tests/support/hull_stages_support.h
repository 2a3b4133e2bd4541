/* SPDX-License-Identifier: Apache-2.0
 *
 * The one launch of a hull's stages on the memory machine, for tests: of any sizes, so that few points take every step.
 */
#ifndef RIFFLE_TESTS_HULL_STAGES_SUPPORT_H
#define RIFFLE_TESTS_HULL_STAGES_SUPPORT_H

#include "device/device.h"
#include "hull/gpu/stages.h"
#include "hull/points.h"
#include "machine/runtime/machine.h"
#include "support.h"

static inline riffle_status bring(const device *d, const hull_points *points, const uint32_t *candidates,
                                  uint32_t count, hull_stages_arrays *out) {
    const size_t point_bytes = points->n * 2 * riffle_type_bytes(points->type);
    void *there[4] = {NULL};
    riffle_status status = device_bring(d, "points", points->data, point_bytes, &there[0]);
    if (status == RIFFLE_OK)
        status = device_bring(d, "candidates", candidates, count * sizeof *candidates, &there[1]);
    if (status == RIFFLE_OK) status = d->ops->allocate(d, "hull", count * sizeof(uint32_t), &there[2]);
    if (status == RIFFLE_OK) status = d->ops->allocate(d, "length", sizeof(uint64_t), &there[3]);
    *out =
        (hull_stages_arrays){.points = there[0], .candidates = there[1], .hull = there[2], .length = there[3]};
    return status;
}

static inline void count_accesses(const riffle_report *report, riffle_hull_counts *counts) {
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->space != SPACE_GLOBAL) continue;
        if (line->op != OP_WRITE) counts->reads += line->warps;
        if (line->op != OP_READ) counts->writes += line->warps;
    }
}

/* Takes the counts of the dissertation's steps: their state begins the workspace. */
static inline void count_problems(const hull_paper_state *state, riffle_hull_counts *counts) {
    if (state->is_single) return;
    counts->outside = state->points;
    counts->iterations = state->iterations;
    counts->problems = state->tasks;
    counts->pivots = state->pops;
}

/** Finds the hull of points, or of stages->most candidates among them where `candidates` is not NULL, on a machine that has
 *  run nothing else. `hull` has room for all. */
static inline riffle_status find_by_stages(machine *m, const hull_stages *stages, const hull_points *points,
                                           const uint32_t *candidates, uint32_t *hull, uint64_t *length,
                                           riffle_hull_counts *counts) {
    const device on = device_of_machine(m);
    hull_stages_arrays arrays;
    launch_list list;
    *length = 0;
    *counts = (riffle_hull_counts){0};
    if (stages->most == 0) return RIFFLE_OK;
    riffle_status status = bring(&on, points, candidates, (uint32_t)stages->most, &arrays);
    if (status == RIFFLE_OK)
        status = on.ops->allocate(&on, "workspace", hull_stages_bytes(stages), &arrays.workspace);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    launch_hull_stages(stages, &arrays, &list);
    status = device_run(&on, "a step of hulls", &list, NULL);
    if (status != RIFFLE_OK) return status;
    *length = counts->corners = *arrays.length;
    memcpy(hull, arrays.hull, *length * sizeof *hull);
    count_accesses(machine_report(m), counts);
    if (stages->is_paper) count_problems(arrays.workspace, counts);
    return RIFFLE_OK;
}

#endif

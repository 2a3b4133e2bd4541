/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/simulate/hull.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "device/device.h"
#include "engines/hull.h"
#include "hull/definition.h"
#include "machine/count/report.h"

static riffle_status bring(const device *d, const hull_points *points, const uint32_t *candidates,
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

static void count_accesses(const riffle_report *report, riffle_hull_counts *counts) {
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->space != SPACE_GLOBAL) continue;
        if (line->op != OP_WRITE) counts->reads += line->warps;
        if (line->op != OP_READ) counts->writes += line->warps;
    }
}

/* Takes the counts of the dissertation's steps: their state begins the workspace. */
static void count_problems(const hull_paper_state *state, riffle_hull_counts *counts) {
    if (state->is_single) return;
    counts->outside = state->points;
    counts->iterations = state->iterations;
    counts->problems = state->tasks;
    counts->pivots = state->pops;
}

riffle_status simulate_hull(machine *m, const hull_stages *stages, const hull_points *points,
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

/* ------------------------------------------------------------------- the door */

enum {
    WARP = 32, /* the kernels' own */
    PAPER_BLOCKS = 30,
    PAPER_THREADS = 512,
};

/* As on a GPU, but for the grid. */
static const hull_sizes usual = {.blocks = 4,
                                 .threads = 256,
                                 .tile = 1024,
                                 .sample = 1 << 14,
                                 .direct = 1 << 15,
                                 .grain = 1 << 14,
                                 .rounds = 6};

typedef struct hull_simulation {
    machine *m;
    hull_points points;
    const riffle_hull_options *options;
    uint32_t *found, *wanted;
    riffle_hull_counts counts;
} hull_simulation;

static riffle_status check_machine(const riffle_machine_options *options) {
    if (options->width == WARP && options->block_threads >= usual.threads) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "kernels of hulls have warps of %d and blocks of %u threads; this machine has width %u and "
                "blocks of %u "
                "threads",
                WARP, usual.threads, options->width, options->block_threads);
}

static riffle_status check_points(const hull_points *points) {
    if (points->n > 0 && points->data == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "points is NULL but there are %llu points",
                    (unsigned long long)points->n);
    const uint64_t bad = hull_first_not_finite(points, 0, points->n);
    return bad < points->n ? hull_refuse(points, bad) : RIFFLE_OK;
}

static uint32_t paper_threads(const machine *m) {
    const unsigned most = machine_options(m)->block_threads / WARP * WARP;
    return most < PAPER_THREADS ? most : PAPER_THREADS;
}

static riffle_status find_and_check(hull_simulation *sim) {
    const bool all = sim->options->all != 0, is_paper = sim->options->algorithm == RIFFLE_HULL_PAPER;
    const hull_stages stages = {
        .type = sim->points.type,
        .most = sim->points.n,
        .all = all,
        .is_paper = is_paper,
        .sizes = is_paper ? (hull_sizes){.blocks = PAPER_BLOCKS, .threads = paper_threads(sim->m)} : usual};
    uint64_t length = 0, wanted = 0;
    riffle_status status =
        simulate_hull(sim->m, &stages, &sim->points, NULL, sim->found, &length, &sim->counts);
    if (status == RIFFLE_OK)
        status = hull_definition(&sim->points, 0, sim->points.n, all, sim->wanted, &wanted);
    if (status != RIFFLE_OK) return status;
    if (length == wanted && memcmp(sim->found, sim->wanted, length * sizeof *sim->found) == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INTERNAL, "the hull is not what the definition says; please report this");
}

static riffle_status simulate(hull_simulation *sim) {
    const size_t bytes = (sim->points.n + 1) * sizeof(uint32_t);
    riffle_status status = check_machine(machine_options(sim->m));
    if (status == RIFFLE_OK) status = check_points(&sim->points);
    if (status != RIFFLE_OK) return status;
    sim->found = malloc(bytes);
    sim->wanted = malloc(bytes);
    if (sim->found == NULL || sim->wanted == NULL) return fail_memory("simulated hulls", 2 * bytes);
    return find_and_check(sim);
}

riffle_status riffle_simulate_hull(uint64_t n, riffle_type type, const void *points,
                                   const riffle_hull_options *options,
                                   const riffle_machine_options *machine_options, riffle_hull_counts *counts,
                                   riffle_report **out) {
    const riffle_hull_options defaults = {0};
    hull_simulation sim = {.points = {type, points, n}, .options = options == NULL ? &defaults : options};
    riffle_status status = hull_check_request(n, type, sim.options);
    if (status == RIFFLE_OK && sim.options->sets > 1)
        status = fail(RIFFLE_ERROR_UNSUPPORTED, "the machine finds one hull and not those of many sets");
    if (status == RIFFLE_OK) status = machine_create(machine_options, &sim.m);
    if (status != RIFFLE_OK) return status;
    status = simulate(&sim);
    if (status == RIFFLE_OK) {
        *out = machine_take_report(sim.m);
        (*out)->n = n;
        (*out)->algorithm = riffle_hull_algorithm_string(sim.options->algorithm);
        (*out)->hull = sim.counts;
        if (counts != NULL) *counts = sim.counts;
    }
    free(sim.wanted);
    free(sim.found);
    machine_free(sim.m);
    return status;
}

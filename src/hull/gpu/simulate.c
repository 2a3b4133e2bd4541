/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_hull: hulls of points are found, and compared with what the definition says.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/simulate/simulate.h"
#include "hull/definition.h"
#include "hull/gpu/plan.h"
#include "hull/predict/patterns.h"

enum { PAPER_MULTIPROCESSORS = 30 }; /* the dissertation's GPU has them */

typedef struct hull_simulation {
    hull_subject subject; /* given to patterns: the first member */
    hull_points points;
    riffle_hull_options options;
    uint32_t *found, *wanted;
    uint64_t *lengths;
    hull_paper_state state; /* for the dissertation's way */
    riffle_hull_counts counts;
} hull_simulation;

static bool is_paper(const hull_simulation *sim) {
    return sim->options.algorithm == RIFFLE_HULL_ALGORITHM_PAPER && sim->points.n > 0;
}

/* Accesses of the dissertation's way are those of its own kernel, and not of what brings points there and results back. */
static void count_accesses(const hull_simulation *sim, const riffle_report *report,
                           riffle_hull_counts *counts) {
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->space != SPACE_GLOBAL || (is_paper(sim) && strcmp(line->kernel, "hull_paper") != 0)) continue;
        if (line->op != OP_WRITE) counts->reads += line->warps;
        if (line->op != OP_READ) counts->writes += line->warps;
    }
}

static void describe(const void *subject, riffle_report *report) {
    const hull_simulation *const sim = subject;
    riffle_hull_counts *const counts = &report->hull;
    report->n = sim->points.n;
    report->algorithm = riffle_hull_algorithm_string(sim->options.algorithm);
    report->predicted_of = "points uniform in a square";
    for (uint64_t k = 0; k < sim->options.segments; k++) counts->corners += sim->lengths[k];
    count_accesses(sim, report, counts);
    if (!is_paper(sim) || sim->state.is_single) return;
    counts->outside = sim->state.points;
    counts->iterations = sim->state.iterations;
    counts->problems = sim->state.tasks;
    counts->pivots = sim->state.pops;
}

static riffle_status check_results(const hull_simulation *sim) {
    const uint64_t sets = sim->options.segments, each = sim->points.n / sets;
    for (uint64_t k = 0; k < sets; k++) {
        uint64_t length = 0;
        const riffle_status status =
            hull_definition(&sim->points, k * each, (k + 1) * each, sim->options.all, sim->wanted, &length);
        if (status != RIFFLE_OK) return status;
        if (sim->lengths[k] != length ||
            memcmp(sim->found + k * each, sim->wanted, length * sizeof *sim->found) != 0)
            return fail(RIFFLE_ERROR_INTERNAL, "the hull is not what the definition says; please report this");
    }
    return RIFFLE_OK;
}

static riffle_status execute(hull_simulation *sim, const riffle_hull_plan *plan) {
    const size_t bytes = (size_t)(sim->points.n + 1) * sizeof *sim->found;
    sim->found = malloc(bytes);
    sim->wanted = malloc(bytes);
    sim->lengths = calloc(sim->options.segments, sizeof *sim->lengths);
    if (sim->found == NULL || sim->wanted == NULL || sim->lengths == NULL)
        return fail_memory("simulated hulls", 2 * bytes);
    const riffle_status status = riffle_hull_execute(
        plan, &(riffle_hull_arrays){.hulls = sim->found, .lengths = sim->lengths, .points = sim->points.data});
    return status == RIFFLE_OK && is_paper(sim) ? hull_paper_counts(plan, &sim->state) : status;
}

static riffle_status run(const device *on, void *subject) {
    hull_simulation *const sim = subject;
    riffle_hull_plan *plan = NULL;
    riffle_status status =
        hull_plan_create(sim->points.n, sim->points.type, RIFFLE_ENGINE_CUDA, on, &sim->options, &plan);
    if (status != RIFFLE_OK) return status;
    status = execute(sim, plan);
    riffle_hull_plan_free(plan);
    return status == RIFFLE_OK ? check_results(sim) : status;
}

riffle_status riffle_simulate_hull(uint64_t n, riffle_type type, const void *points,
                                   const riffle_hull_options *options,
                                   const riffle_machine_options *machine_options, riffle_hull_counts *counts,
                                   riffle_report **out) {
    RETURN_IF_NULL(out);
    if (n > 0) RETURN_IF_NULL(points);
    static const simulated ways[] = {{"hulls", SIMULATED_MULTIPROCESSORS, run, describe, hull_patterns},
                                     {"hulls", PAPER_MULTIPROCESSORS, run, describe, hull_patterns}};
    const riffle_hull_options asked = options != NULL ? *options : (riffle_hull_options){0};
    hull_trial *trials[HULL_TRIALS] = {NULL};
    hull_simulation sim = {.subject = {type, trials},
                           .points = {type, points, n},
                           .options = {.segments = asked.segments > 0 ? asked.segments : 1,
                                       .all = asked.all,
                                       .algorithm = asked.algorithm}};
    const riffle_status status =
        simulate(&ways[asked.algorithm == RIFFLE_HULL_ALGORITHM_PAPER], &sim, machine_options, out);
    if (status == RIFFLE_OK && counts != NULL) *counts = (*out)->hull;
    hull_trials_free(trials);
    free(sim.wanted);
    free(sim.found);
    free(sim.lengths);
    return status;
}

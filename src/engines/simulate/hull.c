/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/simulate/hull.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "engines/hull.h"
#include "engines/simulate/hull_kernels.h"
#include "hull/definition.h"
#include "machine/count/report.h"

/* What is in the machine's memory. */
typedef struct hull_arrays {
    void *points, *candidates, *hull, *length, *workspace;
} hull_arrays;

static riffle_status upload(machine *m, const char *name, const void *from, size_t bytes, void **out) {
    const riffle_status status = machine_buffer(m, name, bytes, out);
    if (status != RIFFLE_OK) return status;
    memcpy(*out, from, bytes);
    machine_written(m, *out, bytes);
    return RIFFLE_OK;
}

static riffle_status make_source(machine *m, const hull_points *points, const uint32_t *candidates,
                                 uint32_t count, hull_arrays *arrays, hull_source *out) {
    riffle_status status =
        upload(m, "points", points->data, points->n * 2 * riffle_type_bytes(points->type), &arrays->points);
    if (status == RIFFLE_OK && candidates != NULL)
        status = upload(m, "candidates", candidates, count * sizeof *candidates, &arrays->candidates);
    if (status == RIFFLE_OK) status = machine_buffer(m, "hull", count * sizeof(uint32_t), &arrays->hull);
    if (status == RIFFLE_OK) status = machine_buffer(m, "length", sizeof(uint64_t), &arrays->length);
    *out = (hull_source){.points = arrays->points,
                         .candidates = arrays->candidates,
                         .most = count,
                         .coordinate = hull_coordinate_of(points->type)};
    return status;
}

static riffle_status run_step(machine *m, machine_launch launch) {
    const riffle_status status = machine_run(m, &launch);
    if (status == RIFFLE_OK && machine_stopped(m))
        return fail(RIFFLE_ERROR_INTERNAL, "the machine stopped a kernel of riffle's own; please report this");
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

/* Steps that are launches of one kernel, until a cursor, whose first word is the step, stands at the last. */
typedef struct hull_steps {
    machine_launch launch;
    const void *table;
    uint32_t *step;
    uint32_t last;
    void (*next)(const void *table, uint32_t *step);
} hull_steps;

static riffle_status run_steps(machine *m, const hull_steps *steps, const hull_arrays *arrays, uint32_t *hull,
                               uint64_t *length) {
    while (*steps->step != steps->last) {
        const riffle_status status = run_step(m, steps->launch);
        if (status != RIFFLE_OK) return status;
        steps->next(steps->table, steps->step);
    }
    memcpy(length, arrays->length, sizeof *length);
    memcpy(hull, arrays->hull, *length * sizeof *hull);
    return RIFFLE_OK;
}

static void next_sorted(const void *table, uint32_t *step) {
    hull_sorted_next(table, (hull_cursor *)(void *)step);
}

static void next_paper(const void *table, uint32_t *step) {
    hull_paper_next(table, (hull_paper_cursor *)(void *)step);
}

riffle_status simulate_hull_sorted(machine *m, const hull_sizes *sizes, const hull_points *points,
                                   const uint32_t *candidates, uint32_t count, bool all, uint32_t *hull,
                                   uint64_t *length) {
    hull_arrays arrays = {0};
    hull_source source;
    hull_sorted_table table;
    *length = 0;
    if (count == 0) return RIFFLE_OK;
    riffle_status status = make_source(m, points, candidates, count, &arrays, &source);
    const size_t bytes = hull_sorted_place(sizes, &source, NULL, &table);
    if (status == RIFFLE_OK) status = machine_buffer(m, "workspace", bytes, &arrays.workspace);
    if (status != RIFFLE_OK) return status;
    hull_sorted_place(sizes, &source, arrays.workspace, &table);
    table.hull = arrays.hull;
    table.length = arrays.length;
    table.all = all;
    hull_cursor cursor = hull_sorted_begin(count);
    void *arguments[] = {&table, &cursor};
    const hull_steps steps = {.launch = {.kernel = "hull_sorted",
                                         .entry = machine_hull_sorted(hull_record_kind(source.coordinate)),
                                         .args = arguments,
                                         .grid = {sizes->blocks, 1, 1},
                                         .block = {sizes->threads, 1, 1},
                                         .shared_bytes = hull_sorted_shared_bytes(sizes, source.coordinate)},
                              .table = &table,
                              .step = &cursor.step,
                              .last = HULL_STEP_DONE,
                              .next = next_sorted};
    return run_steps(m, &steps, &arrays, hull, length);
}

riffle_status simulate_hull_paper(machine *m, uint32_t blocks, uint32_t threads, const hull_points *points,
                                  const uint32_t *candidates, uint32_t count, uint32_t *hull, uint64_t *length,
                                  riffle_hull_counts *counts) {
    const uint32_t processors = blocks * (threads / 32);
    hull_arrays arrays = {0};
    hull_source source;
    hull_paper_table table;
    *length = 0;
    *counts = (riffle_hull_counts){0};
    if (count == 0) return RIFFLE_OK;
    riffle_status status = make_source(m, points, candidates, count, &arrays, &source);
    const size_t bytes = hull_paper_place(processors, &source, NULL, &table);
    if (status == RIFFLE_OK) status = machine_buffer(m, "workspace", bytes, &arrays.workspace);
    if (status != RIFFLE_OK) return status;
    hull_paper_place(processors, &source, arrays.workspace, &table);
    table.hull = arrays.hull;
    table.length = arrays.length;
    hull_paper_cursor cursor = hull_paper_begin(count);
    void *arguments[] = {&table, &cursor};
    const hull_steps steps = {.launch = {.kernel = "hull_paper",
                                         .entry = machine_hull_paper(hull_record_kind(source.coordinate)),
                                         .args = arguments,
                                         .grid = {blocks, 1, 1},
                                         .block = {threads, 1, 1},
                                         .shared_bytes = hull_paper_shared_bytes(threads, source.coordinate)},
                              .table = &table,
                              .step = &cursor.step,
                              .last = HULL_PAPER_DONE,
                              .next = next_paper};
    status = run_steps(m, &steps, &arrays, hull, length);
    if (status != RIFFLE_OK) return status;
    counts->corners = *length;
    count_accesses(machine_report(m), counts);
    if (table.state->is_single) return RIFFLE_OK;
    counts->outside = table.state->points;
    counts->iterations = table.state->iterations;
    counts->problems = table.state->tasks;
    counts->pivots = table.state->pops;
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
    const uint32_t n = (uint32_t)sim->points.n;
    const bool all = sim->options->all != 0;
    uint64_t length = 0, wanted = 0;
    riffle_status status =
        sim->options->algorithm == RIFFLE_HULL_PAPER
            ? simulate_hull_paper(sim->m, PAPER_BLOCKS, paper_threads(sim->m), &sim->points, NULL, n,
                                  sim->found, &length, &sim->counts)
            : simulate_hull_sorted(sim->m, &usual, &sim->points, NULL, n, all, sim->found, &length);
    if (status == RIFFLE_OK) status = hull_definition(&sim->points, 0, n, all, sim->wanted, &wanted);
    if (status != RIFFLE_OK) return status;
    sim->counts.corners = length;
    if (sim->options->algorithm == RIFFLE_HULL_AUTO) count_accesses(machine_report(sim->m), &sim->counts);
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

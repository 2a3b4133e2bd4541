/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/simulate/hull.h"

#include <string.h>

#include "base/status.h"
#include "engines/simulate/hull_kernels.h"

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

static void fetch(const hull_arrays *arrays, uint32_t *hull, uint64_t *length) {
    memcpy(length, arrays->length, sizeof *length);
    memcpy(hull, arrays->hull, *length * sizeof *hull);
}

riffle_status simulate_hull_sorted(machine *m, const hull_sizes *sizes, const hull_points *points,
                                   const uint32_t *candidates, uint32_t count, bool all, uint32_t *hull,
                                   uint64_t *length) {
    hull_arrays arrays = {NULL};
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
    const machine_launch launch = {.kernel = "hull_sorted",
                                   .entry = machine_hull_sorted(hull_record_kind(source.coordinate)),
                                   .args = arguments,
                                   .grid = {sizes->blocks, 1, 1},
                                   .block = {sizes->threads, 1, 1},
                                   .shared_bytes = hull_sorted_shared_bytes(sizes, source.coordinate)};
    while (status == RIFFLE_OK && cursor.step != HULL_STEP_DONE) {
        status = run_step(m, launch);
        hull_sorted_next(&table, &cursor);
    }
    if (status == RIFFLE_OK) fetch(&arrays, hull, length);
    return status;
}

riffle_status simulate_hull_paper(machine *m, uint32_t blocks, uint32_t threads, const hull_points *points,
                                  const uint32_t *candidates, uint32_t count, uint32_t *hull, uint64_t *length,
                                  hull_paper_counters *counters) {
    const uint32_t processors = blocks * (threads / 32);
    hull_arrays arrays = {NULL};
    hull_source source;
    hull_paper_table table;
    *length = 0;
    *counters = (hull_paper_counters){0};
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
    const machine_launch launch = {.kernel = "hull_paper",
                                   .entry = machine_hull_paper(hull_record_kind(source.coordinate)),
                                   .args = arguments,
                                   .grid = {blocks, 1, 1},
                                   .block = {threads, 1, 1},
                                   .shared_bytes = hull_paper_shared_bytes(threads, source.coordinate)};
    while (status == RIFFLE_OK && cursor.step != HULL_PAPER_DONE) {
        status = run_step(m, launch);
        hull_paper_next(&table, &cursor);
    }
    if (status != RIFFLE_OK) return status;
    fetch(&arrays, hull, length);
    if (!table.state->is_single)
        *counters = (hull_paper_counters){table.state->points, table.state->iterations, table.state->tasks,
                                          table.state->pops};
    return RIFFLE_OK;
}

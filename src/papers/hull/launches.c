/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/hull/launches.h"

#include "device/workspace.h"

enum { LANES = 32 };

/* An iteration leaves at most two tasks for each of its problems, which have two processors at least; bins leave four. */
static uint32_t task_room(uint32_t processors) { return processors * HULL_PAPER_ITERATIONS + HULL_PAPER_EDGES; }

size_t hull_paper_place(uint32_t processors, const hull_source *from, void *workspace, hull_paper_table *out) {
    const size_t record = hull_record_bytes(hull_record_kind(from->coordinate));
    launch_workspace a = {workspace, 0};
    *out = (hull_paper_table){.from = *from, .processors = processors};
    out->state = launch_take(&a, sizeof *out->state);
    for (unsigned k = 0; k < 2; k++)
        out->cells[k] = launch_take(&a, (from->most + (size_t)HULL_PAPER_EDGES) * record);
    out->best = launch_take(&a, HULL_PAPER_EDGES * processors * record);
    out->counts = launch_take(&a, HULL_PAPER_EDGES * processors * sizeof *out->counts);
    for (unsigned k = 0; k < 2; k++) out->owner[k] = launch_take(&a, processors * sizeof *out->owner[k]);
    for (unsigned k = 0; k < 2; k++) out->problems[k] = launch_take(&a, processors * sizeof *out->problems[k]);
    out->tasks = launch_take(&a, task_room(processors) * sizeof *out->tasks);
    out->stacks = launch_take(&a, (size_t)processors * HULL_PAPER_STACK * sizeof *out->stacks);
    return a.bytes;
}

size_t hull_paper_shared_bytes(uint32_t threads, uint32_t coordinate) {
    return (size_t)threads / LANES * 2 * LANES * hull_record_bytes(hull_record_kind(coordinate));
}

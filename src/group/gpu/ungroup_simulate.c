/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_ungroup: rows are brought back by the launch that a GPU gets, and compared with the host's.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/simulate/simulate.h"
#include "group/predict/ungroup.h"
#include "riffle/machine.h"

typedef struct ungroup_simulation {
    ungroup_subject subject; /* given to patterns: the first member */
    riffle_ungroup_task task;
    size_t bytes[UNGROUP_ARRAYS];
    void *here[UNGROUP_ARRAYS]; /* the host's, but for places */
    riffle_ungroup_arrays arrays;
} ungroup_simulation;

static void size_arrays(ungroup_simulation *sim, bool is_weighted) {
    const uint64_t entries = sim->task.n * sim->task.keys_per_row;
    sim->bytes[UNGROUP_ROWS] = (size_t)sim->task.rows * sim->task.row_bytes;
    sim->bytes[UNGROUP_PLACES] = (size_t)entries * sim->task.index_bytes;
    sim->bytes[UNGROUP_WEIGHTS] = is_weighted ? (size_t)entries * ungroup_weight_bytes(sim->task.sum) : 0;
    sim->bytes[UNGROUP_TO] = (size_t)sim->task.n * sim->task.row_bytes;
}

/* Numbers of every type are 1 and some there: sums are of whole bytes of it. */
static void fill(const ungroup_simulation *sim, unsigned which) {
    unsigned char *const bytes = sim->here[which];
    const size_t number =
        which == UNGROUP_WEIGHTS ? ungroup_weight_bytes(sim->task.sum) : ungroup_number_bytes(sim->task.sum);
    for (size_t k = 0; k < sim->bytes[which]; k++) bytes[k] = (unsigned char)(k * 37);
    for (size_t k = number; number > 0 && k <= sim->bytes[which]; k += number) bytes[k - 1] = 0x3c;
}

static riffle_status make_arrays(ungroup_simulation *sim) {
    for (unsigned k = 0; k < UNGROUP_ARRAYS; k++) {
        if (k == UNGROUP_PLACES || sim->bytes[k] == 0) continue;
        sim->here[k] = malloc(sim->bytes[k]);
        if (sim->here[k] == NULL) return fail_memory("simulated rows", sim->bytes[k]);
        fill(sim, k);
    }
    sim->arrays = (riffle_ungroup_arrays){.to = sim->here[UNGROUP_TO],
                                          .rows = sim->here[UNGROUP_ROWS],
                                          .places = sim->subject.places,
                                          .weights = sim->here[UNGROUP_WEIGHTS]};
    return riffle_ungroup(&sim->task, &sim->arrays, NULL);
}

/* Brings all that is read, and room for the result, runs the launch, and fetches the result. */
static riffle_status run_there(const ungroup_simulation *sim, const device *on, void *got) {
    const void *const from[UNGROUP_ARRAYS] = {[UNGROUP_ROWS] = sim->arrays.rows,
                                              [UNGROUP_PLACES] = sim->arrays.places,
                                              [UNGROUP_WEIGHTS] = sim->arrays.weights};
    static const char *const names[UNGROUP_ARRAYS] = {"rows", "places", "weights", "to"};
    void *there[UNGROUP_ARRAYS] = {NULL};
    launch_list list;
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < UNGROUP_ARRAYS; k++) {
        if (sim->bytes[k] == 0) continue;
        status = k == UNGROUP_TO ? on->ops->allocate(on, names[k], sim->bytes[k], &there[k])
                                 : device_bring(on, names[k], from[k], sim->bytes[k], &there[k]);
    }
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    ungroup_append(&sim->task,
                   &(riffle_ungroup_arrays){there[UNGROUP_TO], there[UNGROUP_ROWS], there[UNGROUP_PLACES],
                                            there[UNGROUP_WEIGHTS]},
                   &list);
    status = device_run(on, "rows that are brought back", &list, NULL);
    if (status != RIFFLE_OK) return status;
    return on->ops->download(on, "fetching rows", got, there[UNGROUP_TO], sim->bytes[UNGROUP_TO], NULL);
}

static riffle_status run(const device *on, void *subject) {
    ungroup_simulation *const sim = subject;
    const size_t bytes = sim->bytes[UNGROUP_TO];
    riffle_status status = make_arrays(sim);
    if (status != RIFFLE_OK) return status;
    void *const got = malloc(bytes > 0 ? bytes : 1);
    if (got == NULL) return fail_memory("simulated rows", bytes);
    status = run_there(sim, on, got);
    if (status == RIFFLE_OK && bytes > 0 && memcmp(got, sim->here[UNGROUP_TO], bytes) != 0)
        status = fail(RIFFLE_ERROR_INTERNAL, "the rows are not what the host brings back; please report this");
    free(got);
    return status;
}

static void describe(const void *subject, riffle_report *report) {
    report->n = ((const ungroup_simulation *)subject)->task.n;
    report->algorithm = "ungroup";
}

riffle_status riffle_simulate_ungroup(const riffle_ungroup_task *task, const void *places, bool is_weighted,
                                      const riffle_machine_options *machine_options, riffle_report **out) {
    static const simulated way = {"rows that are brought back", SIMULATED_MULTIPROCESSORS, run, describe,
                                  ungroup_patterns};
    RETURN_IF_NULL(task, out);
    ungroup_simulation sim = {.subject = {NULL, places}};
    riffle_status status = ungroup_check_task(task, &sim.task);
    if (status != RIFFLE_OK) return status;
    if (sim.task.n > 0) RETURN_IF_NULL(places);
    sim.subject.task = &sim.task;
    size_arrays(&sim, is_weighted && sim.task.sum != RIFFLE_UNGROUP_SUM_NONE);
    status = simulate(&way, &sim, machine_options, out);
    for (unsigned k = 0; k < UNGROUP_ARRAYS; k++) free(sim.here[k]);
    return status;
}

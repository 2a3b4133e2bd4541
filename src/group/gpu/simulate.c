/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_group: rows are grouped by the launches that a GPU gets, and compared with the definition.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/elements.h"
#include "device/simulate/simulate.h"
#include "group/definition.h"
#include "group/predict/patterns.h"
#include "riffle/machine.h"

typedef struct group_simulation {
    group_subject subject; /* given to patterns: the first member */
    uint64_t n, groups;
    size_t row_bytes;
    riffle_type key_type;
    riffle_group_options options;
} group_simulation;

/* Results, one array behind the other. */
typedef struct group_results {
    char *all;
    size_t bytes;
    riffle_group_arrays arrays;
    riffle_group_column columns[RIFFLE_GROUP_MAX_COLUMNS];
} group_results;

static riffle_status make_results(const riffle_group_plan *plan, const void *from, const void *keys,
                                  group_results *out) {
    const size_t word = sizeof(uint64_t), groups = plan->rule.groups,
                 places = (size_t)plan->entries * plan->index_bytes,
                 rows = group_columns_bytes(plan, plan->room, plan->columns);
    const size_t before = ((2 * groups + 1 + GROUP_LEFT_OUTS) * word + places + 15) / 16 * 16;
    out->bytes = before + rows;
    out->all = calloc(1, out->bytes);
    if (out->all == NULL) return fail_memory("simulated groups", out->bytes);
    uint64_t *const numbers = (uint64_t *)(void *)out->all;
    out->arrays =
        (riffle_group_arrays){.keys = keys,
                              .offsets = numbers,
                              .counts = numbers + groups + 1,
                              .left_out = numbers + 2 * groups + 1,
                              .places = places > 0 ? numbers + 2 * groups + 1 + GROUP_LEFT_OUTS : NULL};
    group_columns_in(plan, out->all + before, from, out->columns, &out->arrays);
    return RIFFLE_OK;
}

static riffle_status compare(const riffle_group_plan *plan, const void *from, const void *keys) {
    group_results got = {0}, wanted = {0};
    riffle_status status = make_results(plan, from, keys, &got);
    if (status == RIFFLE_OK) status = make_results(plan, from, keys, &wanted);
    if (status == RIFFLE_OK) status = riffle_group_execute(plan, &got.arrays);
    if (status == RIFFLE_OK) status = group_definition(plan, &wanted.arrays);
    if (status == RIFFLE_OK && memcmp(got.all, wanted.all, got.bytes) != 0)
        status = fail(RIFFLE_ERROR_INTERNAL, "the groups are not what the definition says; please report this");
    free(got.all);
    free(wanted.all);
    return status;
}

static riffle_status run(const device *on, void *subject) {
    group_simulation *const sim = subject;
    riffle_group_plan *plan = NULL;
    riffle_status status = group_plan_create(sim->n, sim->row_bytes, sim->key_type, sim->groups,
                                             RIFFLE_ENGINE_CUDA, on, &sim->options, &plan);
    if (status != RIFFLE_OK) return status;
    sim->subject.plan = plan;
    const size_t bytes = group_columns_bytes(plan, plan->n, plan->columns);
    void *const from = bytes > 0 ? malloc(bytes) : NULL;
    if (bytes > 0 && from == NULL) {
        status = fail_memory("simulated rows", bytes);
    } else {
        if (from != NULL) elements_fill(RIFFLE_TYPE_U8, bytes, from);
        status = compare(plan, from, sim->subject.keys);
    }
    free(from);
    riffle_group_plan_free(plan);
    return status;
}

static void describe(const void *subject, riffle_report *report) {
    report->n = ((const group_simulation *)subject)->n;
    report->algorithm = "group";
}

riffle_status riffle_simulate_group(uint64_t n, size_t row_bytes, riffle_type key_type, uint64_t groups,
                                    const void *keys, const riffle_group_options *options,
                                    const riffle_machine_options *machine_options, riffle_report **out) {
    static const simulated way = {"groups", SIMULATED_MULTIPROCESSORS, run, describe, group_patterns};
    group_known known = {.pass = {{.first = NULL}}};
    RETURN_IF_NULL(out);
    if (n > 0) RETURN_IF_NULL(keys);
    group_simulation sim = {{NULL, keys, &known},
                            n,
                            groups,
                            row_bytes,
                            key_type,
                            options != NULL ? *options : (riffle_group_options){0}};
    sim.options.callers_workspace = false;
    const riffle_status status = simulate(&way, &sim, machine_options, out);
    group_known_free(&known);
    return status;
}

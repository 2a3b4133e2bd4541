/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups in two passes whose check compares what is between these, on any device: right ones pass, and faults that are put into the rows there, or into
 * the numbers of their groups, are to be found.
 */
#ifndef RIFFLE_TESTS_CHECK_GROUPED_BETWEEN_H
#define RIFFLE_TESTS_CHECK_GROUPED_BETWEEN_H

#include "grouped_faults.h"

enum { BETWEEN_ROWS, BETWEEN_NAMES, BETWEEN_ARRAYS };

typedef struct grouped_passes {
    grouped_room room;
    launch_list all;
    unsigned second; /* its first launch */
    grouped_array array[BETWEEN_ARRAYS];
} grouped_passes;

/* Launches from the first-th on, before the end-th. */
static inline bool passes_run(const grouped_passes *p, unsigned first, unsigned end) {
    launch_list some;
    unsigned k = 0;
    launch_list_begin(&some);
    for (const launch *work = p->all.first; work != NULL; work = work->next, k++)
        if (k >= first && k < end) launch_append_again(&some, work);
    return device_load_and_run(p->room.on, "groups", "a pass of groups", &some, NULL) == RIFFLE_OK;
}

/* The workspace lies in the plan. */
static inline bool passes_bring(grouped_passes *p) {
    const riffle_group_plan *const plan = p->room.plan;
    const group_layout layout = group_lay_out(plan, plan->multiprocessors);
    const size_t at[BETWEEN_ARRAYS] = {layout.rows, layout.names},
                 each[BETWEEN_ARRAYS] = {plan->row_bytes, sizeof(uint16_t)};
    uint64_t count = 0;
    unsigned k = 0;
    group_append(plan, &p->room.arrays, plan->base.workspace, &p->all);
    for (const launch *work = p->all.first; work != NULL; work = work->next, k++)
        if (work->kernel != NULL && strncmp(work->kernel->name, "group_summed_low", 16) == 0) p->second = k + 1;
    for (uint64_t e = 0; e < plan->entries; e++) count += p->room.named[e] < plan->rule.groups;
    for (k = 0; k < BETWEEN_ARRAYS; k++) {
        p->array[k] = (grouped_array){.there = (char *)plan->base.workspace + at[k],
                                      .good = malloc((size_t)count * each[k] + 1),
                                      .bad = malloc((size_t)count * each[k] + 1),
                                      .each = each[k],
                                      .count = count};
        if (p->array[k].good == NULL || p->array[k].bad == NULL) return false;
    }
    return layout.way == GROUP_TWICE && p->second > 0;
}

static inline bool passes_agree(const grouped_passes *p) {
    return riffle_cuda_group_check(p->room.plan, NULL, NULL) == RIFFLE_OK;
}

static inline bool passes_fetch(const grouped_passes *p, void *to, const void *from, size_t bytes) {
    return p->room.on->ops->download(p->room.on, "an array", to, from, bytes, NULL) == RIFFLE_OK;
}

/* True if rows are those of a plan of the host. */
static inline bool passes_are_right(const grouped_passes *p) {
    const grouped_room *const room = &p->room;
    const riffle_group_plan *const plan = room->plan;
    const size_t from_bytes = (size_t)plan->n * plan->row_bytes, bytes = (size_t)plan->room * plan->row_bytes;
    char *const from = malloc(from_bytes), *const right = calloc(1, bytes), *const got = malloc(bytes);
    riffle_group_plan *here = NULL;
    const riffle_group_options options = {.keys_per_row = plan->keys_per_row};
    bool is_right =
        from != NULL && right != NULL && got != NULL && passes_fetch(p, from, room->from[0], from_bytes) &&
        passes_fetch(p, got, room->array[0].there, bytes) &&
        riffle_group_plan_create(plan->n, plan->row_bytes, RIFFLE_TYPE_U16, plan->rule.groups,
                                 RIFFLE_ENGINE_CPU, &options, &here) == RIFFLE_OK &&
        riffle_group_execute(
            here, &(riffle_group_arrays){.rows = right, .from_rows = from, .keys = room->named}) == RIFFLE_OK;
    is_right = is_right && memcmp(got, right, (size_t)p->array[0].count * plan->row_bytes) == 0;
    riffle_group_plan_free(here);
    free(from);
    free(right);
    free(got);
    return is_right;
}

/* One fault between the passes. */
static inline bool passes_fault(rng *r, const grouped_passes *p, fault what, grouped_counts *counts) {
    const grouped_array *const a = &p->array[rng_below(r, BETWEEN_ARRAYS)];
    const size_t bytes = (size_t)a->count * a->each;
    bool is_well = passes_run(p, 0, p->second) && passes_fetch(p, a->good, a->there, bytes);
    memcpy(a->bad, a->good, bytes);
    if (!is_well || !fault_put(r, what, a->bad, a->count, a->each)) return is_well;
    is_well = grouped_write(&p->room, a, a->bad) && passes_run(p, p->second, UINT32_MAX);
    counts->faults++;
    counts->missed += passes_agree(p);
    return is_well;
}

/* So many faults in one case, one after the other; what is found of them is added to counts. */
static inline void grouped_between(const device *on, rng *r, const grouped_case *c, uint64_t faults,
                                   grouped_counts *counts) {
    grouped_passes p = {.room = {.on = on}};
    launch_list_begin(&p.all);
    bool is_well = grouped_begin(r, c, &p.room) && passes_bring(&p) && passes_run(&p, 0, UINT32_MAX) &&
                   passes_agree(&p) && passes_are_right(&p);
    for (uint64_t k = 0; is_well && k < faults; k++) is_well = passes_fault(r, &p, (fault)(k % FAULTS), counts);
    counts->refused += !is_well;
    launch_list_free(&p.all);
    for (unsigned k = 0; k < BETWEEN_ARRAYS; k++) {
        free(p.array[k].good);
        free(p.array[k].bad);
    }
    grouped_end(&p.room);
}

/* Rows of all sizes, tiles that are full and that are not, several keys a row, and keys that name no group. */
static const grouped_case GROUPED_BETWEEN[] = {
    {9001, 3000, 3000, {8}, 1, {.check = RIFFLE_CHECK_PASSES}},
    {16384, 65536, 65536, {4}, 1, {.check = RIFFLE_CHECK_PASSES}},
    {5001, 1025, 1100, {16}, 1, {.check = RIFFLE_CHECK_PASSES}},
    {8195, 2000, 2100, {1}, 1, {.check = RIFFLE_CHECK_PASSES}},
    {9000, 40000, 40000, {2}, 1, {.check = RIFFLE_CHECK_PASSES}},
    {3001, 5000, 5000, {8}, 1, {.check = RIFFLE_CHECK_PASSES, .keys_per_row = 3}},
};
enum { GROUPED_BETWEEN_COUNT = sizeof GROUPED_BETWEEN / sizeof *GROUPED_BETWEEN };

#endif

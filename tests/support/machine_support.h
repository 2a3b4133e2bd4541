/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that tests of the memory machine share: a machine with one buffer, runs of machine_kernels.h, and rows of its report.
 */
#ifndef RIFFLE_TESTS_MACHINE_SUPPORT_H
#define RIFFLE_TESTS_MACHINE_SUPPORT_H

#include "machine/runtime/machine.h"
#include "machine_kernels.h"
#include "support.h"

static inline machine *machine_or_fail(riffle_machine_options options) {
    machine *m = NULL;
    if (machine_create(&options, &m) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    return m;
}

/** A buffer of 4-byte elements, 0, 1, 2, ..., that the host has written; or one that nobody has. */
static inline uint32_t *buffer_or_fail(machine *m, const char *name, size_t elements, bool written) {
    void *buffer = NULL;
    if (machine_buffer(m, name, elements * sizeof(uint32_t), &buffer) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    uint32_t *cells = buffer;
    for (size_t k = 0; k < elements; k++) cells[k] = (uint32_t)k;
    if (written) machine_written(m, cells, elements * sizeof(uint32_t));
    return cells;
}

typedef struct test_launch {
    test_kernel *entry;
    void *pointer;
    uint32_t number;
    machine_shape grid, block; /**< zeros count as 1 */
    size_t shared_bytes;
} test_launch;

static inline machine_shape shape_or_ones(machine_shape s) {
    return (machine_shape){s.x > 0 ? s.x : 1, s.y > 0 ? s.y : 1, s.z > 0 ? s.z : 1};
}

static inline riffle_status run_test_kernel(machine *m, test_launch t) {
    void *arguments[] = {&t.pointer, &t.number};
    return machine_run(m, &(machine_launch){.kernel = "test",
                                            .entry = t.entry,
                                            .args = arguments,
                                            .grid = shape_or_ones(t.grid),
                                            .block = shape_or_ones(t.block),
                                            .shared_bytes = t.shared_bytes});
}

static inline void run_or_fail(machine *m, test_launch t) {
    if (run_test_kernel(m, t) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
}

/** The sums of all rows of one space and operation; its time and worst stages too. */
static inline report_line sum_of(const riffle_report *report, report_space space, report_op op) {
    report_line sum = {0};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->space != space || line->op != op) continue;
        sum.rounds += line->rounds;
        sum.casual_rounds += line->casual_rounds;
        sum.warps += line->warps;
        sum.stages += line->stages;
        sum.ideal_stages += line->ideal_stages;
        sum.time_units += line->time_units;
        sum.requests += line->requests;
        sum.ideal_requests += line->ideal_requests;
        if (line->worst_stages > sum.worst_stages) sum.worst_stages = line->worst_stages;
        if (line->cell_bytes > sum.cell_bytes) sum.cell_bytes = line->cell_bytes;
    }
    return sum;
}

static inline void assert_no_hazards(const machine *m) {
    const riffle_report *report = machine_report(m);
    if (report->hazards > 0) fail_msg("%s", report->hazard[0].text);
}

#endif

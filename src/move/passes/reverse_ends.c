/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"
#include "move/gpu/launch.h"

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    const reverse_ends_schedule *const s = &p->reverse_ends;
    const uint64_t pairs = s->first / 2 + (s->n - s->first) / 2, threads = launch_flat_threads(limits);
    return (pairs + threads - 1) / threads;
}

static void fill(const pass *p, const launch_limits *limits, const void *const *arrays, launch_list *out) {
    (void)arrays;
    const reverse_ends_schedule *const s = &p->reverse_ends;
    const struct reverse_ends_arguments arguments = {s->n, s->first};
    append_reverse_ends(out, &KERNEL_reverse_ends, s->elem_bytes, &arguments)->block_x =
        launch_flat_threads(limits);
}

const pass_kind PASS_REVERSE_ENDS = {
    .name = "reverse_ends", .run = cpu_reverse_ends, .blocks = blocks, .launch = fill, .predict = pass_predict};

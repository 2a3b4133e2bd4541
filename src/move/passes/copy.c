/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"
#include "move/gpu/launch.h"

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    const unsigned threads = launch_flat_threads(limits);
    return (p->copy.n + threads - 1) / threads;
}

static void fill(const pass *p, const launch_limits *limits, const void *const *arrays, launch_list *out) {
    (void)arrays;
    const copy_schedule *const s = &p->copy;
    const struct copy_arguments arguments = {s->n, s->rotation.offset, s->rotation.reflected};
    append_copy(out, &KERNEL_copy, s->elem_bytes, &arguments)->block_x = launch_flat_threads(limits);
}

/* Rotations are copied byte by byte, without a kernel. */
static size_t alignment(const pass *p) { return p->copy.rotation.reflected ? p->copy.elem_bytes : 1; }

const pass_kind PASS_COPY = {.name = "copy",
                             .run = cpu_copy,
                             .blocks = blocks,
                             .launch = fill,
                             .alignment = alignment,
                             .predict = pass_predict};

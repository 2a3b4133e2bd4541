/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arithmetic.h"
#include "move/cpu/passes/loops.h"
#include "move/gpu/rows.h"

/* Bytes that a thread moves: an element where they are reflected, for they keep their bytes' order; else as many as divide one. */
static size_t word_bytes(const copy_schedule *s) {
    return s->rotation.reflected ? s->elem_bytes : launch_unit_bytes(s->elem_bytes);
}

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    const unsigned threads = launch_flat_threads(limits);
    return ceil_div(p->copy.n * (p->copy.elem_bytes / word_bytes(&p->copy)), threads);
}

static void fill(const pass *p, const launch_limits *limits, const void *const *arrays, launch_list *out) {
    (void)arrays;
    const copy_schedule *const s = &p->copy;
    const size_t bytes = word_bytes(s), words = s->elem_bytes / bytes;
    const struct copy_arguments arguments = {s->n * words, s->rotation.offset * words, s->rotation.reflected};
    append_copy(out, &KERNEL_copy, bytes, &arguments)->block_x = launch_flat_threads(limits);
}

/* Rotations are copied byte by byte, without a kernel. */
static size_t alignment(const pass *p) { return p->copy.rotation.reflected ? p->copy.elem_bytes : 1; }

const pass_kind PASS_COPY = {.name = "copy",
                             .run = cpu_copy,
                             .blocks = blocks,
                             .launch = fill,
                             .alignment = alignment,
                             .predict = pass_predict};

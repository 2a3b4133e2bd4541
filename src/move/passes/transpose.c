/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"
#include "move/gpu/launch.h"

static void print(const pass *p, FILE *stream) {
    fprintf(stream, ": %llu x %llu", (unsigned long long)p->transpose.rows,
            (unsigned long long)p->transpose.cols);
}

static uint64_t tiles(uint64_t length, unsigned width) { return (length + width - 1) / width; }

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    return tiles(p->transpose.rows, limits->width) * tiles(p->transpose.cols, limits->width);
}

static uint64_t block_elements(const pass *p, const launch_limits *limits) {
    (void)p;
    return (uint64_t)limits->width * limits->width;
}

/* A tile a block; a column of it, or every h-th of its elements, a thread. */
static void fill(const pass *p, const launch_limits *limits, const void *const *arrays, launch_list *out) {
    (void)arrays;
    const transpose_schedule *const s = &p->transpose;
    const unsigned w = limits->width, most = limits->block_threads / w;
    const struct transpose_arguments arguments = {s->rows, s->cols};
    launch *const work = append_transpose(out, &KERNEL_transpose, s->elem_bytes, &arguments);
    work->block_x = w;
    work->block_y = most < w ? most : w;
    work->shared_bytes = (size_t)w * w * s->elem_bytes;
}

const pass_kind PASS_TRANSPOSE = {.name = "transpose",
                                  .print = print,
                                  .run = cpu_transpose,
                                  .blocks = blocks,
                                  .launch = fill,
                                  .block_elements = block_elements,
                                  .predict = pass_predict};

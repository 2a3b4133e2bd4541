/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"
#include "move/gpu/launch.h"

enum { MOST_THREADS = 512 };

/* Threads of a row: whole warps, about eight elements each. */
static unsigned threads_of_row(const in_rows_schedule *s, const launch_limits *limits) {
    const unsigned most = limits->block_threads < MOST_THREADS ? limits->block_threads : MOST_THREADS;
    unsigned threads = limits->width;
    while (2 * threads <= most && threads * 8 < s->cols) threads *= 2;
    return threads;
}

/* Several short rows a block. */
static unsigned rows_of_block(const in_rows_schedule *s, const launch_limits *limits) {
    const unsigned threads = threads_of_row(s, limits);
    const unsigned most =
        (limits->block_threads < MOST_THREADS / 2 ? limits->block_threads : MOST_THREADS / 2) / threads;
    unsigned rows = 1;
    while (2 * rows <= most && 2 * rows * in_rows_bytes(s) <= limits->shared_bytes) rows *= 2;
    return rows;
}

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    const unsigned rows = rows_of_block(&p->in_rows, limits);
    return (p->in_rows.rows + rows - 1) / rows;
}

static void print(const pass *p, FILE *stream) {
    fprintf(stream, ": %llu rows of %llu", (unsigned long long)p->in_rows.rows,
            (unsigned long long)p->in_rows.cols);
}

static void fill(const pass *p, const launch_limits *limits, const void *const *arrays, launch_list *out) {
    (void)arrays;
    const in_rows_schedule *const s = &p->in_rows;
    const unsigned threads = threads_of_row(s, limits);
    const struct in_rows_arguments arguments = {.table = {.rows = (uint32_t)s->rows,
                                                          .cols = (uint32_t)s->cols,
                                                          .block = (uint32_t)s->block,
                                                          .turns = (uint32_t)(threads / s->block % s->rows),
                                                          .within = (uint32_t)(threads % s->block),
                                                          .product = (uint32_t)(threads * s->rows % s->cols),
                                                          .back = s->back}};
    launch *const work = append_in_rows(out, &KERNEL_in_rows, s->elem_bytes, &arguments);
    work->block_x = threads;
    work->block_y = rows_of_block(s, limits);
    work->shared_bytes = work->block_y * in_rows_bytes(s);
}

const pass_kind PASS_IN_ROWS = {.name = "in_rows",
                                .print = print,
                                .run = cpu_in_rows,
                                .blocks = blocks,
                                .launch = fill,
                                .predict = pass_predict};

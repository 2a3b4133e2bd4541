/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"
#include "move/gpu/launch.h"

enum { MOST_THREADS = 1024, USUAL_THREADS = 512 };

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    (void)limits;
    return (p->in_columns.cols + p->in_columns.strip - 1) / p->in_columns.strip;
}

static void print(const pass *p, FILE *stream) {
    fprintf(stream, ": %llu columns of %llu, in strips of %llu", (unsigned long long)p->in_columns.cols,
            (unsigned long long)p->in_columns.rows, (unsigned long long)p->in_columns.strip);
}

/* Threads are whole rows of the strip, no more than there are, and more where a multiprocessor has one block alone. */
static unsigned threads_for(const in_columns_schedule *s, const launch_limits *limits) {
    const unsigned wanted = in_columns_bytes(s) > limits->shared_bytes / 2 ? MOST_THREADS : USUAL_THREADS;
    const unsigned most = limits->block_threads < wanted ? limits->block_threads : wanted;
    unsigned threads = s->strip > limits->width ? (unsigned)s->strip : limits->width;
    while (2 * threads <= most && threads < s->rows * s->strip) threads *= 2;
    return threads;
}

static void fill(const pass *p, const launch_limits *limits, const void *const *arrays, launch_list *out) {
    (void)arrays;
    const in_columns_schedule *const s = &p->in_columns;
    const unsigned threads = threads_for(s, limits);
    const uint64_t lines = threads / s->strip, back_by = lines / s->group % s->rows;
    const struct in_columns_arguments arguments = {
        .table = {.rows = (uint32_t)s->rows,
                  .cols = (uint32_t)s->cols,
                  .block = (uint32_t)s->block,
                  .step = (uint32_t)s->step,
                  .group = (uint32_t)s->group,
                  .strip_log2 = (uint32_t)__builtin_ctzll(s->strip),
                  .lines_step = (uint32_t)((lines * s->step + s->rows - back_by) % s->rows),
                  .lines_within = (uint32_t)(lines % s->group),
                  .back = s->back}};
    launch *const work = append_in_columns(out, &KERNEL_in_columns, s->elem_bytes, &arguments);
    work->block_x = threads;
    work->shared_bytes = in_columns_bytes(s);
}

const pass_kind PASS_IN_COLUMNS = {.name = "in_columns",
                                   .print = print,
                                   .run = cpu_in_columns,
                                   .blocks = blocks,
                                   .launch = fill,
                                   .predict = pass_predict};

/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"
#include "move/gpu/launch.h"

static void print(const pass *p, FILE *stream) {
    fprintf(stream, ": %llu x %llu", (unsigned long long)p->row_wise.rows,
            (unsigned long long)p->row_wise.cols);
}

static void release(pass *p) { row_wise_free(&p->row_wise); }

static void arrays(const pass *p, launch_array *out) {
    const size_t bytes = (size_t)(p->row_wise.rows * p->row_wise.cols) * sizeof(uint16_t);
    out[0] = (launch_array){"s", p->row_wise.s, bytes};
    out[1] = (launch_array){"d", p->row_wise.d, bytes};
}

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    (void)limits;
    return p->row_wise.rows;
}

static uint64_t block_elements(const pass *p, const launch_limits *limits) {
    (void)limits;
    return p->row_wise.cols;
}

/* A row a block, in whole warps. */
static void fill(const pass *p, const launch_limits *limits, const void *const *lists, launch_list *out) {
    const row_wise_schedule *const s = &p->row_wise;
    const unsigned most = limits->block_threads / limits->width * limits->width;
    const struct row_wise_arguments arguments = {.s = lists[0],
                                                 .d = lists[1],
                                                 .cols = (uint32_t)s->cols,
                                                 .readable = s->readable,
                                                 .writable = s->writable};
    launch *const work = append_row_wise(out, &KERNEL_row_wise, s->elem_bytes, &arguments);
    work->block_x = s->cols < most ? (unsigned)s->cols : most;
    work->shared_bytes = 2 * (size_t)s->cols * s->elem_bytes;
}

const pass_kind PASS_ROW_WISE = {.name = "row_wise",
                                 .print = print,
                                 .free = release,
                                 .run = cpu_row_wise,
                                 .arrays = arrays,
                                 .blocks = blocks,
                                 .launch = fill,
                                 .block_elements = block_elements,
                                 .predict = pass_predict};

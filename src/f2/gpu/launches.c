/* SPDX-License-Identifier: Apache-2.0 */
#include "f2/gpu/launches.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "device/carry.h"
#include "f2/kernels/kernel.h"

riffle_status f2_task_check(const f2_task *task) {
    const riffle_f2_matrix *const to = &task->to, *const a = &task->a, *const b = &task->b;
    riffle_status status = f2_check_pair("to", to, "a", a);
    if (!task->is_product)
        return status == RIFFLE_OK ? f2_check_size("to", to, a->columns, a->rows, "the transpose of a")
                                   : status;
    if (status == RIFFLE_OK) status = f2_check_pair("to", to, "b", b);
    if (status == RIFFLE_OK) status = f2_check_size("b", b, a->columns, b->columns, "as a has columns");
    return status == RIFFLE_OK ? f2_check_size("to", to, a->rows, b->columns, "for a b") : status;
}

/* Words of 32 bits from a row to the next. */
static uint64_t stride_of(const riffle_f2_matrix *a) { return 2 * (uint64_t)a->stride; }

/* As many rows a thread as leave a block for each multiprocessor. */
static uint32_t moves_of(const f2_task *task, uint32_t panels, unsigned multiprocessors) {
    uint32_t moves = F2_MOVES;
    while (moves > 1 && ceil_div(task->to.rows, (uint64_t)moves * F2_ROWS) * panels < multiprocessors)
        moves /= 2;
    return moves;
}

static void append_product(const f2_task *task, unsigned multiprocessors, launch_list *out) {
    const uint32_t panels = (uint32_t)ceil_div(task->to.columns, (uint64_t)F2_PANEL * 32);
    const uint32_t moves = moves_of(task, panels, multiprocessors);
    const struct f2_product_arguments arguments = {.table = {.right = (const uint32_t *)task->b.words,
                                                             .rows = (uint32_t)task->a.rows,
                                                             .inner = (uint32_t)task->a.columns,
                                                             .columns = (uint32_t)task->b.columns,
                                                             .panels = panels,
                                                             .moves = moves,
                                                             .to_stride = stride_of(&task->to),
                                                             .left_stride = stride_of(&task->a),
                                                             .right_stride = stride_of(&task->b)}};
    launch *const work = append_f2_product(out, &KERNEL_f2_product, sizeof(uint32_t), &arguments);
    launch_set(work, (unsigned)ceil_div(task->to.rows, (uint64_t)moves * F2_ROWS) * panels, F2_THREADS,
               F2_SHARED_BYTES, task->to.words, task->a.words);
}

static void append_transpose(const f2_task *task, launch_list *out) {
    const uint32_t panels = (uint32_t)ceil_div(task->a.columns, (uint64_t)F2_TILE);
    const struct f2_transpose_arguments arguments = {.rows = (uint32_t)task->a.rows,
                                                     .columns = (uint32_t)task->a.columns,
                                                     .to_stride = stride_of(&task->to),
                                                     .from_stride = stride_of(&task->a),
                                                     .panels = panels};
    launch *const work = append_f2_transpose(out, &KERNEL_f2_transpose, sizeof(uint32_t), &arguments);
    launch_set(work, (unsigned)ceil_div(task->a.rows, (uint64_t)F2_TILE) * panels, F2_TILE, 0, task->to.words,
               task->a.words);
}

void f2_append(const f2_task *task, unsigned multiprocessors, launch_list *out) {
    if (task->to.rows == 0 || task->to.columns == 0) return;
    if (task->is_product)
        append_product(task, multiprocessors, out);
    else
        append_transpose(task, out);
}

static riffle_status queue_on_gpu(const f2_task *task, struct CUstream_st *stream) {
    device gpu;
    device_limits limits;
    launch_list list;
    riffle_status status = f2_task_check(task);
    if (status == RIFFLE_OK) status = device_of_cuda(&gpu);
    if (status == RIFFLE_OK) status = gpu.ops->describe(&gpu, &limits);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    f2_append(task, limits.multiprocessors, &list);
    return device_load_and_run(&gpu, "a matrix over F2", "launching a matrix over F2", &list, stream);
}

riffle_status riffle_cuda_f2_product(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                     const riffle_f2_matrix *b, struct CUstream_st *stream) {
    RETURN_IF_NULL(to, a, b);
    return queue_on_gpu(&(f2_task){*to, *a, *b, true}, stream);
}

riffle_status riffle_cuda_f2_transpose(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                       struct CUstream_st *stream) {
    RETURN_IF_NULL(to, a);
    return queue_on_gpu(&(f2_task){.to = *to, .a = *a}, stream);
}

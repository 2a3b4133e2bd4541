/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows brought back on a device: one launch, whose elements are the units of a row.
 */
#include "group/ungroup.h"

#include "base/arithmetic.h"
#include "base/reciprocal.h"
#include "base/status.h"
#include "group/kernels/kernel.h"
#include "riffle/cuda.h"

void ungroup_append(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays, launch_list *out) {
    static const ungroup_kernel *const kernels[] = {[RIFFLE_UNGROUP_SUM_NONE] = &KERNEL_ungroup_rows,
                                                    [RIFFLE_UNGROUP_SUM_F32] = &KERNEL_ungroup_f32,
                                                    [RIFFLE_UNGROUP_SUM_F64] = &KERNEL_ungroup_f64,
                                                    [RIFFLE_UNGROUP_SUM_F16] = &KERNEL_ungroup_f16,
                                                    [RIFFLE_UNGROUP_SUM_BF16] = &KERNEL_ungroup_bf16};
    if (task->n == 0 || task->row_bytes == 0) return;
    const size_t unit = array_alignment(task->row_bytes);
    struct ungroup_arguments arguments = {.table = {.rows = {.parts = task->n * (task->row_bytes / unit),
                                                             .row_parts = task->row_bytes / unit,
                                                             .row_bytes = task->row_bytes,
                                                             .entry_bytes = (uint32_t)task->index_bytes},
                                                    .limit = task->rows,
                                                    .places = arrays->places,
                                                    .weights = arrays->weights,
                                                    .keys_per_row = (uint32_t)task->keys_per_row}};
    rows_table *const rows = &arguments.table.rows;
    rows->reciprocal = reciprocal_of(rows->row_parts, &rows->shift);
    const uint64_t each = task->sum == RIFFLE_UNGROUP_SUM_NONE ? GROUP_ROW_MOVES : 1;
    launch *const work = append_ungroup(out, kernels[task->sum], unit, &arguments);
    launch_set(work, (unsigned)ceil_div(rows->parts, each * GROUP_ROW_THREADS), GROUP_ROW_THREADS, 0,
               arrays->to, arrays->rows);
}

riffle_status riffle_cuda_ungroup(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays,
                                  struct CUstream_st *stream) {
    riffle_ungroup_task asked;
    device gpu;
    launch_list list;
    riffle_status status = ungroup_check(task, arrays, &asked);
    if (status == RIFFLE_OK) status = device_of_cuda(&gpu);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    ungroup_append(&asked, arrays, &list);
    return device_load_and_run(&gpu, "rows that are brought back", "launching rows that are brought back",
                               &list, stream);
}

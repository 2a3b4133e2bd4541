/* SPDX-License-Identifier: Apache-2.0
 *
 * Products and transposes over F2 as launches, on a GPU and on the memory machine.
 */
#ifndef RIFFLE_F2_GPU_LAUNCHES_H
#define RIFFLE_F2_GPU_LAUNCHES_H

#include "device/predict/predict.h"
#include "f2/matrix.h"

/** The matrices of a call; b is NULL for a transpose. */
typedef struct f2_task {
    riffle_f2_matrix to, a, b;
    bool is_product;
} f2_task;

/** Checks the matrices, their sizes, and that the result is apart from the others. */
riffle_status f2_task_check(const f2_task *task);

/** Appends the launch; for so many multiprocessors. Nothing where the result has no entries. */
void f2_append(const f2_task *task, unsigned multiprocessors, launch_list *out);

/** Patterns whose subject is a task with matrices of the host: which sums are read depends on the left factor. */
extern const kernel_pattern f2_patterns[];

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cuda/planner/bucket_planner.h"
#include "move/cuda/table/table.h"

const cuda_steps cuda_steps_here = {.take = cuda_table_take,
                                    .take_bytes = cuda_table_take_bytes,
                                    .write = cuda_table_fill,
                                    .copy = cuda_table_copy,
                                    .invert = cuda_table_invert,
                                    .pick = cuda_table_pick,
                                    .is_form = cuda_table_is_form,
                                    .fetch = cuda_table_fetch,
                                    .sample = cuda_table_sample,
                                    .free = cuda_table_free,
                                    .bucket_plan = cuda_bucket_plan,
                                    .bucket_mark = cuda_bucket_mark,
                                    .bucket_planning_bytes = cuda_bucket_planning_bytes};

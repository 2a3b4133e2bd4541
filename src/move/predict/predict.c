/* SPDX-License-Identifier: Apache-2.0 */
#include "move/predict/predict.h"

#include "base/status.h"
#include "check/kernels/kernel.h"
#include "check/predict.h"
#include "move/kernels/once/kernel.h"
#include "move/predict/boxes.h"

#define OF(kernel, pattern)                                                                                    \
    { &KERNEL_##kernel.record, pattern_of_##pattern }

const kernel_pattern move_patterns[] = {OF(copy, copy),
                                        OF(reverse_ends, reverse_ends),
                                        OF(scatter, scatter),
                                        OF(gather, gather),
                                        OF(scatter_rows, rows),
                                        OF(gather_rows, rows),
                                        OF(scatter_row_words, row_words),
                                        OF(gather_row_words, row_words),
                                        OF(transpose, transpose),
                                        OF(row_wise, row_wise),
                                        OF(in_rows, in_rows),
                                        OF(in_columns, in_columns),
                                        OF(affine_tile_32, affine_tile),
                                        OF(affine_tile_64, affine_tile),
                                        OF(affine_units, affine_tile),
                                        OF(affine_tile_pair_32, affine_tile),
                                        OF(affine_tile_pair_64, affine_tile),
                                        OF(affine_units_pair, affine_tile),
                                        OF(affine_shifted_32, affine_tile),
                                        OF(affine_shifted_64, affine_tile),
                                        OF(affine_shifted_pair_32, affine_tile),
                                        OF(affine_shifted_pair_64, affine_tile),
                                        OF(affine_checked_32, affine_tile),
                                        OF(affine_checked_64, affine_tile),
                                        OF(check_affine, check_affine),
                                        OF(affine_exchange_32, exchange),
                                        OF(affine_exchange_64, exchange),
                                        OF(axes_box, axes_box),
                                        OF(axes_vectors, axes_vectors),
                                        OF(axes_words, axes_words),
                                        OF(bucket_first, bucket),
                                        OF(bucket_first_units, bucket),
                                        OF(bucket_first_from_units, bucket),
                                        OF(bucket_next, bucket),
                                        OF(bucket_next_from_units, bucket),
                                        OF(bucket_next_to_units, bucket),
                                        OF(bucket_first_checked, bucket),
                                        OF(bucket_first_checked_units, bucket),
                                        OF(bucket_next_checked, bucket),
                                        OF(bucket_next_checked_from_units, bucket),
                                        OF(bucket_last_checked, bucket),
                                        OF(bucket_last_checked_to_units, bucket),
                                        OF(once_values_32, once_values),
                                        OF(once_values_64, once_values),
                                        OF(once_values_random, once_values),
                                        OF(once_run_lists, once_run_lists),
                                        OF(once_place, once_place),
                                        OF(bmmc_naive, bmmc),
                                        OF(bmmc_tile, bmmc),
                                        OF(bmmc_tile_banks, bmmc),
                                        OF(bmmc_tile_iters, bmmc),
                                        OF(bmmc_tile_banks_iters, bmmc),
                                        {NULL, NULL}};

static launch_limits limits_of(const prediction_model *model, const void *to, const void *from) {
    return (launch_limits){.width = model->machine.width,
                           .block_threads = model->machine.block_threads,
                           .shared_bytes = model->machine.shared_bytes,
                           .moves = 1,
                           .access_bytes = launch_access_bytes(to, from)};
}

/* Tables are on the host, where patterns look for them. */
riffle_status pass_predict(const pass *p, const prediction_model *model, void *to, const void *from,
                           const void *record, prediction *out) {
    const void *const arrays[LAUNCH_MAX_ARRAYS] = {[LAUNCH_RECORD] = record};
    const launch_limits limits = limits_of(model, to, from);
    launch_list list;
    launch_list_begin(&list);
    launch_pass(p, &limits, arrays, to, from, &list);
    riffle_status status = list.status;
    for (const launch *work = list.first; status == RIFFLE_OK && work != NULL; work = work->next)
        status = predict_launch(work, p->kind->blocks != NULL ? launch_blocks(p, &limits) : work->grid,
                                move_patterns, p, model, out);
    launch_list_free(&list);
    return status;
}

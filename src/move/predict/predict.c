/* SPDX-License-Identifier: Apache-2.0 */
#include "move/predict/predict.h"

#include <stdlib.h>

#include "base/status.h"
#include "move/predict/boxes.h"

#define OF(kernel, pattern)                                                                                    \
    { &KERNEL_##kernel.record, pattern_of_##pattern }

static const struct {
    const kernel_record *kernel;
    launch_pattern pattern;
} patterns[] = {OF(copy, copy),
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
                OF(bmmc_naive, bmmc),
                OF(bmmc_tile, bmmc),
                OF(bmmc_tile_banks, bmmc),
                OF(bmmc_tile_iters, bmmc),
                OF(bmmc_tile_banks_iters, bmmc)};

static launch_pattern pattern_of(const kernel_record *kernel) {
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
        if (patterns[k].kernel == kernel) return patterns[k].pattern;
    return NULL;
}

static riffle_status add_launch(const char *kernel, const pattern_counts *counts, plan_prediction *out) {
    if (out->launches == out->capacity) {
        const size_t capacity = 2 * out->capacity + 4;
        launch_prediction *const grown = realloc(out->launch, capacity * sizeof *grown);
        if (grown == NULL) return fail_memory("a prediction", capacity * sizeof *grown);
        out->launch = grown;
        out->capacity = capacity;
    }
    out->launch[out->launches++] = (launch_prediction){kernel, *counts};
    pattern_counts_add(&out->counts, counts);
    return RIFFLE_OK;
}

/* Bucket passes without tables are not known. */
static bool has_tables(const pass *p) { return p->kind != &PASS_BUCKET_TILE || p->bucket_tile.order != NULL; }

static riffle_status predict_launch(const launch *work, const pass *p, uint64_t grid, const plan_model *model,
                                    plan_prediction *out) {
    const launch_pattern of = work->kind == LAUNCH_KERNEL && has_tables(p) ? pattern_of(work->kernel) : NULL;
    pattern counted;
    if (of == NULL) {
        out->is_known = false;
        return RIFFLE_OK;
    }
    pattern_begin(&counted, &model->machine, grid, model->most_elements);
    of(work, p, &counted);
    const pattern_counts counts = pattern_end(&counted);
    if (counted.status != RIFFLE_OK) return counted.status;
    out->is_exact = out->is_exact && counted.is_exact;
    return add_launch(work->kernel->name, &counts, out);
}

static launch_limits limits_of(const plan_model *model, const void *to, const void *from) {
    return (launch_limits){.width = model->machine.width,
                           .block_threads = model->machine.block_threads,
                           .shared_bytes = model->machine.shared_bytes,
                           .moves = 1,
                           .access_bytes = launch_access_bytes(to, from)};
}

riffle_status pass_predict(const pass *p, const plan_model *model, void *to, const void *from,
                           plan_prediction *out) {
    static const void *const nothing[LAUNCH_MAX_ARRAYS];
    const launch_limits limits = limits_of(model, to, from);
    launch_list list;
    launch_list_begin(&list);
    launch_pass(p, &limits, nothing, to, from, &list);
    riffle_status status = list.status;
    for (const launch *work = list.first; status == RIFFLE_OK && work != NULL; work = work->next)
        status = predict_launch(work, p, p->kind->blocks != NULL ? launch_blocks(p, &limits) : work->grid,
                                model, out);
    launch_list_free(&list);
    return status;
}

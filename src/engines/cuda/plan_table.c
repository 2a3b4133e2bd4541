/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans for permutations whose table is on the device already: what they need, and the way from the table to a plan.
 */
#include <stdlib.h>

#include "base/status.h"
#include "engines/cuda/bucket_planner.h"
#include "engines/cuda/device.h"
#include "engines/cuda/engine.h"
#include "models/window.h"
#include "perm/kind.h"
#include "riffle/cuda.h"

/* ------------------------------------------------------------------ needs */

static size_t sum(const riffle_cuda_needs *needs) {
    return needs->plan_bytes + needs->planning_bytes + needs->workspace_bytes;
}

/* The table is checked and copied first; a scatter keeps the copy, a gather its inverse. */
static riffle_cuda_needs needs_of_map(uint64_t n) {
    return (riffle_cuda_needs){.plan_bytes = (size_t)n * cuda_table_entry_bytes(n),
                               .planning_bytes = cuda_table_take_bytes(n)};
}

static riffle_status needs_of_buckets(uint64_t n, size_t elem_bytes, const plan_target *target,
                                      riffle_cuda_needs *out) {
    const bucket_tile_shape shape = bucket_tile_choose(n, elem_bytes, target);
    const size_t taken = cuda_table_take_bytes(n), table = (size_t)n * cuda_table_entry_bytes(n);
    const size_t chunk = BUCKET_TILE_CHUNK_BYTES;
    size_t planning;
    const riffle_status status = cuda_bucket_planning_bytes(n, elem_bytes, shape, &planning);
    if (status != RIFFLE_OK) return status;
    *out = (riffle_cuda_needs){
        .plan_bytes = bucket_tile_most_bytes(n, elem_bytes, &shape),
        .planning_bytes = table + planning > taken ? table + planning : taken, /* one after the other */
        .workspace_bytes = shape.passes > 1 ? ((size_t)n * elem_bytes + chunk - 1) / chunk * chunk : 0};
    return RIFFLE_OK;
}

/* Of the algorithms that AUTO may choose the one that needs most, unless another is asked for. */
static riffle_status needs_of(uint64_t n, size_t elem_bytes, const plan_target *target,
                              riffle_algorithm algorithm, riffle_cuda_needs *out) {
    const bool may_bucket = bucket_tile_obstacle(n, elem_bytes) == NULL &&
                            (algorithm == RIFFLE_ALGORITHM_AUTO || algorithm == RIFFLE_ALGORITHM_BUCKET);
    riffle_cuda_needs buckets = {0};
    *out = needs_of_map(n);
    if (!may_bucket) return RIFFLE_OK;
    const riffle_status status = needs_of_buckets(n, elem_bytes, target, &buckets);
    if (status == RIFFLE_OK && sum(&buckets) > sum(out)) *out = buckets;
    return status;
}

/* Made from the table on the GPU; others get it on the host. */
static bool is_planned_here(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_SCATTER || algorithm == RIFFLE_ALGORITHM_GATHER ||
           algorithm == RIFFLE_ALGORITHM_BUCKET;
}

/* Whether the arguments are right, as far as one knows without the table: a gather can do any. */
static riffle_status check_request(uint64_t n, size_t elem_bytes, const plan_target *target,
                                   riffle_plan_options options) {
    plan_summary summary;
    riffle_perm *stand_in;
    riffle_status status = table_elsewhere(n, &stand_in);
    if (status != RIFFLE_OK) return status;
    if (!is_planned_here(options.algorithm)) options.algorithm = RIFFLE_ALGORITHM_GATHER;
    options.in_place = 0;
    status = plan_decide_recognized(stand_in, 1, elem_bytes, target, &options, &summary);
    riffle_perm_free(stand_in);
    return status;
}

riffle_status riffle_cuda_plan_needs(uint64_t n, size_t elem_bytes, const riffle_plan_options *options,
                                     riffle_cuda_needs *out) {
    const riffle_plan_options wanted = options != NULL ? *options : (riffle_plan_options){0};
    plan_target target;
    riffle_cuda_needs needs;
    riffle_status status = perm_check_length("table", n);
    if (status == RIFFLE_OK) status = cuda_engine_target(&target);
    if (status == RIFFLE_OK) status = check_request(n, elem_bytes, &target, wanted);
    if (status == RIFFLE_OK) status = needs_of(n, elem_bytes, &target, wanted.algorithm, &needs);
    if (status != RIFFLE_OK) return status;
    if (wanted.callers_workspace != 0) needs.workspace_bytes = 0;
    *out = needs;
    return RIFFLE_OK;
}

/* ------------------------------------------------------------- from table to plan */

/* One request, and what has been found out about it. */
typedef struct request {
    uint64_t n;
    size_t elem_bytes;
    riffle_plan_options options;
    plan_target target;
    struct CUstream_st *stream;
} request;

/* What window_sample says, of a table on the device. */
static riffle_status sample_groups(const cuda_table *table, unsigned width, double *out) {
    const size_t count = table->n < WINDOW_ELEMENTS ? (size_t)table->n : WINDOW_ELEMENTS;
    uint64_t window[WINDOW_ELEMENTS];
    size_t groups = 0;
    for (unsigned k = 0; k < WINDOW_SAMPLES; k++) {
        const riffle_status status = cuda_table_fetch(table, window_start(table->n, k), count, window);
        if (status != RIFFLE_OK) return status;
        groups += window_groups(window, count, width);
    }
    *out = count > 0 ? (double)groups / (double)(WINDOW_SAMPLES * count) : 0;
    return RIFFLE_OK;
}

/* A plan that the GPU makes from the table as it is. */
static riffle_status plan_as_table(const request *r, const cuda_table *table, riffle_plan **out) {
    double groups;
    plan_summary summary;
    riffle_perm *stand_in;
    riffle_plan *plan;
    riffle_status status = sample_groups(table, r->target.width, &groups);
    if (status == RIFFLE_OK) status = table_elsewhere(table->n, &stand_in);
    if (status != RIFFLE_OK) return status;
    status = plan_decide_recognized(stand_in, groups, r->elem_bytes, &r->target, &r->options, &summary);
    if (status == RIFFLE_OK) status = plan_build_decided(stand_in, &summary, &plan);
    riffle_perm_free(stand_in);
    if (status != RIFFLE_OK) return status;
    status = cuda_plan_create(plan, &(cuda_source){.table = table, .stream = r->stream});
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        plan_destroy(plan);
    }
    return status;
}

/* An algorithm that is planned on the host gets the table there. */
static riffle_status plan_on_host(const request *r, const cuda_table *table, riffle_plan **out) {
    riffle_perm *perm;
    uint64_t *entries = NULL;
    riffle_status status = riffle_buffer_create((size_t)table->n * sizeof *entries, (void **)&entries);
    if (status != RIFFLE_OK) return status;
    status = cuda_table_fetch(table, 0, (size_t)table->n, entries);
    if (status == RIFFLE_OK) status = riffle_perm_table_u64(table->n, entries, &perm);
    riffle_buffer_free(entries, (size_t)table->n * sizeof *entries);
    if (status != RIFFLE_OK) return status;
    status = riffle_plan_create(perm, r->elem_bytes, RIFFLE_ENGINE_CUDA, &r->options, out);
    riffle_perm_free(perm);
    return status;
}

static riffle_status plan_taken(const request *r, const cuda_table *table, riffle_plan **out) {
    riffle_perm *recognized = NULL;
    if (is_planned_here(r->options.algorithm)) return plan_as_table(r, table, out);
    if (r->options.algorithm != RIFFLE_ALGORITHM_AUTO) return plan_on_host(r, table, out);
    riffle_status status = cuda_table_recognize(table, r->stream, &recognized);
    if (status != RIFFLE_OK) return status;
    if (recognized == NULL) return plan_as_table(r, table, out);
    status = riffle_plan_create(recognized, r->elem_bytes, RIFFLE_ENGINE_CUDA, &r->options, out);
    riffle_perm_free(recognized);
    return status;
}

/* Whether memory will do, before any is taken; where it would for a gather only, AUTO becomes one. */
static riffle_status check_memory(request *r) {
    riffle_cuda_needs needs;
    riffle_status status = riffle_cuda_plan_needs(r->n, r->elem_bytes, &r->options, &needs);
    if (status == RIFFLE_OK) status = cuda_check_free("planning for a table", sum(&needs));
    if (status != RIFFLE_ERROR_OUT_OF_MEMORY || r->options.algorithm != RIFFLE_ALGORITHM_AUTO) return status;
    r->options.algorithm = RIFFLE_ALGORITHM_GATHER;
    status = riffle_cuda_plan_needs(r->n, r->elem_bytes, &r->options, &needs);
    return status == RIFFLE_OK ? cuda_check_free("planning for a table", sum(&needs)) : status;
}

static riffle_status check_table(uint64_t n, const void *table, size_t entry_bytes) {
    if (entry_bytes != 4 && entry_bytes != 8)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a table's entries have 4 or 8 bytes, not %zu", entry_bytes);
    if (table == NULL && n > 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "table is NULL");
    if ((uintptr_t)table % entry_bytes != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "table is not aligned to its entries' %zu bytes",
                    entry_bytes);
    return perm_check_length("table", n);
}

riffle_status riffle_cuda_plan_table(uint64_t n, const void *table, size_t entry_bytes, size_t elem_bytes,
                                     const riffle_plan_options *options, struct CUstream_st *stream,
                                     riffle_plan **out) {
    request r = {.n = n, .elem_bytes = elem_bytes, .stream = stream};
    if (options != NULL) r.options = *options;
    cuda_table taken;
    riffle_status status = check_table(n, table, entry_bytes);
    if (status == RIFFLE_OK) status = cuda_engine_target(&r.target);
    if (status == RIFFLE_OK) status = check_memory(&r);
    if (status == RIFFLE_OK) status = cuda_table_take(n, table, entry_bytes, stream, &taken);
    if (status != RIFFLE_OK) return status;
    status = plan_taken(&r, &taken, out);
    cuda_table_free(&taken);
    return status;
}

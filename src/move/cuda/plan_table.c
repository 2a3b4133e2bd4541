/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans for permutations whose table is on the device already: the way from the table to a plan.
 */
#include <stdlib.h>

#include "base/status.h"
#include "move/cuda/engine.h"
#include "move/cuda/plan_needs.h"
#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"
#include "riffle/cuda.h"

/* One request, and what has been found out about it. */
typedef struct table_request {
    uint64_t n;
    size_t elem_bytes;
    riffle_plan_options options;
    device gpu;
    plan_target target;
    bool is_inverse; /* indices to gather from, not to scatter to */
    bool gathers;    /* for lack of memory: what would go by buckets */
    struct CUstream_st *stream;
} table_request;

static cuda_source source_of(const table_request *r, const cuda_table *table) {
    return (cuda_source){.table = table, .is_inverse = r->is_inverse, .stream = r->stream};
}

/* Reads a sample of the permutation, which is the table's inverse where it holds indices to gather from. */
static riffle_status read_sample(const void *from, const line_sample *sample, uint64_t *places) {
    const cuda_source *source = from;
    return steps_of_cuda()->sample(source->table, source->is_inverse, sample, source->stream, places);
}

/* A plan that the GPU makes from the table as it is. */
static riffle_status plan_as_table(const table_request *r, const cuda_table *table, riffle_plan **out) {
    const cuda_source source = source_of(r, table);
    const line_reader reader = {read_sample, &source};
    plan_request request;
    riffle_perm *stand_in;
    riffle_plan *plan;
    riffle_status status = table_elsewhere(table->n, &stand_in);
    if (status != RIFFLE_OK) return status;
    status = plan_request_take_recognized(stand_in, r->elem_bytes, &r->target, &r->options, &request);
    riffle_perm_free(stand_in);
    if (status != RIFFLE_OK) return status;
    request.reader = &reader;
    request.has_inverse = r->is_inverse;
    status = plan_build(&request, &plan);
    plan_request_drop(&request);
    if (status != RIFFLE_OK) return status;
    status = cuda_plan_create(plan, &source);
    plan_settle(plan);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        plan_destroy(plan);
    }
    return status;
}

/* Consumes `perm`, which is what the table says. */
static riffle_status plan_as_perm(const table_request *r, riffle_perm *perm, riffle_plan **out) {
    riffle_status status = RIFFLE_OK;
    if (r->is_inverse) {
        riffle_perm *inverse;
        status = riffle_perm_invert(perm, &inverse);
        riffle_perm_free(perm);
        perm = inverse;
    }
    if (status != RIFFLE_OK) return status;
    status = riffle_plan_create(perm, r->elem_bytes, RIFFLE_ENGINE_CUDA, &r->options, out);
    riffle_perm_free(perm);
    return status;
}

/* An algorithm that is planned on the host gets the table there. */
static riffle_status plan_on_host(const table_request *r, const cuda_table *table, riffle_plan **out) {
    riffle_perm *perm;
    uint64_t *entries = NULL;
    riffle_status status = riffle_buffer_create((size_t)table->n * sizeof *entries, (void **)&entries);
    if (status != RIFFLE_OK) return status;
    status = steps_of_cuda()->fetch(table, 0, (size_t)table->n, entries);
    if (status == RIFFLE_OK) status = riffle_perm_table_u64(table->n, entries, &perm);
    riffle_buffer_free(entries, (size_t)table->n * sizeof *entries);
    return status == RIFFLE_OK ? plan_as_perm(r, perm, out) : status;
}

/* The algorithm that the planner takes for a permutation that is known by its form. */
static riffle_status chosen_for(const table_request *r, const riffle_perm *perm, const cuda_table *table,
                                riffle_algorithm *out) {
    const cuda_source source = source_of(r, table);
    const line_reader reader = {read_sample, &source};
    plan_request request;
    plan_choice choice;
    riffle_status status = plan_request_take_recognized(perm, r->elem_bytes, &r->target, &r->options, &request);
    if (status != RIFFLE_OK) return status;
    request.reader = &reader;
    request.has_inverse = r->is_inverse;
    status = plan_choose(&request, &choice);
    plan_request_drop(&request);
    if (status == RIFFLE_OK) *out = choice.algorithm->id;
    return status;
}

/* The plan of a recognized table: as the permutation that it is, unless that ends as a table all the same.
 * Consumes `perm`. */
static riffle_status plan_recognized(table_request *r, riffle_perm *perm, const cuda_table *table,
                                     riffle_plan **out) {
    riffle_algorithm algorithm;
    const riffle_status status = chosen_for(r, perm, table, &algorithm);
    if (status == RIFFLE_OK && !cuda_plans_algorithm(algorithm)) return plan_as_perm(r, perm, out);
    riffle_perm_free(perm);
    if (status != RIFFLE_OK) return status;
    r->options.algorithm = algorithm;
    return plan_as_table(r, table, out);
}

static riffle_status plan_taken(table_request *r, const cuda_table *table, riffle_plan **out) {
    riffle_perm *recognized = NULL;
    if (cuda_plans_algorithm(r->options.algorithm)) return plan_as_table(r, table, out);
    if (r->options.algorithm != RIFFLE_ALGORITHM_AUTO) return plan_on_host(r, table, out);
    const riffle_status status = cuda_table_recognize(table, r->stream, &recognized);
    if (status != RIFFLE_OK) return status;
    if (recognized != NULL) return plan_recognized(r, recognized, table, out);
    if (r->gathers) r->options.algorithm = RIFFLE_ALGORITHM_GATHER;
    return plan_as_table(r, table, out);
}

/* Checks that memory will do, before any is taken. An algorithm that the host plans asks again itself. */
static riffle_status check_memory(table_request *r) {
    riffle_plan_options options = r->options;
    riffle_cuda_needs needs;
    riffle_status status = cuda_plan_check(r->n, r->elem_bytes, &r->target, &options);
    if (status != RIFFLE_OK) return status;
    if (options.algorithm != RIFFLE_ALGORITHM_AUTO && !cuda_plans_algorithm(options.algorithm))
        return r->gpu.ops->check_free(&r->gpu, "a table", steps_of_cuda()->take_bytes(r->n));
    status = cuda_plan_needs(r->n, r->elem_bytes, &r->target, &options, &needs);
    if (status == RIFFLE_OK)
        status = r->gpu.ops->check_free(&r->gpu, "planning for a table", cuda_needs_sum(&needs, &options));
    if (status != RIFFLE_ERROR_OUT_OF_MEMORY || options.algorithm != RIFFLE_ALGORITHM_AUTO) return status;
    r->gathers = true;
    options.algorithm = RIFFLE_ALGORITHM_GATHER;
    status = cuda_plan_needs(r->n, r->elem_bytes, &r->target, &options, &needs);
    return status == RIFFLE_OK
               ? r->gpu.ops->check_free(&r->gpu, "planning for a table", cuda_needs_sum(&needs, &options))
               : status;
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

static riffle_status plan_checked(table_request *r, const void *table, size_t entry_bytes, riffle_plan **out) {
    cuda_table taken;
    riffle_status status = check_memory(r);
    if (status == RIFFLE_OK) status = steps_of_cuda()->take(r->n, table, entry_bytes, r->stream, &taken);
    if (status != RIFFLE_OK) return status;
    status = plan_taken(r, &taken, out);
    steps_of_cuda()->free(&taken);
    return status;
}

static riffle_status plan(table_request *r, const void *table, size_t entry_bytes, riffle_plan **out) {
    int before;
    riffle_status status = check_table(r->n, table, entry_bytes);
    if (status == RIFFLE_OK) status = cuda_engine_target(&r->target);
    if (status == RIFFLE_OK) status = device_of_cuda(&r->gpu);
    if (status == RIFFLE_OK) status = r->gpu.ops->guard(&r->gpu, "planning", r->stream, &before);
    if (status != RIFFLE_OK) return status;
    status = plan_checked(r, table, entry_bytes, out);
    r->gpu.ops->unguard(&r->gpu, before);
    return status;
}

riffle_status riffle_cuda_plan_table(uint64_t n, const void *table, size_t entry_bytes, size_t elem_bytes,
                                     const riffle_plan_options *options, struct CUstream_st *stream,
                                     riffle_plan **out) {
    RETURN_IF_NULL(out);
    table_request r = {.n = n, .elem_bytes = elem_bytes, .stream = stream};
    if (options != NULL) r.options = *options;
    return plan(&r, table, entry_bytes, out);
}

riffle_status riffle_cuda_plan_indices(uint64_t n, const void *indices, size_t entry_bytes, size_t elem_bytes,
                                       const riffle_plan_options *options, struct CUstream_st *stream,
                                       riffle_plan **out) {
    RETURN_IF_NULL(out);
    table_request r = {.n = n, .elem_bytes = elem_bytes, .is_inverse = true, .stream = stream};
    if (options != NULL) r.options = *options;
    return plan(&r, indices, entry_bytes, out);
}

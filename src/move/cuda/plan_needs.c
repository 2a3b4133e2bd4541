/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cuda/plan_needs.h"

#include <limits.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "check/check.h"
#include "move/cuda/engine.h"
#include "perm/kind.h"
#include "plan/choose/choose.h"
#include "plan/once/once.h"

static size_t greater(size_t a, size_t b) { return a > b ? a : b; }

/* The table is checked and copied first; the map is another copy or its inverse. */
static riffle_cuda_needs needs_of_map(uint64_t n) {
    return (riffle_cuda_needs){.plan_bytes = (size_t)n * table_entry_bytes(n),
                               .planning_bytes = steps_of_cuda()->take_bytes(n)};
}

static riffle_status needs_of_buckets(uint64_t n, size_t elem_bytes, const plan_target *target,
                                      riffle_cuda_needs *out) {
    const bucket_tile_shape shape = bucket_tile_choose(n, elem_bytes, target);
    const size_t taken = steps_of_cuda()->take_bytes(n), table = (size_t)n * table_entry_bytes(n);
    size_t scattered, gathered;
    riffle_status status = steps_of_cuda()->bucket_planning_bytes(n, elem_bytes, shape, false, &scattered);
    if (status == RIFFLE_OK)
        status = steps_of_cuda()->bucket_planning_bytes(n, elem_bytes, shape, true, &gathered);
    if (status != RIFFLE_OK) return status;
    *out = (riffle_cuda_needs){.plan_bytes = bucket_tile_most_bytes(n, elem_bytes, &shape),
                               /* One after the other. */
                               .planning_bytes = greater(taken, table + greater(scattered, gathered)),
                               .workspace_bytes = bucket_tile_workspace_bytes(n, elem_bytes, &shape)};
    return RIFFLE_OK;
}

/* A copy of the indices, and a workspace for a take as for a put. */
static riffle_cuda_needs needs_of_one_use(uint64_t n, size_t elem_bytes, const plan_target *target) {
    riffle_cuda_needs needs = needs_of_map(n);
    for (int puts = 0; puts < 2; puts++) {
        const once_request r = {.puts = puts, .n = n, .m = n, .elem_bytes = elem_bytes};
        const once_shape s = once_cut(&r, target, true);
        if (s.sorts) needs.workspace_bytes = greater(needs.workspace_bytes, s.at.bytes);
    }
    return needs;
}

/* A check of results keeps a table; one of passes marks chunks, by bits, of which an element has one at most. */
static void add_check(uint64_t n, riffle_check check, riffle_cuda_needs *needs) {
    if (check == RIFFLE_CHECK_FULL)
        needs->plan_bytes += (size_t)n * table_entry_bytes(n);
    else
        needs->planning_bytes += (size_t)n / CHAR_BIT + sizeof(uint32_t);
    needs->workspace_bytes =
        round_up(needs->workspace_bytes, (size_t)PLAN_BUFFER_ALIGNMENT) + CHECK_RECORD_BYTES;
}

riffle_status cuda_plan_needs(uint64_t n, size_t elem_bytes, const plan_target *target,
                              const riffle_plan_options *options, riffle_cuda_needs *out) {
    const riffle_algorithm algorithm = options->algorithm;
    const bool is_auto = algorithm == RIFFLE_ALGORITHM_AUTO, is_one_use = options->executions == 1;
    riffle_cuda_needs map = {0}, buckets = {0};
    riffle_status status = RIFFLE_OK;
    if (algorithm != RIFFLE_ALGORITHM_BUCKET) map = needs_of_map(n);
    if (algorithm == RIFFLE_ALGORITHM_ONCE || (is_auto && is_one_use))
        map = needs_of_one_use(n, elem_bytes, target);
    if (algorithm == RIFFLE_ALGORITHM_BUCKET ||
        (is_auto && !is_one_use && bucket_tile_obstacle(n, elem_bytes) == NULL))
        status = needs_of_buckets(n, elem_bytes, target, &buckets);
    if (status != RIFFLE_OK) return status;
    *out = (riffle_cuda_needs){.plan_bytes = greater(map.plan_bytes, buckets.plan_bytes),
                               .planning_bytes = greater(map.planning_bytes, buckets.planning_bytes),
                               .workspace_bytes = greater(map.workspace_bytes, buckets.workspace_bytes)};
    if (options->check != RIFFLE_CHECK_NONE) add_check(n, options->check, out);
    return RIFFLE_OK;
}

riffle_status cuda_plan_check(uint64_t n, size_t elem_bytes, const plan_target *target,
                              const riffle_plan_options *options) {
    plan_request request;
    plan_choice choice;
    riffle_perm *stand_in;
    riffle_status status = table_elsewhere(n, &stand_in);
    if (status != RIFFLE_OK) return status;
    status = plan_request_take_recognized(stand_in, elem_bytes, target, options, &request);
    riffle_perm_free(stand_in);
    if (status != RIFFLE_OK) return status;
    if (cuda_plans_algorithm(options->algorithm)) status = plan_choose(&request, &choice);
    plan_request_drop(&request);
    return status;
}

riffle_status riffle_cuda_plan_needs(uint64_t n, size_t elem_bytes, const riffle_plan_options *options,
                                     riffle_cuda_needs *out) {
    RETURN_IF_NULL(out);
    const riffle_plan_options wanted = options != NULL ? *options : (riffle_plan_options){0};
    plan_target target;
    riffle_status status = perm_check_length("table", n);
    if (status == RIFFLE_OK) status = cuda_engine_target(&target);
    if (status == RIFFLE_OK) status = cuda_plan_check(n, elem_bytes, &target, &wanted);
    if (status != RIFFLE_OK) return status;
    if (wanted.algorithm != RIFFLE_ALGORITHM_AUTO && !cuda_plans_algorithm(wanted.algorithm)) {
        return fail(
            RIFFLE_ERROR_UNSUPPORTED,
            "algorithm '%s' is planned on the host, from a copy of the table: what it needs shows only then",
            riffle_algorithm_string(wanted.algorithm));
    }
    return cuda_plan_needs(n, elem_bytes, &target, &wanted, out);
}

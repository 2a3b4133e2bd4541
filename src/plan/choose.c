/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/choose.h"

#include "base/status.h"
#include "models/traffic.h"
#include "perm/kind.h"
#include "plan/affine_lines.h"
#include "plan/bmmc.h"
#include "plan/in_place.h"
#include "plan/matrix.h"
#include "plan/policy.h"

enum {
    LONGEST_SINGLE_BYTES = 16, /* shorter elements share their lines with many others */
    CACHED_BYTES = 1 << 20,    /* two such arrays stay in a processor's second-level cache */
};

static const char *affine_obstacle(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                   const riffle_plan_options *options) {
    perm_affine affine;
    affine_arrays arrays;
    if (!perm_as_affine(perm, &affine)) return "it moves only affine permutations of 2^m elements";
    if (plan_target_is_device(target)) {
        const affine_request request = {perm->n, elem_bytes, options->batch, options->stride};
        return affine_arrays_of(&request, &arrays);
    }
    if ((elem_bytes & (elem_bytes - 1)) != 0) return "its elements must be a power of two of bytes long";
    if (perm->n * (uint64_t)elem_bytes < AFFINE_LINE_BYTES) return "the array is smaller than one cache line";
    return NULL;
}

bool plan_can_affine(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                     const riffle_plan_options *options) {
    return affine_obstacle(perm, elem_bytes, target, options) == NULL;
}

static unsigned width_bits(const plan_target *target) { return (unsigned)__builtin_ctz(target->width); }

static const char *obstacle_of_bmmc(const riffle_perm *perm, const plan_target *target,
                                    riffle_algorithm algorithm) {
    perm_affine affine;
    if (!plan_target_is_device(target)) return "the cpu engine does not have it";
    if (!perm_as_affine(perm, &affine)) return "it moves only affine permutations of 2^m elements";
    return bmmc_obstacle(&affine, algorithm, width_bits(target));
}

const char *plan_bucket_obstacle(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                 const riffle_plan_options *options) {
    if (!plan_target_is_device(target))
        return elem_bytes <= BUCKET_MAX_ELEM_BYTES ? NULL : "its elements must be at most 64 bytes long";
    if (options->batch > 1 && options->stride * elem_bytes % BUCKET_TILE_CHUNK_BYTES != 0)
        return "the arrays of a batch must begin a multiple of 16 bytes apart";
    return bucket_tile_obstacle(perm->n, elem_bytes);
}

/* What kernels do not have, or NULL. A GPU needs none for a rotation. */
static const char *device_obstacle(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                   riffle_algorithm algorithm) {
    const bool rotates = perm->kind == PERM_ROTATION && !perm->rotation.reflected;
    switch (algorithm) {
    case RIFFLE_ALGORITHM_AFFINE:
    case RIFFLE_ALGORITHM_BUCKET:
    case RIFFLE_ALGORITHM_SCATTER:
    case RIFFLE_ALGORITHM_GATHER: return NULL;
    case RIFFLE_ALGORITHM_AXES: return "only the cpu engine has it";
    case RIFFLE_ALGORITHM_COPY:
        if (rotates && target->kind == TARGET_CUDA) return NULL;
        break;
    default: break;
    }
    return elem_bytes == 4 || elem_bytes == 8 ? NULL : "its kernels move elements of 4 and of 8 bytes";
}

/* Why `algorithm` cannot move `perm`, or NULL if it can as far as its form tells. */
static const char *obstacle(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                            const riffle_plan_options *options, riffle_algorithm algorithm) {
    const char *why_not =
        plan_target_is_device(target) ? device_obstacle(perm, elem_bytes, target, algorithm) : NULL;
    if (why_not != NULL) return why_not;
    if (bmmc_is_algorithm(algorithm)) return obstacle_of_bmmc(perm, target, algorithm);
    switch (algorithm) {
    case RIFFLE_ALGORITHM_COPY:
        return perm->kind == PERM_ROTATION ? NULL : "it moves only the identity, rotations and reversals";
    case RIFFLE_ALGORITHM_AXES: return perm->kind == PERM_AXES ? NULL : "it moves only axes permutations";
    case RIFFLE_ALGORITHM_AFFINE: return affine_obstacle(perm, elem_bytes, target, options);
    case RIFFLE_ALGORITHM_BUCKET: return plan_bucket_obstacle(perm, elem_bytes, target, options);
    default: return NULL;
    }
}

bool plan_writes_out(const riffle_perm *perm, const plan_target *target, unsigned executions) {
    if (plan_target_is_device(target)) return perm->kind != PERM_TABLE;
    return executions != 1 && (perm->kind == PERM_RANDOM || perm->kind == PERM_SEQUENCE);
}

bool plan_is_cached(size_t array_bytes) { return array_bytes <= CACHED_BYTES; }

/* What the processor adds to the traffic of each algorithm; measured on a CPU (docs/benchmarks.md). */
static double slowdown(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm) {
    switch (algorithm) {
    case RIFFLE_ALGORITHM_COPY: return perm->kind == PERM_ROTATION && perm->rotation.reflected ? 1.8 : 1.0;
    case RIFFLE_ALGORITHM_AFFINE: return 1.4;
    case RIFFLE_ALGORITHM_AXES: return 1.7;
    case RIFFLE_ALGORITHM_BUCKET: return 2.5;
    case RIFFLE_ALGORITHM_SCATTER: return elem_bytes <= LONGEST_SINGLE_BYTES ? 2.0 : 1.3;
    case RIFFLE_ALGORITHM_GATHER: return elem_bytes <= LONGEST_SINGLE_BYTES ? 3.0 : 1.3;
    default: return 1.0; /* not measured on a CPU: what the traffic says */
    }
}

/* What the lists of chunks of the later passes take: 4 bytes a chunk, as if no chunk held elements of two
 * runs. */
static double chunk_share(size_t elem_bytes, const plan_choice *choice) {
    const double bytes_a_chunk = (choice->passes - 1) * (double)sizeof(uint32_t);
    return bytes_a_chunk * (double)elem_bytes / (double)BUCKET_TILE_CHUNK_BYTES;
}

/* The order of each bucket pass and its runs, s and d of each row-wise one, or the map where it is or will be a
 * table. */
static double kept(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                   const plan_choice *choice, unsigned executions) {
    const double run_share = 0.5, row_wise = 2 * sizeof(uint16_t);
    switch (choice->algorithm) {
    case RIFFLE_ALGORITHM_BUCKET:
        return (double)choice->passes * sizeof(uint16_t) +
               (plan_target_is_device(target) ? chunk_share(elem_bytes, choice) : run_share);
    case RIFFLE_ALGORITHM_ROW_WISE:
    case RIFFLE_ALGORITHM_CONFLICT_FREE:
    case RIFFLE_ALGORITHM_COLUMN_WISE: return row_wise;
    case RIFFLE_ALGORITHM_SCHEDULED: return 3 * row_wise;
    case RIFFLE_ALGORITHM_SCATTER:
    case RIFFLE_ALGORITHM_GATHER:
        return perm->kind == PERM_TABLE || plan_writes_out(perm, target, executions)
                   ? (double)table_entry_bytes(perm->n)
                   : 0;
    default: return 0;
    }
}

static double traffic(const riffle_perm *perm, size_t elem_bytes, const plan_choice *choice) {
    if (choice->passes == 0) return 0;
    if (choice->algorithm == RIFFLE_ALGORITHM_BMMC_NAIVE) return traffic_scatter(elem_bytes, 0);
    if (bmmc_is_algorithm(choice->algorithm)) return choice->passes * traffic_copy(elem_bytes);
    switch (choice->algorithm) {
    case RIFFLE_ALGORITHM_SCATTER: return traffic_scatter(elem_bytes, table_entry_bytes(perm->n));
    case RIFFLE_ALGORITHM_GATHER: return traffic_gather(elem_bytes, table_entry_bytes(perm->n));
    case RIFFLE_ALGORITHM_BUCKET: return traffic_bucket(elem_bytes, choice->passes);
    case RIFFLE_ALGORITHM_ROW_WISE:
    case RIFFLE_ALGORITHM_CONFLICT_FREE: return traffic_row_wise(elem_bytes);
    case RIFFLE_ALGORITHM_COLUMN_WISE: return traffic_row_wise(elem_bytes) + 2 * traffic_copy(elem_bytes);
    case RIFFLE_ALGORITHM_SCHEDULED: return 3 * traffic_row_wise(elem_bytes) + 2 * traffic_copy(elem_bytes);
    case RIFFLE_ALGORITHM_AFFINE: return choice->passes * traffic_copy(elem_bytes);
    default: return traffic_copy(elem_bytes);
    }
}

static unsigned passes(const riffle_perm *perm, const plan_target *target, const plan_choice *choice) {
    perm_affine affine;
    if (bmmc_is_algorithm(choice->algorithm) && perm_as_affine(perm, &affine))
        return bmmc_passes(&affine, choice->algorithm, width_bits(target));
    switch (choice->algorithm) {
    case RIFFLE_ALGORITHM_BUCKET:
        return plan_target_is_device(target) ? choice->tile_shape.passes : choice->shape.passes;
    case RIFFLE_ALGORITHM_COLUMN_WISE: return 3;
    case RIFFLE_ALGORITHM_SCHEDULED: return 5;
    default: return 1;
    }
}

/* Chooses the algorithm, and the shape in which it sees the array. */
static riffle_status choose(const riffle_perm *perm, double groups, size_t elem_bytes,
                            const plan_target *target, const riffle_plan_options *options, plan_choice *out) {
    policy_choice policy = {options->algorithm, "asked for"};
    if (options->algorithm == RIFFLE_ALGORITHM_AUTO) {
        policy = plan_target_is_device(target) ? policy_device(perm, groups, elem_bytes, target, options)
                                               : policy_cpu(perm, elem_bytes, options);
    }
    *out = (plan_choice){.algorithm = policy.algorithm, .reason = policy.reason};
    const char *why_not = obstacle(perm, elem_bytes, target, options, policy.algorithm);
    if (why_not != NULL) {
        const char *remedy = options->algorithm == RIFFLE_ALGORITHM_AUTO ? "" : "; leave the choice to 'auto'";
        return fail(RIFFLE_ERROR_UNSUPPORTED, "algorithm '%s' cannot do this: %s%s",
                    riffle_algorithm_string(policy.algorithm), why_not, remedy);
    }
    const affine_request request = {perm->n, elem_bytes, options->batch, options->stride};
    if (policy.algorithm == RIFFLE_ALGORITHM_AFFINE) affine_arrays_of(&request, &out->arrays);
    if (policy.algorithm == RIFFLE_ALGORITHM_BUCKET && plan_target_is_device(target))
        out->tile_shape = bucket_tile_choose(perm->n, elem_bytes, target);
    if (policy.algorithm == RIFFLE_ALGORITHM_BUCKET && !plan_target_is_device(target)) {
        const translation_cache cache = translation_here();
        out->shape = bucket_choose_shape(perm->n, elem_bytes, &cache);
    }
    if (!matrix_is_seen_by(policy.algorithm) || perm->n == 0) return RIFFLE_OK;
    return matrix_for(perm, elem_bytes, policy.algorithm, target, options->row_length, &out->matrix);
}

riffle_status plan_choose(const riffle_perm *perm, double groups, size_t elem_bytes, const plan_target *target,
                          const riffle_plan_options *options, plan_choice *out) {
    plan_choice choice;
    const riffle_status status = options->in_place ? in_place_choose(perm, elem_bytes, target, options, &choice)
                                                   : choose(perm, groups, elem_bytes, target, options, &choice);
    if (status != RIFFLE_OK) return status;
    if (!options->in_place) choice.passes = passes(perm, target, &choice);
    choice.traffic = traffic(perm, elem_bytes, &choice);
    choice.copies = choice.traffic / traffic_copy(elem_bytes);
    if (!plan_target_is_device(target)) choice.copies *= slowdown(perm, elem_bytes, choice.algorithm);
    choice.kept = kept(perm, elem_bytes, target, &choice, options->executions);
    *out = choice;
    return RIFFLE_OK;
}

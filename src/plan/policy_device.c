/* SPDX-License-Identifier: Apache-2.0 */
#include "models/hmm.h"
#include "plan/choose.h"
#include "plan/matrix.h"
#include "plan/policy.h"

/* Up to here a gather is no slower than the five passes of a schedule (docs/benchmarks.md: an H200, 2^24 floats). */
static const size_t GATHERED_BYTES = (size_t)64 << 20;

/* True if warps of a gather read few address groups each, as along a shuffle. A table is not looked at. */
static bool reads_few_groups(const riffle_perm *perm, unsigned width) {
    enum { SAMPLED_WARPS = 1024, FEW = 4 }; /* at most one group for so many elements */
    riffle_perm *inverse;
    double distribution;
    bool exact;
    if (perm->kind == PERM_TABLE || riffle_perm_invert(perm, &inverse) != RIFFLE_OK) return false;
    const riffle_status status =
        hmm_distribution_estimate(inverse, width, SAMPLED_WARPS, &distribution, &exact);
    riffle_perm_free(inverse);
    return status == RIFFLE_OK && distribution * FEW <= (double)perm->n;
}

policy_choice policy_device(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                            const riffle_plan_options *options) {
    matrix_shape shape;
    const bool rotates = perm->kind == PERM_ROTATION && !perm->rotation.reflected;
    const bool copies = target->kind == TARGET_CUDA || elem_bytes == 4 || elem_bytes == 8;
    if (rotates && copies && options->batch == 1)
        return (policy_choice){RIFFLE_ALGORITHM_COPY, "at most two runs, copied"};
    if (plan_can_affine(perm, elem_bytes, target, options)) {
        return (policy_choice){
            RIFFLE_ALGORITHM_AFFINE,
            "affine over GF(2): one pass, coalesced on both sides and free of bank conflicts"};
    }
    if (perm->kind == PERM_ROTATION) return (policy_choice){RIFFLE_ALGORITHM_COPY, "long runs, copied"};
    if (matrix_transposed(perm, &shape) && shape.rows >= target->width && shape.cols >= target->width)
        return (policy_choice){RIFFLE_ALGORITHM_TRANSPOSE, "a transpose: tiles are coalesced on both sides"};
    if (options->executions == 1) {
        return (policy_choice){RIFFLE_ALGORITHM_GATHER,
                               "for one execution a schedule would take longer than it saves"};
    }
    if (perm->n * elem_bytes <= GATHERED_BYTES)
        return (policy_choice){RIFFLE_ALGORITHM_GATHER, "a small array: the cache bears a gather"};
    if (reads_few_groups(perm, target->width))
        return (policy_choice){RIFFLE_ALGORITHM_GATHER, "what a warp reads lies in few address groups"};
    if (matrix_for(perm, elem_bytes, RIFFLE_ALGORITHM_SCHEDULED, target, 0, &shape) != RIFFLE_OK)
        return (policy_choice){RIFFLE_ALGORITHM_GATHER, "its rows are too long to be scheduled"};
    return (policy_choice){
        RIFFLE_ALGORITHM_SCHEDULED,
        "no structure to use: every access coalesced, where a gather would fetch a sector for each "
        "element"};
}

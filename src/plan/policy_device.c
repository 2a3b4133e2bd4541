/* SPDX-License-Identifier: Apache-2.0 */
#include "models/window.h"
#include "plan/choose.h"
#include "plan/matrix.h"
#include "plan/policy.h"

/* Up to so many elements a gather is as fast as bucket passes (docs/arbitrary.md: an H200). While all of it is
 * in the second-level cache, a gather takes a time for each element, the passes one for each byte. */
static uint64_t gathered_elements(size_t elem_bytes) {
    const uint64_t of_1 = 3 << 17, of_2_and_4 = 3 << 18, of_8_and_16 = (1 << 22) - 1;
    if (elem_bytes == 1) return of_1;
    return elem_bytes <= 4 ? of_2_and_4 : of_8_and_16;
}

/* True if what neighbouring threads read lies together, as along a shuffle or within short blocks. The
 * permutation stands for its inverse, along which a gather reads: neighbours that stay together come from
 * together. */
static bool reads_few_groups(const riffle_perm *perm, double groups, unsigned width) {
    const double few = 1.0 / 12; /* a gather's sectors then cost what bucket passes do (docs/arbitrary.md) */
    if (groups < 0 && window_sample(window_read_perm, perm, perm->n, width, &groups) != RIFFLE_OK) return false;
    return groups <= few;
}

policy_choice policy_device(const plan_request *r) {
    const riffle_perm *const perm = r->perm;
    const size_t elem_bytes = r->elem_bytes;
    const plan_target *const target = &r->target;
    matrix_shape shape;
    const bool rotates = perm->kind == PERM_ROTATION && !perm->rotation.reflected;
    const bool is_word = elem_bytes == 4 || elem_bytes == 8; /* what the papers' kernels move */
    if (rotates && (target->kind == TARGET_CUDA || is_word) && r->batch == 1)
        return (policy_choice){&algorithm_copy, "at most two runs, copied"};
    if (algorithm_affine.obstacle(r) == NULL) {
        return (policy_choice){
            &algorithm_affine,
            "affine over GF(2): one pass, coalesced on both sides and free of bank conflicts"};
    }
    if (perm->kind == PERM_ROTATION && is_word) return (policy_choice){&algorithm_copy, "long runs, copied"};
    if (is_word && matrix_transposed(perm, &shape) && shape.rows >= target->width &&
        shape.cols >= target->width)
        return (policy_choice){&algorithm_transpose, "a transpose: tiles are coalesced on both sides"};
    if (r->executions == 1) {
        return (policy_choice){&algorithm_gather,
                               "for one execution a schedule would take longer than it saves"};
    }
    if (algorithm_bucket.obstacle(r) != NULL)
        return (policy_choice){&algorithm_gather, "bucket passes cannot move such elements, or so many"};
    if (perm->n <= gathered_elements(elem_bytes))
        return (policy_choice){&algorithm_gather, "a small array: the cache bears a gather"};
    if (reads_few_groups(perm, r->groups, target->width))
        return (policy_choice){&algorithm_gather, "neighbours stay together: a gather reads few sectors"};
    return (policy_choice){&algorithm_bucket,
                           "no structure to use: pieces of shared memory's size, each gathered from few runs"};
}

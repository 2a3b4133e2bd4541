/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/matrix.h"
#include "plan/policy.h"

/* Arrays below this stay in a GPU's second-level cache, where a gather's single elements are cheap. */
static const size_t CACHED_BYTES = (size_t)32 << 20;

policy_choice policy_device(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                            unsigned executions) {
    matrix_shape shape;
    if (perm->kind == PERM_ROTATION) return (policy_choice){RIFFLE_ALGORITHM_COPY, "long runs, copied"};
    if (matrix_transposed(perm, &shape) && shape.rows >= target->width && shape.cols >= target->width)
        return (policy_choice){RIFFLE_ALGORITHM_TRANSPOSE, "a transpose: tiles are coalesced on both sides"};
    if (executions == 1) {
        return (policy_choice){RIFFLE_ALGORITHM_GATHER,
                               "for one execution a schedule would take longer than it saves"};
    }
    if (perm->n * elem_bytes < CACHED_BYTES)
        return (policy_choice){RIFFLE_ALGORITHM_GATHER, "the array stays in the cache, which bears a gather"};
    if (matrix_for(perm, elem_bytes, RIFFLE_ALGORITHM_SCHEDULED, target, 0, &shape) != RIFFLE_OK)
        return (policy_choice){RIFFLE_ALGORITHM_GATHER, "its rows are too long to be scheduled"};
    return (policy_choice){
        RIFFLE_ALGORITHM_SCHEDULED,
        "no structure to use: every access coalesced, where a gather would fetch a sector for each "
        "element"};
}

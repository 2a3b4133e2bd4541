/* SPDX-License-Identifier: Apache-2.0 */
#include "models/traffic.h"
#include "plan/choose.h"
#include "plan/policy.h"

enum {
    WORD_BYTES = 8,
    LONGEST_BUCKETED_BYTES = 16, /* longer elements move one by one as fast */
};
static const uint64_t LEAST_WORDS_BUCKETED = 1 << 20;      /* fewer elements are gathered as fast ... */
static const uint64_t LEAST_LONG_WORDS_BUCKETED = 1 << 23; /* ... and of those beyond a word, fewer than this */

static policy_choice arbitrary(uint64_t n, size_t elem_bytes, unsigned executions) {
    if (executions == 1) {
        return (policy_choice){RIFFLE_ALGORITHM_SCATTER,
                               "for one execution a schedule would take longer than it saves"};
    }
    if (elem_bytes % TRAFFIC_LINE_BYTES == 0) {
        return (policy_choice){RIFFLE_ALGORITHM_SCATTER,
                               "elements are whole cache lines: read in order, streamed to their places"};
    }
    if (elem_bytes > LONGEST_BUCKETED_BYTES) {
        return (policy_choice){RIFFLE_ALGORITHM_GATHER,
                               "elements are long: each is worth the line that it lies in"};
    }
    if (n < (elem_bytes <= WORD_BYTES ? LEAST_WORDS_BUCKETED : LEAST_LONG_WORDS_BUCKETED)) {
        return (policy_choice){RIFFLE_ALGORITHM_GATHER, "few elements: the caches bear moving them one by one"};
    }
    return (policy_choice){
        RIFFLE_ALGORITHM_BUCKET,
        "no structure to use and many elements: moving them one by one would fetch a line for "
        "each"};
}

policy_choice policy_cpu(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *options) {
    if (perm->kind == PERM_ROTATION && !perm->rotation.reflected)
        return (policy_choice){RIFFLE_ALGORITHM_COPY, "at most two runs, copied"};
    if (plan_can_affine(perm, elem_bytes, &PLAN_TARGET_CPU, options)) {
        return (policy_choice){RIFFLE_ALGORITHM_AFFINE,
                               "affine over GF(2): one pass reads and writes whole cache lines"};
    }
    if (perm->kind == PERM_ROTATION)
        return (policy_choice){RIFFLE_ALGORITHM_COPY, "at most two runs, copied backwards"};
    if (perm->kind == PERM_AXES)
        return (policy_choice){RIFFLE_ALGORITHM_AXES, "axes in another order: tiles are long on both sides"};
    return arbitrary(perm->n, elem_bytes, options->executions);
}

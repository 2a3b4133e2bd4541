/* SPDX-License-Identifier: Apache-2.0 */
#include "perm/kind.h"
#include "plan/choose/choose.h"
#include "plan/choose/device_cost.h"
#include "plan/choose/policy.h"
#include "plan/once/plan.h"

/* A gather needs no schedule either, and of few elements is done sooner. */
static policy_choice choose_for_one_use(const plan_request *r) {
    const once_request once = once_request_of_plan(r);
    if (algorithm_once.obstacle(r) == NULL && once_choose(&once, &r->target).sorts)
        return (policy_choice){NULL, NULL};
    return (policy_choice){&algorithm_gather, "for one execution a schedule would take longer than it saves"};
}

/* The choice that follows from structure or the request; no algorithm if that leaves a gather and passes. */
static policy_choice choose_by_structure(const plan_request *r) {
    const riffle_perm *const perm = r->perm;
    const size_t elem_bytes = r->elem_bytes;
    const bool rotates = perm->kind == PERM_ROTATION && !perm->rotation.reflected;
    const bool is_word = elem_bytes == 4 || elem_bytes == 8; /* elements that the papers' kernels move */
    if (rotates && r->batch == 1)
        return (policy_choice){&algorithm_copy, "at most two runs, copied"};
    if (algorithm_affine.obstacle(r) == NULL) {
        return (policy_choice){
            &algorithm_affine,
            "affine over GF(2): one pass, coalesced on both sides and free of bank conflicts"};
    }
    if (perm->kind == PERM_ROTATION && is_word) return (policy_choice){&algorithm_copy, "long runs, copied"};
    if (algorithm_axes.obstacle(r) == NULL)
        return (policy_choice){&algorithm_axes,
                               "axes in another order: boxes whose rows are long on both sides"};
    if (r->executions == 1) return choose_for_one_use(r);
    if (algorithm_bucket.obstacle(r) != NULL)
        return (policy_choice){&algorithm_gather, "bucket passes cannot move such elements, or so many"};
    return (policy_choice){NULL, NULL};
}

/* The expected time for an element of passes that one could make instead of a gather. */
static double passes_cost(const plan_request *r) {
    if (r->executions != 1)
        return device_cost_bucket(r->n, r->elem_bytes,
                                  bucket_tile_choose(r->n, r->elem_bytes, &r->target).passes);
    const once_request once = once_request_of_plan(r);
    const once_shape shape = once_cut(&once, &r->target, true);
    return once_cost(&once, &shape, &r->target) / (double)r->n;
}

/* A gather, or passes: bucket passes, or of one execution those that sort indices as they go. */
static riffle_status choose_by_cost(const plan_request *r, policy_choice *out) {
    const line_reader of_perm = line_reader_of_perm(r->perm);
    const size_t map_bytes = table_entry_bytes(r->n);
    line_reads reads;
    const riffle_status status = line_reads_estimate(r->reader != NULL ? r->reader : &of_perm, r->n,
                                                     r->elem_bytes, map_bytes, r->target.l2_bytes, &reads);
    if (status != RIFFLE_OK) return status;
    if (device_cost_gather(r->n, r->elem_bytes, map_bytes, &reads) > passes_cost(r)) {
        *out = r->executions == 1
                   ? (policy_choice){&algorithm_once,
                                     "for one execution: indices sorted as they go, with nothing planned"}
                   : (policy_choice){&algorithm_bucket,
                                     "no structure to use: pieces of shared memory's size, each "
                                     "gathered from few runs"};
    } else if (reads.sectors <= 0.5) {
        *out = (policy_choice){&algorithm_gather,
                               "what a block gathers comes from few sectors: no slower than passes"};
    } else {
        *out = (policy_choice){&algorithm_gather, "a small array: the cache bears a gather"};
    }
    return RIFFLE_OK;
}

riffle_status policy_device(const plan_request *r, policy_choice *out) {
    *out = choose_by_structure(r);
    return out->algorithm != NULL ? RIFFLE_OK : choose_by_cost(r, out);
}

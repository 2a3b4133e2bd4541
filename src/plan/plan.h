/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan: a recognized permutation, the algorithm chosen for it, and the passes that carry it out.
 */
#ifndef RIFFLE_PLAN_PLAN_H
#define RIFFLE_PLAN_PLAN_H

#include <pthread.h>

#include "plan/choose.h"
#include "plan/pass.h"

enum { PLAN_DESCRIPTION_BYTES = 128 };

/** What is decided before anything is built, and all that explain tells. */
typedef struct plan_summary {
    char description[PLAN_DESCRIPTION_BYTES]; /**< the permutation in words; the value itself is not kept */
    uint64_t n;
    size_t elem_bytes;
    size_t array_bytes; /**< n * elem_bytes */
    uint64_t batch;     /**< arrays moved by one execution, at least 1 */
    uint64_t stride;    /**< elements from one to the next, at least n */
    size_t span_bytes;  /**< from the first array's start to the last one's end */
    bool in_place;
    bool callers_workspace; /**< the plan allocates none */
    unsigned threads;       /**< for one array ... */
    unsigned batch_threads; /**< ... and for all of them, where each is too short for several */
    unsigned executions;    /**< expected; 0 for many */
    plan_target target;
    plan_choice choice;
} plan_summary;

struct riffle_plan {
    plan_summary summary;
    size_t staging_bytes;   /**< cache-sized pieces, one a thread; counted in `bytes` */
    uint64_t rounds;        /**< how often an execution runs the passes, each time for the batch's next array */
    size_t workspace_bytes; /**< of the buffers WORKSPACE ... */
    size_t spare_bytes;     /**< ... and SPARE; 0 where no pass uses them */
    void *engine;         /**< what the engine keeps for this plan: those buffers, device copies of schedules */
    pthread_mutex_t lock; /**< held while the engine's buffers are in use */
    size_t bytes;         /**< all that the plan keeps, workspace not counted */
    unsigned built;       /**< passes built so far; in the end choice.passes */
    pass passes[];
};

/** True if executing uses buffers of the plan, so that two calls must not run at a time. */
static inline bool plan_is_exclusive(const riffle_plan *plan) {
    return plan->staging_bytes > 0 || plan->workspace_bytes > 0;
}

/** Bytes that a device's buffers between passes begin on, as what their makers allocate does. */
enum { PLAN_BUFFER_ALIGNMENT = 256 };

/** Where the spare buffer begins in one block of memory for both; the block has riffle_plan_workspace_bytes. */
static inline size_t plan_spare_start(const riffle_plan *plan) {
    const size_t unit = PLAN_BUFFER_ALIGNMENT;
    return (plan->workspace_bytes + unit - 1) / unit * unit;
}

/** Checks the arguments of riffle_plan_create, recognizes the permutation and chooses. On success *recognized
 *  is the caller's to free. */
riffle_status plan_decide(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                          const riffle_plan_options *options, riffle_perm **recognized, plan_summary *out);

/** Checks what must hold whatever the permutation: lengths, batch, options, and that the arrays fit the target's memory. */
riffle_status plan_check_request(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                 const riffle_plan_options *options);

/** plan_decide for a permutation that is recognized already; `groups` as plan_choose has it. */
riffle_status plan_decide_recognized(const riffle_perm *perm, double groups, size_t elem_bytes,
                                     const plan_target *target, const riffle_plan_options *options,
                                     plan_summary *out);

/** Builds the passes that `summary`, decided for this `perm`, speaks of. */
riffle_status plan_build_decided(const riffle_perm *perm, const plan_summary *summary, riffle_plan **out);

/** Decides and builds the passes and their schedules. What the engine needs beside them is the engine's to
 *  make: for a GPU maps and bucket schedules too, of which the passes then have the sizes. *recognized is what
 *  they are made of, and the caller's to free; it may be NULL for targets whose engine needs no more. */
riffle_status plan_build(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                         const riffle_plan_options *options, riffle_perm **recognized, riffle_plan **out);

/** Frees what plan_build made; plan->engine must be freed before. plan may be NULL. */
void plan_destroy(riffle_plan *plan);

/** riffle_explain for a target: decides and prints, builds nothing. */
riffle_status plan_explain(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                           const riffle_plan_options *options, FILE *stream);

#endif

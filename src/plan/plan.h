/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan: a request, the algorithm chosen for it, and the passes that carry it out.
 */
#ifndef RIFFLE_PLAN_PLAN_H
#define RIFFLE_PLAN_PLAN_H

#include "device/plan.h"
#include "plan/choice.h"
#include "plan/pass.h"

enum { PLAN_DESCRIPTION_BYTES = 128 };

struct riffle_plan {
    plan_base base;
    plan_request request; /**< its perm is here while the plan is made, and not kept */
    plan_choice choice;
    char description[PLAN_DESCRIPTION_BYTES]; /**< the permutation in words */
    size_t staging_bytes;                     /**< cache-sized pieces, one a thread; counted in `bytes` */
    uint64_t rounds;        /**< how often an execution runs the passes, each time for the batch's next array */
    size_t workspace_bytes; /**< bytes of the buffers WORKSPACE ... */
    size_t spare_bytes;     /**< ... and SPARE; 0 where no pass uses them */
    riffle_perm *checked;   /**< kept for a check on the host; or NULL */
    struct plan_trials *trials; /**< tried by measuring; NULL where nothing was measured */
    void *engine;    /**< the engine's memory for this plan: those buffers, device copies of schedules */
    size_t bytes;    /**< all that the plan keeps, workspace not counted */
    bool is_outline; /**< passes have no tables that take long to make: for predictions, not to be executed */
    unsigned built;  /**< passes built so far; in the end choice.passes */
    pass passes[];
};

/** True if executions on a device are read once more. A plan that moves nothing has nothing to check. */
static inline bool plan_is_checked(const riffle_plan *plan) {
    return plan->request.check != RIFFLE_CHECK_NONE && plan_target_is_device(&plan->request.target) &&
           plan->request.array_bytes > 0 && plan->built > 0;
}

/** True if the plan's moves add src to the record of its check as they read it, so that no launch before them has to. */
static inline bool plan_adds_read(const riffle_plan *plan) {
    return plan->built > 0 && plan->passes[0].kind->adds_read;
}

/** True if a check reads src once more, before the plan's passes. */
static inline bool plan_reads_src(const riffle_plan *plan) {
    return plan->request.check == RIFFLE_CHECK_FULL && !plan_adds_read(plan);
}

/** True if the check of a GPU's plan has a record in the workspace, and where it begins there: behind the buffers. */
static inline bool plan_has_record(const riffle_plan *plan) {
    return plan->request.target.kind == TARGET_CUDA && plan_is_checked(plan);
}
size_t plan_record_start(const riffle_plan *plan);

/** True if executing uses buffers of the plan, so that two calls must not run at a time. */
static inline bool plan_is_exclusive(const riffle_plan *plan) {
    return plan->staging_bytes > 0 || plan->workspace_bytes > 0 || plan_has_record(plan);
}

/** Bytes that a device's buffers between passes begin on, as what their makers allocate does. */
enum { PLAN_BUFFER_ALIGNMENT = 256 };

/** Where the spare buffer begins in one block of memory for both; the block has riffle_plan_workspace_bytes. */
static inline size_t plan_spare_start(const riffle_plan *plan) {
    const size_t unit = PLAN_BUFFER_ALIGNMENT;
    return (plan->workspace_bytes + unit - 1) / unit * unit;
}

/** The spare buffer in a workspace; NULL if the plan has none, and then perhaps no workspace to count from. */
static inline void *plan_spare(const riffle_plan *plan, void *workspace) {
    return plan->spare_bytes > 0 ? (char *)workspace + plan_spare_start(plan) : NULL;
}

/** True if GPUs make tables themselves, from the permutation or its table there, or nobody does: the passes then have the sizes
 *  alone. */
static inline bool plan_leaves_tables_to_engine(const riffle_plan *plan) {
    return plan->request.target.kind == TARGET_CUDA || plan->is_outline;
}

/** Adds a pass and returns it, from src to dst unless the caller says otherwise. */
pass *plan_add_pass(riffle_plan *plan, const pass_kind *kind);

/** Where pass k of several writes: passes alternate between the workspace and dst, so that the last one writes
 *  dst. */
pass_buffer plan_written_by(const riffle_plan *plan, unsigned k);

/** For a check of passes: pass k of several compares the arrays that it reads and writes, where these are between passes. */
void plan_compare_between(riffle_plan *plan, unsigned k);

/** Builds the passes and their schedules of a choice. The engine makes what it needs beside them, and then the plan is to be
 *  settled. The request stays the caller's. */
riffle_status plan_build_chosen(const plan_request *request, const plan_choice *choice, riffle_plan **out);

/** The same in outline: quickly made for any n. */
riffle_status plan_outline(const plan_request *request, const plan_choice *choice, riffle_plan **out);

/** To be called when the engine has made what it needs: the plan lets go of the permutation. */
void plan_settle(riffle_plan *plan);

/** Frees what plan_build_chosen made; plan->engine must be freed before. plan may be NULL. */
void plan_destroy(riffle_plan *plan);

/** riffle_explain for a request: chooses and prints, builds nothing. */
struct explain_how;
riffle_status plan_explain(const plan_request *request, const struct explain_how *how, FILE *stream);

/** The permutation in words, short whatever its length: a table is not spelt out. */
void plan_describe(const riffle_perm *perm, char text[PLAN_DESCRIPTION_BYTES]);

#endif

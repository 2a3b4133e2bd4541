/* SPDX-License-Identifier: Apache-2.0
 *
 * From a choice to a plan: have the algorithm build its passes, and say what memory they need.
 */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "check/check.h"
#include "plan/algorithm.h"

pass *plan_add_pass(riffle_plan *plan, const pass_kind *kind) {
    pass *p = &plan->passes[plan->built++];
    *p = (pass){.kind = kind, .from = BUFFER_SRC, .to = BUFFER_DST};
    return p;
}

pass_buffer plan_written_by(const riffle_plan *plan, unsigned k) {
    return (plan->choice.passes - 1 - k) % 2 == 0 ? BUFFER_DST : BUFFER_WORKSPACE;
}

void plan_compare_between(riffle_plan *plan, unsigned k) {
    pass *const p = &plan->passes[k];
    if (plan->request.check != RIFFLE_CHECK_PASSES) return;
    p->reads_between = (uint8_t)k;
    p->writes_between = (uint8_t)(k + 1 < plan->choice.passes ? k + 1 : 0);
}

void plan_describe(const riffle_perm *perm, char text[PLAN_DESCRIPTION_BYTES]) {
    size_t length = 0;
    if (perm->kind == PERM_TABLE || perm->kind == PERM_SEQUENCE) {
        strcpy(text,
               perm->kind == PERM_TABLE ? "a table in no recognized order" : "a sequence of permutations");
        return;
    }
    if (riffle_perm_print(perm, text, PLAN_DESCRIPTION_BYTES, &length) != RIFFLE_OK) text[0] = '\0';
    if (length >= PLAN_DESCRIPTION_BYTES) memcpy(text + PLAN_DESCRIPTION_BYTES - 4, "...", 4);
}

static riffle_status create(const plan_request *request, const plan_choice *choice, riffle_plan **out) {
    const size_t bytes = sizeof(riffle_plan) + choice->passes * sizeof(pass);
    plan_base *base;
    const riffle_status status = plan_base_create(bytes, "a plan", NULL, false, &base);
    if (status != RIFFLE_OK) return status;
    riffle_plan *const plan = (riffle_plan *)base;
    plan->request = *request;
    plan->request.perm = riffle_perm_retain(request->perm);
    if (request->check == RIFFLE_CHECK_FULL && request->target.kind == TARGET_CPU)
        plan->checked = riffle_perm_retain(request->perm);
    plan->choice = *choice;
    plan_describe(request->perm, plan->description);
    plan->bytes = bytes;
    plan->rounds = request->batch;
    *out = plan;
    return RIFFLE_OK;
}

static riffle_status build(const plan_request *request, const plan_choice *choice, bool is_outline,
                           riffle_plan **out) {
    riffle_plan *plan = NULL;
    riffle_status status = create(request, choice, &plan);
    if (status == RIFFLE_OK) plan->is_outline = is_outline;
    if (status == RIFFLE_OK && choice->passes > 0) status = choice->algorithm->build(plan);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        plan_destroy(plan);
    }
    return status;
}

riffle_status plan_build_chosen(const plan_request *request, const plan_choice *choice, riffle_plan **out) {
    return build(request, choice, false, out);
}

riffle_status plan_outline(const plan_request *request, const plan_choice *choice, riffle_plan **out) {
    return build(request, choice, true, out);
}

void plan_settle(riffle_plan *plan) {
    plan->base.is_exclusive = plan_is_exclusive(plan) && !plan->base.callers_workspace;
    plan_request_drop(&plan->request);
    plan->request.effort_dst = NULL;
    plan->request.effort_src = NULL;
}

void plan_destroy(riffle_plan *plan) {
    if (plan == NULL) return;
    for (unsigned k = 0; k < plan->built; k++)
        if (plan->passes[k].kind->free != NULL) plan->passes[k].kind->free(&plan->passes[k]);
    plan_request_drop(&plan->request);
    riffle_perm_free(plan->checked);
    free(plan->trials);
    plan_base_end(&plan->base);
    free(plan);
}

riffle_algorithm riffle_plan_algorithm(const riffle_plan *plan) {
    return plan != NULL ? plan->choice.algorithm->id : RIFFLE_ALGORITHM_AUTO;
}

unsigned riffle_plan_passes(const riffle_plan *plan) { return plan != NULL ? plan->choice.passes : 0; }

unsigned riffle_plan_threads(const riffle_plan *plan) {
    if (plan == NULL) return 0;
    return plan_target_is_device(&plan->request.target) ? 0 : plan_threads(&plan->choice);
}

size_t riffle_plan_bytes(const riffle_plan *plan) { return plan != NULL ? plan->bytes : 0; }

size_t plan_record_start(const riffle_plan *plan) {
    const size_t buffers =
        plan->spare_bytes > 0 ? plan_spare_start(plan) + plan->spare_bytes : plan->workspace_bytes;
    return round_up(buffers, (size_t)PLAN_BUFFER_ALIGNMENT);
}

size_t riffle_plan_workspace_bytes(const riffle_plan *plan) {
    if (plan == NULL) return 0;
    if (plan_has_record(plan)) return plan_record_start(plan) + CHECK_RECORD_BYTES;
    return plan->spare_bytes > 0 ? plan_spare_start(plan) + plan->spare_bytes : plan->workspace_bytes;
}

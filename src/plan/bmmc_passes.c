/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/bmmc_passes.h"

riffle_status build_bmmc(riffle_plan *plan, const riffle_perm *perm) {
    const plan_summary *s = &plan->summary;
    const unsigned width_bits = (unsigned)__builtin_ctz(s->target.width);
    perm_affine affine;
    bmmc_schedule schedules[BMMC_MAX_PASSES];
    perm_as_affine(perm, &affine);
    const unsigned passes = bmmc_plan(&affine, s->choice.algorithm, width_bits, schedules);
    for (unsigned k = 0; k < passes; k++) {
        plan->passes[plan->built++] = (pass){.kind = PASS_BMMC,
                                             .from = k == 0 ? BUFFER_SRC : BUFFER_WORKSPACE,
                                             .to = k + 1 == passes ? BUFFER_DST : BUFFER_WORKSPACE,
                                             .bmmc = {schedules[k], s->elem_bytes}};
    }
    if (passes > 1) plan->workspace_bytes = s->array_bytes;
    return RIFFLE_OK;
}

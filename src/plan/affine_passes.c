/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/affine_passes.h"

#include "plan/involution.h"

static riffle_status build_lines(riffle_plan *plan, const perm_affine *affine) {
    pass *p = &plan->passes[plan->built++];
    *p = (pass){.kind = PASS_AFFINE_LINES, .to = BUFFER_DST};
    affine_lines_plan(affine, (unsigned)__builtin_ctzll(plan->summary.elem_bytes), &p->affine_lines);
    return RIFFLE_OK;
}

static void build_tile(riffle_plan *plan, const perm_affine *affine, const affine_arrays *arrays) {
    const bool in_place = plan->summary.in_place;
    const affine_tile_policy policy = affine_policy_for(&plan->summary.target, arrays, in_place);
    pass *p = &plan->passes[plan->built++];
    *p = (pass){.kind = PASS_AFFINE_TILE, .from = in_place ? BUFFER_DST : BUFFER_SRC, .to = BUFFER_DST};
    affine_tile_plan(affine, arrays, &policy, in_place, &p->affine_tile);
}

riffle_status build_affine(riffle_plan *plan, const riffle_perm *perm) {
    const plan_summary *s = &plan->summary;
    perm_affine affine, first, second;
    perm_as_affine(perm, &affine);
    if (!plan_target_is_device(&s->target)) return build_lines(plan, &affine);
    plan->rounds = 1; /* all arrays at once */
    if (s->choice.passes == 1) {
        build_tile(plan, &affine, &s->choice.arrays);
        return RIFFLE_OK;
    }
    involution_factor(&affine, &first, &second);
    build_tile(plan, &first, &s->choice.arrays);
    build_tile(plan, &second, &s->choice.arrays);
    return RIFFLE_OK;
}

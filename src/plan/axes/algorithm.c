/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes algorithm: an axes permutation of any shape in one pass of tiles.
 */
#include "plan/algorithm.h"

static const char *obstacle(const plan_request *r) {
    if (plan_target_is_device(&r->target)) return "only the cpu engine has it";
    return r->perm->kind == PERM_AXES ? NULL : "it moves only axes permutations";
}

static double slowdown(const plan_request *r) {
    (void)r;
    return 1.7;
}

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    strided_move move;
    strided_of_axes(&r->perm->axes, r->elem_bytes, &move);
    axes_tile_plan(&move, &plan_add_pass(plan, &PASS_AXES_TILE)->axes_tile);
    return RIFFLE_OK;
}

const plan_algorithm algorithm_axes = {
    .id = RIFFLE_ALGORITHM_AXES, .name = "axes", .obstacle = obstacle, .slowdown = slowdown, .build = build};

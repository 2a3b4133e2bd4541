/* SPDX-License-Identifier: Apache-2.0
 *
 * The affine algorithm: any affine permutation in one pass over cosets, of cache lines (affine_lines.h) or on
 * devices of shared memory's size (affine_tile.h); in place in one or two.
 */
#include "plan/algorithm.h"
#include "plan/affine/involution.h"
#include "plan/affine/lines.h"

static const char *obstacle(const plan_request *r) {
    affine_arrays arrays;
    if (!r->is_affine) return "it moves only affine permutations of 2^m elements";
    if (plan_target_is_device(&r->target)) return affine_arrays_of(r, &arrays);
    if ((r->elem_bytes & (r->elem_bytes - 1)) != 0) return "its elements must be a power of two of bytes long";
    if (r->array_bytes < AFFINE_LINE_BYTES) return "the array is smaller than one cache line";
    return NULL;
}

static riffle_status shape(const plan_request *r, plan_choice *c) {
    if (plan_target_is_device(&r->target)) affine_arrays_of(r, &c->arrays);
    return RIFFLE_OK;
}

static const char *in_place(const plan_request *r, plan_choice *c) {
    if (!r->is_affine) return "it is no affine permutation of 2^m elements";
    const char *why_not = affine_arrays_of(r, &c->arrays);
    if (why_not != NULL) return why_not;
    perm_affine first, second;
    const bool one_pass = involution_is(&r->affine);
    if (!one_pass && !involution_factor(&r->affine, &first, &second))
        return "it is neither its own inverse nor a permutation of index bits";
    if (!plan_target_is_device(&r->target)) return "only the cuda engine moves affine permutations in place";
    c->passes = one_pass ? 1 : 2;
    c->reason = one_pass ? "its own inverse: pairs of tiles change places"
                         : "a permutation of index bits: one that is its own inverse, and then another";
    return NULL;
}

static double slowdown(const plan_request *r) {
    (void)r;
    return 1.4;
}

static void add_lines(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    affine_lines_plan(&r->affine, (unsigned)__builtin_ctzll(r->elem_bytes),
                      &plan_add_pass(plan, &PASS_AFFINE_LINES)->affine_lines);
}

static void add_tile(riffle_plan *plan, const perm_affine *affine) {
    const bool in_place = plan->request.in_place;
    const affine_arrays *const arrays = &plan->choice.arrays;
    const plan_target *const target = &plan->request.target;
    const affine_tile_policy vectors = affine_policy_for(target, arrays, in_place);
    const affine_tile_policy units = affine_policy_for_units(target, arrays, in_place);
    pass *p = plan_add_pass(plan, &PASS_AFFINE_TILE);
    if (in_place) p->from = BUFFER_DST;
    affine_tile_plan(affine, arrays, &vectors, in_place, &p->affine_tile.vectors);
    affine_tile_plan(affine, arrays, &units, in_place, &p->affine_tile.units);
}

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    if (!plan_target_is_device(&r->target)) {
        add_lines(plan);
        return RIFFLE_OK;
    }
    plan->rounds = 1; /* all arrays at once */
    if (plan->choice.passes == 1) {
        add_tile(plan, &r->affine);
        return RIFFLE_OK;
    }
    perm_affine first, second;
    involution_factor(&r->affine, &first, &second);
    add_tile(plan, &first);
    add_tile(plan, &second);
    return RIFFLE_OK;
}

const plan_algorithm algorithm_affine = {.id = RIFFLE_ALGORITHM_AFFINE,
                                         .name = "affine",
                                         .obstacle = obstacle,
                                         .shape = shape,
                                         .in_place = in_place,
                                         .slowdown = slowdown,
                                         .build = build};

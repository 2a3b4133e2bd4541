/* SPDX-License-Identifier: Apache-2.0
 *
 * Reversal in place, of any length. A reversal that is rotated besides, i -> offset - i mod n, is two runs that are reversed
 * each by itself: the first offset + 1 elements, and the others.
 */
#include "plan/algorithm.h"

static const char *obstacle(const plan_request *r) {
    (void)r;
    return "it moves an array in place only, by a plan that is in place";
}

/* A reversal of up to two elements is a rotation too, and kept as that. */
static bool reverses(const riffle_perm *perm) {
    return perm->kind == PERM_ROTATION && (perm->rotation.reflected || perm->n <= 2);
}

static const char *in_place(const plan_request *r, plan_choice *c) {
    const size_t bytes = r->elem_bytes;
    if (!reverses(r->perm)) return "it is no reversal";
    if (r->n < 2) {
        c->passes = 0;
        c->reason = "everything is in its place already";
        return NULL;
    }
    if (plan_target_is_device(&r->target) && ((bytes & (bytes - 1)) != 0 || bytes > 16))
        return "its elements must be of 1, 2, 4, 8 or 16 bytes to change places";
    c->reason = "a reversal: elements as far from the ends change places";
    return NULL;
}

/* One array is read and written, where a copy reads one and writes another; compilers reverse no bytes in vectors. */
static double slowdown(const plan_request *r) { return r->elem_bytes == 1 ? 2.2 : 0.5; }

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    pass *const p = plan_add_pass(plan, &PASS_REVERSE_ENDS);
    p->from = BUFFER_DST;
    p->reverse_ends = (reverse_ends_schedule){r->n, r->perm->rotation.offset + 1, r->elem_bytes};
    return RIFFLE_OK;
}

const plan_algorithm algorithm_reverse_ends = {.id = RIFFLE_ALGORITHM_REVERSE_ENDS,
                                               .name = "reverse-ends",
                                               .obstacle = obstacle,
                                               .in_place = in_place,
                                               .slowdown = slowdown,
                                               .build = build};

/* SPDX-License-Identifier: Apache-2.0
 *
 * The copy algorithm: the identity, rotations and reversals as long runs.
 */
#include "plan/algorithm.h"

/* A rotation is one of bytes: a GPU needs no kernel for it, and the machine's copies words of any bytes. */
static const char *obstacle(const plan_request *r) {
    const bool rotates = r->perm->kind == PERM_ROTATION && !r->perm->rotation.reflected;
    const char *const words = rotates ? NULL : algorithm_words_obstacle(r);
    if (words != NULL) return words;
    return r->perm->kind == PERM_ROTATION ? NULL : "it moves only the identity, rotations and reversals";
}

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    plan_add_pass(plan, &PASS_COPY)->copy =
        (copy_schedule){r->perm->rotation, r->n, r->elem_bytes, plan_streams(r)};
    return RIFFLE_OK;
}

static vector_loops loops(const plan_request *r) {
    return r->perm->rotation.reflected ? LOOPS_REVERSALS : LOOPS_PLAIN;
}

const plan_algorithm algorithm_copy = {
    .id = RIFFLE_ALGORITHM_COPY, .name = "copy", .loops = loops, .obstacle = obstacle, .build = build};

/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/choose/in_place.h"

#include "base/status.h"
#include "plan/affine/involution.h"
#include "plan/algorithm.h"

static bool is_identity(const riffle_perm *perm) {
    return perm->n < 2 ||
           (perm->kind == PERM_ROTATION && perm->rotation.offset == 0 && !perm->rotation.reflected);
}

static bool is_asked_for(const plan_request *r, riffle_algorithm algorithm) {
    return r->algorithm == RIFFLE_ALGORITHM_AUTO || r->algorithm == algorithm;
}

static riffle_status refuse(const char *why_not) {
    return fail(RIFFLE_ERROR_UNSUPPORTED, "this cannot be done in place: %s; plan it with a second array",
                why_not);
}

riffle_status in_place_choose(const plan_request *r, plan_choice *out) {
    if (is_identity(r->perm) && is_asked_for(r, RIFFLE_ALGORITHM_COPY)) {
        *out = (plan_choice){.algorithm = &algorithm_copy, .reason = "everything is in its place already"};
        return RIFFLE_OK;
    }
    if (!is_asked_for(r, RIFFLE_ALGORITHM_AFFINE)) return refuse("only the affine algorithm can");
    if (!r->is_affine) return refuse("it is no affine permutation of 2^m elements");
    affine_arrays arrays;
    const char *why_not = affine_arrays_of(r, &arrays);
    if (why_not != NULL) return refuse(why_not);
    perm_affine first, second;
    const bool one_pass = involution_is(&r->affine);
    if (!one_pass && !involution_factor(&r->affine, &first, &second))
        return refuse("it is neither its own inverse nor a permutation of index bits");
    if (!plan_target_is_device(&r->target)) return refuse("only the cuda engine moves arrays in place");
    *out = (plan_choice){.algorithm = &algorithm_affine, .passes = one_pass ? 1 : 2, .arrays = arrays};
    out->reason = one_pass ? "its own inverse: pairs of tiles change places"
                           : "a permutation of index bits: one that is its own inverse, and then another";
    return RIFFLE_OK;
}

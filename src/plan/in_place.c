/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/in_place.h"

#include "base/status.h"
#include "plan/involution.h"

static bool is_identity(const riffle_perm *perm) {
    return perm->n < 2 ||
           (perm->kind == PERM_ROTATION && perm->rotation.offset == 0 && !perm->rotation.reflected);
}

static bool is_asked_for(const riffle_plan_options *options, riffle_algorithm algorithm) {
    return options->algorithm == RIFFLE_ALGORITHM_AUTO || options->algorithm == algorithm;
}

static riffle_status refuse(const char *why_not) {
    return fail(RIFFLE_ERROR_UNSUPPORTED, "this cannot be done in place: %s; plan it with a second array",
                why_not);
}

riffle_status in_place_choose(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                              const riffle_plan_options *options, plan_choice *out) {
    if (is_identity(perm) && is_asked_for(options, RIFFLE_ALGORITHM_COPY)) {
        *out =
            (plan_choice){.algorithm = RIFFLE_ALGORITHM_COPY, .reason = "everything is in its place already"};
        return RIFFLE_OK;
    }
    if (!is_asked_for(options, RIFFLE_ALGORITHM_AFFINE)) return refuse("only the affine algorithm can");
    perm_affine affine, first, second;
    if (!perm_as_affine(perm, &affine)) return refuse("it is no affine permutation of 2^m elements");
    const affine_request request = {perm->n, elem_bytes, options->batch, options->stride};
    affine_arrays arrays;
    const char *why_not = affine_arrays_of(&request, &arrays);
    if (why_not != NULL) return refuse(why_not);
    const bool one_pass = involution_is(&affine);
    if (!one_pass && !involution_factor(&affine, &first, &second))
        return refuse("it is neither its own inverse nor a permutation of index bits");
    if (!plan_target_is_device(target)) return refuse("only the cuda engine moves arrays in place");
    *out = (plan_choice){.algorithm = RIFFLE_ALGORITHM_AFFINE, .passes = one_pass ? 1 : 2, .arrays = arrays};
    out->reason = one_pass ? "its own inverse: pairs of tiles change places"
                           : "a permutation of index bits: one that is its own inverse, and then another";
    return RIFFLE_OK;
}

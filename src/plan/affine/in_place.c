/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/affine/in_place.h"

/* then(first(x)). */
static perm_affine compose(const perm_affine *first, const perm_affine *then) {
    return (perm_affine){gf2_multiply(&then->a, &first->a), gf2_apply(&then->a, first->c) ^ then->c};
}

static bool takes(const perm_affine *p, const affine_arrays *arrays, const plan_target *target) {
    const affine_tile_policy policy = affine_policy_for(target, arrays, true);
    return affine_tile_takes_in_place(p, arrays, &policy, AFFINE_SECTOR_BITS);
}

unsigned affine_in_place_passes(const perm_affine *p, const affine_arrays *arrays, const plan_target *target,
                                perm_affine out[FACTOR_MOST]) {
    const unsigned factors = affine_factor(p, out);
    if (factors <= 1) return factors;
    if (takes(p, arrays, target)) {
        out[0] = *p;
        return 1;
    }
    if (factors < FACTOR_MOST) return factors;
    const perm_affine joined = compose(&out[0], &out[1]);
    if (!takes(&joined, arrays, target)) return factors;
    out[0] = joined;
    out[1] = out[2];
    return 2;
}

/* Time of a pass over a copy's, on an H200 (docs/affine.md). Memory carries 64 bytes at a time at least, and rows of DRAM like
 * longer stretches. */
static double tiles_cost(void) { return 1.09; }

static double exchange_cost(const affine_exchange_schedule *s) {
    static const double by_segment[] = {1.9, 1.5, 1.17, 1.08}; /* segments of 32, 64, 128 bytes, and more */
    const unsigned longer = affine_exchange_segment_bits(s) - AFFINE_SECTOR_BITS, last = 3;
    return affine_exchange_share(s) * by_segment[longer < last ? longer : last];
}

bool affine_in_place_exchanges(const perm_affine *p, const affine_arrays *arrays, const plan_target *target,
                               affine_exchange_schedule *out) {
    if (!plan_target_is_device(target)) return false;
    const affine_tile_policy policy = affine_policy_for(target, arrays, true);
    affine_exchange_schedule s;
    if (!affine_exchange_plan(p, arrays, AFFINE_SECTOR_BITS, &policy, &s) || exchange_cost(&s) > tiles_cost())
        return false;
    *out = s;
    return true;
}

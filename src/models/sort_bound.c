/* SPDX-License-Identifier: Apache-2.0 */
#include "models/sort_bound.h"

#include <math.h>

static double log_choose(double all, double some) {
    return lgamma(all + 1) - lgamma(some + 1) - lgamma(all - some + 1);
}

sort_bound sort_bound_of(uint64_t n, double S, double c) {
    const double count = (double)n, blocks = count / S;
    if (count < 2) return (sort_bound){blocks, blocks};
    const double outcomes = lgamma(count + 1) - blocks * lgamma(S + 1), choices = log_choose(c * S, S);
    const double permuting = outcomes / (log(2 * blocks) + choices), comparing = outcomes / choices;
    return (sort_bound){fmax(permuting, blocks), fmax(comparing, blocks)};
}

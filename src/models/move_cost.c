/* SPDX-License-Identifier: Apache-2.0 */
#include "models/move_cost.h"

#include <math.h>

#include "models/traffic.h"

/* Fitted to `riffle bench --suite cpu` (docs/vat.md). */
static const double FAULT_BYTES = 190; /* bytes that two threads carry while one waits for a page walk */
/* The work of a bucket pass, gathering a piece in the second-level cache: for each element, and for each of its bytes. */
static const double PASS_WORK = 4, PASS_WORK_A_BYTE = 6;

double move_cost_sum(const move_cost *cost) { return cost->traffic + cost->work + FAULT_BYTES * cost->faults; }

move_cost move_cost_gather(uint64_t n, size_t elem_bytes, size_t map_bytes, const translation_cache *cache) {
    return (move_cost){.traffic = traffic_gather(elem_bytes, map_bytes),
                       .faults = translation_random((double)n * (double)elem_bytes, cache)};
}

/* Every pass but the first reads a piece as one run from each of `fan` places, and a run's ends lie within
 * lines. */
move_cost move_cost_bucket(uint64_t n, size_t elem_bytes, unsigned piece_bits, unsigned passes,
                           const translation_cache *cache) {
    const double bytes = (double)n * (double)elem_bytes, piece = ldexp(1, (int)piece_bits);
    const double fan = pow(ceil((double)n / piece), 1.0 / (passes > 1 ? passes - 1 : 1));
    const double run = piece / fan, streams = 2 * (double)elem_bytes / cache->page;
    const double run_faults = translation_runs(fan, run * (double)elem_bytes, bytes, cache);
    move_cost cost = {.traffic = traffic_bucket(elem_bytes, passes)};
    cost.work = passes * (PASS_WORK + PASS_WORK_A_BYTE * (double)elem_bytes);
    cost.faults = passes * streams;
    for (unsigned k = 1; k < passes; k++) {
        cost.traffic += (double)TRAFFIC_LINE_BYTES / run;
        cost.faults += run_faults / run;
    }
    return cost;
}

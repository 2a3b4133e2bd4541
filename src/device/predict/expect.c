/* SPDX-License-Identifier: Apache-2.0 */
#include "device/predict/expect.h"

#include <math.h>

#include "base/arithmetic.h"

enum { CELL_BYTES = 4 }; /* any: stages are said, and not addresses */

expectation expect_begin(pattern *p, uint64_t blocks, bool is_exact) {
    if (!is_exact) pattern_mean(p, PATTERN_EXPECTED);
    return (expectation){p, max(blocks, 1), 0};
}

/* Blocks share a round's stages evenly. */
static void add_round(const expectation *e, unsigned site, uint64_t round, uint64_t stages, unsigned worst) {
    const uint64_t each = stages / e->blocks;
    pattern_alike(e->p, 0, e->blocks);
    pattern_stages(e->p, site, round, each, worst);
    pattern_alike(e->p, 0, stages % e->blocks);
    pattern_stages(e->p, site, round, 1, worst);
}

void expect_add(expectation *e, pattern_space space, pattern_op op, double rounds, double warps, double each) {
    const uint64_t stages = (uint64_t)llround(warps * each);
    const uint64_t count = min((uint64_t)llround(fmax(rounds, 1)), stages);
    if (stages == 0) return;
    const unsigned site = e->sites++;
    pattern_declare(e->p, site, space, op, CELL_BYTES);
    for (uint64_t k = 0; k < count; k++)
        add_round(e, site, k, stages / count + (k < stages % count ? 1 : 0), each > 1.0001 ? 2 : 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "device/predict/expect.h"

#include <math.h>

#include "base/arithmetic.h"

enum { CELL_BYTES = 4 }; /* any: stages are said, and not addresses */

expectation expect_begin(pattern *p, uint64_t blocks, bool is_exact) {
    if (!is_exact) pattern_mean(p, PATTERN_EXPECTED);
    return (expectation){p, max(blocks, 1), 0};
}

/* Rounds alike: blocks share each one's stages evenly. */
static void add_rounds(const expectation *e, unsigned site, size_t kind, uint64_t rounds, uint64_t stages,
                       unsigned worst) {
    const uint64_t each = stages / e->blocks;
    if (rounds == 0 || stages == 0) return;
    pattern_alike(e->p, 0, e->blocks);
    pattern_stages(e->p, site, kind, each, worst);
    pattern_alike(e->p, 0, stages % e->blocks);
    pattern_stages(e->p, site, kind, 1, worst);
    pattern_repeat(e->p, site, kind, rounds - 1);
}

void expect_add(expectation *e, pattern_space space, pattern_op op, double rounds, double warps, double each) {
    const uint64_t stages = (uint64_t)llround(warps * each);
    const uint64_t count = min((uint64_t)llround(fmax(rounds, 1)), stages);
    if (stages == 0) return;
    const unsigned site = e->sites++, worst = each > 1.0001 ? 2 : 1;
    pattern_declare(e->p, site, space, op, CELL_BYTES);
    add_rounds(e, site, 0, stages % count, stages / count + 1, worst);
    add_rounds(e, site, 1, count - stages % count, stages / count, worst);
}

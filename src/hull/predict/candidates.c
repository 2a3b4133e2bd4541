/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of the last launches of one large set: one block finds the hull of few candidates, and what would find that of many has nothing to do.
 */
#include <stdlib.h>

#include "base/status.h"
#include "hull/predict/accesses.h"
#include "hull/predict/patterns.h"
#include "hull/predict/solve.h"

enum { FIRST, LISTED, REFUSED, LENGTH = REFUSED + 2, MANY };

static riffle_status solve(hull_solver *s, const hull_trial *trial) {
    const uint32_t count = trial->listed[1];
    hull_f64 *const at = malloc((count + 1) * sizeof *at);
    uint32_t *const index = malloc((count + 1) * sizeof *index);
    const bool is_there = at != NULL && index != NULL;
    for (uint32_t k = 0; is_there && k < count; k++) {
        at[k] = trial->list[1][k].at;
        index[k] = trial->list[1][k].index;
    }
    hull_solver_begin_block(s, 0, 1);
    if (is_there && count > 0)
        hull_solver_follow(s, &(hull_solved){.at = at,
                                             .index = index,
                                             .names = hull_place_of(s->table, s->table->list[1]),
                                             .count = count});
    free(at);
    free(index);
    return is_there ? RIFFLE_OK
                    : fail_memory("a prediction's candidates", count * (sizeof *at + sizeof *index));
}

static riffle_status describe(const launch *work, hull_trial *trial, pattern *out) {
    const struct hull_block_arguments *const given = work->arguments;
    hull_solver s;
    riffle_status status = hull_solver_begin(out, &given->table, given->job.room, work->block_x, &s);
    if (status == RIFFLE_OK) status = solve(&s, trial);
    const pattern_counts counts = hull_solver_end(&s);
    pattern_add(out, &counts);
    return status;
}

/* All threads ask how many candidates there are, and whether they are all points; one says how long the hull is. */
void pattern_of_hull_candidates(const launch *work, const void *subject, pattern *out) {
    const unsigned warps = work->block_x / WARP_LANES;
    hull_mean(work, subject, describe, out);
    pattern_declare(out, FIRST, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(out, LISTED, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(out, REFUSED, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    pattern_declare(out, LENGTH, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    pattern_declare(out, MANY, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint32_t));
    hull_add_uniform(out, FIRST, 0, warps);
    for (unsigned k = 0; k < 2; k++) {
        hull_add_uniform(out, LISTED, k, warps);
        hull_add_uniform(out, REFUSED, k, 1);
    }
    hull_add_uniform(out, LENGTH, 0, 1);
    hull_add_uniform(out, MANY, 0, 1);
}

void pattern_of_hull_sorted(const launch *work, const void *subject, pattern *out) {
    (void)work, (void)subject;
    pattern_mean(out, PATTERN_EXPECTED);
    out->has_no_step = true;
}

/* All threads ask how many candidates there were, and find that there was room. */
void pattern_of_hull_results(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    pattern_mean(out, PATTERN_EXPECTED);
    pattern_declare(out, MANY, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    hull_add_uniform(out, MANY, 0, work->block_x / WARP_LANES);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of the last launches of one large set: one block finds the hull of few candidates, and results are written (of many: sorted.c).
 */
#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "hull/predict/accesses.h"
#include "hull/predict/patterns.h"
#include "hull/predict/solve.h"

enum { FIRST, LISTED, REFUSED, LENGTH = REFUSED + 2, MANY };

static riffle_status solve(hull_solver *s, const hull_trial *trial) {
    const bool is_early = hull_trial_is_early(trial);
    const uint32_t count = is_early ? trial->listed[1] : trial->listed[2];
    hull_f64 *const at = malloc((count + 1) * sizeof *at);
    uint32_t *const index = malloc((count + 1) * sizeof *index);
    const bool is_there = at != NULL && index != NULL;
    for (uint32_t k = 0; is_there && k < count; k++) {
        at[k] = trial->list[is_early][k].at;
        index[k] = trial->list[is_early][k].index;
    }
    hull_solver_begin_block(s, 0, 1);
    if (is_there && count > 0)
        hull_solver_follow(s, &(hull_solved){.at = at,
                                             .index = index,
                                             .names = hull_place_of(s->table, s->table->list[is_early]),
                                             .count = count});
    free(at);
    free(index);
    return is_there ? RIFFLE_OK
                    : fail_memory("a prediction's candidates", count * (sizeof *at + sizeof *index));
}

/* Corners that are expected of so many points of a square (Renyi and Sulanke 1963). */
static uint32_t corners_of(uint64_t n) { return (uint32_t)lround(8.0 / 3 * log((double)n)); }

static riffle_status describe(const launch *work, hull_trial *trial, pattern *out) {
    const struct hull_block_arguments *const given = work->arguments;
    hull_solver s;
    if ((hull_trial_is_early(trial) ? trial->listed[1] : trial->listed[2]) > given->job.room) {
        trial->many = corners_of(given->table.n); /* one block has no room for so many */
        return RIFFLE_OK;
    }
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

/* All threads ask how many candidates there were; the hull of many is written by the first of them. */
static riffle_status describe_results(const launch *work, hull_trial *trial, pattern *out) {
    const hull_table *const t = hull_table_of(work);
    enum { MANY_OF, BAD, HULL_LENGTH = BAD + 2, KEPT, WRITTEN, FOUND = WRITTEN + HULL_RESULT_SITES };
    const unsigned warps = work->block_x / WARP_LANES;
    tape on;
    const riffle_status status = tape_create(out, 1, &on);
    pattern_declare(out, MANY_OF, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    hull_add_uniform(out, MANY_OF, 0, warps);
    if (status == RIFFLE_OK && trial->many > 0) {
        for (unsigned k = 0; k < 3; k++) {
            pattern_declare(out, BAD + k, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
            hull_add_uniform(out, BAD + k, 0, warps);
        }
        pattern_declare(out, KEPT, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
        hull_declare_result(out, WRITTEN, t);
        pattern_declare(out, FOUND, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
        pattern_alike(out, 0, 1);
        for (uint32_t first = 0; first < trial->many; first += WARP_LANES) {
            tape_begin_block(&on, 1);
            for (uint32_t k = first; k < min(first + WARP_LANES, trial->many); k++) {
                tape_lane(&on, 0);
                tape_note(&on, KEPT, k * sizeof(uint32_t));
                hull_note_result(&on, WRITTEN, t, k, k);
            }
            tape_meet(&on);
        }
        pattern_stages(out, FOUND, 0, 1, 1);
    }
    tape_free(&on);
    return status;
}

void pattern_of_hull_results(const launch *work, const void *subject, pattern *out) {
    hull_mean(work, subject, describe_results, out);
}

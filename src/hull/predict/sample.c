/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of launches that look at the sample of a large set: its bounds, which are exact, and its extremes, which depend on who comes first.
 */
#include <stddef.h>

#include "base/arithmetic.h"
#include "hull/predict/accesses.h"
#include "hull/predict/note.h"
#include "hull/predict/patterns.h"

/* Sites of the least of a block: written by warps, read by four threads. */
enum { LEAST_WRITTEN, LEAST_READ, BLOCK_SITES };

static void add_least_of_block(pattern *out, unsigned warps) {
    pattern_declare(out, LEAST_WRITTEN, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint64_t));
    pattern_declare(out, LEAST_READ, PATTERN_SHARED, PATTERN_READ, sizeof(uint64_t));
    for (unsigned k = 0; k < 4; k++) hull_add_uniform(out, LEAST_WRITTEN, k, warps);
    for (unsigned warp = 0; warp < warps; warp++) {
        pattern_lanes four = {0};
        for (unsigned k = 0; k < 4; k++) pattern_lane(&four, (k * warps + warp) * sizeof(uint64_t));
        pattern_alike(out, 0, out->grid);
        pattern_access(out, LEAST_READ, warp, &four);
    }
}

/* Lanes of a warp that read points of the sample. */
static void load_sampled(const hull_table *t, uint64_t first, unsigned site, size_t round, pattern *out) {
    for (unsigned k = 0; k < 2; k++) {
        pattern_lanes lanes = {0};
        for (uint64_t j = first; j < min(first + WARP_LANES, (uint64_t)t->sample); j++)
            pattern_lane(&lanes, (2 * hull_trial_sampled(t, j) + k) * t->coordinate_bytes);
        pattern_access(out, site + k, round, &lanes);
    }
}

/* --------------------------------------------------------------------- bounds */

void pattern_of_hull_bounds(const launch *work, const void *subject, pattern *out) {
    enum { BEGUN = BLOCK_SITES, POINT, BOUNDS = POINT + 2 };
    const hull_table *const t = hull_table_of(work);
    const uint64_t threads = (uint64_t)work->grid * work->block_x,
                   words = offsetof(hull_state, bounds) / sizeof(uint64_t);
    (void)subject;
    add_least_of_block(out, work->block_x / WARP_LANES);
    pattern_declare(out, BEGUN, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    pattern_declare(out, BOUNDS, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    for (unsigned k = 0; k < 2; k++)
        pattern_declare(out, POINT + k, PATTERN_GLOBAL, PATTERN_READ, t->coordinate_bytes);
    pattern_alike(out, 0, 1);
    for (uint64_t first = 0; first < words; first += WARP_LANES)
        pattern_run(out, BEGUN, first / threads, first * sizeof(uint64_t),
                    min(words - first, (uint64_t)WARP_LANES));
    for (uint64_t first = 0; first < t->sample; first += WARP_LANES)
        load_sampled(t, first, POINT, first / threads, out);
    for (uint64_t block = 0; block < work->grid; block++)
        pattern_run(out, BOUNDS, 0, hull_place_of(t, t->state->bounds[block]), 4);
}

/* ------------------------------------------------------------------- extremes */

/* The bounds of all blocks, for every thread of each. */
static void add_join_of_bounds(const launch *work, const hull_table *t, unsigned site, pattern *out) {
    const unsigned warps = work->block_x / WARP_LANES;
    add_least_of_block(out, warps);
    pattern_declare(out, site, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    pattern_declare(out, site + 1, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint64_t));
    pattern_declare(out, site + 2, PATTERN_SHARED, PATTERN_READ, sizeof(uint64_t));
    pattern_alike(out, 0, out->grid);
    for (uint32_t first = 0; first < t->samplers; first += WARP_LANES)
        for (unsigned k = 0; k < 4; k++) {
            pattern_lanes lanes = {0};
            for (uint32_t block = first; block < min(first + WARP_LANES, t->samplers); block++)
                pattern_lane(&lanes, hull_place_of(t, &t->state->bounds[block][k]));
            pattern_access(out, site, first / work->block_x * 4 + k, &lanes);
        }
    pattern_stages(out, site + 1, 0, 1, 1);
    for (unsigned k = 0; k < 4; k++) pattern_stages(out, site + 2, k, warps, 1);
}

/* Two lanes of a block keep a scale each. */
static void add_kept_scale(const hull_table *t, unsigned site, pattern *out) {
    pattern_declare(out, site, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    pattern_alike(out, 0, 1);
    for (unsigned k = 0; k < 4; k++) {
        pattern_lanes lanes = {0};
        for (unsigned quarter = 0; quarter < HULL_QUARTERS; quarter++)
            pattern_lane(&lanes, hull_place_of(t, &t->state->scale[quarter][k]));
        pattern_access(out, site, k, &lanes);
    }
}

/* Lanes behind the sample's end read the first point of all, before the others read theirs. */
static void load_all(tape *on, unsigned site, const hull_table *t, unsigned warp, uint64_t first) {
    for (uint64_t k = 0; k < 2 * WARP_LANES; k++) {
        const uint64_t j = first + k % WARP_LANES, point = j < t->sample ? hull_trial_sampled(t, j) : 0;
        tape_lane(on, warp);
        if ((j < t->sample) == (k >= WARP_LANES)) {
            tape_note(on, site, 2 * point * t->coordinate_bytes);
            tape_note(on, site + 1, (2 * point + 1) * t->coordinate_bytes);
        }
        if (k % WARP_LANES == WARP_LANES - 1) tape_meet(on);
    }
}

static riffle_status describe_extremes(const launch *work, hull_trial *trial, pattern *out) {
    enum { JOINED = BLOCK_SITES, SCALE = JOINED + 3, POINT, NOTED = POINT + 2 };
    const hull_table *const t = hull_table_of(work);
    const unsigned warps = work->block_x / WARP_LANES;
    const uint64_t step = (uint64_t)work->grid * work->block_x;
    tape on;
    const riffle_status status = tape_create(out, warps, &on);
    hull_trial_find_scale(trial, t);
    add_join_of_bounds(work, t, JOINED, out);
    add_kept_scale(t, SCALE, out);
    for (unsigned k = 0; k < 2; k++)
        pattern_declare(out, POINT + k, PATTERN_GLOBAL, PATTERN_READ, t->coordinate_bytes);
    hull_extremes_begin(trial->lower[0], trial->upper[0]);
    hull_note_declare(out, NOTED);
    for (uint64_t block = 0; status == RIFFLE_OK && block < work->grid; block++) {
        tape_begin_block(&on, warps);
        pattern_alike(out, block, 1);
        for (uint64_t begin = block * work->block_x; begin < t->sample; begin += step)
            for (unsigned warp = 0; warp < warps; warp++) {
                hull_noted_points noted = {.count = 0};
                const uint64_t first = begin + warp * WARP_LANES;
                for (uint64_t j = first; j < first + WARP_LANES && j < t->sample; j++) {
                    const uint64_t i = hull_trial_sampled(t, j);
                    noted.lane[noted.count] = (uint32_t)(j - first);
                    noted.index[noted.count] = (uint32_t)i;
                    noted.at[noted.count++] = hull_drawn(&trial->draw, i);
                }
                load_all(&on, POINT, t, warp, first);
                hull_note(&on, NOTED, t, 0, warp, trial->scale, trial->lower[0], trial->upper[0], &noted);
            }
    }
    tape_free(&on);
    return status;
}

void pattern_of_hull_extremes_of_sample(const launch *work, const void *subject, pattern *out) {
    hull_mean(work, subject, describe_extremes, out);
}

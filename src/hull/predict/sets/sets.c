/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of launches of sets of a few points each: a warp's in registers, where results alone depend on points; a block's, which are followed
 * for sets that are drawn.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "hull/definition.h"
#include "hull/predict/accesses.h"
#include "hull/predict/patterns.h"
#include "hull/predict/solve.h"

enum {
    FOLLOWED = 1 << 14, /* points that are followed in all, about */
    LEAST_DRAWS = 3,
    MOST_DRAWS = 16,
    MOST_TURNS = 4, /* sets of a block that are followed one after the other */
};

static uint32_t draws_for(uint64_t points) {
    return (uint32_t)min(max(FOLLOWED / max(points, 1), (uint64_t)LEAST_DRAWS), (uint64_t)MOST_DRAWS);
}

static uint64_t share_of(uint64_t count, double share) { return (uint64_t)llround((double)count * share); }

/* ------------------------------------------------------------ sets of a warp */

enum { POINTS, LENGTH, RESULT };

/* Sets that all warps have in their `round`-th turn. */
static uint64_t sets_of_round(const launch *work, const hull_table *t, uint64_t round) {
    const uint64_t step = (uint64_t)work->grid * (work->block_x / WARP_LANES);
    return min(t->sets - round * step, step);
}

static uint64_t rounds_of(const launch *work, const hull_table *t) {
    return ceil_div(t->sets, (uint64_t)work->grid * (work->block_x / WARP_LANES));
}

/* Address groups of `cells` neighbours from a cell on. */
static unsigned groups_of(const pattern *p, uint64_t first, uint64_t cells) {
    const unsigned width = p->machine->width;
    return cells == 0 ? 0 : (unsigned)((first + cells - 1) / width - first / width) + 1;
}

/* A set's points, or its results, of which there are so many: a set begins at any cell of an address group that one of `width` does. */
static void add_runs(const launch *work, const hull_table *t, unsigned site, uint64_t cells, pattern *out) {
    const uint64_t step = (uint64_t)work->grid * (work->block_x / WARP_LANES), width = out->machine->width;
    for (uint64_t round = 0; round < rounds_of(work, t); round++) {
        const uint64_t count = sets_of_round(work, t, round);
        for (uint64_t k = 0; k < min(width, count); k++) {
            const unsigned groups = groups_of(out, (round * step + k) * t->each, cells);
            pattern_stages(out, site, round, groups * ceil_div(count - k, width), groups);
        }
    }
}

/* The mean stages of a warp that writes a set's results, and that reads the points which are results. */
static riffle_status measure_results(const hull_table *t, riffle_type type, const pattern *out,
                                     double stages[PATTERN_OPS]) {
    enum { DRAWS = 64 };
    double at[2 * WARP_LANES];
    uint32_t hull[WARP_LANES];
    pattern drawn;
    tape noted;
    riffle_status status = RIFFLE_OK;
    pattern_begin(&drawn, out->machine, 1, UINT64_MAX);
    hull_declare_result(&drawn, 0, t);
    status = tape_create(&drawn, 1, &noted);
    for (uint64_t set = 0; status == RIFFLE_OK && set < DRAWS; set++) {
        uint64_t length = 0;
        for (uint32_t k = 0; k < t->each; k++) {
            const hull_f64 point = hull_drawn(&(hull_draw){type, set}, k);
            at[2 * k] = point.x, at[2 * k + 1] = point.y;
        }
        status = hull_definition(&(hull_points){RIFFLE_TYPE_F64, at, t->each}, 0, t->each, t->all != 0, hull,
                                 &length);
        for (uint32_t k = 0; k < length; k++) {
            tape_lane(&noted, 0);
            hull_note_result(&noted, 0, t, set * t->each + k, set * t->each + hull[k]);
        }
        tape_meet(&noted);
    }
    tape_free(&noted);
    const pattern_counts counts = pattern_end(&drawn);
    for (unsigned op = 0; op < PATTERN_OPS; op++)
        stages[op] = (double)counts.of[PATTERN_GLOBAL][op].stages / DRAWS;
    return status;
}

static void add_results(const launch *work, const hull_table *t, riffle_type type, pattern *out) {
    double stages[PATTERN_OPS];
    pattern_mean(out, PATTERN_EXPECTED);
    out->status = measure_results(t, type, out, stages);
    const unsigned sites = t->result_bytes > 0 ? 1 : HULL_RESULT_SITES;
    for (uint64_t round = 0; round < rounds_of(work, t); round++)
        for (unsigned k = 0; k < sites; k++) {
            const double each = stages[out->site[RESULT + k].op] / (sites > 1 ? 2 : 1);
            const uint64_t all = share_of(sets_of_round(work, t, round), each);
            pattern_stages(out, RESULT + k, round, all, each > 1.0001 ? 2 : 1);
        }
}

/* One point is a hull, whichever it is. */
void pattern_of_hull_small_sets(const launch *work, const void *subject, pattern *out) {
    const hull_table *const t = hull_table_of(work);
    pattern_declare(out, POINTS, PATTERN_GLOBAL, PATTERN_READ, 2 * t->coordinate_bytes);
    pattern_declare(out, LENGTH, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    hull_declare_result(out, RESULT, t);
    add_runs(work, t, POINTS, t->each, out);
    for (uint64_t round = 0; round < rounds_of(work, t); round++)
        pattern_stages(out, LENGTH, round, sets_of_round(work, t, round), 1);
    if (t->each > 1 || (t->each == 1 && t->result_bytes == 0))
        add_results(work, t, ((const hull_subject *)subject)->type, out);
    else
        add_runs(work, t, RESULT, t->each, out);
}

/* ------------------------------------------------------------ sets of a block */

/* Follows a block on a set of its own. */
static void follow_set(hull_solver *s, const hull_draw *draw, hull_f64 *at) {
    const hull_table *const t = s->table;
    for (uint32_t k = 0; k < t->each; k++) at[k] = hull_drawn(draw, k);
    const uint64_t first = t->sets > 1 ? draw->number % t->sets * t->each : 0;
    hull_solver_follow(s, &(hull_solved){.at = at, .first = first, .count = (uint32_t)t->each});
}

/* So many blocks of the launch, each on some of its sets; they stand for the others. */
static riffle_status follow_blocks(const launch *work, riffle_type type, uint64_t first, uint32_t blocks,
                                   uint64_t turns, pattern_counts *sum, const pattern *out) {
    const struct hull_block_arguments *const given = work->arguments;
    hull_solver s;
    riffle_status status = hull_solver_begin(out, &given->table, given->job.room, work->block_x, &s);
    hull_f64 *const at = malloc(HULL_FEW * sizeof *at);
    if (status == RIFFLE_OK && at == NULL) status = fail_memory("a prediction's points", HULL_FEW * sizeof *at);
    for (uint64_t b = 0; status == RIFFLE_OK && b < blocks; b++) {
        hull_solver_begin_block(&s, b, work->grid / blocks + (b < work->grid % blocks ? 1 : 0));
        for (uint64_t turn = 0; turn < turns; turn++)
            follow_set(&s, &(hull_draw){type, first + turn * blocks + b}, at);
    }
    free(at);
    const pattern_counts counts = hull_solver_end(&s);
    pattern_counts_add(sum, &counts);
    return status;
}

/* One set's counts are a mean; of many sets, blocks make one by themselves. */
void pattern_of_hull_sets(const launch *work, const void *subject, pattern *out) {
    const hull_table *const t = hull_table_of(work);
    const riffle_type type = ((const hull_subject *)subject)->type;
    const uint32_t draws = draws_for(t->each);
    const uint64_t rounds = ceil_div(t->sets, (uint64_t)work->grid), turns = min(rounds, (uint64_t)MOST_TURNS);
    pattern_counts sum = {0};
    pattern_mean(out, PATTERN_EXPECTED);
    for (uint32_t k = 0; t->sets == 1 && k < draws && out->status == RIFFLE_OK; k++)
        out->status = follow_blocks(work, type, k, 1, 1, &sum, out);
    if (t->sets > 1) out->status = follow_blocks(work, type, 0, min(draws, work->grid), turns, &sum, out);
    hull_scale_counts(&sum, t->sets == 1 ? 1.0 / draws : (double)t->sets / (double)(turns * work->grid));
    pattern_add(out, &sum);
    pattern_declare(out, 0, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    for (uint64_t round = 0; round < rounds; round++)
        pattern_stages(out, 0, round, min(t->sets - round * work->grid, (uint64_t)work->grid), 1);
}

/* ------------------------------------------------------------------- the end */

/* All threads ask whether a point was refused, and then whether a set was. */
void pattern_of_hull_settle(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    for (unsigned k = 0; k < 2; k++) {
        pattern_declare(out, k, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
        hull_add_uniform(out, k, 0, work->block_x / WARP_LANES);
    }
}

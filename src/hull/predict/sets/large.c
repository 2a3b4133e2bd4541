/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of many sets of more points than a block has room for (hull/kernels/hull_sets.cu, hull_large_sets): a block replaces portions of a set by
 * their hulls, until what is left fits. Portions are alike, so that a few are followed and stand for all; the last step is followed on the corners of
 * as many portions as a set has.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "hull/definition.h"
#include "hull/predict/accesses.h"
#include "hull/predict/patterns.h"
#include "hull/predict/solve.h"

enum { DRAWS = 3, MOST_POINTS = 1 << 21 /* more points of a set are not followed */ };

/* A launch, and what its blocks are followed on. */
typedef struct large_sets {
    const launch *work;
    const hull_table *t;
    hull_table listed; /* the same, whose results go to a list */
    riffle_type type;
    uint32_t room, draws;
    double turns; /* sets of a block */
    pattern *out;
} large_sets;

/* Points with their numbers among those of a set. */
typedef struct numbered {
    hull_f64 *at;
    uint32_t *index;
    uint32_t count;
} numbered;

static riffle_status numbered_create(uint64_t most, numbered *out) {
    *out = (numbered){malloc(most * sizeof *out->at), malloc(most * sizeof *out->index), 0};
    if (out->at != NULL && out->index != NULL) return RIFFLE_OK;
    return fail_memory("a prediction's points", most * (sizeof *out->at + sizeof *out->index));
}

static void numbered_free(numbered *n) {
    free(n->at);
    free(n->index);
}

/* ------------------------------------------------------------------ portions */

static void draw_portion(const large_sets *l, uint64_t draw, uint64_t begin, uint32_t count, numbered *out) {
    const hull_draw from = {l->type, draw};
    for (uint32_t k = 0; k < count; k++) {
        out->at[k] = hull_drawn(&from, begin + k);
        out->index[k] = (uint32_t)(begin + k);
    }
    out->count = count;
}

/* Appends the corners of a portion, which has `count` of its points from one on. */
static riffle_status append_corners(const large_sets *l, const numbered *from, uint32_t first, uint32_t count,
                                    numbered *to) {
    double at[2 * HULL_FEW];
    uint32_t hull[HULL_FEW];
    uint64_t length = 0;
    for (uint32_t k = 0; k < count; k++)
        at[2 * k] = from->at[first + k].x, at[2 * k + 1] = from->at[first + k].y;
    const riffle_status status =
        hull_definition(&(hull_points){RIFFLE_TYPE_F64, at, count}, 0, count, l->t->all != 0, hull, &length);
    for (uint64_t k = 0; status == RIFFLE_OK && k < length; k++) {
        to->at[to->count] = from->at[first + hull[k]];
        to->index[to->count++] = from->index[first + hull[k]];
    }
    return status;
}

/* Blocks that are followed, each on points that the list of its set names; they stand for all. */
static void begin_block(const large_sets *l, hull_solver *s, uint32_t k) {
    const uint32_t share = l->work->grid / l->draws, more = l->work->grid % l->draws;
    hull_solver_begin_block(s, k * (uint64_t)share + min(k, more), share + (k < more ? 1 : 0));
}

static void follow(const large_sets *l, hull_solver *s, uint32_t block, const numbered *of, uint32_t first,
                   uint32_t count, uint64_t to) {
    const uint64_t begin = block * l->t->each;
    uint32_t *const index = of->index + first;
    for (uint32_t k = 0; k < count; k++) index[k] += (uint32_t)begin;
    hull_solver_follow(s, &(hull_solved){.at = of->at + first,
                                         .index = index,
                                         .names = hull_place_of(l->t, l->t->list[1] + begin + first),
                                         .first = begin + to,
                                         .count = count});
    for (uint32_t k = 0; k < count; k++) index[k] -= (uint32_t)begin;
}

/* Counts of all blocks, where each replaces a portion of so many points by its corners. */
static riffle_status add_portion(const large_sets *l, uint64_t begin, uint32_t count, double times,
                                 pattern_counts *sum) {
    hull_solver s;
    numbered portion;
    riffle_status status = numbered_create(HULL_FEW, &portion);
    const riffle_status begun = hull_solver_begin(l->out, &l->listed, l->room, l->work->block_x, &s);
    if (status == RIFFLE_OK) status = begun;
    for (uint32_t k = 0; status == RIFFLE_OK && k < l->draws; k++) {
        begin_block(l, &s, k);
        draw_portion(l, k, begin, count, &portion);
        follow(l, &s, k, &portion, 0, count, 0);
    }
    pattern_counts counts = hull_solver_end(&s);
    hull_scale_counts(&counts, times);
    pattern_counts_add(sum, &counts);
    numbered_free(&portion);
    return status;
}

static riffle_status add_portions(const large_sets *l, pattern_counts *sum) {
    const uint64_t whole = l->t->each / l->room, rest = l->t->each % l->room;
    const riffle_status status = add_portion(l, 0, l->room, l->turns * (double)whole, sum);
    if (status != RIFFLE_OK || rest == 0) return status;
    return add_portion(l, whole * l->room, (uint32_t)rest, l->turns, sum);
}

/* --------------------------------------------------------------- what is left */

/* The corners of all portions of a set. */
static riffle_status find_corners(const large_sets *l, uint32_t block, numbered *out) {
    numbered portion;
    riffle_status status = numbered_create(HULL_FEW, &portion);
    out->count = 0;
    for (uint64_t begin = 0; status == RIFFLE_OK && begin < l->t->each; begin += l->room) {
        draw_portion(l, block, begin, (uint32_t)min(l->t->each - begin, (uint64_t)l->room), &portion);
        status = append_corners(l, &portion, 0, portion.count, out);
    }
    numbered_free(&portion);
    return status;
}

/* Portions of corners are replaced likewise, until one block has room for all. */
static riffle_status thin(const large_sets *l, hull_solver *s, uint32_t block, numbered *corners) {
    riffle_status status = RIFFLE_OK;
    while (status == RIFFLE_OK && corners->count > l->room) {
        const uint32_t all = corners->count;
        numbered left = {corners->at, corners->index, 0};
        for (uint32_t first = 0; status == RIFFLE_OK && first < all; first += l->room) {
            const uint32_t count = min(all - first, l->room);
            follow(l, s, block, corners, first, count, left.count);
            status = append_corners(l, corners, first, count, &left);
        }
        corners->count = left.count;
    }
    return status;
}

static riffle_status add_left(const large_sets *l, pattern_counts *sum) {
    hull_solver portions, last;
    numbered corners;
    riffle_status status = numbered_create(l->t->each, &corners);
    const riffle_status begun = hull_solver_begin(l->out, &l->listed, l->room, l->work->block_x, &portions),
                        begun_last = hull_solver_begin(l->out, l->t, l->room, l->work->block_x, &last);
    if (status == RIFFLE_OK) status = begun != RIFFLE_OK ? begun : begun_last;
    for (uint32_t k = 0; status == RIFFLE_OK && k < l->draws; k++) {
        status = find_corners(l, k, &corners);
        begin_block(l, &portions, k);
        begin_block(l, &last, k);
        if (status == RIFFLE_OK) status = thin(l, &portions, k, &corners);
        if (status == RIFFLE_OK) follow(l, &last, k, &corners, 0, corners.count, 0);
    }
    pattern_counts of_portions = hull_solver_end(&portions), of_last = hull_solver_end(&last);
    pattern_counts_add(&of_last, &of_portions);
    hull_scale_counts(&of_last, l->turns);
    pattern_counts_add(sum, &of_last);
    numbered_free(&corners);
    return status;
}

/* ------------------------------------------------------------------- the launch */

/* Each set's list names all of its points first; and its length is written last. */
static void add_writes(const large_sets *l) {
    const uint64_t each = l->t->each, warps = ceil_div(each, (uint64_t)WARP_LANES),
                   turns = ceil_div(l->t->sets, (uint64_t)l->work->grid);
    const double groups = each % WARP_LANES == 0 ? 1 : 2 - 1 / (double)WARP_LANES;
    expectation e = expect_begin(l->out, l->work->grid, false);
    expect_global(&e, PATTERN_WRITE, (double)(turns * ceil_div(each, (uint64_t)l->work->block_x)),
                  (double)(l->t->sets * warps), groups);
    expect_global(&e, PATTERN_WRITE, (double)turns, (double)l->t->sets, 1);
}

void pattern_of_hull_large_sets(const launch *work, const void *subject, pattern *out) {
    const struct hull_block_arguments *const given = work->arguments;
    const hull_table *const t = &given->table;
    large_sets l = {.work = work,
                    .t = t,
                    .listed = *t,
                    .type = ((const hull_subject *)subject)->type,
                    .room = given->job.room,
                    .draws = min(work->grid, (uint32_t)DRAWS),
                    .turns = (double)t->sets / work->grid,
                    .out = out};
    pattern_counts sum = {0};
    l.listed.result_bytes = sizeof(uint32_t);
    out->is_unknown = t->each > MOST_POINTS;
    if (out->is_unknown) return;
    pattern_mean(out, PATTERN_EXPECTED);
    out->status = add_portions(&l, &sum);
    if (out->status == RIFFLE_OK) out->status = add_left(&l, &sum);
    pattern_add(out, &sum);
    add_writes(&l);
}

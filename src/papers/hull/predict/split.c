/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull, followed: an iteration of the splitting stage.
 */
#include "base/arithmetic.h"
#include "papers/hull/predict/add.h"

/* A processor's part of its problem's cells. */
typedef struct part {
    paper_problem *problem;
    uint32_t begin, end;
} part;

enum { OWNER, PROBLEM, CELLS_OF, SHARE_SITES };

static unsigned which_of(const paper_follow *f) { return f->iteration & 1; }

static part part_of(paper_follow *f, uint32_t processor) {
    const uint32_t owner = f->owner[which_of(f)][processor];
    part out = {NULL, 0, 0};
    paper_uniform(f, OWNER, PATTERN_READ, sizeof(uint32_t), processor, 1);
    if (owner == HULL_PAPER_NONE) return out;
    out.problem = &f->problems[which_of(f)][owner];
    const uint32_t length = out.problem->end - out.problem->begin, number = processor - out.problem->first;
    out.begin = out.problem->begin + paper_part(length, out.problem->count, number);
    out.end = out.problem->begin + paper_part(length, out.problem->count, number + 1);
    paper_uniform(f, PROBLEM, PATTERN_READ, sizeof(uint32_t), processor, 3);
    paper_uniform(f, CELLS_OF, PATTERN_READ, sizeof(uint32_t), processor, 1);
    return out;
}

/* ---------------------------------------------------------------------- pivots */

enum { HIGHEST = SHARE_SITES + PAPER_PAIR_SITES, RECORDS, BEST, ACTIVE, SHARED };

static riffle_status farthest(paper_follow *f) {
    const paper_record *const cells = f->cells[which_of(f)];
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        const part own = part_of(f, k);
        if (own.problem == NULL) continue;
        const paper_way way = paper_way_of(own.problem, cells, f->iteration);
        paper_add_pair(f, SHARE_SITES, k, &way);
        paper_stored(f, RECORDS, k, 1);
        for (uint32_t at = own.begin; at < own.end; at += PAPER_LANES)
            paper_members(f, HIGHEST, PATTERN_READ, k, at, min(own.end - at, (uint32_t)PAPER_LANES));
        f->best[k] = paper_highest(&way, own.problem->l, cells, own.begin, own.end);
        paper_one_whole(f, BEST, PATTERN_WRITE, k, 1);
    }
    return paper_step_end(f);
}

static riffle_status pivots(paper_follow *f) {
    const unsigned which = which_of(f);
    paper_step_begin(f);
    for (uint32_t warp = 0; warp < f->warps; warp++)
        paper_uniform(f, ACTIVE, PATTERN_READ, sizeof(uint32_t), warp, 1);
    for (uint32_t k = 0; k < f->active[which]; k++) {
        paper_problem *const own = &f->problems[which][k];
        const uint32_t warp = k % f->warps;
        const paper_way way = paper_way_of(own, f->cells[which], f->iteration);
        paper_uniform(f, ACTIVE, PATTERN_READ, sizeof(uint32_t), warp, 1);
        paper_add_pair(f, SHARE_SITES, warp, &way);
        paper_stored(f, RECORDS, warp, 1);
        paper_uniform(f, SHARED, PATTERN_READ, sizeof(uint32_t), warp, 2);
        for (uint32_t at = 0; at < own->count; at += PAPER_LANES)
            paper_members(f, HIGHEST, PATTERN_READ, warp, own->first + at,
                          min(own->count - at, (uint32_t)PAPER_LANES));
        own->m = paper_highest(&way, own->r, f->best, own->first, own->first + own->count);
        paper_store(f, BEST, warp, 1);
    }
    return paper_step_end(f);
}

/* --------------------------------------------------------------------- classes */

/* Lanes of a turn by their subproblem: bits of those that go left, and right. */
typedef struct sides {
    uint32_t count, bits[2];
} sides;

static sides sides_of(const paper_problem *of, const paper_record *cells, uint32_t at, uint32_t end) {
    sides out = {min(end - at, (uint32_t)PAPER_LANES), {0, 0}};
    for (uint32_t lane = 0; lane < out.count; lane++) {
        const unsigned side = paper_classify(&of->l, &of->m, &of->r, &cells[at + lane]);
        if (side != PAPER_DISCARD) out.bits[side] |= 1U << lane;
    }
    return out;
}

static void prune(paper_follow *f, unsigned site, uint32_t processor, const paper_problem *of, uint32_t at,
                  sides *own) {
    paper_record *const cells = &f->cells[which_of(f)][at];
    uint32_t pruned = paper_pruned(&of->l, &of->m, cells, own->bits[PAPER_LEFT]);
    pruned |= paper_pruned(&of->m, &of->r, cells, own->bits[PAPER_RIGHT]);
    if (pruned == 0) return;
    const uint32_t lowest = (uint32_t)__builtin_ctz(pruned), highest = 31 - (uint32_t)__builtin_clz(pruned);
    paper_whole(f, site, PATTERN_WRITE, processor, at + lowest, highest - lowest + 1);
    for (uint32_t lane = 0; lane < own->count; lane++)
        if (pruned >> lane & 1) cells[lane] = of->m;
    for (unsigned side = 0; side < 2; side++) own->bits[side] &= ~pruned;
}

static riffle_status classify(paper_follow *f) {
    enum { CELLS = HIGHEST, PRUNED = BEST, COUNTED = ACTIVE };
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        const part own = part_of(f, k);
        uint32_t count[2] = {0, 0};
        if (own.problem == NULL) continue;
        paper_stored(f, RECORDS, k, 3);
        for (uint32_t at = own.begin; at < own.end; at += PAPER_LANES) {
            sides here = sides_of(own.problem, f->cells[which_of(f)], at, own.end);
            paper_whole(f, CELLS, PATTERN_READ, k, at, here.count);
            prune(f, PRUNED, k, own.problem, at, &here);
            for (unsigned side = 0; side < 2; side++)
                count[side] += (uint32_t)__builtin_popcount(here.bits[side]);
        }
        for (unsigned side = 0; side < 2; side++) f->counts[side][k] = count[side];
        paper_uniform(f, COUNTED, PATTERN_WRITE, sizeof(uint32_t), k, 2);
    }
    return paper_step_end(f);
}

/* ---------------------------------------------------------------------- places */

static uint32_t sum_up(uint32_t *counts, uint32_t length) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < length; k++) {
        const uint32_t own = counts[k];
        counts[k] = sum;
        sum += own;
    }
    return sum;
}

static riffle_status places(paper_follow *f) {
    enum { CLEARED, COUNTS_OF, SCANNED, WRITTEN = SCANNED + PAPER_SCAN_SITES, ASKED };
    const unsigned which = which_of(f);
    paper_step_begin(f);
    paper_uniform(f, CLEARED, PATTERN_WRITE, sizeof(uint32_t), 0, 1);
    for (uint32_t warp = 0; warp < f->warps; warp++)
        paper_uniform(f, ASKED, PATTERN_READ, sizeof(uint32_t), warp, 1);
    for (uint32_t k = 0; k < f->active[which]; k++) {
        paper_problem *const own = &f->problems[which][k];
        const uint32_t warp = k % f->warps;
        paper_uniform(f, ASKED, PATTERN_READ, sizeof(uint32_t), warp, 1);
        paper_uniform(f, COUNTS_OF, PATTERN_READ, sizeof(uint32_t), warp, 4);
        for (unsigned side = 0; side < 2; side++)
            paper_add_scan(f, SCANNED, warp, (uint64_t)side * f->processors + own->first, own->count);
        own->left = sum_up(f->counts[0] + own->first, own->count);
        own->right = sum_up(f->counts[1] + own->first, own->count);
        paper_uniform(f, WRITTEN, PATTERN_WRITE, sizeof(uint32_t), warp, 2);
    }
    f->active[1 - which] = 0;
    return paper_step_end(f);
}

static riffle_status partition(paper_follow *f) {
    enum { CELLS = HIGHEST, ASKED = BEST, LEFTS = ACTIVE, RIGHTS };
    paper_record *const to = f->cells[1 - which_of(f)];
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        const part own = part_of(f, k);
        if (own.problem == NULL) continue;
        uint32_t place[2] = {own.problem->begin + f->counts[0][k],
                             own.problem->end - own.problem->right + f->counts[1][k]};
        paper_stored(f, RECORDS, k, 3);
        paper_uniform(f, ASKED, PATTERN_READ, sizeof(uint32_t), k, 5);
        for (uint32_t at = own.begin; at < own.end; at += PAPER_LANES) {
            const paper_record *const cells = f->cells[which_of(f)];
            const sides here = sides_of(own.problem, cells, at, own.end);
            paper_members(f, CELLS, PATTERN_READ, k, at, here.count);
            for (unsigned side = 0; side < 2; side++) {
                const uint32_t count = (uint32_t)__builtin_popcount(here.bits[side]);
                paper_members(f, LEFTS + side, PATTERN_WRITE, k, place[side], count);
                for (uint32_t lane = 0; lane < here.count; lane++)
                    if (here.bits[side] >> lane & 1) to[place[side]++] = cells[at + lane];
            }
        }
    }
    return paper_step_end(f);
}

/* --------------------------------------------------------------------- cleaning */

static riffle_status clean(paper_follow *f) {
    enum { EMPTIED = HIGHEST, PIVOT = BEST, ASKED = ACTIVE };
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        const part own = part_of(f, k);
        if (own.problem == NULL) continue;
        const paper_problem *const of = own.problem;
        const uint32_t begin = of->begin + of->left, length = of->end - of->right - begin,
                       number = k - of->first;
        paper_stored(f, RECORDS, k, 3);
        paper_uniform(f, ASKED, PATTERN_READ, sizeof(uint32_t), k, 7);
        for (unsigned which = 0; which < 2; which++)
            paper_clean(f, EMPTIED, PIVOT, k, f->cells[which],
                        &(paper_gap){begin, begin + paper_part(length, of->count, number),
                                     begin + paper_part(length, of->count, number + 1), of->m,
                                     !paper_is_stuck(of)});
    }
    return paper_step_end(f);
}

/* -------------------------------------------------------------------- processors */

/* A thread a problem: the left subproblems of a warp's, and then the right ones. */
static void assign_warp(paper_follow *f, unsigned site, uint32_t first, uint32_t count) {
    const uint32_t warp = first / PAPER_LANES % f->warps;
    const unsigned which = which_of(f);
    const bool is_last = f->iteration + 1 >= HULL_PAPER_ITERATIONS;
    paper_adding added[2] = {{.tasks = 0}, {.tasks = 0}};
    for (unsigned side = 0; side < 2; side++) {
        for (uint32_t k = first; k < first + count; k++) {
            const paper_problem own = f->problems[which][k];
            paper_problem next = own;
            const uint32_t share =
                hull_paper_share(own.count, own.left, own.right, f->out.points, f->processors);
            next.is_stuck = paper_is_stuck(&own);
            next.at = 1 - which;
            if (side == 0) {
                next.end = own.begin + own.left;
                next.count = share;
                next.r = own.m;
            } else {
                next.begin = own.end - own.right;
                next.first = own.first + share;
                next.count = own.count - share;
                next.l = own.m;
            }
            paper_add_problem(f, &added[side], &next, 1 - which, is_last);
        }
        paper_add_problems(f, site + side * PAPER_ADD_SITES, warp, &added[side]);
    }
}

static riffle_status assign(paper_follow *f) {
    enum { OWNERS, NUMBERED, ASKED, COPIED, POINTS, ADDED };
    const unsigned which = which_of(f);
    const uint32_t words = sizeof(hull_paper_problem) / 8;
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k += PAPER_LANES)
        paper_uniform(f, OWNERS, PATTERN_WRITE, sizeof(uint32_t), k / PAPER_LANES % f->warps, 1);
    for (uint32_t k = 0; k < f->processors; k++) f->owner[1 - which][k] = HULL_PAPER_NONE;
    paper_uniform(f, NUMBERED, PATTERN_WRITE, sizeof(uint32_t), 0, 1);
    for (uint32_t warp = 0; warp < f->warps; warp++)
        paper_uniform(f, ASKED, PATTERN_READ, sizeof(uint32_t), warp, 1);
    for (uint32_t first = 0; first < f->active[which]; first += PAPER_LANES) {
        const uint32_t warp = first / PAPER_LANES % f->warps,
                       count = min(f->active[which] - first, (uint32_t)PAPER_LANES);
        paper_uniform(f, ASKED, PATTERN_READ, sizeof(uint32_t), warp, 1);
        for (uint32_t word = 0; word < words; word++)
            paper_run(f, COPIED, PATTERN_READ, 8, warp, ((uint64_t)first * words + word) * 8, words * 8, count);
        paper_uniform(f, POINTS, PATTERN_READ, sizeof(uint32_t), warp, 1);
        assign_warp(f, ADDED, first, count);
    }
    f->iteration++;
    return paper_step_end(f);
}

riffle_status paper_split(paper_follow *f) {
    static riffle_status (*const steps[])(paper_follow *) = {farthest,  pivots, classify, places,
                                                             partition, clean,  assign};
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < sizeof steps / sizeof *steps; k++) status = steps[k](f);
    return status;
}

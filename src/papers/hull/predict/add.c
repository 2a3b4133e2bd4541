/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/hull/predict/add.h"

#include "base/arithmetic.h"

enum { PROBLEM = sizeof(hull_paper_problem), PROBLEM_WORDS = PROBLEM / 8 };

void paper_add_scan(paper_follow *f, unsigned site, uint32_t warp, uint64_t at, uint32_t length) {
    for (uint32_t k = 0; k < length; k += PAPER_LANES)
        for (unsigned op = 0; op < PATTERN_OPS; op++)
            paper_run(f, site + op, op == 0 ? PATTERN_READ : PATTERN_WRITE, sizeof(uint32_t), warp,
                      (at + k) * sizeof(uint32_t), sizeof(uint32_t), min(length - k, (uint32_t)PAPER_LANES));
}

void paper_add_problem(paper_follow *f, paper_adding *to, const paper_problem *own, unsigned which,
                       bool is_last) {
    const uint32_t size = own->end - own->begin;
    if (size == 0) return;
    if (own->count < 2 || size <= HULL_PAPER_SMALL || is_last) {
        if (to->tasks++ == 0) to->first_task = f->waiting;
        f->tasks[f->waiting++] = *own;
        return;
    }
    if (to->shared == 0) to->first_shared = f->active[which];
    to->owner[to->shared] = own->first;
    to->owners[to->shared++] = own->count;
    for (uint32_t k = 0; k < own->count; k++) f->owner[which][own->first + k] = f->active[which];
    f->problems[which][f->active[which]++] = *own;
}

/* A number from a counter for each, and then all words of each. */
static void add_written(paper_follow *f, unsigned site, uint32_t warp, uint32_t first, uint32_t count) {
    if (count == 0) return;
    paper_run(f, site, PATTERN_WRITE, sizeof(uint32_t), warp, 0, PAPER_LANES * sizeof(uint32_t), count);
    for (unsigned word = 0; word < PROBLEM_WORDS; word++)
        paper_run(f, site + 1, PATTERN_WRITE, sizeof(uint64_t), warp, (uint64_t)first * PROBLEM + word * 8,
                  PROBLEM, count);
}

/* Lanes give processors to their problems side by side. */
static void add_owners(paper_follow *f, unsigned site, uint32_t warp, const paper_adding *of) {
    uint32_t most = 0;
    for (uint32_t k = 0; k < of->shared; k++) most = max(most, of->owners[k]);
    for (uint32_t turn = 0; turn < most; turn++) {
        uint32_t groups = 0;
        uint64_t last = UINT64_MAX;
        for (uint32_t k = 0; k < of->shared; k++) {
            const uint64_t group = ((uint64_t)of->owner[k] + turn) / f->p.machine->width;
            if (turn >= of->owners[k]) continue;
            groups += group != last;
            last = group;
        }
        paper_stages(f, site, PATTERN_WRITE, sizeof(uint32_t), warp, groups);
    }
}

void paper_add_problems(paper_follow *f, unsigned site, uint32_t warp, const paper_adding *of) {
    add_written(f, site, warp, of->first_task, of->tasks);
    add_written(f, site + 2, warp, of->first_shared, of->shared);
    add_owners(f, site + 4, warp, of);
}

/* -------------------------------------------------------------------- the pair */

void paper_add_pair(paper_follow *f, unsigned site, uint32_t processor, const paper_way *way) {
    paper_uniform(f, site, PATTERN_READ, sizeof(uint32_t), processor, 2);
    paper_uniform(f, site + 1, PATTERN_READ, sizeof(uint32_t), processor, 1);
    paper_stored(f, site + 2, processor, 2);
    if (!way->has_pair) return;
    paper_uniform(f, site + 3, PATTERN_READ, sizeof(uint32_t), processor, 4);
    paper_one_whole(f, site + (way->is_turned ? 5 : 4), PATTERN_READ, processor, 2);
}

/* -------------------------------------------------------------------- cleaning */

void paper_clean(paper_follow *f, unsigned emptied, unsigned pivot, uint32_t processor, paper_record *cells,
                 const paper_gap *gap) {
    for (uint32_t at = gap->start; at < gap->end; at += PAPER_LANES) {
        const uint32_t count = min(gap->end - at, (uint32_t)PAPER_LANES),
                       kept = at == gap->begin && gap->is_new ? 1 : 0;
        if (kept > 0) paper_whole(f, pivot, PATTERN_WRITE, processor, at, 1);
        paper_members(f, emptied, PATTERN_WRITE, processor, at + kept, count - kept);
        for (uint32_t k = 0; k < count; k++) {
            cells[at + k] = gap->pivot;
            if (k >= kept) cells[at + k].index = HULL_PAPER_NONE;
        }
    }
}

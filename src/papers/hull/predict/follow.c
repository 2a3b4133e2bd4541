/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/hull/predict/follow.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/splitmix.h"

enum { MEMBERS = 4 };

/* ----------------------------------------------------------------------- steps */

void paper_step_begin(paper_follow *f) {
    pattern_begin(&f->p, f->p.machine, f->p.grid, f->p.most_elements);
    memset(f->done, 0, f->processors * sizeof *f->done);
}

riffle_status paper_step_end(paper_follow *f) {
    const pattern_counts counts = pattern_end(&f->p);
    pattern_counts_add(&f->counts_of_steps, &counts);
    return f->p.status;
}

/* -------------------------------------------------------------------- accesses */

void paper_stages(paper_follow *f, unsigned site, pattern_op op, unsigned bytes, uint32_t processor,
                  uint64_t stages) {
    if (f->p.site[site].bytes == 0) pattern_declare(&f->p, site, PATTERN_GLOBAL, op, bytes);
    pattern_alike(&f->p, processor / f->warps, 1);
    pattern_stages(&f->p, site, f->done[processor][site]++, stages, (unsigned)stages);
}

void paper_uniform(paper_follow *f, unsigned site, pattern_op op, unsigned bytes, uint32_t processor,
                   uint32_t times) {
    for (uint32_t k = 0; k < times; k++) paper_stages(f, site, op, bytes, processor, 1);
}

static uint32_t words_of(const paper_follow *f) { return hull_record_bytes(f->kind) / 8; }

void paper_stored(paper_follow *f, unsigned site, uint32_t processor, uint32_t times) {
    paper_uniform(f, site, PATTERN_READ, sizeof(uint64_t), processor, times * words_of(f));
}

void paper_store(paper_follow *f, unsigned site, uint32_t processor, uint32_t times) {
    paper_uniform(f, site, PATTERN_WRITE, sizeof(uint64_t), processor, times * HULL_RECORD_WORDS);
}

static uint32_t pieces_of(const paper_follow *f) { return f->kind == HULL_RECORD_F32 ? 1 : words_of(f); }

void paper_one_whole(paper_follow *f, unsigned site, pattern_op op, uint32_t processor, uint32_t times) {
    paper_uniform(f, site, op, sizeof(uint64_t), processor, times * pieces_of(f));
}

void paper_one_member(paper_follow *f, unsigned site, pattern_op op, uint32_t processor, uint32_t times) {
    paper_uniform(f, site, op, sizeof(uint32_t), processor, times * MEMBERS);
}

static uint64_t groups_of(const paper_follow *f, unsigned bytes, uint64_t at, uint64_t stride, uint32_t count) {
    const uint64_t unit = (uint64_t)bytes * f->p.machine->width;
    return (at + (count - 1) * stride) / unit - at / unit + 1;
}

void paper_run(paper_follow *f, unsigned site, pattern_op op, unsigned bytes, uint32_t processor, uint64_t at,
               uint64_t stride, uint32_t count) {
    if (count > 0)
        paper_stages(f, site, op, bytes, processor,
                     min(groups_of(f, bytes, at, stride, count), (uint64_t)count));
}

void paper_members(paper_follow *f, unsigned site, pattern_op op, uint32_t processor, uint64_t cell,
                   uint32_t count) {
    static const unsigned floats[MEMBERS] = {4, 4, 4, 4}, others[MEMBERS] = {8, 8, 4, 4};
    const unsigned *const bytes = f->kind == HULL_RECORD_F32 ? floats : others;
    const uint64_t record = hull_record_bytes(f->kind);
    uint64_t at = cell * record;
    for (unsigned k = 0; count > 0 && k < MEMBERS; at += bytes[k++])
        paper_stages(f, site, op, bytes[k], processor,
                     min(groups_of(f, bytes[k], at, record, count), (uint64_t)count));
}

void paper_whole(paper_follow *f, unsigned site, pattern_op op, uint32_t processor, uint64_t cell,
                 uint32_t count) {
    const uint64_t record = hull_record_bytes(f->kind);
    const unsigned bytes = (unsigned)record / pieces_of(f);
    for (unsigned k = 0; count > 0 && k < pieces_of(f); k++)
        paper_stages(f, site, op, bytes, processor,
                     groups_of(f, bytes, cell * record + k * bytes, record, count));
}

void paper_indices(paper_follow *f, unsigned site, uint32_t processor, uint64_t cell, uint32_t count) {
    const uint64_t record = hull_record_bytes(f->kind);
    if (count > 0)
        paper_stages(f, site, PATTERN_READ, 4, processor,
                     min(groups_of(f, 4, cell * record + record - 8, record, count), (uint64_t)count));
}

void paper_shared(paper_follow *f, unsigned site, pattern_op op, unsigned bytes, uint32_t processor) {
    if (f->p.site[site].bytes == 0) pattern_declare(&f->p, site, PATTERN_SHARED, op, bytes);
    paper_stages(f, site, op, bytes, processor, 1);
}

/* ------------------------------------------------------------------ geometry */

bool paper_is_higher(const paper_way *way, const paper_record *best, const paper_record *c) {
    const int side = hull_cross_f64(way->a, way->b, best->at, c->at);
    return side != 0 ? side > 0 : paper_before(c, best);
}

paper_record paper_highest(const paper_way *way, paper_record best, const paper_record *cells, uint32_t begin,
                           uint32_t end) {
    for (uint32_t k = begin; k < end; k++)
        if (paper_is_higher(way, &best, &cells[k])) best = cells[k];
    return best;
}

/* Any pair is as good as the kernel's. */
paper_way paper_way_of(const paper_problem *own, const paper_record *cells, uint32_t chance) {
    const uint32_t size = own->end - own->begin;
    const hull_f64 l = own->l.at, r = own->r.at;
    uint64_t state = (uint64_t)own->begin << 32 | (chance ^ own->end);
    if (size < 2 || own->is_stuck) return (paper_way){l, r, false, false};
    const uint32_t one = (uint32_t)(splitmix_next(&state) % size),
                   other = (uint32_t)(splitmix_next(&state) % (size - 1));
    const hull_f64 p = cells[own->begin + one].at,
                   q = cells[own->begin + (other >= one ? other + 1 : other)].at;
    const int ahead = hull_cross_f64(p, q, (hull_f64){r.y, l.x}, (hull_f64){l.y, r.x});
    if (ahead == 0) return (paper_way){l, r, false, true};
    return ahead > 0 ? (paper_way){p, q, false, true} : (paper_way){q, p, true, true};
}

unsigned paper_classify(const paper_record *l, const paper_record *m, const paper_record *r,
                        const paper_record *own) {
    if (paper_side(l, m, own) > 0) return PAPER_LEFT;
    return paper_side(m, r, own) > 0 ? PAPER_RIGHT : PAPER_DISCARD;
}

/* p is in the triangle l q r. */
static bool is_covered(const paper_record *l, const paper_record *r, const paper_record *p,
                       const paper_record *q) {
    if (p->at.x == q->at.x && p->at.y == q->at.y) return p->index > q->index;
    return paper_side(l, q, p) <= 0 && paper_side(q, r, p) <= 0;
}

uint32_t paper_pruned(const paper_record *l, const paper_record *r, const paper_record *lanes, uint32_t votes) {
    uint32_t pruned = 0;
    while (votes != 0) {
        const unsigned one = (unsigned)__builtin_ctz(votes);
        votes &= votes - 1;
        if (votes == 0) break;
        const unsigned other = (unsigned)__builtin_ctz(votes);
        votes &= votes - 1;
        if (is_covered(l, r, &lanes[one], &lanes[other])) pruned |= 1U << one;
        if (is_covered(l, r, &lanes[other], &lanes[one])) pruned |= 1U << other;
    }
    return pruned;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/steps.h"

#include <stdlib.h>

void steps_free(warp_steps *w) {
    for (unsigned k = 0; k < MACHINE_MAX_WIDTH; k++) free(w->lane[k].step);
}

bool steps_any(const warp_steps *w) {
    for (unsigned k = 0; k < MACHINE_MAX_WIDTH; k++) {
        if (w->lane[k].first < w->lane[k].count) return true;
    }
    return false;
}

/* ---- noting */

static bool grow(lane_steps *lane) {
    const uint32_t capacity = lane->capacity == 0 ? 16 : 2 * lane->capacity;
    step *grown = realloc(lane->step, capacity * sizeof *grown);
    if (grown == NULL) return false;
    lane->step = grown;
    lane->capacity = capacity;
    return true;
}

static bool append(lane_steps *lane, step one) {
    if (lane->count == lane->capacity && !grow(lane)) return false;
    lane->step[lane->count++] = one;
    return true;
}

bool steps_access(lane_steps *lane, uint32_t call, uint32_t site, place at) {
    return append(lane, (step){false, site & 0x7fffffff, call, at});
}

/* True if a turn belongs to the loop with this head or to one inside it, also in a function called there. */
static bool is_within(const flow *f, const step *turn, uint32_t call, uint32_t head) {
    uint32_t own = turn->call, block = turn->what;
    for (; f->call[own].depth > f->call[call].depth; own = f->call[own].parent) block = f->call[own].block;
    const flow_block *loop = &f->block[head];
    return own == call && f->block[block].index >= loop->index && f->block[block].index <= loop->end;
}

/* Turns without an access are only counted, and forgotten where a loop around theirs has turned: a thread may turn as
 * often as it likes. */
bool steps_turn(lane_steps *lane, const flow *f, uint32_t call, uint32_t head) {
    for (uint32_t k = lane->count; k > lane->first && lane->step[k - 1].is_turn; k--) {
        step *before = &lane->step[k - 1];
        if (!is_within(f, before, call, head)) break;
        if (before->what != head || before->call != call) continue;
        before->at++;
        lane->count = k;
        return true;
    }
    return append(lane, (step){true, head & 0x7fffffff, call, 1});
}

/* ---- the order of places */

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* Orders places of one function. A loop's turn comes after everything in the loop, an inner loop's before the outer's. */
static int compare_near(const step_place *a, const step_place *b) {
    if (a->index != b->index) return compare_numbers(a->index, b->index);
    if (a->head == 0 || b->head == 0) {
        const int kind = compare_numbers(a->head != 0, b->head != 0);
        return kind != 0 ? kind : compare_numbers((uintptr_t)a->pc, (uintptr_t)b->pc);
    }
    return compare_numbers(b->head, a->head);
}

static step_place call_of(const flow *f, const step_place *p) {
    const flow_call *call = &f->call[p->call];
    return (step_place){call->parent, f->block[call->block].index, 0, call->pc};
}

static int compare_far(const flow *f, step_place a, step_place b) {
    while (f->call[a.call].depth > f->call[b.call].depth) a = call_of(f, &a);
    while (f->call[b.call].depth > f->call[a.call].depth) b = call_of(f, &b);
    while (a.call != b.call) {
        a = call_of(f, &a);
        b = call_of(f, &b);
    }
    return compare_near(&a, &b);
}

static int compare(const flow *f, const step_place *a, const step_place *b) {
    return a->call == b->call ? compare_near(a, b) : compare_far(f, *a, *b);
}

/* ---- matching */

static const step *next_of(const step_match *m, unsigned lane) {
    return &m->steps->lane[lane].step[m->steps->lane[lane].first];
}

static step_place place_of(const step_match *m, const step *next) {
    if (next->is_turn) {
        const flow_block *head = &m->flow->block[next->what];
        return (step_place){next->call, head->end, head->index, NULL};
    }
    const site_place *site = &m->site[next->what];
    return (step_place){next->call, m->flow->block[site->block].index, 0, site->pc};
}

/* A lane has taken a step, or is new. */
static void settle(step_match *m, unsigned lane) {
    lane_steps *own = &m->steps->lane[lane];
    m->placed &= ~(1u << lane);
    if (own->first < own->count) return;
    own->first = own->count = 0;
    m->pending &= ~(1u << lane);
}

void steps_begin(step_match *m) {
    m->pending = ~0u;
    for (unsigned lane = 0; lane < MACHINE_MAX_WIDTH; lane++) settle(m, lane);
}

/* The lane whose step is the first in the code. */
static unsigned first_lane(step_match *m) {
    unsigned least = (unsigned)__builtin_ctz(m->pending);
    for (unsigned rest = m->pending; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if ((m->placed >> lane & 1) == 0) m->at[lane] = place_of(m, next_of(m, lane));
        if (lane != least && compare(m->flow, &m->at[lane], &m->at[least]) < 0) least = lane;
    }
    m->placed = m->pending;
    return least;
}

/* Mask of the pending lanes whose next step is the same. */
static unsigned same_step(const step_match *m, const step *one) {
    unsigned lanes = 0;
    for (unsigned rest = m->pending; rest != 0; rest &= rest - 1) {
        const step *next = next_of(m, (unsigned)__builtin_ctz(rest));
        if (next->is_turn == one->is_turn && next->what == one->what && next->call == one->call)
            lanes |= rest & -rest;
    }
    return lanes;
}

/* All that is left of them have their turns at once, as many as all of them have. */
static void turn(step_match *m, unsigned lanes) {
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        lane_steps *own = &m->steps->lane[__builtin_ctz(rest)];
        if (--own->step[own->first].at == 0) own->first++;
        settle(m, (unsigned)__builtin_ctz(rest));
    }
}

static void take(step_match *m, unsigned lanes, warp_access *out) {
    out->lanes = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        out->lane[out->lanes] = (uint8_t)lane;
        out->at[out->lanes++] = next_of(m, lane)->at;
        m->steps->lane[lane].first++;
        settle(m, lane);
    }
}

bool steps_next(step_match *m, step *first, warp_access *out) {
    while (m->pending != 0 && (m->live & ~m->pending) == 0) {
        *first = *next_of(m, (unsigned)__builtin_ctz(m->pending));
        unsigned lanes = same_step(m, first);
        if (lanes != m->pending) { /* else nobody is earlier */
            *first = *next_of(m, first_lane(m));
            lanes = same_step(m, first);
        }
        if (first->is_turn) {
            turn(m, lanes);
            continue;
        }
        take(m, lanes, out);
        return true;
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull, followed: the independent stage. The memory machine runs a block's warps one after the other, so that the first warp
 * takes all tasks; a GPU shares them out, and has as many stages in fewer rounds.
 */
#include "base/arithmetic.h"
#include "papers/hull/predict/add.h"

enum { HALVES = 2, PLACES = HALVES * PAPER_LANES, WARP = 0 };

enum {
    TAKEN,
    TASKS,
    TASK, /* read; copied, if it is in the other array; pushed */
    COPIED,
    PUSHED = COPIED + 2,
    PUSHED_RECORDS,
    POPPED,
    RECORDS,
    PAIR,
    HIGHEST = PAIR + PAPER_PAIR_SITES,
    READ,
    LEFT_SHARED = READ + HALVES,
    RIGHT_SHARED = LEFT_SHARED + HALVES,
    SORTED = RIGHT_SHARED + HALVES,
    STORED = SORTED + HALVES,
    EMPTIED = STORED + HALVES,
    PIVOT,
    ENDED,
};

/* A problem's records as a warp has them in its lanes' registers. */
typedef struct alone {
    paper_follow *f;
    paper_problem of;
    paper_record *cells, p[PLACES];
    unsigned side[PLACES];
    uint32_t lefts, rights, read_front, read_back, write_front, write_back;
} alone;

/* A stack of problems: its top is solved next. */
typedef struct stack {
    paper_problem of[HULL_PAPER_STACK];
    uint32_t depth;
} stack;

/* --------------------------------------------------------------------- sorting */

static void shared_run(alone *own, unsigned site, pattern_op op, uint32_t count) {
    const bool is_one = own->f->kind == HULL_RECORD_F32;
    for (unsigned k = 0; count > 0 && k < (is_one ? 1 : HULL_RECORD_WORDS); k++)
        paper_shared(own->f, site, op, is_one ? 16 : 8, WARP);
}

static void sort_sides(alone *own) {
    paper_record sorted[PLACES];
    uint32_t count[HALVES][2] = {{0}}, at[2] = {0, 0};
    for (uint32_t k = 0; k < PLACES; k++)
        if (own->side[k] != PAPER_DISCARD) count[k / PAPER_LANES][own->side[k]]++;
    own->lefts = count[0][PAPER_LEFT] + count[1][PAPER_LEFT];
    own->rights = count[0][PAPER_RIGHT] + count[1][PAPER_RIGHT];
    at[PAPER_RIGHT] = PLACES - own->rights;
    for (uint32_t k = 0; k < PLACES; k++)
        if (own->side[k] != PAPER_DISCARD) sorted[at[own->side[k]]++] = own->p[k];
    for (unsigned h = 0; h < HALVES; h++) {
        shared_run(own, LEFT_SHARED + h, PATTERN_WRITE, count[h][PAPER_LEFT]);
        shared_run(own, RIGHT_SHARED + h, PATTERN_WRITE, count[h][PAPER_RIGHT]);
        const uint32_t begin = h * PAPER_LANES, end = begin + PAPER_LANES;
        shared_run(own, SORTED + h, PATTERN_READ,
                   own->lefts > begin || PLACES - own->rights < end ? PAPER_LANES : 0);
    }
    for (uint32_t k = 0; k < PLACES; k++) {
        own->side[k] = k < own->lefts ? PAPER_LEFT : k >= PLACES - own->rights ? PAPER_RIGHT : PAPER_DISCARD;
        if (own->side[k] != PAPER_DISCARD) own->p[k] = sorted[k];
    }
}

static void read_next(alone *own, bool from_front) {
    const uint32_t free = PLACES - own->lefts - own->rights,
                   count = min(min(free, (uint32_t)PAPER_LANES), own->read_back - own->read_front);
    if (!from_front) own->read_back -= count;
    const uint32_t from = from_front ? own->read_front : own->read_back, first = own->lefts,
                   end = first + count;
    for (uint32_t k = first; k < end; k++) {
        own->p[k] = own->cells[from + k - first];
        own->side[k] = paper_classify(&own->of.l, &own->of.m, &own->of.r, &own->p[k]);
    }
    for (uint32_t h = 0; h < HALVES; h++) {
        const uint32_t begin = max(first, h * PAPER_LANES), last = min(end, (h + 1) * PAPER_LANES);
        if (begin < last) paper_whole(own->f, READ + h, PATTERN_READ, WARP, from + begin - first, last - begin);
    }
    if (from_front) own->read_front += count;
    sort_sides(own);
}

/* A half's points that stay are written, to the front or to the back. */
static void store(alone *own, unsigned side) {
    const paper_record *const half = own->p + side * PAPER_LANES;
    const paper_problem *const of = &own->of;
    uint32_t votes = 0;
    for (uint32_t k = 0; k < PAPER_LANES; k++) {
        if (own->side[side * PAPER_LANES + k] == side) votes |= 1U << k;
        own->side[side * PAPER_LANES + k] = PAPER_DISCARD;
    }
    votes &= ~(side == PAPER_LEFT ? paper_pruned(&of->l, &of->m, half, votes)
                                  : paper_pruned(&of->m, &of->r, half, votes));
    const uint32_t count = (uint32_t)__builtin_popcount(votes);
    if (side == PAPER_RIGHT) own->write_back -= count;
    uint32_t to = side == PAPER_LEFT ? own->write_front : own->write_back;
    paper_whole(own->f, STORED + side, PATTERN_WRITE, WARP, to, count);
    for (uint32_t k = 0; k < PAPER_LANES; k++)
        if (votes >> k & 1) own->cells[to++] = half[k];
    if (side == PAPER_LEFT) own->write_front += count;
}

static bool store_full(alone *own, bool *from_front) {
    if (own->lefts < PAPER_LANES && own->rights < PAPER_LANES) return false;
    *from_front = own->lefts >= PAPER_LANES;
    store(own, *from_front ? PAPER_LEFT : PAPER_RIGHT);
    sort_sides(own);
    return true;
}

static void partition(alone *own) {
    bool from_front = true;
    own->read_front = own->write_front = own->of.begin;
    own->read_back = own->write_back = own->of.end;
    own->lefts = own->rights = 0;
    for (uint32_t k = 0; k < PLACES; k++) own->side[k] = PAPER_DISCARD;
    read_next(own, true);
    read_next(own, false);
    for (;;) {
        const bool stored = store_full(own, &from_front);
        if (own->read_front == own->read_back) {
            if (!stored) break;
            continue;
        }
        if (!stored) from_front = own->read_front - own->write_front < own->write_back - own->read_back;
        read_next(own, from_front);
    }
    store(own, PAPER_LEFT);
    store(own, PAPER_RIGHT);
}

/* ----------------------------------------------------------------------- tasks */

static void push(paper_follow *f, stack *to, const paper_problem *of) {
    if (of->end - of->begin < 2) return;
    to->of[to->depth++] = *of;
    paper_uniform(f, PUSHED, PATTERN_WRITE, sizeof(uint32_t), WARP, 3);
    paper_store(f, PUSHED_RECORDS, WARP, 2);
}

static void solve_top(paper_follow *f, stack *on, uint32_t chance) {
    paper_record *const cells = f->cells[0];
    alone own = {.f = f, .of = on->of[--on->depth], .cells = cells};
    paper_problem *const of = &own.of;
    const paper_way way = paper_way_of(of, cells, chance);
    paper_add_pair(f, PAIR, WARP, &way); /* begin, end; is_stuck; l, r; the pair */
    for (uint32_t at = of->begin; at < of->end; at += PAPER_LANES)
        paper_members(f, HIGHEST, PATTERN_READ, WARP, at, min(of->end - at, (uint32_t)PAPER_LANES));
    of->m = paper_is_higher(&way, &of->l, &of->r) ? of->r : of->l;
    of->m = paper_highest(&way, of->m, cells, of->begin, of->end);
    partition(&own);
    const bool is_stuck = paper_is_stuck(of);
    paper_clean(f, EMPTIED, PIVOT, WARP, cells,
                &(paper_gap){own.write_front, own.write_front, own.write_back, of->m, !is_stuck});
    paper_problem left = *of, right = *of;
    left.end = own.write_front, right.begin = own.write_back;
    left.r = right.l = of->m;
    left.is_stuck = right.is_stuck = is_stuck;
    const bool left_first = left.end - left.begin > right.end - right.begin;
    push(f, on, left_first ? &left : &right);
    push(f, on, left_first ? &right : &left);
}

static void solve_task(paper_follow *f, const paper_problem *task) {
    stack on = {.depth = 0};
    uint32_t pops = 0;
    paper_uniform(f, TASK, PATTERN_READ, sizeof(uint32_t), WARP, 4);
    for (uint32_t at = task->begin; task->at != 0 && at < task->end; at += PAPER_LANES) {
        const uint32_t count = min(task->end - at, (uint32_t)PAPER_LANES);
        paper_whole(f, COPIED, PATTERN_READ, WARP, at, count);
        paper_whole(f, COPIED + 1, PATTERN_WRITE, WARP, at, count);
        for (uint32_t k = at; k < at + count; k++) f->cells[0][k] = f->cells[1][k];
    }
    paper_stored(f, RECORDS, WARP, 2);
    push(f, &on, task);
    for (; on.depth > 0; pops++) solve_top(f, &on, pops + 1);
    if (pops > 0) paper_uniform(f, ENDED, PATTERN_WRITE, sizeof(uint32_t), WARP, 1);
}

riffle_status paper_solve_alone(paper_follow *f) {
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->waiting; k++) {
        paper_uniform(f, TAKEN, PATTERN_WRITE, sizeof(uint32_t), WARP, 1);
        paper_uniform(f, TASKS, PATTERN_READ, sizeof(uint32_t), WARP, 1);
        solve_task(f, &f->tasks[k]);
    }
    for (uint32_t k = 0; k < f->processors; k++) {
        paper_uniform(f, TAKEN, PATTERN_WRITE, sizeof(uint32_t), k, 1);
        paper_uniform(f, TASKS, PATTERN_READ, sizeof(uint32_t), k, 1);
    }
    return paper_step_end(f);
}

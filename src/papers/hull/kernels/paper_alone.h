/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull: independent stage and finalization (paper.h). A warp has a virtual array of 64 records in its
 * lanes' registers, two each, which it sorts by subproblem (Algorithm 7):
 *
 *     p[0 .. 64)   | left of l m | discarded | left of m r |
 *
 * It reads into what is discarded, from the front of its cells or from the back, and writes what is left of l m to the front
 * and what is left of m r to the back, 32 at a time and what its pairs cover left out. A chunk of both ends is read before the first
 * is written, and one of the same end after each that is written, so that nothing is overwritten that was not read. (In the text
 * a chunk is read into half of p even if neither half is free; here as many are read as are discarded.)
 */
#ifndef RIFFLE_PAPERS_HULL_KERNELS_PAPER_ALONE_H
#define RIFFLE_PAPERS_HULL_KERNELS_PAPER_ALONE_H

#include "papers/hull/kernels/paper_split.h"

template <class record> struct hull_alone {
    record *cells;
    record l, m, r;
    record p[2];      /* records lane and lane + 32 */
    uint32_t side[2]; /* and their sides */
    uint32_t lefts, rights;
    uint32_t read_front, read_back;   /* cells that were not read are between them */
    uint32_t write_front, write_back; /* cells between them are free, or were not read */
    record *shared;                   /* 64 records */
};

/* Reads into places first .. first + count - 1 of p. */
template <class record>
HULL_DEVICE void hull_read_chunk(hull_alone<record> *own, uint32_t first, uint32_t count, uint32_t from) {
    UNROLL
    for (uint32_t h = 0; h < 2; ++h) {
        const uint32_t place = warp_lane() + h * WARP_LANES;
        if (place < first || place >= first + count) continue;
        own->p[h] = own->cells[from + place - first];
        own->side[h] = hull_classify(own->l, own->m, own->r, own->p[h]);
    }
}

/* Sorts p by side, by counting, and by way of shared memory. */
template <class record> HULL_DEVICE void hull_sort_sides(hull_alone<record> *own) {
    uint32_t lefts[2], rights[2];
    UNROLL
    for (uint32_t h = 0; h < 2; ++h) {
        lefts[h] = __ballot_sync(WARP_ALL_LANES, own->side[h] == HULL_LEFT);
        rights[h] = __ballot_sync(WARP_ALL_LANES, own->side[h] == HULL_RIGHT);
    }
    own->lefts = (uint32_t)(__popc(lefts[0]) + __popc(lefts[1]));
    own->rights = (uint32_t)(__popc(rights[0]) + __popc(rights[1]));
    uint32_t left = 0, right = 2 * WARP_LANES - own->rights;
    UNROLL
    for (uint32_t h = 0; h < 2; ++h) {
        if (own->side[h] == HULL_LEFT) own->shared[left + hull_votes_before(lefts[h])] = own->p[h];
        if (own->side[h] == HULL_RIGHT) own->shared[right + hull_votes_before(rights[h])] = own->p[h];
        left += (uint32_t)__popc(lefts[h]);
        right += (uint32_t)__popc(rights[h]);
    }
    __syncwarp();
    UNROLL
    for (uint32_t h = 0; h < 2; ++h) {
        const uint32_t place = warp_lane() + h * WARP_LANES;
        own->side[h] = place < own->lefts                      ? HULL_LEFT
                       : place >= 2 * WARP_LANES - own->rights ? HULL_RIGHT
                                                               : HULL_DISCARD;
        if (own->side[h] != HULL_DISCARD) own->p[h] = own->shared[place];
    }
    __syncwarp();
}

/* Writes the lower half of p, which is left of l m, to the front, but what its pairs cover. */
template <class record> HULL_DEVICE void hull_store_left(hull_alone<record> *own) {
    const bool is_of_it = own->side[0] == HULL_LEFT;
    const bool is_pruned = hull_is_pruned(own->l, own->m, own->p[0], is_of_it), stays = is_of_it && !is_pruned;
    const uint32_t votes = __ballot_sync(WARP_ALL_LANES, stays);
    if (stays) own->cells[own->write_front + hull_votes_before(votes)] = own->p[0];
    own->write_front += (uint32_t)__popc(votes);
    own->side[0] = HULL_DISCARD;
    __syncwarp();
}

/* The upper half, which is left of m r, to the back. */
template <class record> HULL_DEVICE void hull_store_right(hull_alone<record> *own) {
    const bool is_of_it = own->side[1] == HULL_RIGHT;
    const bool is_pruned = hull_is_pruned(own->m, own->r, own->p[1], is_of_it), stays = is_of_it && !is_pruned;
    const uint32_t votes = __ballot_sync(WARP_ALL_LANES, stays);
    own->write_back -= (uint32_t)__popc(votes);
    if (stays) own->cells[own->write_back + hull_votes_before(votes)] = own->p[1];
    own->side[1] = HULL_DISCARD;
    __syncwarp();
}

/* Reads the next chunk into what is discarded, of which there is some. */
template <class record> HULL_DEVICE void hull_read_next(hull_alone<record> *own, bool from_front) {
    const uint32_t free = 2 * WARP_LANES - own->lefts - own->rights, unread = own->read_back - own->read_front;
    const uint32_t most = free < WARP_LANES ? free : (uint32_t)WARP_LANES,
                   count = most < unread ? most : unread;
    if (!from_front) own->read_back -= count;
    hull_read_chunk(own, own->lefts, count, from_front ? own->read_front : own->read_back);
    if (from_front) own->read_front += count;
    __syncwarp();
    hull_sort_sides(own);
}

/* Stores a half that is full and sorts what is left; whether there was one. */
template <class record> HULL_DEVICE bool hull_store_full(hull_alone<record> *own, bool *from_front) {
    if (own->lefts < WARP_LANES && own->rights < WARP_LANES) return false;
    *from_front = own->lefts >= WARP_LANES;
    if (*from_front) {
        hull_store_left(own);
    } else {
        hull_store_right(own);
    }
    hull_sort_sides(own);
    return true;
}

/* Partitions cells begin .. end - 1 in place. */
template <class record>
HULL_DEVICE void hull_partition_alone(hull_alone<record> *own, uint32_t begin, uint32_t end) {
    bool from_front = true;
    own->read_front = own->write_front = begin;
    own->read_back = own->write_back = end;
    own->lefts = own->rights = 0;
    own->side[0] = own->side[1] = HULL_DISCARD;
    hull_read_next(own, true);
    hull_read_next(own, false);
    for (;;) {
        const bool stored = hull_store_full(own, &from_front);
        if (own->read_front == own->read_back) {
            if (!stored) break;
            continue;
        }
        if (!stored) from_front = own->read_front - own->write_front < own->write_back - own->read_back;
        hull_read_next(own, from_front);
    }
    hull_store_left(own);
    hull_store_right(own);
}

/* ---------------------------------------------------------------- the stack */

template <class record>
HULL_DEVICE void hull_push(hull_paper_problem *stack, uint32_t *depth, const record &l, const record &r,
                           uint32_t begin, uint32_t end, bool is_stuck) {
    if (end - begin < 2) return; /* a single point is a corner */
    if (warp_lane() == 0) {
        hull_paper_problem *const own = &stack[*depth];
        hull_store(own->l, l);
        hull_store(own->r, r);
        own->begin = begin;
        own->end = end;
        own->is_stuck = is_stuck;
    }
    ++*depth;
    __syncwarp();
}

/* Lines 4 to 33: pivot, partition, and the subproblems, the longer first, so that the shorter one is next. */
template <class record>
HULL_DEVICE void hull_solve_one(hull_alone<record> *own, hull_paper_problem *stack, uint32_t *depth,
                                uint32_t chance) {
    const hull_paper_problem *const top = &stack[--*depth];
    const uint32_t begin = top->begin, end = top->end;
    own->l = hull_stored<record>(top->l);
    own->r = hull_stored<record>(top->r);
    const hull_direction<record> way =
        hull_random_pair(own->l, own->r, own->cells, begin, end, top->is_stuck != 0, chance);
    const record best = hull_is_higher(way, own->l, own->r) ? own->r : own->l;
    own->m = hull_highest_of(way, best, own->cells, begin, end);
    __syncwarp();
    hull_partition_alone(own, begin, end);
    const bool is_stuck = own->m.index == own->l.index || own->m.index == own->r.index;
    const uint32_t left_end = own->write_front, right_begin = own->write_back;
    hull_clean(own->cells, left_end, left_end, right_begin, own->m, !is_stuck);
    __syncwarp();
    const record l = own->l, m = own->m, r = own->r;
    const bool left_first = left_end - begin > end - right_begin;
    if (left_first) hull_push(stack, depth, l, m, begin, left_end, is_stuck);
    hull_push(stack, depth, m, r, right_begin, end, is_stuck);
    if (!left_first) hull_push(stack, depth, l, m, begin, left_end, is_stuck);
}

/* A task, in array 0 in the end. */
template <class record>
HULL_DEVICE void hull_solve_task(const hull_paper_table *t, const hull_paper_problem *task, record *shared) {
    hull_alone<record> own;
    hull_paper_problem *const stack = t->stacks + (uint64_t)hull_processor() * HULL_PAPER_STACK;
    uint32_t depth = 0, pops = 0;
    own.cells = hull_cells_at<record>(t, 0);
    own.shared = shared;
    if (task->at != 0)
        for (uint32_t k = task->begin + warp_lane(); k < task->end; k += WARP_LANES)
            own.cells[k] = hull_cells_at<record>(t, 1)[k];
    __syncwarp();
    hull_push(stack, &depth, hull_stored<record>(task->l), hull_stored<record>(task->r), task->begin, task->end,
              task->is_stuck != 0);
    for (; depth > 0; ++pops) hull_solve_one(&own, stack, &depth, pops + 1);
    if (warp_lane() == 0 && pops > 0) ATOMIC_ADD(&t->state->pops, pops);
}

/* Warps take problems from one list, in the place of the text's compaction of tasks (3.4.2). */
template <class record> HULL_DEVICE void hull_paper_alone(const hull_paper_table *t, uint64_t *shared) {
    for (;;) {
        uint32_t number = 0;
        if (warp_lane() == 0) number = ATOMIC_ADD(&t->state->taken, 1u);
        number = __shfl_sync(WARP_ALL_LANES, number, 0);
        if (number >= t->state->tasks) return;
        hull_solve_task(t, &t->tasks[number], (record *)shared + hull_warp() * 2 * WARP_LANES);
    }
}

/* ------------------------------------------------------------- finalization */

HULL_DEVICE uint32_t hull_all_cells(const hull_paper_table *t) { return t->state->bin[HULL_PAPER_EDGES]; }

template <class record> HULL_DEVICE bool hull_is_first(const record &own, const record &first) {
    return own.index != HULL_PAPER_NONE && (first.index == HULL_PAPER_NONE || hull_before(own, first));
}

/* The lexicographically smallest of the lanes' corners, with what goes along with it. */
template <class record> HULL_DEVICE void hull_warp_first(record *first, uint32_t *along) {
    for (uint32_t by = WARP_LANES / 2; by > 0; by /= 2) {
        const record other = warp_from_lane(*first, warp_lane() ^ by);
        const uint32_t other_along = __shfl_sync(WARP_ALL_LANES, *along, warp_lane() ^ by);
        if (!hull_is_first(other, *first)) continue;
        *first = other;
        *along = other_along;
    }
}

/* How many corners a processor's part of the cells has, and the lexicographically smallest of them with its place among them. */
template <class record> HULL_DEVICE void hull_paper_live(const hull_paper_table *t) {
    const uint32_t processor = hull_processor(), all = hull_all_cells(t);
    const uint32_t begin = hull_part(all, t->processors, processor),
                   end = hull_part(all, t->processors, processor + 1);
    const record *const cells = hull_cells_at<record>(t, 0);
    record first = hull_stored<record>(t->state->corner[0]); /* any: without an index it is none */
    first.index = HULL_PAPER_NONE;
    uint32_t live = 0, place = 0;
    for (uint32_t start = begin; start < end; start += WARP_LANES) {
        const uint32_t k = start + warp_lane();
        record own = first;
        own.index = HULL_PAPER_NONE;
        if (k < end) own = cells[k];
        const uint32_t votes = __ballot_sync(WARP_ALL_LANES, own.index != HULL_PAPER_NONE);
        if (hull_is_first(own, first)) {
            first = own;
            place = live + hull_votes_before(votes);
        }
        live += (uint32_t)__popc(votes);
    }
    hull_warp_first(&first, &place);
    if (warp_lane() > 0) return;
    ((record *)t->best)[processor] = first;
    t->counts[processor] = live;
    t->counts[t->processors + processor] = place;
}

template <class record> HULL_DEVICE void hull_paper_order(const hull_paper_table *t) {
    if (blockIdx.x > 0 || hull_warp() > 0) return;
    const record *const best = (const record *)t->best;
    const uint32_t length = hull_scan(t->counts, t->processors, 0);
    record least = best[0];
    uint32_t first = 0;
    __syncwarp();
    for (uint32_t k = warp_lane(); k < t->processors; k += WARP_LANES) {
        const record own = best[k];
        if (!hull_is_first(own, least)) continue;
        least = own;
        first = k;
    }
    hull_warp_first(&least, &first);
    if (warp_lane() > 0) return;
    t->state->first = t->counts[first] + t->counts[t->processors + first];
    t->state->length = length;
    *t->length = length;
}

/* Clockwise cells, counter-clockwise hull. */
template <class record> HULL_DEVICE void hull_paper_write(const hull_paper_table *t) {
    const uint32_t processor = hull_processor(), all = hull_all_cells(t), first = t->state->first,
                   length = t->state->length;
    const uint32_t begin = hull_part(all, t->processors, processor),
                   end = hull_part(all, t->processors, processor + 1);
    const record *const cells = hull_cells_at<record>(t, 0);
    uint32_t live = t->counts[processor];
    for (uint32_t start = begin; start < end; start += WARP_LANES) {
        const uint32_t k = start + warp_lane(), index = k < end ? cells[k].index : HULL_PAPER_NONE;
        const uint32_t votes = __ballot_sync(WARP_ALL_LANES, index != HULL_PAPER_NONE),
                       place = live + hull_votes_before(votes);
        if (index != HULL_PAPER_NONE) t->hull[place <= first ? first - place : first + length - place] = index;
        live += (uint32_t)__popc(votes);
    }
}

template <class record>
HULL_DEVICE void hull_paper_do(const hull_paper_table *t, const hull_paper_cursor *c, uint64_t *shared) {
    switch ((hull_paper_step)c->step) {
    case HULL_PAPER_FIND: hull_paper_find<record>(t); break;
    case HULL_PAPER_QUAD: hull_paper_quad<record>(t); break;
    case HULL_PAPER_COUNT: hull_paper_count<record>(t); break;
    case HULL_PAPER_BINS: hull_paper_bins<record>(t); break;
    case HULL_PAPER_FILL: hull_paper_fill<record>(t); break;
    case HULL_PAPER_FARTHEST: hull_paper_farthest<record>(t, c); break;
    case HULL_PAPER_PIVOTS: hull_paper_pivots<record>(t, c); break;
    case HULL_PAPER_CLASSIFY: hull_paper_classify<record>(t, c); break;
    case HULL_PAPER_PLACES: hull_paper_places(t, c); break;
    case HULL_PAPER_PARTITION: hull_paper_partition<record>(t, c); break;
    case HULL_PAPER_CLEAN: hull_paper_clean<record>(t, c); break;
    case HULL_PAPER_ASSIGN: hull_paper_assign<record>(t, c); break;
    case HULL_PAPER_ALONE: hull_paper_alone<record>(t, shared); break;
    case HULL_PAPER_LIVE: hull_paper_live<record>(t); break;
    case HULL_PAPER_ORDER: hull_paper_order<record>(t); break;
    case HULL_PAPER_WRITE: hull_paper_write<record>(t); break;
    case HULL_PAPER_DONE: break;
    }
}

#endif

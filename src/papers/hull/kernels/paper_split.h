/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull: initialization and splitting stage (paper.h). Phases 1 to 7 of sections 3.5.1 and 3.5.2 are steps.
 */
#ifndef RIFFLE_PAPERS_HULL_KERNELS_PAPER_SPLIT_H
#define RIFFLE_PAPERS_HULL_KERNELS_PAPER_SPLIT_H

#include "papers/hull/kernels/paper_warp.h"

template <class record> HULL_DEVICE record *hull_cells_at(const hull_paper_table *t, uint32_t which) {
    return (record *)t->cells[which];
}

/* The part of 0 .. length - 1 of one of so many; their number may be part itself. */
HULL_DEVICE uint32_t hull_part(uint32_t length, uint32_t parts, uint32_t part) {
    return (uint32_t)((uint64_t)length * part / parts);
}

/* ---------------------------------------------------------- initialization */

/* The direction whose highest point is corner `edge`: what is top left is left of lines with slope 1, and so on. */
template <class record> HULL_DEVICE hull_direction<record> hull_corner_way(uint32_t edge) {
    hull_direction<record> way;
    way.a.x = way.a.y = 0;
    way.b.x = edge < 2 ? 1 : -1;
    way.b.y = edge == 0 || edge == 3 ? 1 : -1;
    return way;
}

template <class record> HULL_DEVICE void hull_paper_find(const hull_paper_table *t) {
    const hull_given from = hull_given_by(&t->from);
    const uint32_t count = from.count, processor = hull_processor();
    const uint32_t begin = hull_part(count, t->processors, processor),
                   end = hull_part(count, t->processors, processor + 1);
    record best[HULL_PAPER_EDGES];
    const record any = hull_candidate<record>(from, begin < count ? begin : 0);
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge) best[edge] = any;
    for (uint32_t k = begin + warp_lane(); k < end; k += WARP_LANES) {
        const record own = hull_candidate<record>(from, k);
        for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge)
            if (hull_is_higher(hull_corner_way<record>(edge), best[edge], own)) best[edge] = own;
    }
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge) {
        const record found = hull_warp_highest(hull_corner_way<record>(edge), best[edge]);
        if (warp_lane() == 0) ((record *)t->best)[edge * t->processors + processor] = found;
    }
}

/* A warp a corner. */
template <class record> HULL_DEVICE void hull_paper_quad(const hull_paper_table *t) {
    if (blockIdx.x > 0) return;
    for (uint32_t edge = hull_warp(); edge < HULL_PAPER_EDGES; edge += hull_warps()) {
        const record *const best = (const record *)t->best + edge * t->processors;
        const record found = hull_highest_of(hull_corner_way<record>(edge), best[0], best, 0, t->processors);
        if (warp_lane() == 0) hull_store(t->state->corner[edge], found);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    const record a = hull_stored<record>(t->state->corner[0]);
    bool is_single = true;
    for (uint32_t edge = 1; edge < HULL_PAPER_EDGES; ++edge)
        is_single = is_single && hull_same_place(a, hull_stored<record>(t->state->corner[edge]));
    t->state->is_single = is_single;
    t->state->active[0] = t->state->active[1] = 0;
    t->state->tasks = t->state->taken = t->state->iterations = t->state->pops = 0;
    if (!is_single) return;
    t->hull[0] = a.index;
    *t->length = 1;
}

/* The edge that a point is above, or HULL_PAPER_EDGES. */
template <class record>
HULL_DEVICE uint32_t hull_edge_of(const record corner[HULL_PAPER_EDGES], const record &own) {
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge)
        if (hull_side(corner[edge], corner[(edge + 1) % HULL_PAPER_EDGES], own) > 0) return edge;
    return HULL_PAPER_EDGES;
}

template <class record>
HULL_DEVICE void hull_load_corners(const hull_paper_table *t, record corner[HULL_PAPER_EDGES]) {
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge)
        corner[edge] = hull_stored<record>(t->state->corner[edge]);
}

template <class record> HULL_DEVICE void hull_paper_count(const hull_paper_table *t) {
    const hull_given from = hull_given_by(&t->from);
    const uint32_t count = from.count, processor = hull_processor();
    const uint32_t begin = hull_part(count, t->processors, processor),
                   end = hull_part(count, t->processors, processor + 1);
    record corner[HULL_PAPER_EDGES];
    uint32_t above[HULL_PAPER_EDGES] = {0, 0, 0, 0};
    hull_load_corners(t, corner);
    for (uint32_t start = begin; start < end; start += WARP_LANES) {
        const uint32_t k = start + warp_lane();
        const uint32_t own =
            k < end ? hull_edge_of(corner, hull_candidate<record>(from, k)) : (uint32_t)HULL_PAPER_EDGES;
        for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge)
            above[edge] += (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, own == edge));
    }
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge)
        if (warp_lane() == 0) t->counts[edge * t->processors + processor] = above[edge];
}

/* A warp's sums of counts before each; their sum. */
HULL_DEVICE uint32_t hull_scan(uint32_t *counts, uint32_t length, uint32_t sum) {
    for (uint32_t start = 0; start < length; start += WARP_LANES) {
        const uint32_t k = start + warp_lane(), own = k < length ? counts[k] : 0, sums = warp_sum_up(own);
        if (k < length) counts[k] = sum + sums - own;
        sum += __shfl_sync(WARP_ALL_LANES, sums, WARP_LANES - 1);
    }
    return sum;
}

/* A problem that may be shared, or is left alone; of no points it is none. */
HULL_DEVICE void hull_add_problem(const hull_paper_table *t, const hull_paper_problem *own, uint32_t which,
                                  bool is_last) {
    const uint32_t size = own->end - own->begin;
    if (size == 0) return;
    if (own->count < 2 || size <= HULL_PAPER_SMALL || is_last) {
        t->tasks[ATOMIC_ADD(&t->state->tasks, 1u)] = *own;
        return;
    }
    const uint32_t number = ATOMIC_ADD(&t->state->active[which], 1u);
    t->problems[which][number] = *own;
    for (uint32_t k = 0; k < own->count; ++k) t->owner[which][own->first + k] = number;
}

/* Processors for the four bins: of each first what Lemma 3.2 says, what is left over to the last. */
template <class record> HULL_DEVICE void hull_bin_problems(const hull_paper_table *t) {
    const uint32_t points = t->state->points;
    uint32_t first = 0, left = points;
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES && points > 0; ++edge) {
        hull_paper_problem own;
        own.begin = t->state->bin[edge] + 1;
        own.end = t->state->bin[edge + 1];
        left -= own.end - own.begin;
        own.first = first;
        own.count = hull_paper_share(t->processors - first, own.end - own.begin, left, points, t->processors);
        own.left = own.right = own.is_stuck = own.at = 0;
        hull_store(own.l, hull_stored<record>(t->state->corner[edge]));
        hull_store(own.r, hull_stored<record>(t->state->corner[(edge + 1) % HULL_PAPER_EDGES]));
        hull_store(own.m, hull_stored<record>(own.l));
        first += own.count;
        hull_add_problem(t, &own, 0, false);
    }
}

/* Corners stand before their bins, each place once, in both arrays. */
template <class record> HULL_DEVICE void hull_place_corners(const hull_paper_table *t) {
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge) {
        record own = hull_stored<record>(t->state->corner[edge]);
        bool is_new = true;
        for (uint32_t k = 0; k < edge; ++k)
            is_new = is_new && !hull_same_place(own, hull_stored<record>(t->state->corner[k]));
        if (!is_new) own = hull_empty_cell(own);
        for (uint32_t which = 0; which < 2; ++which) hull_cells_at<record>(t, which)[t->state->bin[edge]] = own;
    }
}

template <class record> HULL_DEVICE void hull_paper_bins(const hull_paper_table *t) {
    if (blockIdx.x > 0) return;
    for (uint32_t k = threadIdx.x; k < t->processors; k += blockDim.x)
        t->owner[0][k] = t->owner[1][k] = HULL_PAPER_NONE;
    for (uint32_t edge = hull_warp(); edge < HULL_PAPER_EDGES; edge += hull_warps()) {
        const uint32_t sum = hull_scan(t->counts + edge * t->processors, t->processors, 0);
        if (warp_lane() == 0) t->state->bin[edge + 1] = sum;
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    uint32_t points = 0;
    t->state->bin[0] = 0;
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge) {
        points += t->state->bin[edge + 1];
        t->state->bin[edge + 1] = points + edge + 1;
    }
    t->state->points = points;
    hull_place_corners<record>(t);
    hull_bin_problems<record>(t);
}

template <class record> HULL_DEVICE void hull_paper_fill(const hull_paper_table *t) {
    const hull_given from = hull_given_by(&t->from);
    const uint32_t count = from.count, processor = hull_processor();
    const uint32_t begin = hull_part(count, t->processors, processor),
                   end = hull_part(count, t->processors, processor + 1);
    record corner[HULL_PAPER_EDGES];
    uint32_t place[HULL_PAPER_EDGES];
    hull_load_corners(t, corner);
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge)
        place[edge] = t->state->bin[edge] + 1 + t->counts[edge * t->processors + processor];
    for (uint32_t start = begin; start < end; start += WARP_LANES) {
        const uint32_t k = start + warp_lane();
        record own = corner[0];
        if (k < end) own = hull_candidate<record>(from, k);
        const uint32_t of = k < end ? hull_edge_of(corner, own) : (uint32_t)HULL_PAPER_EDGES;
        for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; ++edge) {
            const uint32_t votes = __ballot_sync(WARP_ALL_LANES, of == edge);
            if (of == edge) hull_cells_at<record>(t, 0)[place[edge] + hull_votes_before(votes)] = own;
            place[edge] += (uint32_t)__popc(votes);
        }
    }
}

/* ---------------------------------------------------------- splitting stage */

/* A processor's problem, and its own part of the cells. NULL for one without. */
struct hull_share {
    hull_paper_problem *problem;
    uint32_t begin, end;
};

HULL_DEVICE hull_share hull_share_of(const hull_paper_table *t, const hull_paper_cursor *c) {
    const uint32_t which = c->iteration & 1, owner = t->owner[which][hull_processor()];
    hull_share out = {NULL, 0, 0};
    if (owner == HULL_PAPER_NONE) return out;
    out.problem = &t->problems[which][owner];
    const uint32_t length = out.problem->end - out.problem->begin, part = hull_processor() - out.problem->first;
    out.begin = out.problem->begin + hull_part(length, out.problem->count, part);
    out.end = out.problem->begin + hull_part(length, out.problem->count, part + 1);
    return out;
}

template <class record>
HULL_DEVICE hull_direction<record> hull_problem_pair(const hull_paper_table *t, const hull_paper_cursor *c,
                                                     const hull_paper_problem *own) {
    return hull_random_pair(hull_stored<record>(own->l), hull_stored<record>(own->r),
                            hull_cells_at<record>(t, c->iteration & 1), own->begin, own->end,
                            own->is_stuck != 0, c->iteration);
}

/* 1: each processor's farthest point. */
template <class record>
HULL_DEVICE void hull_paper_farthest(const hull_paper_table *t, const hull_paper_cursor *c) {
    const hull_share own = hull_share_of(t, c);
    if (own.problem == NULL) return;
    const hull_direction<record> way = hull_problem_pair<record>(t, c, own.problem);
    const record found = hull_highest_of(way, hull_stored<record>(own.problem->l),
                                         hull_cells_at<record>(t, c->iteration & 1), own.begin, own.end);
    if (warp_lane() == 0) ((record *)t->best)[hull_processor()] = found;
}

/* 2: each problem's pivot, a warp a problem, in the place of section 3.5.2's segmented scan of a block. */
template <class record>
HULL_DEVICE void hull_paper_pivots(const hull_paper_table *t, const hull_paper_cursor *c) {
    const uint32_t which = c->iteration & 1;
    if (blockIdx.x > 0) return;
    for (uint32_t k = hull_warp(); k < t->state->active[which]; k += hull_warps()) {
        hull_paper_problem *const own = &t->problems[which][k];
        const hull_direction<record> way = hull_problem_pair<record>(t, c, own);
        record best = hull_stored<record>(own->r);
        best = hull_highest_of(way, best, (const record *)t->best, own->first, own->first + own->count);
        if (warp_lane() == 0) hull_store(own->m, best);
    }
}

/* 3: points of each subproblem are counted; who is covered by its pair becomes the pivot, which is of neither. */
template <class record>
HULL_DEVICE void hull_paper_classify(const hull_paper_table *t, const hull_paper_cursor *c) {
    const hull_share share = hull_share_of(t, c);
    if (share.problem == NULL) return;
    record *const cells = hull_cells_at<record>(t, c->iteration & 1);
    const record l = hull_stored<record>(share.problem->l), r = hull_stored<record>(share.problem->r);
    const record m = hull_stored<record>(share.problem->m);
    uint32_t left = 0, right = 0;
    for (uint32_t start = share.begin; start < share.end; start += WARP_LANES) {
        const uint32_t k = start + warp_lane();
        record own = m;
        if (k < share.end) own = cells[k];
        uint32_t side = hull_classify(l, m, r, own);
        const bool is_left_pruned = hull_is_pruned(l, m, own, side == HULL_LEFT);
        const bool is_right_pruned = hull_is_pruned(m, r, own, side == HULL_RIGHT);
        if (is_left_pruned || is_right_pruned) {
            cells[k] = m;
            side = HULL_DISCARD;
        }
        left += (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, side == HULL_LEFT));
        right += (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, side == HULL_RIGHT));
    }
    if (warp_lane() > 0) return;
    t->counts[hull_processor()] = left;
    t->counts[t->processors + hull_processor()] = right;
}

/* 4: where each processor puts them, a warp a problem, in the place of section 3.5.2's segmented scan of a block. */
HULL_DEVICE void hull_paper_places(const hull_paper_table *t, const hull_paper_cursor *c) {
    const uint32_t which = c->iteration & 1;
    if (blockIdx.x > 0) return;
    if (threadIdx.x == 0) t->state->active[1 - which] = 0;
    for (uint32_t k = hull_warp(); k < t->state->active[which]; k += hull_warps()) {
        hull_paper_problem *const own = &t->problems[which][k];
        const uint32_t left = hull_scan(t->counts + own->first, own->count, 0);
        const uint32_t right = hull_scan(t->counts + t->processors + own->first, own->count, 0);
        if (warp_lane() > 0) continue;
        own->left = left;
        own->right = right;
    }
}

/* 5: they are put into the other array. */
template <class record>
HULL_DEVICE void hull_paper_partition(const hull_paper_table *t, const hull_paper_cursor *c) {
    const hull_share share = hull_share_of(t, c);
    if (share.problem == NULL) return;
    const record *const cells = hull_cells_at<record>(t, c->iteration & 1);
    record *const to = hull_cells_at<record>(t, 1 - (c->iteration & 1));
    const record l = hull_stored<record>(share.problem->l), r = hull_stored<record>(share.problem->r);
    const record m = hull_stored<record>(share.problem->m);
    uint32_t left = share.problem->begin + t->counts[hull_processor()];
    uint32_t right = share.problem->end - share.problem->right + t->counts[t->processors + hull_processor()];
    for (uint32_t start = share.begin; start < share.end; start += WARP_LANES) {
        const uint32_t k = start + warp_lane();
        record own = m;
        if (k < share.end) own = cells[k];
        const uint32_t side = hull_classify(l, m, r, own);
        const uint32_t lefts = __ballot_sync(WARP_ALL_LANES, side == HULL_LEFT);
        const uint32_t rights = __ballot_sync(WARP_ALL_LANES, side == HULL_RIGHT);
        if (side == HULL_LEFT) to[left + hull_votes_before(lefts)] = own;
        if (side == HULL_RIGHT) to[right + hull_votes_before(rights)] = own;
        left += (uint32_t)__popc(lefts);
        right += (uint32_t)__popc(rights);
    }
}

/* Empties the cells begin .. end - 1, but for the pivot in the first one if it is new; a lane takes those from `start` on. */
template <class record>
HULL_DEVICE void hull_clean(record *cells, uint32_t begin, uint32_t start, uint32_t end, const record &m,
                            bool is_new) {
    for (uint32_t k = start + warp_lane(); k < end; k += WARP_LANES)
        cells[k] = k == begin && is_new ? m : hull_empty_cell(m);
}

/* 6: the space between the subproblems, in both arrays. */
template <class record>
HULL_DEVICE void hull_paper_clean(const hull_paper_table *t, const hull_paper_cursor *c) {
    const hull_share share = hull_share_of(t, c);
    if (share.problem == NULL) return;
    const hull_paper_problem *const own = share.problem;
    const record m = hull_stored<record>(own->m);
    const bool is_new =
        m.index != hull_stored<record>(own->l).index && m.index != hull_stored<record>(own->r).index;
    const uint32_t begin = own->begin + own->left, length = own->end - own->right - begin,
                   part = hull_processor() - own->first;
    for (uint32_t which = 0; which < 2; ++which)
        hull_clean(hull_cells_at<record>(t, which), begin, begin + hull_part(length, own->count, part),
                   begin + hull_part(length, own->count, part + 1), m, is_new);
}

/* 7: processors for the subproblems, a thread a problem. */
template <class record>
HULL_DEVICE void hull_paper_assign(const hull_paper_table *t, const hull_paper_cursor *c) {
    const uint32_t which = c->iteration & 1;
    const bool is_last = c->iteration + 1 >= HULL_PAPER_ITERATIONS;
    if (blockIdx.x > 0) return;
    for (uint32_t k = threadIdx.x; k < t->processors; k += blockDim.x) t->owner[1 - which][k] = HULL_PAPER_NONE;
    if (threadIdx.x == 0) t->state->iterations = c->iteration + 1;
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < t->state->active[which]; k += blockDim.x) {
        const hull_paper_problem own = t->problems[which][k];
        const record m = hull_stored<record>(own.m);
        const bool is_stuck =
            m.index == hull_stored<record>(own.l).index || m.index == hull_stored<record>(own.r).index;
        const uint32_t share =
            hull_paper_share(own.count, own.left, own.right, t->state->points, t->processors);
        hull_paper_problem next = own;
        next.is_stuck = is_stuck;
        next.at = 1 - which;
        next.end = own.begin + own.left;
        next.count = share;
        hull_store(next.r, m);
        hull_add_problem(t, &next, 1 - which, is_last);
        next.begin = own.end - own.right;
        next.end = own.end;
        next.first = own.first + share;
        next.count = own.count - share;
        hull_store(next.l, m);
        hull_store(next.r, hull_stored<record>(own.r));
        hull_add_problem(t, &next, 1 - which, is_last);
    }
}

#endif

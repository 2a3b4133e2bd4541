/* SPDX-License-Identifier: Apache-2.0
 *
 * As the text has it, but for three things. All decisions are exact. The test of a pair does not discard both of two equal points. Where a
 * pivot is l or r, which may go on for long (Figure 3.2), the next pair is l and r themselves, whose highest point is a new corner.
 */
#include "papers/hull/sequential.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"

typedef struct site {
    union {
        hull_f64 real;
        hull_i64 integer;
    } at;
    uint32_t index;
    bool is_none; /* a placeholder */
} site;

/* One boundary of the points: from its first corner to its last everything is to the left. */
typedef struct boundary {
    bool is_integer, is_turned; /* is_turned: the lower one, from right to left */
    site *sites;
    uint64_t state; /* random bits */
    hull_sequential_counts counts;
} boundary;

/* A problem: the places of two corners, and points begin to end - 1, all of them left of the line from l to r. */
typedef struct problem {
    uint64_t l, r, begin, end;
} problem;

enum { MOST_WAITING = 64 }; /* the longer half waits, so each is half of the one before at most */

/* ---------------------------------------------------------------- predicates */

static int cross(bool is_integer, const site *a, const site *b, const site *c, const site *d) {
    return is_integer ? hull_cross_i64(a->at.integer, b->at.integer, c->at.integer, d->at.integer)
                      : hull_cross_f64(a->at.real, b->at.real, c->at.real, d->at.real);
}

static int orient(const boundary *s, const site *a, const site *b, const site *c) {
    return cross(s->is_integer, a, b, a, c);
}

static bool lies_before(bool is_integer, const site *a, const site *b) {
    return is_integer ? hull_before_i64(a->at.integer, b->at.integer) : hull_before_f64(a->at.real, b->at.real);
}

/* In the order of the boundary. */
static bool comes_before(const boundary *s, const site *a, const site *b) {
    return s->is_turned ? lies_before(s->is_integer, b, a) : lies_before(s->is_integer, a, b);
}

static bool is_same(const boundary *s, const site *a, const site *b) {
    return !lies_before(s->is_integer, a, b) && !lies_before(s->is_integer, b, a);
}

/* Three points in one line: the middle one is between, in lexicographic order. */
static bool is_on_line(const boundary *s, const site *a, const site *b, const site *c, const site *p) {
    const site *low = a, *high = a, *const others[] = {b, c};
    for (unsigned k = 0; k < 2; k++) {
        if (lies_before(s->is_integer, others[k], low)) low = others[k];
        if (lies_before(s->is_integer, high, others[k])) high = others[k];
    }
    return cross(s->is_integer, low, high, low, p) == 0 && !lies_before(s->is_integer, p, low) &&
           !lies_before(s->is_integer, high, p);
}

static bool is_in_triangle(const boundary *s, const site *a, const site *b, const site *c, const site *p) {
    const int turn = orient(s, a, b, c);
    if (turn == 0) return is_on_line(s, a, b, c, p);
    return orient(s, a, b, p) * turn >= 0 && orient(s, b, c, p) * turn >= 0 && orient(s, c, a, p) * turn >= 0;
}

/* A convex combination of four points is one of three of them. */
static bool is_within(const boundary *s, const site *p, const site *q, const site *l, const site *m,
                      const site *r) {
    return is_in_triangle(s, l, m, r, p) ||
           (q != NULL &&
            (is_in_triangle(s, q, l, m, p) || is_in_triangle(s, q, m, r, p) || is_in_triangle(s, q, l, r, p)));
}

/* ---------------------------------------------------------------- Algorithm 2 */

static uint64_t drawn(boundary *s, uint64_t below) {
    s->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = (s->state ^ s->state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return (mixed ^ mixed >> 31) % below;
}

/* The k-th of a problem's points, of which its corners are the first and the last. */
static uint64_t place_of(const problem *p, uint64_t k) {
    if (k == 0) return p->l;
    return k <= p->end - p->begin ? p->begin + k - 1 : p->r;
}

static bool is_higher(const boundary *s, const site *from, const site *to, const site *here, const site *high) {
    const int higher = cross(s->is_integer, from, to, high, here);
    if (higher != 0) return higher > 0;
    return comes_before(s, here, high) || (is_same(s, here, high) && here->index < high->index);
}

/* The place of the highest point normal to the line through two; of several the first along the boundary, of equal ones the one of the
 * least index. */
static uint64_t find_highest(boundary *s, const problem *p, const site *a, const site *b) {
    const uint64_t count = p->end - p->begin + 2;
    const bool is_in_order = comes_before(s, a, b);
    const site from = is_in_order ? *a : *b, to = is_in_order ? *b : *a;
    uint64_t best = p->l;
    for (uint64_t k = 1; k < count; k++)
        if (is_higher(s, &from, &to, &s->sites[place_of(p, k)], &s->sites[best])) best = place_of(p, k);
    s->counts.pivots++;
    s->counts.visits += count;
    return best;
}

/* A pair of equal points has no direction: then it is that of the ends. */
static uint64_t select_pivot(boundary *s, const problem *p, bool is_stuck) {
    const uint64_t i = 2 * drawn(s, (p->end - p->begin + 2) / 2);
    const site *a = &s->sites[place_of(p, i)], *b = &s->sites[place_of(p, i + 1)];
    if (is_stuck || is_same(s, a, b)) a = &s->sites[p->l], b = &s->sites[p->r];
    return find_highest(s, p, a, b);
}

/* ---------------------------------------------------------------- Algorithm 3 */

static void discard(boundary *s, site *p) {
    p->is_none = true;
    s->counts.discarded++;
}

static void swap(boundary *s, uint64_t i, uint64_t k) {
    const site kept = s->sites[i];
    s->sites[i] = s->sites[k];
    s->sites[k] = kept;
}

/* Equal points: the one of the least index stays. */
static void discard_pairs(boundary *s, const problem *p, const site *m) {
    const site *const l = &s->sites[p->l], *const r = &s->sites[p->r];
    for (uint64_t k = p->begin; k < p->end; k += 2) {
        site *const first = &s->sites[k], *const second = k + 1 < p->end ? first + 1 : NULL;
        if (second != NULL && is_same(s, first, second) && first->index < second->index) swap(s, k, k + 1);
        if (is_within(s, first, second, l, m, r)) discard(s, first);
        if (second != NULL && is_within(s, second, first->is_none ? NULL : first, l, m, r)) discard(s, second);
    }
}

/* Points before m, placeholders, points behind m: the first placeholder's place, and *behind, where those behind begin. */
static uint64_t partition(boundary *s, const problem *p, const site *m, uint64_t *behind) {
    uint64_t low = p->begin, high = p->end;
    for (uint64_t k = low; k < high;) {
        if (s->sites[k].is_none)
            k++;
        else if (comes_before(s, &s->sites[k], m))
            swap(s, k++, low++);
        else
            swap(s, k, --high);
    }
    *behind = high;
    return low;
}

/* ---------------------------------------------------------------- Algorithm 1 */

/* The two problems that become of one; of an end as pivot one, and one without points. A pivot within lies in its own triangle, so there
 * is a placeholder's place for it. */
static void divide(boundary *s, const problem *p, uint64_t pivot, problem out[2]) {
    const site m = s->sites[pivot];
    uint64_t behind;
    discard_pairs(s, p, &m);
    const uint64_t low = partition(s, p, &m, &behind);
    const bool is_end = pivot == p->l || pivot == p->r;
    if (!is_end) s->sites[low] = m;
    out[0] = (problem){p->l, pivot == p->r ? p->r : low, p->begin, pivot == p->l ? p->begin : low};
    out[1] = (problem){pivot == p->l ? p->l : low, p->r, behind, pivot == p->r ? behind : p->end};
}

static uint64_t points_of(const problem *p) { return p->end - p->begin; }

/* The shorter half is next, so that few wait. */
static void find_boundary(boundary *s, const problem *whole) {
    problem waiting[MOST_WAITING], now = *whole, half[2];
    unsigned count = 0;
    bool is_stuck = false;
    for (;;) {
        while (points_of(&now) > 0) {
            const uint64_t pivot = select_pivot(s, &now, is_stuck);
            is_stuck = pivot == now.l || pivot == now.r;
            divide(s, &now, pivot, half);
            const unsigned longer = points_of(&half[1]) > points_of(&half[0]);
            now = half[is_stuck ? longer : 1 - longer];
            if (!is_stuck && points_of(&half[longer]) > 0) waiting[count++] = half[longer];
        }
        if (count == 0) return;
        now = waiting[--count];
        is_stuck = false;
    }
}

/* Corners l and r, and between them the points left of the line from l to r: the boundary's sites from then on. Returns how many. */
static uint64_t take_side(boundary *s, const site *all, uint64_t n, const site *l, const site *r, site *to) {
    uint64_t count = 0;
    to[count++] = *l;
    s->sites = to;
    for (uint64_t i = 0; i < n; i++)
        if (orient(s, l, r, &all[i]) > 0) to[count++] = all[i];
    to[count++] = *r;
    find_boundary(s, &(problem){0, count - 1, 1, count - 1});
    return count;
}

static void load(const hull_points *points, uint64_t first, uint64_t end, site *sites) {
    for (uint64_t i = first; i < end; i++) {
        site *const to = &sites[i - first];
        *to = (site){.index = (uint32_t)i};
        if (hull_is_i64(points->type))
            to->at.integer = hull_i64_at(points, i);
        else
            to->at.real = hull_f64_at(points, i);
    }
}

/* The corners of a boundary backwards, but for its first one, which is another boundary's last. */
static uint64_t append_corners(const site *sites, uint64_t count, uint32_t *hull) {
    uint64_t length = 0;
    for (uint64_t k = count - 1; k > 0; k--)
        if (!sites[k].is_none) hull[length++] = sites[k].index;
    return length;
}

/* A hull of sites that are not all in one place: the lower boundary, found from right to left and read backwards, then the upper one likewise. */
static uint64_t find_hull(boundary *s, const site *all, uint64_t n, const site *l, const site *r, site *room,
                          uint32_t *hull) {
    s->is_turned = true;
    uint64_t count = take_side(s, all, n, r, l, room);
    uint64_t length = append_corners(room, count, hull);
    s->is_turned = false;
    count = take_side(s, all, n, l, r, room);
    return length + append_corners(room, count, hull + length);
}

riffle_status hull_sequential(const hull_points *points, uint64_t first, uint64_t end, uint32_t *hull,
                              uint64_t *length, hull_sequential_counts *counts) {
    const uint64_t n = end - first;
    boundary s = {.is_integer = hull_is_i64(points->type), .state = n};
    site *const sites = malloc((2 * n + 2) * sizeof *sites);
    if (sites == NULL) return fail_memory("the points of a hull", (2 * n + 2) * sizeof *sites);
    load(points, first, end, sites);
    const site *l = sites, *r = sites;
    for (uint64_t k = 1; k < n; k++) {
        if (lies_before(s.is_integer, &sites[k], l)) l = &sites[k];
        if (lies_before(s.is_integer, r, &sites[k])) r = &sites[k];
    }
    *length = n > 0 ? 1 : 0;
    if (n > 0) hull[0] = l->index;
    if (n > 0 && !is_same(&s, l, r)) *length = find_hull(&s, sites, n, l, r, sites + n, hull);
    if (counts != NULL) *counts = s.counts;
    free(sites);
    return RIFFLE_OK;
}

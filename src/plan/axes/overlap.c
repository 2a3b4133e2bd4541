/* SPDX-License-Identifier: Apache-2.0
 *
 * The search: strides in falling order, and for each the multiples that leave what the shorter ones can still reach,
 * and what their greatest common divisor divides.
 */
#include "plan/axes/overlap.h"

#include <stdbool.h>
#include <string.h>

#include "base/arithmetic.h"

enum {
    MOST_TERMS = 2 * RIFFLE_MAX_RANK,
    MOST_STEPS = 1 << 14, /* some 100 microseconds */
};

typedef struct term {
    int64_t stride; /* above 0 */
    int64_t most;   /* most of the multiple */
    unsigned axis;
} term;

/* Is there a sum of multiples within [low, high]? */
typedef struct search {
    unsigned count;
    unsigned steps;
    term terms[MOST_TERMS];
    int64_t reach[MOST_TERMS + 1];   /* the most that terms k, k+1, ... add up to */
    int64_t divisor[MOST_TERMS + 1]; /* divisor of their strides */
    int64_t multiple[MOST_TERMS];    /* multiple of each term, once found */
} search;

static void add_term(search *s, uint64_t stride, uint64_t most, unsigned axis) {
    if (stride == 0 || most == 0) return;
    unsigned at = s->count++;
    for (; at > 0 && s->terms[at - 1].stride < (int64_t)stride; at--) s->terms[at] = s->terms[at - 1];
    s->terms[at] = (term){(int64_t)stride, (int64_t)most, axis};
}

/* Terms of one stride are one: what they add up to has no gaps. */
static void join_alike(search *s) {
    unsigned kept = 0;
    for (unsigned k = 0; k < s->count; k++) {
        if (kept > 0 && s->terms[kept - 1].stride == s->terms[k].stride) {
            s->terms[kept - 1].most += s->terms[k].most;
        } else {
            s->terms[kept++] = s->terms[k];
        }
    }
    s->count = kept;
}

/* Sums up what is left for the terms from each on. */
static void sum_up(search *s) {
    s->reach[s->count] = s->divisor[s->count] = 0;
    for (unsigned k = s->count; k-- > 0;) {
        s->reach[k] = s->reach[k + 1] + s->terms[k].stride * s->terms[k].most;
        s->divisor[k] = (int64_t)common_divisor((uint64_t)s->terms[k].stride, (uint64_t)s->divisor[k + 1]);
    }
}

static int64_t divide_up(int64_t a, int64_t b) { return a <= 0 ? 0 : (a - 1) / b + 1; }

/* Could terms k, k+1, ... hit [low, high]? False only if they cannot. */
static bool may_hit(const search *s, unsigned k, int64_t low, int64_t high) {
    if (high < 0 || low > s->reach[k]) return false;
    if (low < 0) low = 0;
    if (high > s->reach[k]) high = s->reach[k];
    return low == 0 || (s->divisor[k] > 0 && high / s->divisor[k] * s->divisor[k] >= low);
}

static overlap_answer hit(search *s, unsigned k, int64_t low, int64_t high) {
    if (!may_hit(s, k, low, high)) return OVERLAP_NONE;
    if (k == s->count) return OVERLAP_FOUND;
    const term *t = &s->terms[k];
    int64_t last = high / t->stride;
    if (last > t->most) last = t->most;
    for (int64_t x = divide_up(low - s->reach[k + 1], t->stride); x <= last; x++) {
        if (s->steps++ == MOST_STEPS) return OVERLAP_UNKNOWN;
        s->multiple[k] = x;
        const overlap_answer answer = hit(s, k + 1, low - x * t->stride, high - x * t->stride);
        if (answer != OVERLAP_NONE) return answer;
    }
    return OVERLAP_NONE;
}

/* Two indices with one offset differ in some axes; in the one of them with the longest stride by `lead` or more, in
 * those of shorter strides by anything. With d = y - m for the latter, 0 <= y <= 2 m, all multiples are positive. */
static overlap_answer differ_from(const search *sorted, unsigned lead, search *s) {
    s->count = 0;
    int64_t target = -sorted->terms[lead].stride;
    add_term(s, (uint64_t)sorted->terms[lead].stride, (uint64_t)sorted->terms[lead].most - 1, lead);
    for (unsigned k = lead + 1; k < sorted->count; k++) {
        const term *t = &sorted->terms[k];
        add_term(s, (uint64_t)t->stride, 2 * (uint64_t)t->most, k);
        target += t->stride * t->most;
    }
    sum_up(s);
    memset(s->multiple, 0, sizeof s->multiple);
    return hit(s, 0, target, target);
}

/* The indices of the search's answer. */
static void tell(const search *sorted, unsigned lead, const search *s, uint64_t *one, uint64_t *other) {
    int64_t differ[MOST_TERMS] = {0}; /* by place in `sorted` */
    for (unsigned k = lead + 1; k < sorted->count; k++) differ[k] = -sorted->terms[k].most;
    differ[lead] = 1;
    for (unsigned k = 0; k < s->count; k++) differ[s->terms[k].axis] += s->multiple[k];
    for (unsigned k = lead; k < sorted->count; k++) {
        const unsigned axis = sorted->terms[k].axis;
        if (differ[k] > 0) one[axis] = (uint64_t)differ[k];
        if (differ[k] < 0) other[axis] = (uint64_t)-differ[k];
    }
}

overlap_answer overlap_within(const overlap_box *box, uint64_t one[RIFFLE_MAX_RANK],
                              uint64_t other[RIFFLE_MAX_RANK]) {
    search sorted = {.count = 0}, s = {.count = 0};
    memset(one, 0, box->rank * sizeof *one);
    memset(other, 0, box->rank * sizeof *other);
    for (unsigned k = 0; k < box->rank; k++) {
        add_term(&sorted, box->stride[k], box->extent[k] - 1, k);
        if (box->stride[k] > 0 || box->extent[k] == 1) continue;
        one[k] = 1;
        return OVERLAP_FOUND;
    }
    for (unsigned lead = 0; lead < sorted.count; lead++) {
        const overlap_answer answer = differ_from(&sorted, lead, &s);
        if (answer == OVERLAP_FOUND) tell(&sorted, lead, &s, one, other);
        if (answer != OVERLAP_NONE) return answer;
    }
    return OVERLAP_NONE;
}

static uint64_t last_offset(const overlap_box *box) {
    uint64_t offset = 0;
    for (unsigned k = 0; k < box->rank; k++) offset += (box->extent[k] - 1) * box->stride[k];
    return offset;
}

overlap_answer overlap_between(const overlap_box *first, uintptr_t first_at, const overlap_box *second,
                               uintptr_t second_at, size_t bytes) {
    const uint64_t first_reach = last_offset(first), second_reach = last_offset(second);
    const bool apart = first_at < second_at ? second_at - first_at >= first_reach + bytes
                                            : first_at - second_at >= second_reach + bytes;
    if (apart) return OVERLAP_NONE;
    /* Offsets of the second box are counted from its end, so that they add to those of the first. */
    search s = {.count = 0};
    for (unsigned k = 0; k < first->rank; k++) add_term(&s, first->stride[k], first->extent[k] - 1, k);
    for (unsigned k = 0; k < second->rank; k++) add_term(&s, second->stride[k], second->extent[k] - 1, k);
    join_alike(&s);
    sum_up(&s);
    const int64_t target = (int64_t)(second_at - first_at) + (int64_t)second_reach;
    const int64_t around = (int64_t)bytes - 1;
    return hit(&s, 0, target - around, target + around);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/result.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "move/cpu/passes/loops.h"
#include "riffle/indices.h"
#include "sort/cpu/ordered.h"

size_t sort_order_entry_bytes(const riffle_sort_plan *plan) {
    if (plan->index_bytes != 0) return plan->index_bytes;
    return plan->n <= (uint64_t)1 << 32 ? 4 : 8;
}

size_t sort_result_room(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    size_t keys = 0, values = 0;
    if (arrays->keys != NULL && arrays->keys == arrays->from_keys) keys = plan->layout.elem_bytes;
    if (arrays->values != NULL && arrays->values == arrays->from_values) values = plan->value_bytes;
    return plan->n * (plan->check == RIFFLE_CHECK_PASSES ? keys + values : max(keys, values));
}

/* A writing of results. */
typedef struct writing {
    const riffle_sort_plan *plan;
    const riffle_sort_arrays *arrays;
    const sort_order *order;
    char *room;
} writing;

/* Results that lie one behind the other: `count` of them, from entry `from` of the order on, at place `to`. */
typedef struct stretch {
    uint64_t from, to, count;
} stretch;

typedef void stretch_work(const writing *w, const stretch *s);

static void take_share(const void *context, team_member me) { cpu_take(context, me); }

static void take_rows(const writing *w, const stretch *s, size_t row_bytes, void *dst, const void *src) {
    if (dst == NULL || row_bytes == 0) return;
    const riffle_indices indices = {(const char *)w->order->entries + s->from * w->order->entry_bytes,
                                    w->order->entry_bytes, s->count, w->plan->n};
    char *const to = dst == src ? w->room : dst;
    const cpu_rows rows = {&indices, row_bytes, to + s->to * row_bytes, src};
    team_run(threads_for(s->count * row_bytes, BYTES_A_THREAD, w->plan->base.threads), take_share, &rows);
}

static void settle_rows(const writing *w, const stretch *s, size_t row_bytes, void *dst, const void *src) {
    if (dst == NULL || dst != src || row_bytes == 0) return;
    memcpy((char *)dst + s->to * row_bytes, w->room + s->to * row_bytes, s->count * row_bytes);
}

static void take_elements(const writing *w, const stretch *s) {
    take_rows(w, s, w->plan->layout.elem_bytes, w->arrays->keys, w->arrays->from_keys);
}

static void settle_elements(const writing *w, const stretch *s) {
    settle_rows(w, s, w->plan->layout.elem_bytes, w->arrays->keys, w->arrays->from_keys);
}

static void take_values(const writing *w, const stretch *s) {
    take_rows(w, s, w->plan->value_bytes, w->arrays->values, w->arrays->from_values);
}

static void settle_values(const writing *w, const stretch *s) {
    settle_rows(w, s, w->plan->value_bytes, w->arrays->values, w->arrays->from_values);
}

/* The order may be the indices themselves. */
static void copy_indices(const writing *w, const stretch *s) {
    const size_t bytes = w->plan->index_bytes;
    char *const to = w->arrays->indices;
    const char *const from = w->order->entries;
    if (to != NULL && to != from) memcpy(to + s->to * bytes, from + s->from * bytes, s->count * bytes);
}

/* The order of segment s without those that equal the one before; returns how many are left. */
static uint64_t keep_first(const sort_order *order, uint64_t first, uint64_t end, sort_before *before,
                           const void *context, const char *elements, size_t elem_bytes) {
    uint64_t kept = first;
    for (uint64_t i = first; i < end; i++) {
        const uint64_t this = sort_order_at(order, i);
        if (kept > first && !before(context, elements + sort_order_at(order, kept - 1) * elem_bytes,
                                    elements + this * elem_bytes))
            continue;
        sort_order_set(order, kept++, this);
    }
    return kept - first;
}

/* Segment s's results, where its order begins at `first` and ends before `end`. */
static stretch segment_results(const writing *w, uint64_t s, uint64_t kept) {
    const uint64_t first = sort_segment_first(w->plan, w->arrays->first, s);
    const uint64_t length = sort_segment_first(w->plan, w->arrays->first, s + 1) - first;
    switch (w->plan->task) {
    case RIFFLE_SORT_TASK_TOP:
        return (stretch){first, s * w->plan->count, length < w->plan->count ? length : w->plan->count};
    case RIFFLE_SORT_TASK_UNIQUE: return (stretch){first, first, kept};
    default: return (stretch){first, first, length};
    }
}

/* Does the work to all results, those that lie together at once. */
static void for_each_stretch(const writing *w, stretch_work *work) {
    stretch open = {0};
    for (uint64_t s = 0; s < w->plan->segments; s++) {
        const uint64_t kept = w->arrays->lengths != NULL ? w->arrays->lengths[s] : 0;
        const stretch next = segment_results(w, s, kept);
        if (open.from + open.count == next.from && open.to + open.count == next.to) {
            open.count += next.count;
            continue;
        }
        if (open.count > 0) work(w, &open);
        open = next;
    }
    if (open.count > 0) work(w, &open);
}

void sort_result_keep_first(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                            const sort_order *order, sort_before *before, const void *context) {
    for (uint64_t s = 0; plan->task == RIFFLE_SORT_TASK_UNIQUE && s < plan->segments; s++)
        arrays->lengths[s] = keep_first(order, sort_segment_first(plan, arrays->first, s),
                                        sort_segment_first(plan, arrays->first, s + 1), before, context,
                                        arrays->from_keys, plan->layout.elem_bytes);
}

/* A segment in which place `count` is someone's, or all come before it. */
static void part_segment(const sort_order *order, uint64_t first, uint64_t end, uint64_t count,
                         unsigned char *is_front) {
    const bool is_parted = count < end - first;
    const uint64_t middle = is_parted ? first + count : end,
                   kth = is_parted ? sort_order_at(order, middle) : end;
    uint64_t front = first, behind = middle + 1;
    memset(is_front + first, 0, end - first);
    for (uint64_t i = first; i < middle; i++) is_front[sort_order_at(order, i)] = 1;
    for (uint64_t i = first; i < end; i++)
        if (is_front[i])
            sort_order_set(order, front++, i);
        else if (i != kth)
            sort_order_set(order, behind++, i);
    if (is_parted) sort_order_set(order, middle, kth);
}

void sort_result_part(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, const sort_order *order,
                      unsigned char *is_front) {
    for (uint64_t s = 0; plan->task == RIFFLE_SORT_TASK_PARTITION && s < plan->segments; s++)
        part_segment(order, sort_segment_first(plan, arrays->first, s),
                     sort_segment_first(plan, arrays->first, s + 1), plan->count, is_front);
}

void sort_result_write(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, const sort_order *order,
                       void *room) {
    static stretch_work *const steps[] = {take_elements, settle_elements, take_values, settle_values,
                                          copy_indices};
    const writing w = {plan, arrays, order, room};
    for (unsigned k = 0; k < sizeof steps / sizeof *steps; k++) for_each_stretch(&w, steps[k]);
}

/* ------------------------------------------------------- a check of passes */

/* A whole sort's results, which are one stretch: what is in their own place is in the room until all are taken. */
typedef struct taking {
    ordered *compared;
    const sort_order *order;
    uint64_t first, count;
    cpu_rows keys, values; /* from the stretch on; no bytes: nobody asks */
} taking;

static cpu_rows rows_of(const taking *t, void *dst, const void *src, size_t row_bytes, char **room) {
    cpu_rows rows = {.row_bytes = dst != NULL ? row_bytes : 0, .dst = dst, .src = src};
    if (rows.row_bytes == 0 || dst != src) return rows;
    rows.dst = *room;
    *room += t->compared->plan->n * row_bytes;
    return rows;
}

static void take_some(const taking *t, const cpu_rows *rows, uint64_t from, uint64_t count) {
    if (rows->row_bytes == 0) return;
    const riffle_indices indices = {(const char *)t->order->entries + from * t->order->entry_bytes,
                                    t->order->entry_bytes, count, t->compared->plan->n};
    const cpu_rows some = {&indices, rows->row_bytes, (char *)rows->dst + from * rows->row_bytes, rows->src};
    cpu_take(&some, (team_member){0, 1});
}

/* A block's elements are in the caches when they are taken. */
static void take_compared_share(const void *context, team_member me) {
    enum { BLOCK = 256 };
    const taking *const t = context;
    const team_share mine = team_share_of(t->count, me);
    for (uint64_t i = mine.first; i < mine.end; i += BLOCK) {
        const uint64_t some = min(mine.end - i, (uint64_t)BLOCK), from = t->first + i;
        ordered_take(t->compared, t->order->entries, t->order->entry_bytes, from, some);
        take_some(t, &t->keys, from, some);
        take_some(t, &t->values, from, some);
    }
}

static void settle_taken(const taking *t, const cpu_rows *rows, void *dst) {
    const size_t at = t->first * rows->row_bytes;
    if (rows->row_bytes > 0 && rows->dst != dst)
        memcpy((char *)dst + at, (char *)rows->dst + at, t->count * rows->row_bytes);
}

void sort_result_write_compared(ordered *compared, const sort_order *order, void *room) {
    const riffle_sort_plan *const plan = compared->plan;
    const riffle_sort_arrays *const arrays = compared->arrays;
    char *next = room;
    taking t = {.compared = compared, .order = order, .first = sort_segment_first(plan, arrays->first, 0)};
    t.count = sort_segment_first(plan, arrays->first, plan->segments) - t.first;
    t.keys = rows_of(&t, arrays->keys, arrays->from_keys, plan->layout.elem_bytes, &next);
    t.values = rows_of(&t, arrays->values, arrays->from_values, plan->value_bytes, &next);
    team_run(plan->base.threads, take_compared_share, &t);
    settle_taken(&t, &t.keys, arrays->keys);
    settle_taken(&t, &t.values, arrays->values);
}

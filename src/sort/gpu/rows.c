/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of a task: where segments begin, codes, the sort itself, and the results that are picked, moved in their order.
 */
#include "sort/gpu/rows.h"

#include "base/reciprocal.h"

enum { UNIT_BYTES = 16 };

/* Segments of one length that are leaves need no array of where they begin, if nothing else asks. */
static bool needs_begin(const sort_task *task) {
    return task->is_segmented && (sort_task_is_ordered(task) || sort_task_is_picked(task) ||
                                  sort_needs_begin(&task->request, &task->steps));
}

/* Where segments begin. */
static void add_begin(const sort_rows_work *w) {
    const uint32_t segments = w->task->segments;
    const uint64_t *const first = w->arrays->first;
    const struct sort_begin_arguments arguments = {{.first = first, .n = w->task->n, .segments = segments}};
    const struct sort_words_arguments settle = {segments};
    const uint64_t threads = (uint64_t)segments + 1;
    if (first != NULL) sort_rows_clear(w, w->begin + segments + 1, 1);
    sort_rows_shape(append_sort_begin(w->out, &KERNEL_sort_begin, 4, &arguments), threads, w->begin, NULL);
    if (first != NULL)
        sort_rows_shape(append_sort_words(w->out, &KERNEL_sort_settle, 4, &settle), threads, w->begin, NULL);
}

static void add_sort(const sort_rows_work *w, void *to, const void *from, uint32_t *carried,
                     const uint32_t *from_carried) {
    const sort_buffers b = {.from = from,
                            .to = to,
                            .carried_from = from_carried,
                            .carried_to = carried,
                            .begin = w->begin,
                            .workspace = sort_rows_at(w, w->task->inner),
                            .compared = w->compared};
    launch_sort(&w->task->request, &w->task->steps, &b, w->out);
}

/* --------------------------------------------------------------------- picks */

static uint32_t *picks_of(const sort_rows_work *w) {
    return sort_task_is_picked(w->task) ? sort_rows_at(w, w->task->picks) : NULL;
}

static void add_top(const sort_rows_work *w) {
    const struct sort_top_arguments arguments = {{sort_ranges_of(w), w->task->count}};
    sort_rows_shape(append_sort_top(w->out, &KERNEL_sort_top, 4, &arguments), w->task->results, picks_of(w),
                    NULL);
}

/* Marks before each element, in its tile and in all. */
static uint32_t *add_marks(const sort_rows_work *w, const sort_marks_table *marks) {
    uint32_t *const ranks = sort_rows_at(w, w->task->ranks);
    const struct sort_marks_arguments arguments = {*marks};
    sort_rows_shape(append_sort_marks(w->out, &KERNEL_sort_marks, 4, &arguments),
                    (uint64_t)sort_mark_tiles(w->task) * SORT_ROW_THREADS, ranks, NULL)
        ->shared_bytes = WARP_LANES * sizeof(uint32_t);
    sort_rows_sum(w, marks->sums, sort_mark_tiles(w->task));
    return ranks;
}

static void add_unique(const sort_rows_work *w, const sort_marks_table *marks) {
    const sort_task *const task = w->task;
    const struct sort_pick_arguments pick = {{marks->ranges, add_marks(w, marks), marks->sums}};
    sort_rows_shape(append_sort_pick(w->out, &KERNEL_sort_pick, 4, &pick), task->n, picks_of(w), NULL);
    sort_rows_shape(append_sort_pick(w->out, &KERNEL_sort_lengths, 8, &pick), task->segments,
                    w->arrays->lengths, NULL);
}

/* Picks are marks first: elements that come before place `count` keep their order, and so do all others. */
static void add_part(const sort_rows_work *w, const uint32_t *order) {
    const sort_task *const task = w->task;
    const sort_marks_table marks = {.ranges = sort_ranges_of(w),
                                    .marks = picks_of(w),
                                    .sums = sort_rows_at(w, task->sums),
                                    .picks = picks_of(w)};
    struct sort_partition_arguments part = {{.ranges = marks.ranges, .order = order, .count = task->count}};
    sort_rows_shape(append_sort_partition(w->out, &KERNEL_sort_fronts, 4, &part), task->n, picks_of(w), NULL);
    part.table.ranks = add_marks(w, &marks);
    part.table.sums = marks.sums;
    sort_rows_shape(append_sort_partition(w->out, &KERNEL_sort_partition, 4, &part), task->n, picks_of(w),
                    NULL);
}

/* Adds the picks of what is asked for, of elements in an order, or one behind the other; `marks`, where there are some, say
 * which are the first of their like. */
static void add_picks(const sort_rows_work *w, const void *elements, const uint32_t *order,
                      const uint32_t *marks) {
    const sort_task *const task = w->task;
    if (task->kind == RIFFLE_SORT_TASK_TOP) add_top(w);
    if (task->kind == RIFFLE_SORT_TASK_PARTITION) add_part(w, order);
    if (task->kind != RIFFLE_SORT_TASK_UNIQUE) return;
    sort_marks_table table = {.ranges = sort_ranges_of(w),
                              .rows = sort_rows_of(w),
                              .order = order,
                              .marks = marks,
                              .sums = sort_rows_at(w, task->sums),
                              .picks = picks_of(w)};
    table.rows.elements = elements;
    add_unique(w, &table);
}

/* ------------------------------------------------------------------- results */

/* Picks of a partition are elements already. */
static sort_results results_of(const sort_rows_work *w, const uint32_t *order) {
    return (sort_results){.ranges = sort_ranges_of(w),
                          .picks = picks_of(w),
                          .order = w->task->kind == RIFFLE_SORT_TASK_PARTITION ? NULL : order,
                          .count = w->task->results};
}

/* Results of so many bytes each; those that come into the place of what they are made of from a copy of that. */
static void add_gather(const sort_rows_work *w, const uint32_t *order, void *to, const void *from,
                       size_t bytes) {
    if (to == NULL || bytes == 0) return;
    if (to == from) {
        launch_append_copy(w->out, sort_rows_at(w, w->task->moved), from, w->task->n * bytes);
        from = sort_rows_at(w, w->task->moved);
    }
    const uintptr_t odd = (uintptr_t)bytes | (uintptr_t)from | (uintptr_t)to | UNIT_BYTES;
    const size_t unit = (size_t)(odd & (0 - odd));
    sort_gather_table table = {.results = results_of(w, order), .units = bytes / unit};
    table.reciprocal = reciprocal_of(table.units, &table.shift);
    sort_rows_shape_each(
        append_sort_gather(w->out, &KERNEL_sort_gather, unit, &(struct sort_gather_arguments){table}),
        w->task->results * table.units, to, from);
}

/* The order, where it is not the indices already. */
static void add_indices(const sort_rows_work *w, const uint32_t *order) {
    void *const to = w->arrays->indices;
    const struct sort_widen_arguments arguments = {results_of(w, order)};
    if (w->task->index_bytes == 0 || to == (const void *)order) return;
    sort_rows_shape(append_sort_widen(w->out, &KERNEL_sort_widen, w->task->index_bytes, &arguments),
                    w->task->results, to, NULL);
}

/* Adds the results that are asked for, in an order. */
static void add_results(const sort_rows_work *w, const uint32_t *order, const uint32_t *marks) {
    const riffle_sort_arrays *const arrays = w->arrays;
    add_picks(w, arrays->from_keys, order, marks);
    add_indices(w, order);
    add_gather(w, order, arrays->keys, arrays->from_keys, w->task->layout.elem_bytes);
    add_gather(w, order, arrays->values, arrays->from_values, w->task->value_bytes);
}

/* ---------------------------------------------------------------------- ways */

/* Where the order goes: it may be the indices that are asked for. */
static uint32_t *order_of(const sort_rows_work *w, bool may_be_result) {
    const bool is_result = may_be_result && w->task->index_bytes == 4 && !sort_task_is_picked(w->task);
    return is_result ? w->arrays->indices : sort_rows_at(w, w->task->order[0]);
}

static void sort_by_comparison(const sort_rows_work *w) {
    const sort_task *const task = w->task;
    const sort_own_arrays own = {.elements = w->arrays->from_keys,
                                 .begin = w->begin,
                                 .n = task->n,
                                 .segments = task->segments,
                                 .result = order_of(w, w->begin == NULL),
                                 .room = sort_rows_at(w, task->order[1]),
                                 .workspace = sort_rows_at(w, task->inner),
                                 .users = w->users};
    const bool is_unique = task->kind == RIFFLE_SORT_TASK_UNIQUE;
    launch_sort_own(&own, w->out);
    if (is_unique) launch_sort_own_marks(&own, own.result, own.room, w->out);
    add_results(w, own.result, is_unique ? own.room : NULL);
}

static void sort_in_order(const sort_rows_work *w) {
    const sort_task *const task = w->task;
    void *const codes = sort_rows_at(w, task->codes);
    uint32_t *const order = order_of(w, true);
    if (task->mends > 0) sort_rows_squeeze(w);
    const struct sort_codes_arguments arguments = {{sort_ranges_of(w), sort_rows_of(w), sort_squeezes_of(w)}};
    sort_rows_shape_each(append_sort_codes(w->out, &KERNEL_sort_codes, task->request.key_bytes, &arguments),
                         task->n, codes, NULL);
    add_sort(w, codes, codes, order, NULL);
    sort_rows_mend(w, order, codes);
    add_results(w, order, NULL);
}

static void sort_small(const sort_rows_work *w, void *keys) {
    const uint32_t n = w->task->n;
    void *const codes = sort_rows_at(w, w->task->codes);
    const struct sort_number_arguments arguments = {{sort_ranges_of(w), w->task->layout.field[0]}};
    sort_rows_shape(append_sort_number(w->out, &KERNEL_sort_number_codes, 4, &arguments), n, codes,
                    w->arrays->from_keys);
    add_sort(w, codes, codes, NULL, NULL);
    sort_rows_shape(append_sort_number(w->out, &KERNEL_sort_numbers, 4, &arguments), n, keys, codes);
}

/* Where what goes along is sorted to. */
static uint32_t *carried_of(const sort_rows_work *w) {
    if (sort_task_is_picked(w->task)) return sort_rows_at(w, w->task->carried);
    return w->task->value_bytes > 0 ? w->arrays->values : w->arrays->indices;
}

/* Numbers, and what goes along. */
static void sort_keys(const sort_rows_work *w) {
    const sort_task *const task = w->task;
    const riffle_sort_arrays *const arrays = w->arrays;
    const bool picks = sort_task_is_picked(task), carries = task->way == SORT_CARRIED;
    void *const asked = arrays->keys != NULL ? arrays->keys : sort_rows_at(w, task->codes);
    void *const keys = picks ? sort_rows_at(w, task->sorted) : asked;
    uint32_t *const carried = carries ? carried_of(w) : NULL;
    if (task->way == SORT_SMALL)
        sort_small(w, keys);
    else
        add_sort(w, keys, arrays->from_keys, carried,
                 carries && task->value_bytes > 0 ? arrays->from_values : NULL);
    if (!picks) return;
    add_picks(w, keys, NULL, NULL);
    if (carries)
        add_gather(w, NULL, task->value_bytes > 0 ? arrays->values : arrays->indices, carried, sizeof *carried);
    add_gather(w, NULL, arrays->keys, keys, task->layout.elem_bytes);
}

bool sort_task_is_compared(const sort_task *task) {
    return task->way != SORT_OWN && task->mends == 0 && task->kind == RIFFLE_SORT_TASK_SORT &&
           !task->request.is_uneven && task->steps.count > 0;
}

void launch_sort_task(const sort_task *task, const riffle_sort_arrays *arrays, void *workspace,
                      const users_kernel *users, sort_compared compared, launch_list *out) {
    sort_rows_work w = {.task = task,
                        .arrays = arrays,
                        .workspace = workspace,
                        .users = users,
                        .out = out,
                        .compared = compared};
    if (task->results == 0) return;
    if (sort_task_is_selected(task) ? task->request.is_uneven : needs_begin(task)) {
        w.begin = sort_rows_at(&w, task->begin);
        add_begin(&w);
    }
    if (task->part.is_chosen) {
        launch_part(&task->part, arrays, w.begin, sort_rows_at(&w, task->inner), out);
        return;
    }
    if (task->select.is_chosen) {
        launch_select(&task->select, arrays, w.begin, sort_rows_at(&w, task->inner), out);
        return;
    }
    switch (task->way) {
    case SORT_IN_ORDER: sort_in_order(&w); break;
    case SORT_OWN: sort_by_comparison(&w); break;
    default: sort_keys(&w);
    }
}

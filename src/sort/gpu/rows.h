/* SPDX-License-Identifier: Apache-2.0
 *
 * A task while its launches are appended: the task, and the arrays of an execution, none of which change.
 */
#ifndef RIFFLE_SORT_GPU_ROWS_H
#define RIFFLE_SORT_GPU_ROWS_H

#include "sort/gpu/task.h"

typedef struct sort_rows_work {
    const sort_task *task;
    const riffle_sort_arrays *arrays;
    char *workspace;
    const users_kernel *users;
    launch_list *out;
    uint32_t *begin; /**< where segments begin; NULL: nobody asks */
    sort_compared compared;
} sort_rows_work;

/** The workspace from an offset on. */
static inline void *sort_rows_at(const sort_rows_work *w, size_t offset) { return w->workspace + offset; }

static inline sort_ranges sort_ranges_of(const sort_rows_work *w) {
    return (sort_ranges){w->begin, w->task->n, w->task->segments};
}

/** The elements of a call; those that a user's comparison compares have no pieces. */
static inline sort_rows sort_rows_of(const sort_rows_work *w) {
    sort_rows rows = {.elements = w->arrays->from_keys, .elem_bytes = w->task->layout.elem_bytes};
    if (w->task->way != SORT_OWN) rows.pieces = key_pieces_of(&w->task->layout);
    return rows;
}

/** Which bits of keys tell elements apart; NULL: not known. */
static inline sort_squeeze *sort_squeezes_of(const sort_rows_work *w) {
    return w->task->mends > 0 ? sort_rows_at(w, w->task->squeezes) : NULL;
}

/** A thread for each of so many, or a thread for several. */
static inline launch *sort_rows_shape(launch *work, uint64_t threads, void *to, const void *from) {
    return launch_set(work, (unsigned)ceil_div(threads, SORT_ROW_THREADS), SORT_ROW_THREADS, 0, to, from);
}

static inline launch *sort_rows_shape_each(launch *work, uint64_t count, void *to, const void *from) {
    return sort_rows_shape(work, ceil_div(count, SORT_ROW_EACH), to, from);
}

/** All elements by no more blocks than run at a time, so that those of nothing to do are soon done. */
static inline launch *sort_rows_shape_all(const sort_rows_work *w, launch *work, void *to, const void *from) {
    return sort_rows_shape_each(work, min(w->task->n, (uint64_t)SORT_ROW_TILE * w->task->blocks), to, from);
}

/** The first words of an array become 0. */
static inline void sort_rows_clear(const sort_rows_work *w, void *words, uint32_t count) {
    const struct sort_words_arguments arguments = {count};
    sort_rows_shape(append_sort_words(w->out, &KERNEL_sort_clear, 4, &arguments), 1, words, NULL);
}

/** Sums, so many, become those of what is before; behind them all. One block. */
static inline void sort_rows_sum(const sort_rows_work *w, uint32_t *sums, uint32_t count) {
    launch_set(append_sort_words(w->out, &KERNEL_sort_add_marks, 4, &(struct sort_words_arguments){count}), 1,
               SORT_SUM_THREADS, WARP_LANES * sizeof(uint32_t), sums, NULL);
}

/** Finds which bits differ, and how they are moved together. */
void sort_rows_squeeze(const sort_rows_work *w);

/** Brings elements that are in order by codes into order by the whole key. */
void sort_rows_mend(const sort_rows_work *w, uint32_t *order, void *codes);

#endif

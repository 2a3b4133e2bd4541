/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan's sort as launches: of codes where elements are numbers, else of codes that are made of them.
 *
 *     numbers     one number of 4, 8 or 16 bytes: codes on the way in and out
 *     carried     an integer of those, and 4 bytes that go along: a value, or its place
 *     small       one number of 1 or 2 bytes: codes of 4, sorted, and numbers of them
 *     in order    anything else: (code, place) sorted, codes of the first bits of the key that differ anywhere; what
 *                 ties sorted by the bits that follow; and elements, values and indices moved in the order that is left
 *     own         by a comparison of the user's: places merged by it, and all moved likewise
 *
 * The first of many numbers are selected (select/select.h), and nothing else is sorted. Nothing is where many numbers are parted (select/part.h).
 *
 * Several segments are sorted by launches that know where each begins. Where only some of what is sorted is asked for (the first
 * of each segment, or each element once), it is sorted in the workspace, and what is picked of it is moved.
 */
#ifndef RIFFLE_SORT_GPU_TASK_H
#define RIFFLE_SORT_GPU_TASK_H

#include "sort/gpu/own.h"
#include "sort/gpu/select/part.h"
#include "sort/gpu/select/select.h"
#include "sort/plan.h"
#include "sort/predict/subject.h"

typedef enum sort_way { SORT_NUMBERS, SORT_CARRIED, SORT_SMALL, SORT_IN_ORDER, SORT_OWN } sort_way;

typedef struct sort_task {
    uint32_t n, segments, count, results; /**< results: at most */
    bool is_segmented; /**< segments begin somewhere: there are several, or one that is not all */
    riffle_sort_task kind;
    sort_layout layout;
    size_t value_bytes, index_bytes;
    sort_way way;
    select_steps select; /**< where it is chosen, all else but sizes is nothing */
    part_steps part;     /**< the same of PARTITION */
    sort_request request;
    sort_steps steps;
    unsigned mends;    /**< how often what ties is sorted by what follows of the key */
    sort_request tied; /**< the sort of elements that tie: launches find out where it begins and ends */
    sort_steps tied_steps;
    unsigned blocks;        /**< blocks of launches that go over all elements in a grid of any length */
    size_t codes, order[2]; /**< offsets in the workspace */
    size_t differs, squeezes, same, place, stretch,
        tie_sums;           /**< for sort/kernels/codes/sort_squeeze.cu and sort_ties.cu */
    size_t begin;           /**< where segments begin, if there are any */
    size_t picks;           /**< where not all is asked for */
    size_t sorted, carried; /**< the same: what is sorted */
    size_t ranks, sums;     /**< for picks */
    size_t moved;           /**< where elements and values go that are moved to where they came from */
    size_t inner;           /**< the workspace of the steps */
    size_t bytes;
} sort_task;

/** True if it takes no sort of all. */
static inline bool sort_task_is_selected(const sort_task *task) {
    return task->select.is_chosen || task->part.is_chosen;
}

/** True if elements and values are moved by an order of places. */
static inline bool sort_task_is_ordered(const sort_task *task) {
    return task->way == SORT_IN_ORDER || task->way == SORT_OWN;
}

/** True if not all that is sorted is asked for, or not in that order. */
static inline bool sort_task_is_picked(const sort_task *task) {
    return task->kind == RIFFLE_SORT_TASK_TOP || task->kind == RIFFLE_SORT_TASK_PARTITION ||
           task->kind == RIFFLE_SORT_TASK_UNIQUE;
}

static inline uint32_t sort_mark_tiles(const sort_task *task) { return ceil_div(task->n, SORT_MARKS); }

/** A block's part of all places, of the launches that look for ties, and how many parts there are. */
static inline uint32_t sort_tie_piece(const sort_task *task) {
    return round_up(ceil_div(task->n, task->blocks), SORT_ROW_TILE);
}

static inline uint32_t sort_tie_pieces(const sort_task *task) {
    return ceil_div(task->n, sort_tie_piece(task));
}

/** The task of a plan of 1 to 2^32 - 1 elements, any but MERGE, on a GPU of so many multiprocessors. has_first: executions say
 *  where segments begin. */
sort_task sort_task_of(const riffle_sort_plan *plan, bool has_first, unsigned multiprocessors);

/** Its beginning, with the launches of a selection where the first of arrays of at least so many numbers are selected. */
sort_task sort_task_selected(const riffle_sort_plan *plan, bool has_first, uint32_t least,
                             unsigned multiprocessors);

/** How a task is cut where it is not as a GPU would have it. */
typedef struct sort_task_steps {
    size_t row_bytes; /**< bytes of codes of rows whose keys have more than 8: 8 or 16 */
    unsigned levels;  /**< as sort_cut has them */
    uint32_t leaf, piece;
} sort_task_steps;

/** The task with other steps: short arrays can have all that long ones have. */
sort_task sort_task_cut(const riffle_sort_plan *plan, bool has_first, const sort_task_steps *steps,
                        unsigned multiprocessors);

/** The numbers that predictions of a task's launches go by (sort/predict). */
sort_subject sort_task_subject(const sort_task *task);

/** True if its levels can add up the codes that they read, and what goes along with these: one array or segments of one length that are longer
 *  than a block sorts, by keys that are one code. */
bool sort_task_is_compared(const sort_task *task);

/** Appends the launches. arrays->first is read by them. `users` has the user's comparison, if there is one; `compared` is of tasks that are. */
void launch_sort_task(const sort_task *task, const riffle_sort_arrays *arrays, void *workspace,
                      const users_kernel *users, sort_compared compared, launch_list *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan's sort as launches: of codes where elements are numbers, else of codes that are made of them.
 *
 *     numbers     one number of 4, 8 or 16 bytes: codes on the way in and out
 *     carried     an integer of those, and 4 bytes that go along: a value, or its place
 *     small       one number of 1 or 2 bytes: codes of 4, sorted, and numbers of them
 *     in order    anything else: (code, place) sorted by 16 bytes of the key after the other, the last first,
 *                 and elements, values and indices moved in the order that is left
 *     own         by a comparison of the user's: places merged by it, and all moved likewise
 *
 * Several segments are sorted by launches that know where each begins. Where only some of what is sorted is asked for (the first
 * of each segment, or each element once), it is sorted in the workspace, and what is picked of it is moved.
 */
#ifndef RIFFLE_ENGINES_LAUNCH_SORT_TASK_H
#define RIFFLE_ENGINES_LAUNCH_SORT_TASK_H

#include "engines/launch/sort_own.h"
#include "engines/sort.h"

enum {
    SORT_MOST_ROUNDS = RIFFLE_SORT_MAX_KEY_BYTES / 16,
    SORT_TASK_LAUNCHES = SORT_MOST_ROUNDS * (SORT_LAUNCHES + 1) + 12
};

typedef enum sort_way { SORT_NUMBERS, SORT_CARRIED, SORT_SMALL, SORT_IN_ORDER, SORT_OWN } sort_way;

typedef struct sort_task {
    uint32_t n, segments, count, results; /**< results: at most */
    bool is_segmented; /**< segments begin somewhere: there are several, or one that is not all */
    riffle_sort_task kind;
    sort_layout layout;
    size_t value_bytes, index_bytes;
    sort_way way;
    sort_request request;
    sort_steps steps;
    sort_request tail; /**< of the last bytes of a key of more than 16: fewer, as a rule */
    sort_steps tail_steps;
    size_t codes, order[2]; /**< offsets in the workspace */
    size_t begin;           /**< of segments, where they are */
    size_t picks;           /**< where not all is asked for */
    size_t sorted, carried; /**< likewise: what is sorted */
    size_t ranks, sums;     /**< of picks */
    size_t moved;           /**< where elements and values go that are moved to where they came from */
    size_t inner;           /**< the workspace of the steps */
    size_t bytes;
} sort_task;

/** The task of a plan of 1 to 2^32 - 1 elements, any but MERGE, on a GPU of so many multiprocessors. has_first: executions say
 *  where segments begin. */
sort_task sort_task_of(const riffle_sort_plan *plan, bool has_first, unsigned multiprocessors);

/** The launches, one after the other; how many there are. arrays->first is read by them. */
unsigned launch_sort_task(const sort_task *task, const riffle_sort_arrays *arrays, void *workspace,
                          sort_launch out[SORT_TASK_LAUNCHES]);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The engines that sorts can be planned for.
 */
#ifndef RIFFLE_SORT_PLAN_H
#define RIFFLE_SORT_PLAN_H

#include "device/plan.h"
#include "sort/key.h"

typedef struct sort_engine sort_engine;

struct riffle_sort_plan {
    plan_base base;
    const sort_engine *engine;
    uint64_t n, segments, count; /**< at least one segment; count is 0 but for TOP and PARTITION */
    riffle_sort_task task;
    riffle_sort_algorithm algorithm; /**< as asked for; the engine makes its own of AUTO */
    sort_layout layout;
    riffle_sort_key key; /**< with names and comparison of the plan's own */
    /** Elements are one number, and nothing tells where an equal one came from: engines sort codes as they are, and turn
     *  them back. Else codes are merged, and the sort is stable. */
    bool is_number;
    size_t value_bytes, index_bytes; /**< 0, 4 or 8; not both */
    riffle_check check;
    bool adds_up;           /**< launches of the sort add up for the check what they read anyway */
    riffle_sort_stop *stop; /**< NULL: nobody is asked */
    void *stop_context;
    void *own; /**< the engine's */
};

/** An execution's exchanges with memory, in the model of the dissertation's section 4.1. */
typedef struct sort_model {
    size_t block_bytes;  /**< S elements */
    size_t cache_bytes;  /**< c blocks: what a processor holds */
    unsigned processors; /**< P */
    double passes;       /**< how often all elements are read and written; a read alone is half of it */
    bool counts;         /**< elements are counted: the bounds are of those that are moved and compared */
} sort_model;

/** An engine's operations on a plan. */
struct sort_engine {
    /** Sets plan->own, algorithm, threads and workspace_bytes; all else is there. RIFFLE_ERROR_UNSUPPORTED for what the engine
     *  cannot do. */
    riffle_status (*create)(riffle_sort_plan *plan, const riffle_sort_options *options);
    /** riffle_sort_execute of at least one element, in host memory; the arrays have been checked. */
    riffle_status (*execute)(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);
    /** Prints the phases, a line or a few. NULL: they are not said. */
    void (*explain)(const riffle_sort_plan *plan, FILE *out);
    /** Exchanges of an execution, no passes where they are not known. NULL: they never are. */
    sort_model (*exchanges)(const riffle_sort_plan *plan);
    /** Frees plan->own, which may be NULL. */
    void (*destroy)(void *own);
};

extern const sort_engine cpu_sort_engine, device_sort_engine;

/** riffle_sort_plan_create, on a device that is not the current GPU: with RIFFLE_ENGINE_CUDA the memory machine; or NULL. */
riffle_status sort_plan_create(uint64_t n, const riffle_sort_key *key, riffle_engine engine, const device *on,
                               const riffle_sort_options *options, riffle_sort_plan **out);

/** It has options.count of its own: how many come first, or where segments are parted. */
static inline bool sort_task_counts(riffle_sort_task task) {
    return task == RIFFLE_SORT_TASK_TOP || task == RIFFLE_SORT_TASK_PARTITION;
}

/** The order of equal elements can be seen even of numbers with nothing beside them. */
static inline bool sort_task_shows_equals(riffle_sort_task task) {
    return task == RIFFLE_SORT_TASK_MERGE || task == RIFFLE_SORT_TASK_PARTITION;
}

/** Where segment s begins; s may be the number of segments. */
static inline uint64_t sort_segment_first(const riffle_sort_plan *plan, const uint64_t *first, uint64_t s) {
    return first != NULL ? first[s] : s * (plan->n / plan->segments);
}

/** All arrays of an execution, as device/arrays.h has them; results are those from keys on. */
enum {
    SORT_FROM_KEYS,
    SORT_FROM_VALUES,
    SORT_FIRST,
    SORT_KEYS,
    SORT_VALUES,
    SORT_INDICES,
    SORT_LENGTHS,
    SORT_ARRAYS
};
void sort_arrays_of(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                    call_array out[SORT_ARRAYS]);

/** Checks arrays as far as is possible wherever they are: those that are missing, misaligned or overlap. `first` is not
 *  read. */
riffle_status sort_check_arrays(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

/** Checks that segments can be equally long. */
riffle_status sort_check_equal_segments(const riffle_sort_plan *plan);

/** Checks where segments begin, in host memory; NULL: they are equally long. */
riffle_status sort_check_segments(const riffle_sort_plan *plan, const uint64_t *first);

#endif

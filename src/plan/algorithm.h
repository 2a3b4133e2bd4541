/* SPDX-License-Identifier: Apache-2.0
 *
 * An algorithm as a record: what it is called, what it cannot do, what it costs, how its passes are built. Each record
 * stands beside its builder. Adding one is its file and a line in the list here, beside its number in riffle.h.
 */
#ifndef RIFFLE_PLAN_ALGORITHM_H
#define RIFFLE_PLAN_ALGORITHM_H

#include "base/processor/vectors.h"
#include "base/threads/threads.h"
#include "plan/plan.h"

struct plan_algorithm {
    riffle_algorithm id;
    const char *name;
    /** The loops that its passes run on a CPU, for explain. NULL: plain ones. */
    vector_loops (*loops)(const plan_request *request);
    /** Why it cannot move what is asked for, as far as its form tells, or NULL if it can. */
    const char *(*obstacle)(const plan_request *request);
    /** Fills the shape in which it sees the array, and the number of passes. NULL: one pass, and no shape. */
    riffle_status (*shape)(const plan_request *request, plan_choice *choice);
    /** Fills the choice's shape and the number of passes for a move in place, one pass unless it says so, and the reason.
     *  Returns NULL, or why it cannot: a clause. NULL: it needs a second array. */
    const char *(*in_place)(const plan_request *request, plan_choice *choice);
    /** Bytes to and from memory for each element. NULL: a copy's for each pass. */
    double (*traffic)(const plan_request *request, const plan_choice *choice);
    /** The same as the schedule will have it, for explain: it may take as long as planning does. NULL: as above. */
    double (*traffic_as_planned)(const plan_request *request);
    /** The factor that a processor adds to the traffic, measured on a CPU (docs/benchmarks.md); 0: nothing was measured. NULL: 1. */
    double (*slowdown)(const plan_request *request);
    /** Bytes that the plan keeps for each element. NULL: 0. */
    double (*kept)(const plan_request *request, const plan_choice *choice);
    /** Bytes of the buffers between passes. NULL: one array's if there is more than one pass. */
    size_t (*workspace)(const plan_request *request, const plan_choice *choice);
    /** Bytes of an array that a thread must have to be worth waking. NULL: BYTES_A_THREAD. */
    size_t (*bytes_a_thread)(const plan_request *request);
    /** Its passes, where they are several, can compare what is between them (RIFFLE_CHECK_PASSES). */
    bool compares;
    /** Adds the passes to a plan whose request and choice are made. */
    riffle_status (*build)(riffle_plan *plan);
};

/** Every algorithm by its record's name, in the order in which they are listed. */
#define EACH_ALGORITHM(DO)                                                                                     \
    DO(copy)                                                                                                   \
    DO(scatter)                                                                                                \
    DO(gather)                                                                                                 \
    DO(affine)                                                                                                 \
    DO(axes)                                                                                                   \
    DO(bucket)                                                                                                 \
    DO(transpose) /* the HMM paper's */                                                                        \
    DO(row_wise)                                                                                               \
    DO(column_wise)                                                                                            \
    DO(scheduled)                                                                                              \
    DO(conflict_free)                                                                                          \
    DO(reverse_ends)                                                                                           \
    DO(once)                                                                                                   \
    DO(bmmc_naive) /* in papers/ */                                                                            \
    DO(bmmc_tile)                                                                                              \
    DO(bmmc_tile_banks)                                                                                        \
    DO(bmmc_tile_iters)                                                                                        \
    DO(bmmc_tile_banks_iters)

#define DECLARE_ALGORITHM(name) extern const plan_algorithm algorithm_##name;
EACH_ALGORITHM(DECLARE_ALGORITHM)

#define COUNT_ALGORITHM(name) +1
enum { ALGORITHMS = EACH_ALGORITHM(COUNT_ALGORITHM) };

/** The records in that order. */
extern const plan_algorithm *const algorithm_records[ALGORITHMS];

/** The record of an algorithm, or NULL: AUTO has none, nor has a number that no algorithm has. */
const plan_algorithm *algorithm_record(riffle_algorithm id);

/** The obstacle of algorithms whose kernels move elements of 4 and of 8 bytes. */
const char *algorithm_words_obstacle(const plan_request *request);

#endif

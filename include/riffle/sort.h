/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Sorting by comparisons (docs/sort.md; Jurkiewicz 2013, chapter 4). On a GPU's memory the same by riffle/cuda.h.
 *
 *  @code{.c}
 *  riffle_sort_key key;
 *  riffle_sort_plan *plan;
 *  riffle_sort_key_of_type(RIFFLE_TYPE_U64, false, &key);
 *  riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CPU, NULL, &plan);
 *  riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = sorted, .from_keys = numbers});
 *  riffle_sort_plan_free(plan);
 *  @endcode
 *
 *  Elements have any number of bytes. Their key says what is compared: one field or several, of which the first that differs
 *  decides. Numbers are in their order, -0.0 equals 0.0, and NaN comes last, as NumPy has it; of a
 *  field that descends all this is turned round, but NaN is last still.
 *
 *  Sorts are stable: what compares equal keeps its order. The result does not depend on threads, algorithms or engines:
 *  all give the same bytes. Where elements are nothing but one number, and neither values nor indices are asked for, no
 *  order among equals can be seen but that of zeros and of NaNs, and it is not kept (MERGE and PARTITION keep it): -0.0 comes before
 *  0.0, NaNs without a sign come by their bits, and then those with a sign, the greatest bits first. Where such numbers
 *  descend it is all the other way, and NaNs are behind still.
 */
#ifndef RIFFLE_SORT_H
#define RIFFLE_SORT_H

#include "riffle/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most fields of a key. */
#define RIFFLE_SORT_MAX_FIELDS 16
/** Most bytes of a key, all fields together. */
#define RIFFLE_SORT_MAX_KEY_BYTES 64
/** Most bytes of an element. */
#define RIFFLE_SORT_MAX_ELEM_BYTES ((size_t)1 << 20)

/** How a field is compared. */
typedef enum riffle_sort_key_kind {
    RIFFLE_SORT_KEY_SIGNED = 0, /**< an integer of 1, 2, 4, 8 or 16 bytes */
    RIFFLE_SORT_KEY_UNSIGNED,   /**< the same without a sign */
    RIFFLE_SORT_KEY_FLOAT,      /**< IEEE, of 2, 4 or 8 bytes */
    RIFFLE_SORT_KEY_BYTES, /**< 1 to 64 bytes as memcmp compares them: NumPy's 'S10', integers with the most
                                 significant byte first */
} riffle_sort_key_kind;

/** A field of an element, little-endian as the machine. It need not be aligned. */
typedef struct riffle_sort_field {
    riffle_sort_key_kind kind; /**< how it is compared */
    size_t bytes;              /**< bytes of the field */
    size_t offset;             /**< where in the element it begins */
    bool descending;           /**< the greatest first */
    const char *name;          /**< its name in a user's comparison, of any length, a name in C and no keyword;
                                NULL: f0, f1, ... by its place in the key */
} riffle_sort_field;

/** The elements that are sorted, and the fields or the comparison that order them. */
typedef struct riffle_sort_key {
    size_t elem_bytes; /**< bytes per element, 1 to RIFFLE_SORT_MAX_ELEM_BYTES */
    unsigned fields;   /**< 1 to RIFFLE_SORT_MAX_FIELDS */
    riffle_sort_field
        field[RIFFLE_SORT_MAX_FIELDS]; /**< the first decides before the others; they may overlap */
    /** A comparison of the user's instead: a C expression over elements a and b that is not 0 where a comes before b, such
     *  as "abs(a) < abs(b)". Where the key has one field without a name, a and b are numbers of its type; else they
     *  have members of the fields' names, "a.x < b.x". Half is float, 16 bytes are __int128, bytes are an array of
     *  unsigned char. It has to be a strict weak order; of another the result is some permutation of the input
     *  (riffle_sort_check). The host's compiler compiles it as C; for a GPU NVRTC does as C++, whose words are no names then, and
     *  signed integers must not overflow. It is code, which runs in this process with all its rights: take none from whom you would not
     *  take a program. A text is compiled once in a process, whatever n: plans share it, and the latest 16 that no plan has any more are
     *  kept. NULL: by the fields. Belongs to the caller, and is copied. */
    const char *before;
} riffle_sort_key;

/** The key of elements that are numbers of `type`. RIFFLE_ERROR_UNSUPPORTED for complex numbers, which have no order. */
RIFFLE_API riffle_status riffle_sort_key_of_type(riffle_type type, bool descending, riffle_sort_key *out);

/** A task for a plan. */
typedef enum riffle_sort_task {
    RIFFLE_SORT_TASK_SORT = 0, /**< each segment is sorted */
    RIFFLE_SORT_TASK_MERGE, /**< the segments are sorted already; together they become one sorted array. Equal
                                elements keep the order of their segments */
    RIFFLE_SORT_TASK_TOP,   /**< the first `count` elements of each segment as if it were sorted */
    RIFFLE_SORT_TASK_PARTITION, /**< element `count` of each segment is as if it were sorted; what comes before it
                                stands before it, and all else behind it, both in the order that they came in.
                                Equal elements are in the order that they came in, too */
    RIFFLE_SORT_TASK_UNIQUE,    /**< each segment sorted, of equal elements the first only */
} riffle_sort_task;

/** Ways to sort. */
typedef enum riffle_sort_algorithm {
    RIFFLE_SORT_ALGORITHM_AUTO = 0, /**< the fastest, by size, key and engine */
    RIFFLE_SORT_ALGORITHM_TWO_PHASE, /**< parts are sorted each by itself, and then merged between pivots (Jurkiewicz 2013, section
                                4.2.2): two runs at a time on the CPU, up to 32 by his Algorithm 9 on a GPU */
    RIFFLE_SORT_ALGORITHM_K_PARTITION, /**< keys are split between sampled pivots until parts are small (his k-quicksort, section
                                4.2.2; docs/sort.md says what does the work of his Algorithm 10); GPUs */
    RIFFLE_SORT_ALGORITHM_PAIRWISE, /**< short runs, and merges of two by merge path: a GPU's by a comparison of the user's, and of
                                unsigned numbers to compare with */
} riffle_sort_algorithm;

/** "auto", "two-phase", "k-partition", "pairwise". */
RIFFLE_API const char *riffle_sort_algorithm_string(riffle_sort_algorithm algorithm);
/** The algorithm of that name. */
RIFFLE_API riffle_status riffle_sort_algorithm_parse(const char *name, riffle_sort_algorithm *out);
/** All algorithms of sorts. */
RIFFLE_API size_t riffle_sort_algorithm_list(riffle_sort_algorithm *out, size_t capacity);

/** Asks whether to stop. */
typedef bool riffle_sort_stop(void *context);

/** Zero every field for the defaults. */
typedef struct riffle_sort_options {
    riffle_sort_task task; /**< the task */
    /** Arrays one behind the other, each of which is done by itself (MERGE: those that are merged); 0: one. */
    uint64_t segments;
    uint64_t count;     /**< for TOP and PARTITION */
    size_t value_bytes; /**< bytes per value that is carried along with an element: 4 or 8; 0: there are none */
    size_t
        index_bytes; /**< bytes per index, which says where an element came from: 4 or 8; 0: none are wanted. Indices and
                               values exclude each other */
    riffle_sort_algorithm algorithm; /**< which way */
    unsigned threads;                /**< most threads of the CPU; 0: as many as OpenMP gives and as pay */
    bool callers_workspace; /**< on GPUs alone: the plan allocates no workspace, each execution brings one */
    /** FULL, for SORT and MERGE, sums up elements, with their values or indices, as they were read and as they were written, and looks
     *  whether each comes behind the one before it; equal elements are by their indices where there are indices. Values or indices
     *  alone, without keys: the order of indices is looked at where they lead, and that of values is not. PASSES, for SORT: what the first and the last pass
     *  read is compared, nothing is read twice. On the CPU of all but comparisons, and but for numbers of 1 and 2 bytes alone, which take one pass; on a GPU by keys of up
     *  to 8 bytes, and of numbers of 16 alone or with 4, also in segments of one length (docs/check.md). */
    riffle_check check;
    /** For a user's comparison on the CPU: called, with stop_context, some twenty times a second by the thread that executes, between
     *  two comparisons. Once it says yes, riffle_sort_execute and riffle_sort_check end with RIFFLE_ERROR_STOPPED. It may not use the
     *  plan. NULL: nobody is asked. */
    riffle_sort_stop *stop;
    void *stop_context; /**< passed to `stop` */
} riffle_sort_options;

/** A sort made ready for a number of elements, their key and an engine. */
typedef struct riffle_sort_plan riffle_sort_plan;

/** Plans sorting n elements. `options` may be NULL.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for a key or options outside their contract: a field that is not in the element, a
 *  float of 3 bytes, values and indices at once. RIFFLE_ERROR_LENGTH for more than RIFFLE_MAX_LENGTH elements or segments,
 *  for more than 2^32 elements with indices of 4 bytes, for keys of more than RIFFLE_SORT_MAX_KEY_BYTES, and for a count
 *  beyond n. RIFFLE_ERROR_UNSUPPORTED if the engine lacks the algorithm, or has no compiler for a user's comparison (on a GPU
 *  NVRTC), or one that fails without a word;
 *  also for a check of another task than SORT and MERGE, and on a GPU of a user's comparison, and for PASSES where there is nothing to compare;
 *  RIFFLE_ERROR_SYNTAX if that does not compile, with the compiler's first error. RIFFLE_ERROR_OUT_OF_MEMORY on a GPU, where
 *  the workspace is allocated here. */
RIFFLE_API riffle_status riffle_sort_plan_create(uint64_t n, const riffle_sort_key *key, riffle_engine engine,
                                                 const riffle_sort_options *options, riffle_sort_plan **out);

/** The arrays of an execution: n elements, values or indices each, aligned to the largest power of two that divides an
 *  element's bytes, 16 at most. Results may take the place of what they are made of (keys == from_keys, values == from_values);
 *  else no two overlap.
 *
 *  Results of segment s begin where it does, and so there are n at most; those of TOP begin at s * count, where
 *  a segment that is shorter leaves the rest alone. PARTITION leaves a segment of no more than `count` elements as it is. UNIQUE leaves
 *  anything behind its results. */
typedef struct riffle_sort_arrays {
    void *keys;              /**< receives elements; NULL: they are not wanted */
    void *values;            /**< receives values, where the plan has them */
    void *indices;           /**< receives indices, where the plan has them: of the element among all n */
    const void *from_keys;   /**< the elements */
    const void *from_values; /**< the values, one for each element */
    /** Where segments begin: segment s has elements first[s] up to first[s + 1], excluded; segments + 1 numbers, not
     *  descending, from 0 up to n. Elements left out at either end are not sorted, nor written. NULL: all segments have n /
     *  segments elements, and n is a multiple. */
    const uint64_t *first;
    uint64_t *lengths; /**< for UNIQUE: receives how many results each segment has */
} riffle_sort_arrays;

/** Sorts, in host memory.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for arrays outside their contract, RIFFLE_ERROR_OUT_OF_MEMORY if room to work could not be
 *  had, before anything is written. RIFFLE_ERROR_DAMAGED if the plan's check finds the result wrong, which has been written.
 *  RIFFLE_ERROR_STOPPED if the plan's `stop` says so, before anything but `lengths` is. */
RIFFLE_API riffle_status riffle_sort_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

/** Looks for elements that contradict a comparison of the user's, among 2048 of them that are spread evenly, or all of fewer: each pair
 *  is compared both ways. RIFFLE_ERROR_INVALID_ARGUMENT says which three of the n elements contradict, and how, and
 *  where witness is not NULL it gets their indices. RIFFLE_OK if none were found, or the plan sorts by fields. The elements are in
 *  host memory, whatever the plan's engine; `from_keys` is NULL only where there are none. */
RIFFLE_API riffle_status riffle_sort_check(const riffle_sort_plan *plan, const void *from_keys,
                                           uint64_t witness[3]);

/** The side of equal elements that a place is on. */
typedef enum riffle_sort_side {
    RIFFLE_SORT_SIDE_LEFT = 0, /**< ahead of them all */
    RIFFLE_SORT_SIDE_RIGHT,    /**< behind them all */
} riffle_sort_side;

/** Finds where `count` elements would stand among n elements that are in the plan's order, by binary search: places[k] is how many of
 *  them come before elements[k], or, RIGHT, do not come after it. All arrays are in host memory, whatever the plan's engine, and n need not be
 *  the plan's; `elements` may be any of `sorted`. One thread searches.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for a missing array or side; the status of the compiler for a user's comparison. */
RIFFLE_API riffle_status riffle_sort_search(const riffle_sort_plan *plan, const void *sorted, uint64_t n,
                                            const void *elements, uint64_t count, riffle_sort_side side,
                                            uint64_t *places);

/** The algorithm that AUTO chose, or that was asked for; AUTO of no plan. */
RIFFLE_API riffle_sort_algorithm riffle_sort_plan_algorithm(const riffle_sort_plan *plan);

/** Bytes that an execution takes besides the arrays: on a GPU of the device's memory. */
RIFFLE_API size_t riffle_sort_plan_workspace_bytes(const riffle_sort_plan *plan);

/** Threads of the CPU that an execution takes; 0 on other engines. */
RIFFLE_API unsigned riffle_sort_plan_threads(const riffle_sort_plan *plan);

/** Prints what is sorted, the phases, how often each reads and writes the elements, and the lower bounds of block exchanges
 *  (Jurkiewicz 2013, Theorem 4.1 and section 4.1.2). RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_sort_plan_explain(const riffle_sort_plan *plan, FILE *stream);

/** Frees the plan. */
RIFFLE_API void riffle_sort_plan_free(riffle_sort_plan *plan);

#ifdef __cplusplus
}
#endif
#endif

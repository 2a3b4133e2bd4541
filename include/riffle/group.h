/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Rows brought together by a small key, in their order: tokens to experts, rows to the partitions of a join, values to bins.
 *
 *  @code{.c}
 *  riffle_group_plan *plan;
 *  riffle_group_plan_create(n, row_bytes, RIFFLE_TYPE_U16, groups, RIFFLE_ENGINE_CPU, NULL, &plan);
 *  riffle_group_execute(plan, &(riffle_group_arrays){.rows = grouped, .from_rows = rows, .keys = keys, .offsets = offsets});
 *  riffle_group_plan_free(plan);
 *  @endcode
 *
 *  Each of n rows of any bytes has one key, or several, and each key names a group or none. The rows of group 0 come first, then
 *  those of group 1, and so on; in a group rows stand in the order that they came in, and of a row with several keys the earlier key
 *  first. So the result is one only, whatever engine and threads made it.
 *
 *      rows      | group 0 | group 1 |zeros| group 2 ...            zeros: where groups are padded to multiples
 *      offsets     0         3             8                        counts: 3, 4, ...
 *
 *  A table's further columns go along, each of rows of its own length: keys are counted and groups laid out once (riffle_group_options.columns).
 *
 *  On a GPU's memory the same by riffle/cuda.h, on the memory machine by riffle/machine.h. A row whose key names no group is left out, and so is one that finds its group full; both are counted.
 */
#ifndef RIFFLE_GROUP_H
#define RIFFLE_GROUP_H

#include "riffle/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most groups of a plan. */
#define RIFFLE_GROUP_MAX_GROUPS ((uint64_t)1 << 16)
/** Most keys of a row. */
#define RIFFLE_GROUP_MAX_KEYS_PER_ROW ((uint64_t)1 << 10)
/** Most columns that a plan has besides the first. */
#define RIFFLE_GROUP_MAX_COLUMNS 64U
/** Most bytes of a row. */
#define RIFFLE_GROUP_MAX_ROW_BYTES ((size_t)1 << 30)
/** The place of a row that was left out, in 8 bytes; in 4 bytes it is UINT32_MAX. As signed numbers both are -1. */
#define RIFFLE_GROUP_NOWHERE UINT64_MAX

/** How a key names a group. */
typedef enum riffle_group_by {
    RIFFLE_GROUP_BY_VALUE = 0, /**< the key is the group's number; others than 0 to groups - 1 name none */
    RIFFLE_GROUP_BY_HASH, /**< floor(riffle_group_hash(key) * groups / 2^64): for 2^b groups the b top bits of the hash */
    RIFFLE_GROUP_BY_TOP, /**< ranges of keys, all as long: floor((key - least) * groups / 2^bits), where least is the least number
                               of the keys' type and bits are its bits; for 2^b groups the b top bits of unsigned keys */
} riffle_group_by;

/** "value", "hash", "top". */
RIFFLE_API const char *riffle_group_by_string(riffle_group_by by);
/** The way of that name. */
RIFFLE_API riffle_status riffle_group_by_parse(const char *name, riffle_group_by *out);
/** All ways. */
RIFFLE_API size_t riffle_group_by_list(riffle_group_by *out, size_t capacity);

/** The hash of RIFFLE_GROUP_BY_HASH, the same on every engine, for good: the first number of SplitMix64 (Steele, Lea, Flood: Fast
 *  splittable pseudorandom number generators, OOPSLA 2014, Figure 14) whose seed is the key. Keys of fewer than 8 bytes are
 *  extended first, signed ones by their sign: numbers that are equal have one hash, whatever their types. */
RIFFLE_API uint64_t riffle_group_hash(uint64_t key);

/** Zero every field for the defaults. */
typedef struct riffle_group_options {
    riffle_group_by by; /**< how keys name groups */
    uint64_t
        keys_per_row; /**< keys of each row, one behind the other: the row is read once, and goes to each one's group; 0: one */
    uint64_t
        multiple; /**< each group is padded with rows of zeros up to a multiple of so many, an empty one with none; 0: no
                                padding */
    uint64_t
        capacity; /**< most rows of a group, which are its first ones; the others are left out; 0: no limit */
    size_t index_bytes;     /**< bytes per place, 4 or 8; 0: places are not wanted */
    unsigned threads;       /**< most threads of the CPU; 0: as many as OpenMP gives and as pay */
    bool callers_workspace; /**< on GPUs alone: the plan allocates no workspace, each execution brings one */
    /** PASSES, of rows that go twice, on GPUs alone: 1, 2, 4, 8 or 16 bytes in more than 1,024 groups, and neither places, padding, a capacity nor further columns
     *  are wanted: the second pass compares what it reads with what the first one wrote. FULL also looks whether places are in the groups that keys name, and each is one key's, whether padding is zeros, and at
     *  offsets and counts. Rows of one group that changed places with each other before they were written are not found. */
    riffle_check check;
    /** Columns besides the first, whose rows have row_bytes bytes: all go to the same places. RIFFLE_GROUP_MAX_COLUMNS at most; 0: none. */
    unsigned columns;
    const size_t *
        column_bytes; /**< bytes of a row of each, read while the plan is made; a column of 0 bytes has no arrays */
} riffle_group_options;

/** Groups made ready for a number of rows, their bytes, the keys' type and an engine. */
typedef struct riffle_group_plan riffle_group_plan;

/** Plans the grouping of n rows of row_bytes bytes by keys of an integer type, into `groups` groups. `options` may be NULL. With
 *  row_bytes 0 no rows are moved, and places, offsets and counts alone are found.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for no groups, more than RIFFLE_GROUP_MAX_GROUPS, and options that are none; RIFFLE_ERROR_UNSUPPORTED
 *  for keys that are no integers, and for a check of passes where rows go once; RIFFLE_ERROR_LENGTH for more than RIFFLE_MAX_LENGTH keys or rows with their padding, for more than
 *  RIFFLE_GROUP_MAX_COLUMNS columns, for rows longer than RIFFLE_GROUP_MAX_ROW_BYTES, where places of 4 bytes cannot name all rows, and on a GPU for 2^32 keys or rows with their padding. */
RIFFLE_API riffle_status riffle_group_plan_create(uint64_t n, size_t row_bytes, riffle_type key_type,
                                                  uint64_t groups, riffle_engine engine,
                                                  const riffle_group_options *options, riffle_group_plan **out);

/** A column besides the first, as riffle_group_arrays has that one. */
typedef struct riffle_group_column {
    void *rows;
    const void *from_rows;
} riffle_group_column;

/** The arrays of an execution. No two that are written overlap each other or one that is read. */
typedef struct riffle_group_arrays {
    /** Receives the rows, and has room for riffle_group_plan_room of them. Behind row offsets[groups] it is left alone. NULL if rows have
     *  no bytes. Aligned, as from_rows, to the largest power of two that divides row_bytes, 16 at most. */
    void *rows;
    const void *from_rows; /**< the n rows; NULL if they have no bytes */
    const void *keys;      /**< the keys, keys_per_row of each row */
    uint64_t *
        offsets; /**< receives where groups begin in rows: groups + 1 numbers, the last one is where the last one's padding
                                ends; NULL: not wanted */
    uint64_t *counts; /**< receives how many rows each group has, without padding; NULL: not wanted */
    void *
        places; /**< receives where each key's row went, keys_per_row places of each row, or RIFFLE_GROUP_NOWHERE; wanted where
                                the plan has index_bytes */
    uint64_t *
        left_out; /**< receives two numbers: keys that name no group, and keys whose group was full; NULL: not wanted */
    const riffle_group_column *columns; /**< the plan's columns besides the first; NULL where it has none */
} riffle_group_arrays;

/** Groups rows, in host memory.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for arrays that are missing, misaligned or overlap; RIFFLE_ERROR_OUT_OF_MEMORY without 8 bytes for each
 *  group and thread, 16 where there are several columns; where rows are short, of 1, 2, 4, 8 or 16 bytes, in up to 4,096 groups, without 16 more and lines for each thread, of 260 KiB in up
 *  to 2,048 groups, else of 128 bytes for each; and with a check without 8 bytes for each key whose place is not wanted. Nothing is changed then. RIFFLE_ERROR_DAMAGED if the plan's check finds the result wrong, which
 *  has been written. */
RIFFLE_API riffle_status riffle_group_execute(const riffle_group_plan *plan, const riffle_group_arrays *arrays);

/** Rows that `rows` has to have room for, whatever the keys are: all that are not left out, and the most padding. */
RIFFLE_API uint64_t riffle_group_plan_room(const riffle_group_plan *plan);

/** Bytes of a GPU's memory that an execution there takes besides the arrays; 0 on other engines. */
RIFFLE_API size_t riffle_group_plan_workspace_bytes(const riffle_group_plan *plan);

/** Threads of the CPU that an execution takes; 0 on other engines. */
RIFFLE_API unsigned riffle_group_plan_threads(const riffle_group_plan *plan);

/** Frees the plan. */
RIFFLE_API void riffle_group_plan_free(riffle_group_plan *plan);

/** How rows are brought back: as they are, or as sums of numbers. */
typedef enum riffle_ungroup_sum {
    RIFFLE_UNGROUP_SUM_NONE =
        0,                  /**< each row has one place, and its bytes are copied; rows left out become zeros */
    RIFFLE_UNGROUP_SUM_F32, /**< sums of float32 */
    RIFFLE_UNGROUP_SUM_F64, /**< sums of float64 */
    RIFFLE_UNGROUP_SUM_F16, /**< sums of IEEE half, made in float32 and rounded once, to nearest, ties to even */
    RIFFLE_UNGROUP_SUM_BF16, /**< the same of bfloat16, the upper half of a float32 */
} riffle_ungroup_sum;

/** "none", "f32", "f64", "f16", "bf16". */
RIFFLE_API const char *riffle_ungroup_sum_string(riffle_ungroup_sum sum);
/** The sum of that name. */
RIFFLE_API riffle_status riffle_ungroup_sum_parse(const char *name, riffle_ungroup_sum *out);
/** All sums. */
RIFFLE_API size_t riffle_ungroup_sum_list(riffle_ungroup_sum *out, size_t capacity);

/** Rows that are brought back to where they came from, the inverse of a grouping. */
typedef struct riffle_ungroup_task {
    uint64_t n;             /**< rows of the result */
    uint64_t keys_per_row;  /**< places of each; 0: one; with RIFFLE_UNGROUP_SUM_NONE no more */
    uint64_t rows;          /**< rows that are read: places are below it, or RIFFLE_GROUP_NOWHERE */
    size_t row_bytes;       /**< bytes of a row, a multiple of a number's */
    size_t index_bytes;     /**< bytes of a place, 4 or 8 */
    riffle_ungroup_sum sum; /**< how */
} riffle_ungroup_task;

/** The arrays of riffle_ungroup. `to` overlaps none of the others. */
typedef struct riffle_ungroup_arrays {
    void *
        to; /**< receives n rows; aligned, as rows, to the largest power of two that divides row_bytes, 16 at most */
    const void *rows;   /**< grouped rows */
    const void *places; /**< keys_per_row places of each row, as riffle_group_execute gives them */
    /** A factor for each place, float64 for sums of float64, else float32; NULL: sums are of the rows as they are. */
    const void *weights;
} riffle_ungroup_arrays;

/** Brings rows back, in host memory: row i becomes row places[i], or the sum over its places, in their order, of
 *  weights times rows:
 *
 *      to[i] = ((w[i][0] rows[places[i][0]] + w[i][1] rows[places[i][1]]) + ...)
 *
 *  where each product and each sum is rounded by itself, so that the same bytes come out on every engine and each time (NaNs aside).
 *  Places that are RIFFLE_GROUP_NOWHERE have no part in it; a row that has no other is zeros. `options` may be NULL.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for what is no such task, for arrays that are missing, misaligned or overlap, and for a place that is no row's, which is
 *  named; RIFFLE_ERROR_LENGTH for more than RIFFLE_MAX_LENGTH places or rows. Nothing is changed then. */
RIFFLE_API riffle_status riffle_ungroup(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays,
                                        const riffle_call_options *options);

#ifdef __cplusplus
}
#endif
#endif

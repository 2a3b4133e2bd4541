/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging sorted streams, and sorting by it (dissertation, section 4.2.2), as launches, the same on a GPU and on the memory
 * machine. Each level merges groups of up to 32 streams, or of 2; as many levels as that takes:
 *
 *     [runs]  keys sorted by warps in registers       (a sort's)
 *     split   where the parts of each group begin     (by blocks only)
 *     merge   a warp, or a block, a part
 *
 * Levels go from one array to another, the last one to the result; between, the result and a workspace in turn.
 */
#ifndef RIFFLE_SORT_GPU_MERGE_H
#define RIFFLE_SORT_GPU_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "sort/kernels/merge/kernel.h"

enum { MERGE_WORKSPACE_ALIGNMENT = 256 };

/** Most keys: places have 31 bits. */
#define MERGE_MOST_KEYS ((uint64_t)0x7fff0000)

/** The keys to merge. */
typedef struct merge_job {
    uint64_t n;         /**< keys, MERGE_MOST_KEYS at most */
    uint64_t streams;   /**< as many at most */
    uint32_t key_bytes; /**< unsigned numbers of 4, 8 or 16 */
    bool is_placed;     /**< places are wanted: equal keys come in their order */
    bool is_sort;       /**< sorts keys in no order; `streams` is not read */
    bool is_pairwise;   /**< two by two, by merge path: keys of 4 or 8 bytes without places */
    bool is_in_place;   /**< from and to are the same */
    uint32_t part;      /**< keys of a part, a multiple of what a round writes; 0: what is best */
} merge_job;

/** Arrays of a job, of the device's. */
typedef struct merge_arrays {
    void *keys;            /**< receives the keys */
    uint32_t *places;      /**< receives where each came from; NULL where they are not wanted */
    const void *from_keys; /**< aligned to a key */
    /** Where streams begin, and where the last ends; not descending. Keys before the first one and behind the last are not
     *  written. NULL: all have n / streams keys. Not read by a sort. */
    const uint64_t *first;
    void *workspace; /**< merge_workspace_bytes, aligned to MERGE_WORKSPACE_ALIGNMENT */
} merge_arrays;

size_t merge_workspace_bytes(const merge_job *job);

/** Levels of merging. */
unsigned merge_levels(const merge_job *job);

/** Appends the launches. */
void launch_merge(const merge_job *job, const merge_arrays *arrays, launch_list *out);

/** The most shared memory of a block that a kernel takes for keys of so many bytes. */
size_t merge_shared_bytes(const merge_kernel *kernel, uint32_t key_bytes);

#endif

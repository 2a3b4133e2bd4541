/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the kernels that merge take by value. Sorted streams lie one behind the other; `ways` of them make a group,
 * and a group's streams are merged into one, which lies where they lay. A group's keys are cut into parts of `part` keys, each
 * merged by itself, from where the part begins in each stream:
 *
 *     streams   | 0        | 1     | ...   | 31      | 32     | 33  ...
 *     group 0   |    x1    x2      x1 x2     x1  x2  | group 1            x1: part 1 begins here, of each stream
 *     merged    | part 0   | part 1   | part 2 | ... | part 0 | part 1 ...
 *
 * Equal keys come in the order of their streams, and in a stream as they are.
 */
#ifndef RIFFLE_SORT_KERNELS_MERGE_MERGE_H
#define RIFFLE_SORT_KERNELS_MERGE_MERGE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MERGE_WAYS = 32,  /* streams of a group at most: a lane knows one */
    MERGE_ORDER = 16, /* ranks of blocks that a lane sorts: so many times 32 blocks a part */
    MERGE_ORDER_BYTES = 4 * (32 * MERGE_ORDER + MERGE_ORDER),
    MERGE_THREADS = 128,     /* threads of a block: its warps do not meet */
    MERGE_PAIR_EACH = 15,    /* keys that a thread of a pairwise merge merges */
    MERGE_PAIR_THREADS = 128 /* that merge a part of it */
};

typedef struct merge_table {
    uint32_t n;            /**< keys that there are, those of no stream too */
    uint32_t streams;      /**< streams of the first level */
    uint32_t step;         /**< stream s of this level is s * step to (s + 1) * step - 1 of the first */
    uint32_t ways;         /**< 2 to MERGE_WAYS */
    uint32_t part;         /**< keys of a part */
    uint32_t every;        /**< merge_split: each so many-th part of a group; 0: the parts between those */
    uint32_t between;      /**< then: how many parts it is from one that is known to the next */
    uint32_t run;          /**< keys of a first stream where `first` is NULL; the last may be shorter */
    const uint64_t *first; /**< where they begin, and where the last ends */
    uint32_t *at;          /**< [part][way]: where it begins, those of all groups one after the other */
    const uint32_t *from_places; /**< where keys came from; NULL: they are where they were */
    uint32_t *to_places;
} merge_table;

#ifdef __CUDACC__
#define MERGE_FUNCTION static __host__ __device__ constexpr inline
#elif defined __cplusplus
#define MERGE_FUNCTION static constexpr inline
#else
#define MERGE_FUNCTION static inline
#endif

/** Keys of a block, which a lane reads at once. The memory of Algorithm 9 is 64 blocks. */
MERGE_FUNCTION uint32_t merge_block_keys(uint32_t key_bytes) { return key_bytes == 16 ? 8 : 16; }

/** Keys of a part at most, a multiple of what a round writes: no more blocks are read than ranks are sorted, though each
 *  stream has two in part. */
MERGE_FUNCTION uint32_t merge_most_part(uint32_t key_bytes) {
    return (MERGE_ORDER - 2) * 32 * merge_block_keys(key_bytes);
}

/** Bytes of shared memory that a warp of merge_parts has. */
MERGE_FUNCTION uint32_t merge_warp_bytes(uint32_t key_bytes, bool has_places) {
    const uint32_t keys = merge_block_keys(key_bytes) * key_bytes + 16;
    const uint32_t places = has_places ? merge_block_keys(key_bytes) * 4 + 16 : 0;
    return MERGE_ORDER_BYTES + 2 * 32 * (keys + places);
}

#endif

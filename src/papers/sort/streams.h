/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorted streams merged block by block, where they are longer than memory: Algorithm 9 as the dissertation writes it
 * (Jurkiewicz 2013, section 4.2). Blocks are read in order of rank, which is a stream's last item read; when memory is full
 * all is sorted, and written but for the largest k - 1 blocks.
 */
#ifndef RIFFLE_PAPERS_SORT_STREAMS_H
#define RIFFLE_PAPERS_SORT_STREAMS_H

#include "sort/definition.h"

/** Streams, and who brings and takes items. */
typedef struct stream_merge {
    uint32_t streams;       /**< k, at least 1 */
    uint32_t block;         /**< items of a block, at least 1 */
    uint32_t memory_blocks; /**< that memory holds, at least k */
    uint64_t items;         /**< that all streams have, 2^62 at most: memory is for them and a block at most */
    size_t item_bytes;
    sort_before *before; /**< the order that streams are in */
    const void *order;   /**< its context */
    /** Brings the next items of a stream to `items`, and says how many: a block's, or fewer where it ends; 0 if it has ended. */
    riffle_status (*read)(void *context, uint32_t stream, void *items, uint32_t *count);
    /** Takes the next items of what the streams become. */
    riffle_status (*write)(void *context, const void *items, uint64_t count);
    void *context;   /**< for both */
    uint64_t *sorts; /**< counts the times that all that is held is sorted; or NULL */
} stream_merge;

/** Merges them. Equal items come in the order of their streams, and in a stream as they are. Each block is read once. Fails as read and write
 *  do, or for want of memory: memory_blocks + 1 blocks, though no more than the items and two blocks, and 20 bytes an item. */
riffle_status stream_merge_run(const stream_merge *merge);

#endif

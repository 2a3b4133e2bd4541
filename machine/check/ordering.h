/* SPDX-License-Identifier: Apache-2.0
 *
 * Which accesses of a launch happen before which. A segment is what one thread does between two of its waits;
 * segments are numbered as they begin, over all launches:
 *
 *     | earlier launches | earlier blocks | earlier barriers | since the last barrier |
 *     2             launch_base      block_base          epoch_base                next
 *
 * Earlier launches and, within a block, what lies before the last barrier happen before everything now. Blocks
 * do not wait for each other. Between barriers only lanes of one warp wait for each other, by vector clocks of two kinds:
 *
 *     __syncwarp           what its lanes wrote and read before comes before what they do then
 *     votes, shuffles      order no memory; but a lane that has come to one has read what it wanted to, so that only
 *                          reads come before
 */
#ifndef RIFFLE_MACHINE_CHECK_ORDERING_H
#define RIFFLE_MACHINE_CHECK_ORDERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/device/device_api.h"

enum { SEGMENT_BITS = 29, SEGMENT_FIRST = 2 };
static const uint32_t SEGMENT_MASK = ((uint32_t)1 << SEGMENT_BITS) - 1;

/** How far from the running thread the thread of an unordered segment is. */
typedef enum relation { RELATION_ORDERED, RELATION_IN_WARP, RELATION_IN_BLOCK, RELATION_IN_GRID } relation;

/** The earlier accesses that are asked about: each kind has clocks of its own. */
typedef enum ordering_of { ORDERING_OF_WRITES, ORDERING_OF_READS, ORDERINGS } ordering_of;

typedef struct segment_owner {
    uint32_t thread, clock;
} segment_owner;

typedef struct ordering {
    unsigned threads, width;
    uint32_t launch_base, block_base, epoch_base, next;
    segment_owner *owner; /**< owners from epoch_base + threads on; those before begin with the epoch */
    size_t owners, owner_capacity;
    uint32_t (*seen[ORDERINGS])
        [MACHINE_MAX_WIDTH]; /**< for each thread: how many segments of each lane of its warp it comes after */
    uint32_t *clock, *segment; /**< for each thread; stale where its warp has made no exchange */
    uint32_t *exchanged
        [ORDERINGS]; /**< each warp's lanes of its last exchange since the last barrier that orders these, 0 for none */
    uint32_t *block_begin; /**< block_base of each block of the launch, for messages */
    size_t blocks, block_capacity;
} ordering;

/** For blocks of up to `threads` threads in warps of `width`; false without memory. */
bool ordering_init(ordering *o, unsigned threads, unsigned width);
void ordering_free(ordering *o);

void ordering_begin_launch(ordering *o, unsigned threads);
/** False without memory. */
bool ordering_begin_block(ordering *o);
void ordering_barrier(ordering *o);

/** The lanes of `mask` of a warp have waited for each other, and with `fences` for what they wrote; false without memory. */
bool ordering_exchange(ordering *o, unsigned warp, unsigned mask, bool fences);

/** The number of the segment that a thread is in. */
uint32_t ordering_segment(const ordering *o, unsigned thread);

/** How the segment's writes, or reads, stand to the running thread, which is in segment `now`. */
relation ordering_relation(const ordering *o, ordering_of what, uint32_t segment, unsigned thread,
                           uint32_t now);

/** The thread of a segment of this epoch. */
segment_owner ordering_owner(const ordering *o, uint32_t segment);
/** The linear number of the block of a segment of this launch. */
size_t ordering_block_of(const ordering *o, uint32_t segment);

/** True if the numbers are nearly used up. ordering_restart begins anew, once whoever keeps numbers has
 *  forgotten them; SEGMENT_FIRST then stands for all that the running block has done. */
bool ordering_is_full(const ordering *o);
void ordering_restart(ordering *o);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which accesses of a launch happen before which. A segment is what one thread does between two of its waits;
 * segments are numbered as they begin, over all launches:
 *
 *     | earlier launches | earlier blocks | earlier barriers | since the last barrier |
 *     2             launch_base      block_base          epoch_base                next
 *
 * Earlier launches, what lies before the last barrier of the whole grid (which moves launch_base) and, within a block, what lies before
 * its last barrier happen before everything now. Blocks are ordered beside that by what one releases and another acquires (releases.h).
 * Threads of a cluster are ordered by phases that they wait for (clocks.h), too.
 * Where several blocks are under way, or any releases, each stretch of numbers is kept with the block and the epoch that it belongs to. Between barriers only lanes of one warp wait for each other, by vector clocks of two kinds:
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

#include "machine/check/clocks.h"
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

/** What is known of the segments of one block. */
typedef struct ordering_block {
    uint64_t number; /**< the block's, in the grid */
    uint32_t block_base, epoch_base;
    unsigned restarts; /**< ordering_restart had been called so often when it was last seen to */
    uint32_t (*seen[ORDERINGS])
        [MACHINE_MAX_WIDTH]; /**< for each thread: how many segments of each lane of its warp it comes after */
    uint32_t *clock, *segment; /**< for each thread; stale where its warp has made no exchange */
    uint32_t *exchanged
        [ORDERINGS]; /**< each warp's lanes of its last exchange since the last barrier that orders these, 0 for none */
} ordering_block;

/** Segments from `start` on, up to the next stretch. */
typedef struct ordering_stretch {
    uint64_t block; /**< whose they are */
    uint32_t start;
    uint32_t
        epoch; /**< the first segment since that block's last barrier; only with the block's first where nothing is kept */
    size_t first_owner; /**< owner of the first that does not begin with the epoch */
} ordering_stretch;

typedef struct ordering {
    unsigned threads, width;
    uint32_t launch_base, next;
    ordering_block block; /**< of the block that runs */
    segment_owner *
        owner; /**< owners of segments that do not begin with an epoch: of this one or, where they are kept, of all */
    size_t owners, owner_capacity;
    bool keeps; /**< blocks are interleaved, or release: stretches and owners are kept at barriers */
    ordering_stretch *stretch; /**< in the order of their starts */
    size_t stretches, stretch_capacity;
    unsigned restarts;
    struct releases *releases;       /**< NULL: nobody has released anything */
    const struct release_set *known; /**< of them, those that the running thread has acquired; NULL: none */
    uint32_t acquired;     /**< the first number after its last acquiring; 0: it has acquired nothing */
    clock_peers peers;     /**< the running block's cluster; none: no thread has waited for a phase */
    const uint32_t *clock; /**< the running thread's; NULL: it comes after nothing by phases */
} ordering;

/** For blocks of up to `threads` threads in warps of `width`; false without memory. */
bool ordering_init(ordering *o, unsigned threads, unsigned width);
void ordering_free(ordering *o);

void ordering_begin_launch(ordering *o, unsigned threads);
/** All begin, and wait, with false without memory. */
bool ordering_begin_block(ordering *o, uint64_t number);
bool ordering_barrier(ordering *o);

/** Keeps stretches and owners from now on. */
bool ordering_keep(ordering *o);

/** The running block makes room for another one, of which nothing is known, and one comes back; false without memory. */
bool ordering_put_away(ordering *o, ordering_block *out);
bool ordering_bring_back(ordering *o, ordering_block *block);
void ordering_block_free(ordering_block *block);

/** A barrier of all blocks: all accesses before happen before all that come. */
void ordering_grid_barrier(ordering *o);

/** The lanes of `mask` of a warp have waited for each other, and with `fences` for what they wrote; false without memory. */
bool ordering_exchange(ordering *o, unsigned warp, unsigned mask, bool fences);

/** The number of the segment that a thread is in. */
uint32_t ordering_segment(const ordering *o, unsigned thread);

/** How the segment's writes, or reads, stand to the running thread, which is in segment `now`. */
relation ordering_relation(const ordering *o, ordering_of what, uint32_t segment, unsigned thread,
                           uint32_t now);

/** The thread of a segment of this epoch. */
segment_owner ordering_owner(const ordering *o, uint32_t segment);
/** False where it is of another block. Both want kept stretches for segments of other epochs than the running one. */
bool ordering_is_of_block(const ordering *o, uint32_t segment);
/** The stretch of a segment of this launch. */
const ordering_stretch *ordering_stretch_of(const ordering *o, uint32_t segment);
/** Of a thread that there is none of where that is not known. */
segment_owner ordering_owner_in(const ordering *o, const ordering_stretch *in, uint32_t segment);
/** The linear number of the block of a segment of this launch. */
uint64_t ordering_block_of(const ordering *o, uint32_t segment);

/** True if the numbers are nearly used up. ordering_restart begins anew, once whoever keeps numbers has
 *  forgotten them; SEGMENT_FIRST then stands for all that the running block has done. */
bool ordering_is_full(const ordering *o);
void ordering_restart(ordering *o);

#endif

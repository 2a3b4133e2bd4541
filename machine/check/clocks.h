/* SPDX-License-Identifier: Apache-2.0
 *
 * Which threads of a cluster come after which, where they wait for each other by phases (of a barrier of the cluster, of an mbarrier): vector clocks.
 *
 *     clock of a thread    for each thread of the cluster, the first of its segments that this one does not come after; 0: comes after none
 *     arrive               the thread's clock is joined into what the phase has pending, and the thread begins a new segment
 *     a phase ends         what was pending is what those get that wait for it
 *     wait                 that is joined into the thread's clock
 *
 * A block that is in no cluster is one of a single block. Threads of one block share a clock from its barrier on.
 */
#ifndef RIFFLE_MACHINE_CHECK_CLOCKS_H
#define RIFFLE_MACHINE_CHECK_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The blocks of a cluster, by their rank: numbers in the grid. */
typedef struct clock_peers {
    const uint64_t *block;
    unsigned count, threads; /**< threads of one block */
} clock_peers;

/** A block's part. */
typedef struct clock_block {
    uint32_t *common;   /**< the clock of threads that have none of their own; NULL: nothing */
    uint32_t **own;     /**< each thread's; NULL: none has one */
    uint32_t *acquired; /**< each thread's: the first segment after it last waited */
    uint32_t all_acquired;
} clock_block;

/** A wait that is over and over again: phases are numbered from 0. */
typedef struct clock_phase {
    uint32_t number;          /**< of the one that is under way */
    uint32_t *pending, *done; /**< clocks of those that have arrived, and of the last phase; NULL: nothing */
} clock_phase;

/** True if a thread with this clock (NULL: nothing) comes after a segment of another one of the cluster. */
bool clocks_cover(const clock_peers *peers, const uint32_t *clock, uint64_t block, unsigned thread,
                  uint32_t segment);

/** True if it comes after any segment of a block of the cluster. */
bool clocks_know(const clock_peers *peers, const uint32_t *clock, unsigned rank);

/** The thread's clock; NULL: nothing. */
const uint32_t *clocks_of(const clock_block *block, unsigned thread);
uint32_t clocks_acquired(const clock_block *block, unsigned thread);

/** Joins a clock into one that is there, or is made. False without memory. */
bool clocks_join(uint32_t **to, const uint32_t *from, const clock_peers *peers);

/** A thread of block `rank` arrives: it comes after all segments of its block before `epoch`, and of its own before `now`. False without memory. */
bool clocks_arrive(clock_phase *phase, const clock_block *block, unsigned rank, unsigned thread, uint32_t epoch,
                   uint32_t now, const clock_peers *peers);

/** All threads of the block arrive, and nothing of it was done since `now`. False without memory. */
bool clocks_arrive_all(clock_phase *phase, const clock_block *block, unsigned rank, uint32_t now,
                       const clock_peers *peers);

/** Who waits for the phase comes after what a thread did before `now`. False without memory. */
bool clocks_note(clock_phase *phase, unsigned rank, unsigned thread, uint32_t now, const clock_peers *peers);

/** The phase is over, and the next one begins. */
void clocks_end(clock_phase *phase);

/** A thread has waited for the last phase; its next segment is `now`. False without memory. */
bool clocks_wait(const clock_phase *phase, clock_block *block, unsigned thread, uint32_t now,
                 const clock_peers *peers);

/** Threads have met at the block's barrier. False without memory. */
bool clocks_meet(clock_block *block, const clock_peers *peers);

/** Lanes of the warp whose first thread is `first` have met at a __syncwarp, behind which these are their segments. False without memory. */
bool clocks_meet_lanes(clock_block *block, unsigned rank, unsigned first, unsigned lanes,
                       const uint32_t *segment, const clock_peers *peers);

void clocks_free_block(clock_block *block, unsigned threads);
void clocks_free_phase(clock_phase *phase);

#endif

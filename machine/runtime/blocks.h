/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks that wait while others run: all that a launch has of the running block is put away, and comes back as it was.
 *
 *     threads, and what is alive of their stacks | order of accesses, releases | counts | shared memory, and what is known of it
 *
 * Stacks themselves are shared: a thread's variables are at the same addresses when it goes on, and a launch has no more stacks than a
 * block has threads.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_BLOCKS_H
#define RIFFLE_MACHINE_RUNTIME_BLOCKS_H

#include "machine/runtime/launch_state.h"

typedef struct waiting_block {
    uint64_t number;
    bool
        at_grid; /**< all of its threads wait for the other blocks' at a barrier of the grid; else some spin, or look in vain between barriers */
    bool passes; /**< that barrier has ended */
    bool at_phase; /**< no thread of it can run before a phase ends that one waits for */
    launch_thread *thread;
    ordering_block order;
    release_block releasing;
    rounds_block counts;
    uint64_t made;
    bool is_counted, unseen;
    struct shared_image *shared;
    size_t shared_count;
    struct cluster *cluster;
    unsigned rank;
    clock_block clocks;
    window_image *
        image; /**< shared memory of a block of a cluster whose windows are another's; NULL: it lies in its window */
} waiting_block;

/** Puts the running block away; NULL without memory. */
waiting_block *blocks_put_away(launch_state *l);

/** True if none of its threads can run: they wait at a barrier of the grid. */
bool blocks_are_at_grid(const waiting_block *w, unsigned threads);

/** True if none can run, and one waits for a phase; and if one may run: that has ended, or it waits for none, nor at a barrier of the grid. */
bool blocks_are_at_phase(const waiting_block *w, unsigned threads);
bool blocks_can_go_on(const waiting_block *w, unsigned threads);

/** Has the windows hold what waiting blocks of this cluster have in shared memory. False without memory. */
bool blocks_show_cluster(launch_state *l, struct cluster *c);

/** Makes it the running one again; false without memory. It is gone in either case. */
bool blocks_bring_back(launch_state *l, waiting_block *w);

/** Frees one that is not coming back. */
void blocks_free(launch_state *l, waiting_block *w);

/** Segments are numbered anew: forgets who has accessed its shared memory. */
void blocks_forget_segments(waiting_block *w);

/** Threads of a block, as none has begun; NULL without memory. */
launch_thread *blocks_threads(const launch_state *l);
void blocks_free_threads(launch_thread *thread, unsigned threads);

#endif

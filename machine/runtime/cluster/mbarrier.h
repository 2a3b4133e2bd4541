/* SPDX-License-Identifier: Apache-2.0
 *
 * mbarriers, and the bulk copies that they wait for. A phase ends when as many threads as were expected have arrived and as many bytes have come as were
 * expected of it; the copies that brought them land then:
 *
 *     asked for    the source is read; the destination keeps what it holds, and is marked
 *     queued       in the order in which they were asked for, at the barrier that they complete
 *     landed       when nothing but their bytes is missing for the phase, and a thread waits for it or needs the next one: as late as they may come. Those of
 *                  which nobody expects the bytes do not.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_CLUSTER_MBARRIER_H
#define RIFFLE_MACHINE_RUNTIME_CLUSTER_MBARRIER_H

#include "machine/check/clocks.h"

/** A copy into shared memory of a block. */
typedef struct bulk_copy {
    struct bulk_copy *next;
    unsigned rank; /**< the block's in the cluster */
    uintptr_t to;  /**< as that block has it while it runs */
    size_t bytes;
    unsigned from_rank, from_thread; /**< who has asked for it */
    uint32_t segment;                /**< in which it did */
    uint16_t site, strength;         /**< the write's, as shadow_accessor has them */
    const void *pc;
    unsigned char data[];
} bulk_copy;

typedef struct mbarrier {
    struct mbarrier *next;
    uintptr_t at; /**< as its block has it while that runs */
    unsigned rank;
    unsigned count, pending; /**< arrivals of a phase, and those that are missing */
    long long bytes;         /**< that are expected and have not come */
    bool awaited;            /**< threads wait for the phase */
    clock_phase phase;
    bulk_copy *first, **last; /**< that have not landed */
    uint32_t segment;         /**< in which it was initialized, by this thread */
    unsigned thread;
    const void *pc;
} mbarrier;

/** The last of a block's barriers by number (bar.sync), which are kept as mbarriers at that address. */
enum { MBARRIER_NAMED = 15 };

/** One of a list; NULL if there is none there. */
mbarrier *mbarrier_find(mbarrier *all, unsigned rank, uintptr_t at);

/** Begins one, or begins it anew. NULL without memory. */
mbarrier *mbarrier_init(mbarrier **all, unsigned rank, uintptr_t at, unsigned count);

/** Ends one; its copies never land. */
void mbarrier_remove(mbarrier **all, mbarrier *one);
void mbarrier_free_all(mbarrier **all);

void mbarrier_queue(mbarrier *one, bulk_copy *copy);

/** The copies that have to land for the phase to end now, as how many of the first queued; -1 if it does not end. */
int mbarrier_ready(const mbarrier *one);

/** The phase is over, of which these copies have landed. */
void mbarrier_end_phase(mbarrier *one, unsigned landed);

/** One that is under way to these bytes of a block's shared memory, or NULL. */
const bulk_copy *mbarrier_find_copy(const mbarrier *all, unsigned rank, uintptr_t address, size_t bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * mbarriers and bulk copies (cp.async.bulk, TMA) of a launch: what threads ask for, checked as accesses of theirs. A copy into shared memory of the block, or of others of its
 * cluster, lands when the phase of its mbarrier ends (cluster/mbarrier.h); one to global memory is made at once, and what it reads is marked until the thread has waited for
 * its group. Nothing of these is counted as accesses of threads: the hardware moves it beside them, without conflicts of banks (thread/moves.h). Values of st.async are: warps store them.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_BULK_H
#define RIFFLE_MACHINE_RUNTIME_BULK_H

#include "machine/runtime/launch_state.h"

/** The copy that is under way to these bytes; NULL if none is. */
const bulk_copy *bulk_find(const launch_state *l, uintptr_t address, size_t bytes);

/** The thread's asynchronous copies from that number on become an mbarrier's, whose phase under way expects their bytes: they land where it ends. */
void bulk_bind(launch_state *l, void *barrier, size_t first, const void *pc);

/** Checks a read of shared memory beside the thread; `unfenced` says what is wrong where it reads what threads have written without a fence. It is kept
 *  among those that are under way, if these are not NULL. */
void bulk_read_shared(launch_state *l, uintptr_t from, size_t bytes, const void *pc, const char *unfenced,
                      bulk_reads *keeps);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch's clusters: how its blocks come and go in them, wait at their barriers and access each other's shared memory.
 *
 * Blocks of a cluster have their turns one after another, as those of a grid do, until they wait for each other (schedule.c). A block may not access
 * another's shared memory before it has waited for that to begin, nor once that may have left the kernel: both want a barrier of the cluster, or an
 * mbarrier, and are told without.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_CLUSTERS_H
#define RIFFLE_MACHINE_RUNTIME_CLUSTERS_H

#include "machine/runtime/blocks.h"

/** The launch has clusters of this shape, if it asks for any. */
void clusters_begin_launch(launch_state *l);
void clusters_free(launch_state *l);

/** The number of the block whose turn it is. */
uint64_t clusters_block(const launch_state *l, uint64_t turn);

/** The block of a turn begins, and ends. */
void clusters_begin_block(launch_state *l, uint64_t turn);
void clusters_end_block(launch_state *l);

/** The running block's cluster, also where the launch has none; NULL without memory, and the launch ends. */
cluster *clusters_own(launch_state *l);

/** A thread of the running block has left the kernel. */
void clusters_leave(launch_state *l, const launch_thread *thread);

/** With no thread of the block left that can run: threads at the barrier of the cluster arrive, and those go on whose phases have ended. True if any does. */
bool clusters_go_on(launch_state *l);

/** True if threads of the block wait for phases. */
bool clusters_wait(const launch_state *l);

/** Waits until a phase has ended. */
void clusters_wait_for(launch_state *l, const clock_phase *phase, uint32_t number, const void *pc);

/** An access to an array of another block is about to be made. False if it has been told of and is not to be checked. */
bool clusters_access(launch_state *l, const machine_array *array, const hazard_access *access, const void *pc);

/** No phase that threads of the block wait for will ever end. */
void clusters_report_phases(launch_state *l, const waiting_block *w);

/** Segments are numbered anew. */
void clusters_forget(launch_state *l);

#endif

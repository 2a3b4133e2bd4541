/* SPDX-License-Identifier: Apache-2.0
 *
 * The points at which threads wait for each other, and the waits that can never end.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_WAITS_H
#define RIFFLE_MACHINE_RUNTIME_WAITS_H

#include "machine/runtime/launch_state.h"

/** Resumes the lanes of a warp whose exchanges are complete; true if there are any. */
bool waits_end_exchanges(launch_state *l, unsigned warp);

/** With no thread left that can run: resumes those that wait at a barrier. False if the block is done, or if it
 *  is stuck, which ends the launch. */
bool waits_end_barrier(launch_state *l);

/** With no thread left that can run: true if all wait at a barrier of the grid. */
bool waits_for_grid(launch_state *l);

/** All blocks have come to it: resumes the block's threads. */
void waits_end_grid_barrier(launch_state *l);

/** A thread's wait is over. */
void waits_resume(launch_thread *thread);

/** All threads of the block have waited for each other. */
void waits_begin_epoch(launch_state *l);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A local step of a move: riffle's plan of it, and the room that it packs to or unpacks from.
 */
#ifndef RIFFLE_MPI_MEMORY_STEP_H
#define RIFFLE_MPI_MEMORY_STEP_H

#include "plan.h"

/** Plans a step of this rank; neither plan nor room where nothing moves. */
riffle_status step_plan(const riffle_mpi_plan *plan, const riffle_perm *perm, unsigned threads,
                        riffle_plan **step, void **room);

#endif

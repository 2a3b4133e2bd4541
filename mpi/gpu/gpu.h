/* SPDX-License-Identifier: Apache-2.0
 *
 * What moves between GPUs' memories share.
 *
 * MPI's calls know no streams: messages of a move are posted by the call that finds all done that its stream had. NCCL's are queued at once.
 */
#ifndef RIFFLE_MPI_GPU_GPU_H
#define RIFFLE_MPI_GPU_GPU_H

#include "plan.h"

/** Messages between rooms that MPI can read, once the stream is there. */
riffle_status later_send(riffle_mpi_plan *plan, char *got, const char *packed);
riffle_status later_test(riffle_mpi_plan *plan, bool *done);
riffle_status later_wait(riffle_mpi_plan *plan);

#endif

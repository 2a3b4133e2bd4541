/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's calls know no streams: messages between GPUs are posted by the call that finds all done that the plan's stream had.
 */
#ifndef RIFFLE_MPI_TRANSPORTS_LATER_H
#define RIFFLE_MPI_TRANSPORTS_LATER_H

#include "plan.h"

/** Messages between rooms that MPI can read, once the stream is there. */
riffle_status later_send(riffle_mpi_plan *plan, char *got, const char *packed);
riffle_status later_test(riffle_mpi_plan *plan, bool *done);
riffle_status later_wait(riffle_mpi_plan *plan);

#endif

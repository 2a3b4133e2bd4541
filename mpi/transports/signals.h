/* SPDX-License-Identifier: Apache-2.0
 *
 * Where ranks read each other's rooms, words between them that are as many bytes to each, or none: the room is there, is packed, has been read.
 */
#ifndef RIFFLE_MPI_TRANSPORTS_SIGNALS_H
#define RIFFLE_MPI_TRANSPORTS_SIGNALS_H

#include "plan.h"

enum { SIGNAL_READY = 1, SIGNAL_TAKEN = 2 }; /* tags */

/** Starts hearing what the ranks of a list tell, one behind the other; requests has room for from->count. */
riffle_status signals_hear(const message_list *from, int tag, MPI_Comm comm, void *words, size_t each,
                           MPI_Request *requests);

/** Starts telling them. */
riffle_status signals_tell(const message_list *to, int tag, MPI_Comm comm, const void *words, size_t each,
                           MPI_Request *requests);

/** All that a rank gets messages from tell it `each` bytes, and it tells as many to all that it sends to: these follow those in `words`. */
riffle_status signals_meet(const riffle_mpi_plan *plan, void *words, size_t each, MPI_Request *requests);

#endif

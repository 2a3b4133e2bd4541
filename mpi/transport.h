/* SPDX-License-Identifier: Apache-2.0
 *
 * How messages go from a rank's room to the others'. A transport is a file and a line in transports/choose.c. Of one move
 *
 *     expect -- the caller packs --> send --> test ... until it is done, or wait -- the caller unpacks
 */
#ifndef RIFFLE_MPI_TRANSPORT_H
#define RIFFLE_MPI_TRANSPORT_H

#include "words.h"

typedef struct transport {
    const char *name, *words; /* in explanations */
    /* RIFFLE_OK where this rank can do it, as far as it knows by itself; asked where nobody named a transport. NULL: it can. */
    riffle_status (*offer)(const riffle_mpi_plan *plan);
    riffle_status (*open)(
        riffle_mpi_plan *plan); /* on all ranks, which get one status; NULL: nothing, as close */
    void (*close)(riffle_mpi_plan *plan);
    riffle_status (*expect)(
        riffle_mpi_plan *plan,
        char *got); /* may say where to pack and unpack; NULL: nothing before all is packed */
    riffle_status (*send)(riffle_mpi_plan *plan, char *got, const char *packed);
    riffle_status (*test)(riffle_mpi_plan *plan, bool *done);
    riffle_status (*wait)(riffle_mpi_plan *plan);
} transport;

extern const transport transport_host, transport_shared, transport_aware, transport_nccl, transport_peers,
    transport_staged;

/** Opens the transport that was asked for, or the first that all ranks have. On all ranks. */
riffle_status transport_open(riffle_mpi_plan *plan, riffle_mpi_transport asked);

/** Names the transport, and why those before it were not taken. */
void transport_explain(const riffle_mpi_plan *plan, FILE *stream);

/** MPI's messages between rooms that it can read: transport_host's, and steps of others. */
riffle_status requests_expect(riffle_mpi_plan *plan, char *got);
riffle_status requests_send(riffle_mpi_plan *plan, char *got, const char *packed);
riffle_status requests_test(riffle_mpi_plan *plan, bool *done);
riffle_status requests_wait(riffle_mpi_plan *plan);

#endif

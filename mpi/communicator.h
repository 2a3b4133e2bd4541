/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks of a call: a duplicate of the caller's communicator, whose messages meet no others and on which errors come back.
 */
#ifndef RIFFLE_MPI_COMMUNICATOR_H
#define RIFFLE_MPI_COMMUNICATOR_H

#include "words.h"

typedef struct communicator {
    MPI_Comm comm; /**< MPI_COMM_NULL: none */
    int rank, ranks;
} communicator;

/** RIFFLE_ERROR_INVALID_ARGUMENT where MPI is not running, or comm is MPI_COMM_NULL: then nothing can be agreed on. */
riffle_status communicator_check(MPI_Comm comm);

/** On all ranks; free it with communicator_free, failed or not. */
riffle_status communicator_create(MPI_Comm comm, communicator *out);
void communicator_free(communicator *c);

/** RIFFLE_ERROR_UNSUPPORTED where not all ranks are on one host. On all ranks. */
riffle_status communicator_check_host(const communicator *all);

/** Bytes of a message up to which its count is a plain one, where a caller asks for so many; 0: the most. */
size_t communicator_plain_bytes(size_t asked);

#endif

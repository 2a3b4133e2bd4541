/* SPDX-License-Identifier: Apache-2.0 */
#include "communicator.h"

#define PLAIN_BYTES ((size_t)1 << 30)

static riffle_status check_started(void) {
    int has_begun = 0, has_ended = 0;
    if (MPI_Initialized(&has_begun) == MPI_SUCCESS && MPI_Finalized(&has_ended) == MPI_SUCCESS && has_begun &&
        !has_ended)
        return RIFFLE_OK;
    return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "MPI is not running; call MPI_Init before");
}

riffle_status communicator_check(MPI_Comm comm) {
    const riffle_status status = check_started();
    if (status != RIFFLE_OK) return status;
    return comm != MPI_COMM_NULL ? RIFFLE_OK : mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "comm is MPI_COMM_NULL");
}

riffle_status communicator_create(MPI_Comm comm, communicator *out) {
    *out = (communicator){.comm = MPI_COMM_NULL};
    riffle_status status = mpi_result(MPI_Comm_dup(comm, &out->comm), "MPI_Comm_dup");
    if (status == RIFFLE_OK)
        status = mpi_result(MPI_Comm_set_errhandler(out->comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    if (status == RIFFLE_OK) status = mpi_result(MPI_Comm_rank(out->comm, &out->rank), "MPI_Comm_rank");
    if (status == RIFFLE_OK) status = mpi_result(MPI_Comm_size(out->comm, &out->ranks), "MPI_Comm_size");
    return status;
}

void communicator_free(communicator *c) {
    if (c->comm != MPI_COMM_NULL) MPI_Comm_free(&c->comm);
    c->comm = MPI_COMM_NULL;
}

riffle_status communicator_check_host(const communicator *all) {
    MPI_Comm host;
    int ranks = 0;
    riffle_status status = mpi_result(
        MPI_Comm_split_type(all->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
    if (status != RIFFLE_OK) return status;
    status = mpi_result(MPI_Comm_size(host, &ranks), "MPI_Comm_size");
    MPI_Comm_free(&host);
    if (status != RIFFLE_OK || ranks == all->ranks) return status;
    return mpi_fail(RIFFLE_ERROR_UNSUPPORTED,
                    "%d of %d ranks are on one host; there they read each other's memory", ranks, all->ranks);
}

size_t communicator_plain_bytes(size_t asked) { return asked > 0 && asked < PLAIN_BYTES ? asked : PLAIN_BYTES; }

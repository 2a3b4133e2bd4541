/* SPDX-License-Identifier: Apache-2.0 */
#include "transports/signals.h"

riffle_status signals_hear(const message_list *from, int tag, MPI_Comm comm, void *words, size_t each,
                           MPI_Request *requests) {
    int code = MPI_SUCCESS;
    for (size_t k = 0; k < from->count && code == MPI_SUCCESS; k++)
        code = MPI_Irecv(each > 0 ? (char *)words + k * each : NULL, (int)each, MPI_BYTE, from->of[k].rank, tag,
                         comm, &requests[k]);
    return mpi_result(code, "MPI_Irecv");
}

riffle_status signals_tell(const message_list *to, int tag, MPI_Comm comm, const void *words, size_t each,
                           MPI_Request *requests) {
    int code = MPI_SUCCESS;
    for (size_t k = 0; k < to->count && code == MPI_SUCCESS; k++)
        code = MPI_Isend(each > 0 ? (const char *)words + k * each : NULL, (int)each, MPI_BYTE, to->of[k].rank,
                         tag, comm, &requests[k]);
    return mpi_result(code, "MPI_Isend");
}

riffle_status signals_meet(const riffle_mpi_plan *plan, void *words, size_t each, MPI_Request *requests) {
    const size_t sends = plan->sends.count, receives = plan->receives.count;
    riffle_status status = signals_hear(&plan->receives, SIGNAL_READY, plan->all.comm, words, each, requests);
    if (status == RIFFLE_OK)
        status = signals_tell(&plan->sends, SIGNAL_READY, plan->all.comm, (char *)words + receives * each, each,
                              requests + receives);
    if (status != RIFFLE_OK) return status;
    return mpi_result(MPI_Waitall((int)(receives + sends), requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
}

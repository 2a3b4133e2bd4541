/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's messages between rooms that MPI can read. Receives are posted before anything is packed, so that what comes early finds its place.
 */
#include "plan.h"

riffle_status requests_expect(riffle_mpi_plan *plan, char *got) {
    return messages_receive(&plan->receives, plan->all.comm, got, plan->requests);
}

riffle_status requests_send(riffle_mpi_plan *plan, char *got, const char *packed) {
    (void)got;
    const riffle_status status =
        messages_send(&plan->sends, plan->all.comm, packed, plan->requests + plan->receives.count);
    if (status != RIFFLE_OK) messages_cancel(&plan->receives, plan->requests);
    return status;
}

static int request_count(const riffle_mpi_plan *plan) {
    return (int)(plan->receives.count + plan->sends.count);
}

riffle_status requests_test(riffle_mpi_plan *plan, bool *done) {
    int all = 0;
    const riffle_status status =
        mpi_result(MPI_Testall(request_count(plan), plan->requests, &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    *done = all != 0;
    return status;
}

riffle_status requests_wait(riffle_mpi_plan *plan) {
    return mpi_result(MPI_Waitall(request_count(plan), plan->requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
}

const transport transport_host = {.name = "MPI",
                                  .words = "from the memory of hosts",
                                  .expect = requests_expect,
                                  .send = requests_send,
                                  .test = requests_test,
                                  .wait = requests_wait};

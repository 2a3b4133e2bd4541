/* SPDX-License-Identifier: Apache-2.0
 *
 * An MPI that reads and writes the memory of GPUs: messages leave a rank's room and land in another's as they are.
 */
#include "later.h"

extern int MPIX_Query_cuda_support(void) __attribute__((weak)); /* of Open MPI's and MPICH's mpi-ext.h */

riffle_status later_send(riffle_mpi_plan *plan, char *got, const char *packed) {
    plan->gpu.to = got;
    plan->gpu.from = packed;
    plan->gpu.is_queued = true;
    return plan->gpu.memory->record(plan->gpu.ready, plan->gpu.stream);
}

static riffle_status post(riffle_mpi_plan *plan) {
    plan->gpu.is_queued = false;
    const riffle_status status = requests_expect(plan, plan->gpu.to);
    return status == RIFFLE_OK ? requests_send(plan, plan->gpu.to, plan->gpu.from) : status;
}

riffle_status later_test(riffle_mpi_plan *plan, bool *done) {
    *done = false;
    if (plan->gpu.is_queued) {
        bool is_ready;
        riffle_status status = plan->gpu.memory->query(plan->gpu.ready, &is_ready);
        if (status != RIFFLE_OK || !is_ready) return status;
        status = post(plan);
        if (status != RIFFLE_OK) return status;
    }
    return requests_test(plan, done);
}

riffle_status later_wait(riffle_mpi_plan *plan) {
    if (plan->gpu.is_queued) {
        riffle_status status = plan->gpu.memory->wait(plan->gpu.ready);
        if (status == RIFFLE_OK) status = post(plan);
        if (status != RIFFLE_OK) return status;
    }
    return requests_wait(plan);
}

static riffle_status offer(const riffle_mpi_plan *plan) {
    (void)plan;
    if (MPIX_Query_cuda_support != NULL && MPIX_Query_cuda_support() == 1) return RIFFLE_OK;
    return mpi_fail(RIFFLE_ERROR_UNSUPPORTED,
                    "this MPI does not say that it reads and writes the memory of GPUs "
                    "(MPIX_Query_cuda_support); where it does, ask for this transport by name");
}

const transport transport_aware = {.name = "CUDA-aware MPI",
                                   .words = "from the memory of GPUs",
                                   .offer = offer,
                                   .send = later_send,
                                   .test = later_test,
                                   .wait = later_wait};

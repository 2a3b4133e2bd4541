/* SPDX-License-Identifier: Apache-2.0
 *
 *     src -- pack --> packed -- messages --> got -- unpack --> dst
 *
 * Receives are posted before anything is packed, so that what comes early finds its place.
 */
#include <string.h>

#include "plan.h"

static riffle_status check_arrays(const riffle_mpi_plan *plan, const void *dst, const void *src) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (plan->is_under_way)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "a move of this plan is under way; wait for it, or make a second plan");
    if (dst == NULL && plan->dst_count > 0) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "dst is NULL");
    if (src == NULL && plan->src_count > 0) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "src is NULL");
    const uintptr_t to = (uintptr_t)dst, from = (uintptr_t)src;
    if (to < from + plan->src_count * plan->elem_bytes && from < to + plan->dst_count * plan->elem_bytes)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "dst and src overlap");
    return RIFFLE_OK;
}

static riffle_status send_all(riffle_mpi_plan *plan, char *got, const void *src) {
    const riffle_status status = plan->pack != NULL ? riffle_execute(plan->pack, plan->packed, src) : RIFFLE_OK;
    if (status != RIFFLE_OK) return status;
    const char *const packed = plan->pack != NULL ? plan->packed : src;
    plan->sent += plan->sends.bytes;
    const riffle_status sent =
        messages_send(&plan->sends, plan->all.comm, packed, plan->requests + plan->receives.count);
    if (plan->sends.own_bytes > 0)
        memcpy(got + plan->receives.own_first, packed + plan->sends.own_first, plan->sends.own_bytes);
    return sent;
}

riffle_status riffle_mpi_start(riffle_mpi_plan *plan, void *dst, const void *src) {
    riffle_status status = check_arrays(plan, dst, src);
    if (status != RIFFLE_OK) return status;
    char *const got = plan->unpack != NULL ? plan->got : dst;
    plan->dst = dst;
    status = messages_receive(&plan->receives, plan->all.comm, got, plan->requests);
    if (status != RIFFLE_OK) return status;
    status = send_all(plan, got, src);
    plan->is_under_way = status == RIFFLE_OK;
    if (status != RIFFLE_OK) messages_cancel(&plan->receives, plan->requests);
    return status;
}

static riffle_status finish(riffle_mpi_plan *plan) {
    plan->is_under_way = false;
    return plan->unpack != NULL ? riffle_execute(plan->unpack, plan->dst, plan->got) : RIFFLE_OK;
}

static int request_count(const riffle_mpi_plan *plan) {
    return (int)(plan->receives.count + plan->sends.count);
}

riffle_status riffle_mpi_test(riffle_mpi_plan *plan, bool *done) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (done == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "done is NULL");
    int all = 1;
    if (plan->is_under_way) {
        riffle_status status = mpi_result(
            MPI_Testall(request_count(plan), plan->requests, &all, MPI_STATUSES_IGNORE), "MPI_Testall");
        if (status == RIFFLE_OK && all) status = finish(plan);
        if (status != RIFFLE_OK) return status;
    }
    *done = all != 0;
    return RIFFLE_OK;
}

riffle_status riffle_mpi_wait(riffle_mpi_plan *plan) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (!plan->is_under_way) return RIFFLE_OK;
    const riffle_status status =
        mpi_result(MPI_Waitall(request_count(plan), plan->requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
    return status == RIFFLE_OK ? finish(plan) : status;
}

riffle_status riffle_mpi_execute(riffle_mpi_plan *plan, void *dst, const void *src) {
    const riffle_status status = riffle_mpi_start(plan, dst, src);
    return status == RIFFLE_OK ? riffle_mpi_wait(plan) : status;
}

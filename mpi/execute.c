/* SPDX-License-Identifier: Apache-2.0
 *
 *     src -- pack --> packed -- messages --> got -- unpack --> dst
 */
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
    if (plan->place->check == NULL) return RIFFLE_OK;
    const riffle_status status = plan->dst_count > 0 ? plan->place->check(plan, "dst", dst) : RIFFLE_OK;
    return status == RIFFLE_OK && plan->src_count > 0 ? plan->place->check(plan, "src", src) : status;
}

static riffle_status copy_own(const riffle_mpi_plan *plan, char *to, const char *packed, const own_part *own) {
    return own->bytes > 0 ? plan->place->copy(plan, to, packed + own->first, own->bytes) : RIFFLE_OK;
}

static riffle_status send_all(riffle_mpi_plan *plan, const void *src) {
    char *const got = plan->unpack != NULL ? plan->got : plan->dst;
    riffle_status status =
        plan->pack != NULL ? plan->place->run(plan, plan->pack, plan->packed, src) : RIFFLE_OK;
    if (status != RIFFLE_OK) return status;
    const char *const packed = plan->pack != NULL ? plan->packed : src;
    status = plan->by->send(plan, got, packed);
    if (status != RIFFLE_OK) return status;
    plan->sent += plan->sends.bytes;
    plan->is_under_way = true;
    status = copy_own(plan, got + plan->receives.own.first, packed, &plan->sends.own);
    return status == RIFFLE_OK ? copy_own(plan, got + plan->receives.over.first, packed, &plan->sends.over)
                               : status;
}

riffle_status riffle_mpi_start(riffle_mpi_plan *plan, void *dst, const void *src) {
    riffle_status status = check_arrays(plan, dst, src);
    if (status != RIFFLE_OK) return status;
    plan->dst = dst;
    if (plan->by->expect != NULL) status = plan->by->expect(plan, plan->unpack != NULL ? plan->got : dst);
    return status == RIFFLE_OK ? send_all(plan, src) : status;
}

static riffle_status finish(riffle_mpi_plan *plan) {
    plan->is_under_way = false;
    return plan->unpack != NULL ? plan->place->run(plan, plan->unpack, plan->dst, plan->got) : RIFFLE_OK;
}

riffle_status riffle_mpi_test(riffle_mpi_plan *plan, bool *done) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (done == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "done is NULL");
    bool all = true;
    if (plan->is_under_way) {
        riffle_status status = plan->by->test(plan, &all);
        if (status == RIFFLE_OK && all) status = finish(plan);
        if (status != RIFFLE_OK) return status;
    }
    *done = all;
    return RIFFLE_OK;
}

riffle_status riffle_mpi_wait(riffle_mpi_plan *plan) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (!plan->is_under_way) return RIFFLE_OK;
    const riffle_status status = plan->by->wait(plan);
    return status == RIFFLE_OK ? finish(plan) : status;
}

riffle_status riffle_mpi_execute(riffle_mpi_plan *plan, void *dst, const void *src) {
    const riffle_status status = riffle_mpi_start(plan, dst, src);
    return status == RIFFLE_OK ? riffle_mpi_wait(plan) : status;
}

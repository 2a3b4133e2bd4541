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

static riffle_status send_all(riffle_mpi_plan *plan) {
    char *const got = plan->unpack != NULL ? plan->got : plan->dst;
    plan->is_waiting = false;
    riffle_status status =
        plan->pack != NULL ? plan->place->run(plan, plan->pack, plan->packed, plan->src) : RIFFLE_OK;
    if (status != RIFFLE_OK) return status;
    const char *const packed = plan->pack != NULL ? plan->packed : plan->src;
    status = plan->by->send(plan, got, packed);
    if (status != RIFFLE_OK) return status;
    plan->sent += plan->sends.bytes;
    plan->is_under_way = true;
    if (plan->sends.own_bytes == 0) return RIFFLE_OK;
    return plan->place->copy(plan, got + plan->receives.own_first, packed + plan->sends.own_first,
                             plan->sends.own_bytes);
}

/* A move that finds its room in use packs later. */
static riffle_status send_or_wait(riffle_mpi_plan *plan) {
    bool is_free = true;
    riffle_status status = plan->by->test_room != NULL ? plan->by->test_room(plan, &is_free) : RIFFLE_OK;
    if (status != RIFFLE_OK) return status;
    if (is_free) return send_all(plan);
    plan->is_under_way = plan->is_waiting = true;
    return RIFFLE_OK;
}

riffle_status riffle_mpi_start(riffle_mpi_plan *plan, void *dst, const void *src) {
    riffle_status status = check_arrays(plan, dst, src);
    if (status != RIFFLE_OK) return status;
    plan->dst = dst;
    plan->src = src;
    if (plan->by->expect != NULL) status = plan->by->expect(plan, plan->unpack != NULL ? plan->got : dst);
    return status == RIFFLE_OK ? send_or_wait(plan) : status;
}

static riffle_status finish(riffle_mpi_plan *plan) {
    plan->is_under_way = false;
    const riffle_status status =
        plan->unpack != NULL ? plan->place->run(plan, plan->unpack, plan->dst, plan->got) : RIFFLE_OK;
    return status == RIFFLE_OK && plan->by->took != NULL ? plan->by->took(plan) : status;
}

static riffle_status test(riffle_mpi_plan *plan, bool *done) {
    riffle_status status = plan->is_waiting ? send_or_wait(plan) : RIFFLE_OK;
    *done = false;
    if (status == RIFFLE_OK && !plan->is_waiting) status = plan->by->test(plan, done);
    return status == RIFFLE_OK && *done ? finish(plan) : status;
}

riffle_status riffle_mpi_test(riffle_mpi_plan *plan, bool *done) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (done == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "done is NULL");
    bool all = true;
    const riffle_status status = plan->is_under_way ? test(plan, &all) : RIFFLE_OK;
    if (status == RIFFLE_OK) *done = all;
    return status;
}

static riffle_status wait_and_send(riffle_mpi_plan *plan) {
    const riffle_status status = plan->by->wait_for_room(plan);
    return status == RIFFLE_OK ? send_all(plan) : status;
}

riffle_status riffle_mpi_wait(riffle_mpi_plan *plan) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (!plan->is_under_way) return RIFFLE_OK;
    riffle_status status = plan->is_waiting ? wait_and_send(plan) : RIFFLE_OK;
    if (status == RIFFLE_OK) status = plan->by->wait(plan);
    return status == RIFFLE_OK ? finish(plan) : status;
}

riffle_status riffle_mpi_execute(riffle_mpi_plan *plan, void *dst, const void *src) {
    const riffle_status status = riffle_mpi_start(plan, dst, src);
    return status == RIFFLE_OK ? riffle_mpi_wait(plan) : status;
}

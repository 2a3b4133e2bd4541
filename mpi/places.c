/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts that are not affine are completed by what other ranks tell: how many elements come from each, and where they go. Places travel as
 * elements will.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

typedef struct telling {
    uint64_t *sent, *counts;       /* to each rank, and from each */
    riffle_exchange_message *list; /* what comes */
    size_t listed;
    uint64_t total;
    uint64_t *places; /* that came */
    message_list sends, receives;
    MPI_Request *requests;
} telling;

static riffle_status tell_counts(const riffle_mpi_plan *plan, telling *t) {
    size_t count;
    const riffle_exchange_message *const list = riffle_exchange_sends(plan->exchange, &count);
    for (size_t k = 0; k < count; k++) t->sent[list[k].rank] = list[k].count;
    return mpi_result(MPI_Alltoall(t->sent, 1, MPI_UINT64_T, t->counts, 1, MPI_UINT64_T, plan->comm),
                      "MPI_Alltoall");
}

static void list_what_comes(const riffle_mpi_plan *plan, telling *t) {
    for (int p = 0; p < plan->ranks; p++) {
        if (t->counts[p] > 0)
            t->list[t->listed++] = (riffle_exchange_message){(unsigned)p, t->total, t->counts[p]};
        t->total += t->counts[p];
    }
}

static riffle_status make_room(const riffle_mpi_plan *plan, size_t plain_bytes, telling *t) {
    size_t count;
    const riffle_exchange_message *const list = riffle_exchange_sends(plan->exchange, &count);
    t->places = malloc((t->total + 1) * sizeof *t->places);
    t->requests = calloc(t->listed + count + 1, sizeof(MPI_Request));
    if (t->places == NULL || t->requests == NULL)
        return mpi_fail_memory("the places of what comes", t->total * sizeof *t->places);
    const riffle_status status =
        messages_create(list, count, plan->rank, sizeof(uint64_t), plain_bytes, &t->sends);
    if (status != RIFFLE_OK) return status;
    return messages_create(t->list, t->listed, plan->rank, sizeof(uint64_t), plain_bytes, &t->receives);
}

static riffle_status carry(const riffle_mpi_plan *plan, telling *t) {
    const char *const places = (const char *)riffle_exchange_places(plan->exchange);
    riffle_status status = messages_receive(&t->receives, plan->comm, t->places, t->requests);
    if (status != RIFFLE_OK) return status;
    status = messages_send(&t->sends, plan->comm, places, t->requests + t->receives.count);
    if (status != RIFFLE_OK) {
        messages_cancel(&t->receives, t->requests);
        return status;
    }
    memcpy((char *)t->places + t->receives.own_first, places + t->sends.own_first,
           t->sends.own_bytes < t->receives.own_bytes ? t->sends.own_bytes : t->receives.own_bytes);
    return mpi_result(MPI_Waitall((int)(t->receives.count + t->sends.count), t->requests, MPI_STATUSES_IGNORE),
                      "MPI_Waitall");
}

static riffle_status allocate(const riffle_mpi_plan *plan, telling *t) {
    const size_t ranks = (size_t)plan->ranks;
    t->sent = calloc(ranks, sizeof *t->sent);
    t->counts = calloc(ranks, sizeof *t->counts);
    t->list = calloc(ranks, sizeof *t->list);
    if (t->sent != NULL && t->counts != NULL && t->list != NULL) return RIFFLE_OK;
    return mpi_fail_memory("counts of elements", ranks * (2 * sizeof *t->sent + sizeof *t->list));
}

riffle_status plan_tell_places(riffle_mpi_plan *plan, size_t plain_bytes) {
    telling t = {.listed = 0};
    riffle_status status = riffle_mpi_agree(plan->comm, allocate(plan, &t));
    if (status == RIFFLE_OK) status = tell_counts(plan, &t);
    if (status == RIFFLE_OK) {
        list_what_comes(plan, &t);
        status = riffle_mpi_agree(plan->comm, make_room(plan, plain_bytes, &t));
    }
    if (status == RIFFLE_OK) status = carry(plan, &t);
    if (status == RIFFLE_OK) status = riffle_exchange_finish(plan->exchange, t.counts, t.places);
    messages_free(&t.sends);
    messages_free(&t.receives);
    free(t.sent);
    free(t.counts);
    free(t.list);
    free(t.places);
    free(t.requests);
    return status;
}

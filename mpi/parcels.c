/* SPDX-License-Identifier: Apache-2.0 */
#include "parcels.h"

#include <stdlib.h>
#include <string.h>

#include "messages.h"

riffle_status parcels_create(const communicator *all, size_t plain_bytes, parcels *out) {
    const size_t ranks = (size_t)all->ranks;
    *out = (parcels){.all = *all, .plain_bytes = plain_bytes};
    out->given = calloc(ranks, sizeof *out->given);
    out->got = calloc(ranks, sizeof *out->got);
    if (out->given != NULL && out->got != NULL) return RIFFLE_OK;
    return mpi_fail_memory("counts of elements", 2 * ranks * sizeof *out->got);
}

void parcels_free(parcels *p) {
    free(p->given);
    free(p->got);
    *p = (parcels){.given = NULL};
}

void parcels_forget(parcels *p) { p->sent_bytes = p->sent_messages = 0; }

riffle_status parcels_tell(parcels *p) {
    const int code = MPI_Alltoall(p->given, 1, MPI_UINT64_T, p->got, 1, MPI_UINT64_T, p->all.comm);
    p->total = 0;
    for (int k = 0; k < p->all.ranks; k++) p->total += p->got[k];
    return mpi_result(code, "MPI_Alltoall");
}

/* Both sides' messages, and room to ask after them. */
typedef struct carrying {
    message_list sends, receives;
    MPI_Request *requests; /* of the receives, then of the sends */
} carrying;

static riffle_status list_messages(const parcels *p, const uint64_t *counts, riffle_exchange_message *list,
                                   size_t elem_bytes, message_list *out) {
    size_t listed = 0;
    uint64_t first = 0;
    for (int k = 0; k < p->all.ranks; k++) {
        if (counts[k] > 0) list[listed++] = (riffle_exchange_message){(unsigned)k, first, counts[k]};
        first += counts[k];
    }
    return messages_create(list, listed, p->all.rank, elem_bytes, p->plain_bytes, out);
}

static riffle_status prepare(const parcels *p, size_t elem_bytes, carrying *c) {
    riffle_exchange_message *const list = calloc((size_t)p->all.ranks, sizeof *list);
    riffle_status status =
        list != NULL ? RIFFLE_OK : mpi_fail_memory("messages", (size_t)p->all.ranks * sizeof *list);
    if (status == RIFFLE_OK) status = list_messages(p, p->given, list, elem_bytes, &c->sends);
    if (status == RIFFLE_OK) status = list_messages(p, p->got, list, elem_bytes, &c->receives);
    free(list);
    if (status != RIFFLE_OK) return status;
    const size_t requests = c->sends.count + c->receives.count + 1;
    c->requests = calloc(requests, sizeof(MPI_Request));
    return c->requests != NULL ? RIFFLE_OK : mpi_fail_memory("requests", requests * sizeof(MPI_Request));
}

static riffle_status exchange(const parcels *p, const carrying *c, const char *from, char *to) {
    riffle_status status = messages_receive(&c->receives, p->all.comm, to, c->requests);
    if (status != RIFFLE_OK) return status;
    status = messages_send(&c->sends, p->all.comm, from, c->requests + c->receives.count);
    if (status != RIFFLE_OK) {
        messages_cancel(&c->receives, c->requests);
        return status;
    }
    if (c->sends.own.bytes > 0)
        memcpy(to + c->receives.own.first, from + c->sends.own.first, c->sends.own.bytes);
    return mpi_result(MPI_Waitall((int)(c->receives.count + c->sends.count), c->requests, MPI_STATUSES_IGNORE),
                      "MPI_Waitall");
}

riffle_status parcels_carry(parcels *p, size_t elem_bytes, const void *from, void *to) {
    carrying c = {.requests = NULL};
    riffle_status status = riffle_mpi_agree(p->all.comm, prepare(p, elem_bytes, &c));
    if (status == RIFFLE_OK) status = exchange(p, &c, from, to);
    p->sent_bytes += c.sends.bytes;
    p->sent_messages += c.sends.count;
    messages_free(&c.sends);
    messages_free(&c.receives);
    free(c.requests);
    return status;
}

riffle_status parcels_volume(const parcels *p, uint64_t *bytes, uint64_t *messages) {
    return messages_sum(p->all.comm, p->sent_bytes, p->sent_messages, bytes, messages);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "messages.h"

#include <stdlib.h>

enum { TAG = 0, TAG_OVER = 1 };

/* Pieces of plain_bytes, and the rest behind them. */
static int make_long_type(size_t bytes, size_t plain_bytes, MPI_Datatype *out) {
    MPI_Datatype piece;
    const size_t whole = bytes / plain_bytes;
    int code = MPI_Type_contiguous((int)plain_bytes, MPI_BYTE, &piece);
    if (code != MPI_SUCCESS) return code;
    const int counts[] = {(int)whole, (int)(bytes % plain_bytes)};
    const MPI_Aint places[] = {0, (MPI_Aint)(whole * plain_bytes)};
    const MPI_Datatype types[] = {piece, MPI_BYTE};
    code = MPI_Type_create_struct(2, counts, places, types, out);
    MPI_Type_free(&piece);
    if (code != MPI_SUCCESS) *out = MPI_BYTE; /* nothing to free */
    return code == MPI_SUCCESS ? MPI_Type_commit(out) : code;
}

static riffle_status set_type(message *m, size_t plain_bytes) {
    m->type = MPI_BYTE;
    m->count = (int)m->bytes;
    if (m->bytes <= plain_bytes) return RIFFLE_OK;
    m->count = 1;
    return mpi_result(make_long_type(m->bytes, plain_bytes, &m->type), "a derived type");
}

/* Messages of ascending ranks: all of a list, or of one that is cut at pages those before what is over. */
static size_t count_ascending(const riffle_exchange_message *list, size_t count) {
    size_t k = count > 0 ? 1 : 0;
    while (k < count && list[k].rank > list[k - 1].rank) k++;
    return k;
}

/* The first of ascending messages that is after this rank. */
static size_t first_after(const riffle_exchange_message *list, size_t count, int rank) {
    size_t k = 0;
    while (k < count && (int)list[k].rank <= rank) k++;
    return k;
}

static bool has_rank(const riffle_exchange_message *list, size_t count, unsigned rank) {
    for (size_t k = 0; k < count; k++)
        if (list[k].rank == rank) return true;
    return false;
}

static riffle_status add_message(const riffle_exchange_message *from, int rank, bool is_second,
                                 size_t elem_bytes, size_t plain_bytes, message_list *out) {
    const size_t first = from->first * elem_bytes, bytes = from->count * elem_bytes;
    if ((int)from->rank == rank) {
        *(is_second ? &out->over : &out->own) = (own_part){first, bytes};
        return RIFFLE_OK;
    }
    message *const m = &out->of[out->count++];
    *m = (message){.rank = (int)from->rank,
                   .tag = is_second ? TAG_OVER : TAG,
                   .first = first,
                   .bytes = bytes,
                   .type = MPI_BYTE};
    out->bytes += bytes;
    return set_type(m, plain_bytes);
}

riffle_status messages_create(const riffle_exchange_message *list, size_t count, int rank, size_t elem_bytes,
                              size_t plain_bytes, message_list *out) {
    *out = (message_list){.count = 0};
    out->of = calloc(count + 1, sizeof *out->of);
    if (out->of == NULL) return mpi_fail_memory("a list of messages", (count + 1) * sizeof *out->of);
    riffle_status status = RIFFLE_OK;
    size_t done = 0;
    for (size_t left; done < count && status == RIFFLE_OK; done += left) {
        left = count_ascending(list + done, count - done);
        const size_t begin = first_after(list + done, left, rank);
        for (size_t k = 0; k < left && status == RIFFLE_OK; k++) {
            const riffle_exchange_message *const from = &list[done + (begin + k) % left];
            status = add_message(from, rank, has_rank(list, done, from->rank), elem_bytes, plain_bytes, out);
        }
    }
    return status;
}

void messages_free(message_list *m) {
    for (size_t k = 0; k < m->count; k++)
        if (m->of[k].type != MPI_BYTE) MPI_Type_free(&m->of[k].type);
    free(m->of);
    *m = (message_list){.count = 0};
}

riffle_status messages_send(const message_list *m, MPI_Comm comm, const void *packed, MPI_Request *requests) {
    int code = MPI_SUCCESS;
    for (size_t k = 0; k < m->count && code == MPI_SUCCESS; k++)
        code = MPI_Isend((const char *)packed + m->of[k].first, m->of[k].count, m->of[k].type, m->of[k].rank,
                         m->of[k].tag, comm, &requests[k]);
    return mpi_result(code, "MPI_Isend");
}

riffle_status messages_sum(MPI_Comm comm, uint64_t own_bytes, uint64_t own_messages, uint64_t *bytes,
                           uint64_t *messages) {
    const uint64_t own[] = {own_bytes, own_messages};
    uint64_t all[2];
    const riffle_status status =
        mpi_result(MPI_Allreduce(own, all, 2, MPI_UINT64_T, MPI_SUM, comm), "MPI_Allreduce");
    if (status != RIFFLE_OK) return status;
    *bytes = all[0];
    *messages = all[1];
    return RIFFLE_OK;
}

void messages_cancel(const message_list *m, MPI_Request *requests) {
    for (size_t k = 0; k < m->count; k++) {
        if (requests[k] == MPI_REQUEST_NULL) continue;
        MPI_Cancel(&requests[k]);
        MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
}

riffle_status messages_receive(const message_list *m, MPI_Comm comm, void *packed, MPI_Request *requests) {
    int code = MPI_SUCCESS;
    for (size_t k = 0; k < m->count; k++) requests[k] = MPI_REQUEST_NULL;
    for (size_t k = 0; k < m->count && code == MPI_SUCCESS; k++)
        code = MPI_Irecv((char *)packed + m->of[k].first, m->of[k].count, m->of[k].type, m->of[k].rank,
                         m->of[k].tag, comm, &requests[k]);
    if (code != MPI_SUCCESS) messages_cancel(m, requests);
    return mpi_result(code, "MPI_Irecv");
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks of one host read each other's rooms where they were packed, and no message is copied: the pages of the senders' rooms that have a rank's messages
 * become its own, side by side, when it plans.
 *
 *     room of rank 0   [ to 0 | to 1 | to 2 ]      got of rank 1   [ from 0 | from 1 | from 2 ]
 *     room of rank 1   [ to 0 | to 1 | to 2 ]                          the same memory as "to 1" of each
 *     room of rank 2   [ to 0 | to 1 | to 2 ]
 *
 * That wants messages of whole pages. Others are copied from the senders' rooms, once. Ranks tell each other, by messages of no bytes, when a room is packed
 * and when it has been read.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/room.h"
#include "transports/signals.h"

enum {
    WORTHWHILE = 16384
}; /* bytes of a message, on average: shorter ones are sent sooner than ranks have told each other */
static const size_t HUGE_PAGE = (size_t)2 << 20;

/* A sender's room, and where the receiver's message begins there. */
typedef struct told {
    room_handle handle;
    uint64_t first;
} told;

/* A message where its sender packed it. */
typedef struct lodger {
    char *view; /* pages around it */
    size_t bytes;
    const char *at;
} lodger;

typedef struct shared_way {
    shared_room room;           /* what this rank sends */
    told *from;                 /* rooms of what it gets, and then of what it sends */
    char *whole;                /* all that comes, side by side; NULL: each message by itself */
    lodger *lodgers;            /* then */
    MPI_Request *ready, *taken; /* of what it gets, then of what it sends; and the other way round */
    char *got;
} shared_way;

/* ------------------------------------------------------------------ planning */

static riffle_status offer(const riffle_mpi_plan *plan) {
    if (plan->volume / WORTHWHILE < plan->messages)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "messages are shorter than %d bytes", WORTHWHILE);
    if (plan->pack == NULL && plan->unpack == NULL && plan->sends.count > 0)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "messages go from src to dst as they are");
    return RIFFLE_OK;
}

static riffle_status prepare(riffle_mpi_plan *plan) {
    const size_t sends = plan->sends.count, receives = plan->receives.count;
    shared_way *const way = plan->way = calloc(1, sizeof *way);
    if (way == NULL) return mpi_fail_memory("a transport", sizeof *way);
    way->room.file = -1;
    way->from = calloc(receives + sends + 1, sizeof *way->from);
    way->lodgers = calloc(receives + 1, sizeof *way->lodgers);
    way->ready = calloc(receives + sends + 1, sizeof *way->ready);
    way->taken = calloc(receives + sends + 1, sizeof *way->taken);
    if (way->from == NULL || way->lodgers == NULL || way->ready == NULL || way->taken == NULL)
        return mpi_fail_memory("the rooms of ranks", (receives + sends) * sizeof *way->from);
    for (size_t k = 0; k < receives + sends; k++) way->ready[k] = way->taken[k] = MPI_REQUEST_NULL;
    riffle_status status = room_create(plan->src_count * plan->elem_bytes, &way->room);
    for (size_t k = 0; k < sends && status == RIFFLE_OK; k++) {
        told *const own = &way->from[receives + k];
        own->first = plan->sends.of[k].first;
        status = room_tell(&way->room, &own->handle);
    }
    return status;
}

/* Pages can be mapped side by side where messages begin with them on both sides. */
static bool are_whole_pages(const riffle_mpi_plan *plan, const shared_way *way) {
    size_t bits = plan->sends.own_first | plan->receives.own_first;
    if (plan->unpack == NULL) return false;
    for (size_t k = 0; k < plan->receives.count; k++) bits |= plan->receives.of[k].first | way->from[k].first;
    return bits % (size_t)sysconf(_SC_PAGESIZE) == 0;
}

static riffle_status view_lodger(int file, uint64_t first, size_t bytes, lodger *out) {
    const size_t before = (size_t)(first % HUGE_PAGE);
    out->bytes = before + bytes;
    const riffle_status status = room_reserve(out->bytes, &out->view);
    out->at = out->view + before;
    return status == RIFFLE_OK ? room_view(file, first - before, out->bytes, out->view) : status;
}

static riffle_status view_message(const riffle_mpi_plan *plan, shared_way *way, size_t k) {
    const message *const m = &plan->receives.of[k];
    const told *const from = &way->from[k];
    int file;
    riffle_status status = room_open(&from->handle, &file);
    if (status != RIFFLE_OK) return status;
    if (way->whole != NULL)
        status = room_view(file, from->first, m->bytes, way->whole + m->first);
    else
        status = view_lodger(file, from->first, m->bytes, &way->lodgers[k]);
    close(file);
    return status;
}

static riffle_status view_rooms(const riffle_mpi_plan *plan, shared_way *way) {
    riffle_status status = RIFFLE_OK;
    if (are_whole_pages(plan, way)) status = room_reserve(plan->dst_count * plan->elem_bytes, &way->whole);
    for (size_t k = 0; k < plan->receives.count && status == RIFFLE_OK; k++)
        status = view_message(plan, way, k);
    if (status == RIFFLE_OK && way->whole != NULL && plan->sends.own_bytes > 0)
        status = room_view(way->room.file, plan->sends.own_first, plan->sends.own_bytes,
                           way->whole + plan->receives.own_first);
    return status;
}

/* The plan packs into the room, and unpacks what is mapped: its own part is there already. */
static void move_in(riffle_mpi_plan *plan, const shared_way *way) {
    if (plan->pack != NULL) {
        plan->place->release(plan, plan->packed, plan->src_count * plan->elem_bytes);
        plan->packed = way->room.at;
    }
    if (way->whole == NULL) return;
    plan->place->release(plan, plan->got, plan->dst_count * plan->elem_bytes);
    plan->got = way->whole;
    plan->sends.own_bytes = 0;
}

static riffle_status open_shared(riffle_mpi_plan *plan) {
    riffle_status status = communicator_check_host(&plan->all);
    status = riffle_mpi_agree(plan->all.comm, status == RIFFLE_OK ? prepare(plan) : status);
    if (status != RIFFLE_OK) return status;
    shared_way *const way = plan->way;
    status = signals_meet(plan, way->from, sizeof *way->from, way->ready);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(plan->all.comm, view_rooms(plan, way));
    room_shut(&way->room);
    if (status == RIFFLE_OK) move_in(plan, way);
    return status;
}

static int request_count(const riffle_mpi_plan *plan) {
    return (int)(plan->receives.count + plan->sends.count);
}

static void close_shared(riffle_mpi_plan *plan) {
    shared_way *const way = plan->way;
    if (way == NULL) return;
    if (way->taken != NULL) MPI_Waitall(request_count(plan), way->taken, MPI_STATUSES_IGNORE);
    if (plan->packed == way->room.at) plan->packed = NULL;
    if (plan->got == way->whole) plan->got = NULL;
    room_unmap(way->whole, plan->dst_count * plan->elem_bytes);
    for (size_t k = 0; way->lodgers != NULL && k < plan->receives.count; k++)
        room_unmap(way->lodgers[k].view, way->lodgers[k].bytes);
    room_free(&way->room);
    free(way->from);
    free(way->lodgers);
    free(way->ready);
    free(way->taken);
    free(way);
    plan->way = NULL;
}

/* ------------------------------------------------------------------ a move */

static riffle_status test_room(riffle_mpi_plan *plan, bool *is_free) {
    const shared_way *const way = plan->way;
    int all = 0;
    const riffle_status status =
        mpi_result(MPI_Testall(request_count(plan), way->taken, &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    *is_free = all != 0;
    return status;
}

static riffle_status wait_for_room(riffle_mpi_plan *plan) {
    const shared_way *const way = plan->way;
    return mpi_result(MPI_Waitall(request_count(plan), way->taken, MPI_STATUSES_IGNORE), "MPI_Waitall");
}

/* Nothing was packed: src goes into the room as it is. */
static void fill_room(const riffle_mpi_plan *plan, const shared_way *way, const char *src) {
    const message_list *const m = &plan->sends;
    for (size_t k = 0; k < m->count; k++)
        memcpy(way->room.at + m->of[k].first, src + m->of[k].first, m->of[k].bytes);
    if (way->whole != NULL && plan->receives.own_bytes > 0)
        memcpy(way->room.at + m->own_first, src + m->own_first, plan->receives.own_bytes);
}

static riffle_status send(riffle_mpi_plan *plan, char *got, const char *packed) {
    shared_way *const way = plan->way;
    way->got = got;
    if (plan->pack == NULL) fill_room(plan, way, packed);
    atomic_thread_fence(memory_order_seq_cst);
    const riffle_status status =
        signals_hear(&plan->receives, SIGNAL_READY, plan->all.comm, NULL, 0, way->ready);
    if (status != RIFFLE_OK) return status;
    return signals_tell(&plan->sends, SIGNAL_READY, plan->all.comm, NULL, 0, way->ready + plan->receives.count);
}

static void copy_message(const riffle_mpi_plan *plan, const shared_way *way, size_t k) {
    const message *const m = &plan->receives.of[k];
    memcpy(way->got + m->first, way->lodgers[k].at, m->bytes);
}

static riffle_status test(riffle_mpi_plan *plan, bool *done) {
    const shared_way *const way = plan->way;
    int all = 0;
    const riffle_status status =
        mpi_result(MPI_Testall(request_count(plan), way->ready, &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    *done = status == RIFFLE_OK && all != 0;
    for (size_t k = 0; *done && way->whole == NULL && k < plan->receives.count; k++) copy_message(plan, way, k);
    return status;
}

/* Each message is copied as soon as it is there. */
static riffle_status copy_messages(const riffle_mpi_plan *plan, const shared_way *way) {
    for (size_t left = plan->receives.count; left > 0; left--) {
        int k = 0;
        const int code = MPI_Waitany((int)plan->receives.count, way->ready, &k, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) return mpi_result(code, "MPI_Waitany");
        copy_message(plan, way, (size_t)k);
    }
    return RIFFLE_OK;
}

static riffle_status wait_for(riffle_mpi_plan *plan) {
    const shared_way *const way = plan->way;
    const riffle_status status = way->whole == NULL ? copy_messages(plan, way) : RIFFLE_OK;
    if (status != RIFFLE_OK) return status;
    return mpi_result(MPI_Waitall(request_count(plan), way->ready, MPI_STATUSES_IGNORE), "MPI_Waitall");
}

static riffle_status took(riffle_mpi_plan *plan) {
    const shared_way *const way = plan->way;
    atomic_thread_fence(memory_order_seq_cst);
    const riffle_status status = signals_hear(&plan->sends, SIGNAL_TAKEN, plan->all.comm, NULL, 0, way->taken);
    if (status != RIFFLE_OK) return status;
    return signals_tell(&plan->receives, SIGNAL_TAKEN, plan->all.comm, NULL, 0, way->taken + plan->sends.count);
}

const transport transport_shared = {.name = "shared memory",
                                    .words = "from the rooms of other ranks, on one host",
                                    .offer = offer,
                                    .open = open_shared,
                                    .close = close_shared,
                                    .test_room = test_room,
                                    .wait_for_room = wait_for_room,
                                    .send = send,
                                    .test = test,
                                    .wait = wait_for,
                                    .took = took};

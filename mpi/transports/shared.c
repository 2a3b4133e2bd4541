/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks of one host read each other's rooms where they were packed, and no message is copied: the pages of the senders' rooms that have a rank's messages
 * become its own, side by side, when it plans.
 *
 *     room of rank 0   [ to 0 | to 1 | to 2 ]      got of rank 1   [ from 0 | from 1 | from 2 ]
 *     room of rank 1   [ to 0 | to 1 | to 2 ]                          the same memory as "to 1" of each
 *     room of rank 2   [ to 0 | to 1 | to 2 ]
 *
 * That wants messages of whole pages. Others are copied from the senders' rooms, once, behind those that are mapped. Each rank has two rooms, which moves take in turn, and tells by messages
 * of no bytes that one is packed. A move ends where all that a rank gets messages from or sends them to have begun it: they have read then what the move before
 * left them, so that its room can be packed by the next one, whenever that starts.
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

/* Every other move's. */
typedef struct turn {
    shared_room room; /* what this rank sends */
    told *from;       /* rooms of what it gets, and then of what it sends */
    char *whole;      /* all that comes, side by side; NULL: each message is copied */
    lodger *lodgers;  /* of messages that are copied */
} turn;

enum { TURNS = 2 };

typedef struct shared_way {
    turn turn[TURNS];
    unsigned now;
    MPI_Request
        *requests; /* ready of what it gets and of what it sends, begun of what it sends and of what it gets */
    char *got;
} shared_way;

/* ------------------------------------------------------------------ planning */

static riffle_status offer(const riffle_mpi_plan *plan) {
    if (plan->messages == 0) return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "no message is sent");
    if (plan->volume / WORTHWHILE < plan->messages)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "messages are shorter than %d bytes", WORTHWHILE);
    if (plan->pack == NULL && plan->unpack == NULL && plan->sends.count > 0)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "messages go from src to dst as they are");
    return RIFFLE_OK;
}

static riffle_status prepare_turn(const riffle_mpi_plan *plan, turn *t) {
    const size_t sends = plan->sends.count, receives = plan->receives.count;
    t->from = calloc(receives + sends + 1, sizeof *t->from);
    t->lodgers = calloc(receives + 1, sizeof *t->lodgers);
    if (t->from == NULL || t->lodgers == NULL)
        return mpi_fail_memory("the rooms of ranks", (receives + sends) * sizeof *t->from);
    riffle_status status = room_create(plan->src_count * plan->elem_bytes, &t->room);
    for (size_t k = 0; k < sends && status == RIFFLE_OK; k++) {
        told *const own = &t->from[receives + k];
        own->first = plan->sends.of[k].first;
        status = room_tell(&t->room, &own->handle);
    }
    return status;
}

static size_t request_count(const riffle_mpi_plan *plan) {
    return 2 * (plan->receives.count + plan->sends.count);
}

static riffle_status prepare(riffle_mpi_plan *plan) {
    const size_t count = request_count(plan);
    shared_way *const way = plan->way = calloc(1, sizeof *way);
    if (way == NULL) return mpi_fail_memory("a transport", sizeof *way);
    for (unsigned k = 0; k < TURNS; k++) way->turn[k].room.file = -1;
    way->requests = calloc(count + 1, sizeof *way->requests);
    if (way->requests == NULL) return mpi_fail_memory("the rooms of ranks", count * sizeof *way->requests);
    for (size_t k = 0; k < count; k++) way->requests[k] = MPI_REQUEST_NULL;
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k < TURNS && status == RIFFLE_OK; k++) status = prepare_turn(plan, &way->turn[k]);
    return status;
}

/* Pages of a message can be mapped where it begins with them on both sides, and ends with one or with all that comes. */
static bool is_of_pages(const riffle_mpi_plan *plan, uint64_t there, size_t first, size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), end = first + bytes;
    return (there | first) % page == 0 && (end % page == 0 || end == plan->dst_count * plan->elem_bytes);
}

static bool is_message_of_pages(const riffle_mpi_plan *plan, const turn *t, size_t k) {
    const message *const m = &plan->receives.of[k];
    return is_of_pages(plan, t->from[k].first, m->first, m->bytes);
}

/* Bytes that are mapped side by side, if all that is copied lies behind them; else 0. */
static size_t mapped_bytes(const riffle_mpi_plan *plan, const turn *t) {
    const own_part *const own = &plan->receives.own;
    size_t mapped = own->first + own->bytes, copied = plan->dst_count * plan->elem_bytes;
    if (plan->unpack == NULL) return 0;
    if (own->bytes == 0)
        mapped = 0;
    else if (!is_of_pages(plan, plan->sends.own.first, own->first, own->bytes))
        return 0;
    if (plan->receives.over.bytes > 0) copied = plan->receives.over.first;
    for (size_t k = 0; k < plan->receives.count; k++) {
        const message *const m = &plan->receives.of[k];
        if (is_message_of_pages(plan, t, k))
            mapped = m->first + m->bytes > mapped ? m->first + m->bytes : mapped;
        else
            copied = m->first < copied ? m->first : copied;
    }
    return mapped <= copied ? mapped : 0;
}

static riffle_status view_lodger(int file, uint64_t first, size_t bytes, lodger *out) {
    const size_t before = (size_t)(first % HUGE_PAGE);
    out->bytes = before + bytes;
    const riffle_status status = room_reserve(out->bytes, &out->view);
    out->at = out->view + before;
    return status == RIFFLE_OK ? room_view(file, first - before, out->bytes, out->view) : status;
}

static riffle_status view_message(const riffle_mpi_plan *plan, turn *t, size_t k) {
    const message *const m = &plan->receives.of[k];
    const told *const from = &t->from[k];
    int file;
    riffle_status status = room_open(&from->handle, &file);
    if (status != RIFFLE_OK) return status;
    if (t->whole != NULL && is_message_of_pages(plan, t, k))
        status = room_view(file, from->first, m->bytes, t->whole + m->first);
    else
        status = view_lodger(file, from->first, m->bytes, &t->lodgers[k]);
    close(file);
    return status;
}

/* Addresses for all that comes; behind what is mapped there is memory to copy to. */
static riffle_status reserve_whole(const riffle_mpi_plan *plan, turn *t, size_t mapped) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = plan->dst_count * plan->elem_bytes,
                 behind = (mapped + page - 1) / page * page;
    const riffle_status status = room_reserve(bytes, &t->whole);
    return status == RIFFLE_OK && behind < bytes ? room_fill(t->whole + behind, bytes - behind) : status;
}

static riffle_status view_rooms(const riffle_mpi_plan *plan, turn *t) {
    const size_t mapped = mapped_bytes(plan, t);
    riffle_status status = mapped > 0 ? reserve_whole(plan, t, mapped) : RIFFLE_OK;
    for (size_t k = 0; k < plan->receives.count && status == RIFFLE_OK; k++) status = view_message(plan, t, k);
    if (status == RIFFLE_OK && t->whole != NULL && plan->sends.own.bytes > 0)
        status = room_view(t->room.file, plan->sends.own.first, plan->sends.own.bytes,
                           t->whole + plan->receives.own.first);
    return status;
}

/* On all ranks. */
static riffle_status open_turn(const riffle_mpi_plan *plan, turn *t, MPI_Request *requests) {
    riffle_status status = signals_meet(plan, t->from, sizeof *t->from, requests);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(plan->all.comm, view_rooms(plan, t));
    room_shut(&t->room);
    return status;
}

/* The plan packs into the rooms, and unpacks what is mapped: its own part is there already. */
static void move_in(riffle_mpi_plan *plan, const turn *t) {
    if (plan->pack != NULL) {
        plan->place->release(plan, plan->packed, plan->src_count * plan->elem_bytes);
        plan->packed = NULL;
    }
    if (t->whole == NULL) return;
    plan->place->release(plan, plan->got, plan->dst_count * plan->elem_bytes);
    plan->got = NULL;
    plan->sends.own.bytes = 0;
}

static riffle_status open_shared(riffle_mpi_plan *plan) {
    riffle_status status = communicator_check_host(&plan->all);
    status = riffle_mpi_agree(plan->all.comm, status == RIFFLE_OK ? prepare(plan) : status);
    shared_way *const way = plan->way;
    for (unsigned k = 0; k < TURNS && status == RIFFLE_OK; k++)
        status = open_turn(plan, &way->turn[k], way->requests);
    if (status == RIFFLE_OK) move_in(plan, &way->turn[0]);
    return status;
}

static void close_turn(const riffle_mpi_plan *plan, turn *t) {
    room_unmap(t->whole, plan->dst_count * plan->elem_bytes);
    for (size_t k = 0; t->lodgers != NULL && k < plan->receives.count; k++)
        room_unmap(t->lodgers[k].view, t->lodgers[k].bytes);
    room_free(&t->room);
    free(t->from);
    free(t->lodgers);
}

static void close_shared(riffle_mpi_plan *plan) {
    shared_way *const way = plan->way;
    if (way == NULL) return;
    if (way->requests != NULL) MPI_Waitall((int)request_count(plan), way->requests, MPI_STATUSES_IGNORE);
    const turn *const t = &way->turn[way->now];
    if (t->room.at != NULL && plan->packed == t->room.at) plan->packed = NULL;
    if (t->whole != NULL && plan->got == t->whole) plan->got = NULL;
    for (unsigned k = 0; k < TURNS; k++) close_turn(plan, &way->turn[k]);
    free(way->requests);
    free(way);
    plan->way = NULL;
}

/* ------------------------------------------------------------------ a move */

static riffle_status expect(riffle_mpi_plan *plan, char *got) {
    shared_way *const way = plan->way;
    (void)got;
    way->now = (way->now + 1) % TURNS;
    const turn *const t = &way->turn[way->now];
    if (plan->pack != NULL) plan->packed = t->room.at;
    if (t->whole != NULL) plan->got = t->whole;
    return RIFFLE_OK;
}

/* Nothing was packed: src goes into the room as it is. */
static void fill_room(const riffle_mpi_plan *plan, const turn *t, const char *src) {
    const message_list *const m = &plan->sends;
    for (size_t k = 0; k < m->count; k++)
        memcpy(t->room.at + m->of[k].first, src + m->of[k].first, m->of[k].bytes);
    if (t->whole != NULL && plan->receives.own.bytes > 0)
        memcpy(t->room.at + m->own.first, src + m->own.first, plan->receives.own.bytes);
}

static riffle_status signal_all(const riffle_mpi_plan *plan, MPI_Request *requests) {
    const message_list *const to = &plan->sends, *const from = &plan->receives;
    riffle_status status = signals_hear(from, SIGNAL_READY, plan->all.comm, NULL, 0, requests);
    requests += from->count;
    if (status == RIFFLE_OK) status = signals_tell(to, SIGNAL_READY, plan->all.comm, NULL, 0, requests);
    requests += to->count;
    if (status == RIFFLE_OK) status = signals_hear(to, SIGNAL_TAKEN, plan->all.comm, NULL, 0, requests);
    requests += to->count;
    return status == RIFFLE_OK ? signals_tell(from, SIGNAL_TAKEN, plan->all.comm, NULL, 0, requests) : status;
}

static riffle_status send(riffle_mpi_plan *plan, char *got, const char *packed) {
    shared_way *const way = plan->way;
    way->got = got;
    if (plan->pack == NULL) fill_room(plan, &way->turn[way->now], packed);
    atomic_thread_fence(memory_order_seq_cst);
    return signal_all(plan, way->requests);
}

/* There are views of those messages alone that are not mapped side by side. */
static void copy_message(const riffle_mpi_plan *plan, const shared_way *way, size_t k) {
    const message *const m = &plan->receives.of[k];
    const lodger *const from = &way->turn[way->now].lodgers[k];
    if (from->at != NULL) memcpy(way->got + m->first, from->at, m->bytes);
}

static riffle_status test(riffle_mpi_plan *plan, bool *done) {
    const shared_way *const way = plan->way;
    int all = 0;
    const riffle_status status = mpi_result(
        MPI_Testall((int)request_count(plan), way->requests, &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    *done = status == RIFFLE_OK && all != 0;
    for (size_t k = 0; *done && k < plan->receives.count; k++) copy_message(plan, way, k);
    return status;
}

/* Each message is copied as soon as it is there. */
static riffle_status copy_messages(const riffle_mpi_plan *plan, const shared_way *way) {
    for (size_t left = plan->receives.count; left > 0; left--) {
        int k = 0;
        const int code = MPI_Waitany((int)plan->receives.count, way->requests, &k, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) return mpi_result(code, "MPI_Waitany");
        copy_message(plan, way, (size_t)k);
    }
    return RIFFLE_OK;
}

static riffle_status wait_for(riffle_mpi_plan *plan) {
    const shared_way *const way = plan->way;
    const riffle_status status = copy_messages(plan, way);
    if (status != RIFFLE_OK) return status;
    return mpi_result(MPI_Waitall((int)request_count(plan), way->requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
}

const transport transport_shared = {.name = "shared memory",
                                    .words = "from the rooms of other ranks, on one host",
                                    .offer = offer,
                                    .open = open_shared,
                                    .close = close_shared,
                                    .expect = expect,
                                    .send = send,
                                    .test = test,
                                    .wait = wait_for};

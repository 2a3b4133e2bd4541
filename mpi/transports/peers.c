/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks of one host read each other's rooms: a rank opens those of who sends to it when it plans, and copies its messages by itself. The hosts tell
 * each other, by messages of no bytes, when a room is packed and when it has been read:
 *
 *     sender    pack --ready--> . . . . . . . . . . . . . done      (then its room may be packed again)
 *     receiver          ready: copies, queued --taken--> . . done
 */
#include <stdlib.h>
#include <string.h>

#include "transports/signals.h"

enum { DONE = 4 }; /* phases in all */

/* A sender's room, and where the receiver's message begins there. */
typedef struct told {
    unsigned char handle[RIFFLE_CUDA_HANDLE_BYTES];
    uint64_t first;
} told;

typedef struct peers_way {
    void *room;    /* what this rank sends, where nothing is packed: others cannot open the caller's memory */
    void **opened; /* rooms, one for each message that this rank gets */
    told *from;    /* of these, and then of what it sends */
    MPI_Request *ready, *taken; /* of what it gets, then of what it sends; and the other way round */
    char *got;
    unsigned phase;
} peers_way;

/* ------------------------------------------------------------------ planning */

static riffle_status prepare(riffle_mpi_plan *plan) {
    const size_t sends = plan->sends.count, receives = plan->receives.count;
    peers_way *const way = plan->way = calloc(1, sizeof *way);
    if (way == NULL) return mpi_fail_memory("a transport", sizeof *way);
    way->opened = calloc(receives + 1, sizeof *way->opened);
    way->from = calloc(receives + sends + 1, sizeof *way->from);
    way->ready = calloc(receives + sends + 1, sizeof *way->ready);
    way->taken = calloc(receives + sends + 1, sizeof *way->taken);
    if (way->opened == NULL || way->from == NULL || way->ready == NULL || way->taken == NULL)
        return mpi_fail_memory("the rooms of peers", (receives + sends) * sizeof *way->from);
    way->phase = DONE;
    if (sends == 0) return RIFFLE_OK;
    if (plan->packed == NULL) {
        const riffle_status status = place_gpu.allocate(plan, plan->src_count * plan->elem_bytes, &way->room);
        if (status != RIFFLE_OK) return status;
    }
    told *const own = way->from + receives;
    for (size_t k = 0; k < sends; k++) own[k].first = plan->sends.of[k].first;
    const riffle_status status =
        plan->gpu.memory->share(plan->packed != NULL ? plan->packed : way->room, own->handle);
    for (size_t k = 1; k < sends; k++) memcpy(own[k].handle, own->handle, sizeof own->handle);
    return status;
}

static riffle_status open_rooms(const riffle_mpi_plan *plan, peers_way *way) {
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < plan->receives.count && status == RIFFLE_OK; k++)
        status = plan->gpu.memory->open(way->from[k].handle, &way->opened[k]);
    return status;
}

static riffle_status open_peers(riffle_mpi_plan *plan) {
    riffle_status status = communicator_check_host(&plan->all);
    status = riffle_mpi_agree(plan->all.comm, status == RIFFLE_OK ? prepare(plan) : status);
    if (status != RIFFLE_OK) return status;
    const peers_way *const way = plan->way;
    status = signals_meet(plan, way->from, sizeof *way->from, way->ready);
    return status == RIFFLE_OK ? riffle_mpi_agree(plan->all.comm, open_rooms(plan, plan->way)) : status;
}

/* A room is given back when nobody has it open. */
static void close_peers(riffle_mpi_plan *plan) {
    peers_way *const way = plan->way;
    for (size_t k = 0; way != NULL && way->opened != NULL && k < plan->receives.count; k++)
        if (way->opened[k] != NULL) plan->gpu.memory->close(way->opened[k]);
    MPI_Barrier(plan->all.comm);
    if (way == NULL) return;
    plan->gpu.memory->release(way->room);
    free(way->opened);
    free(way->from);
    free(way->ready);
    free(way->taken);
    free(way);
    plan->way = NULL;
}

/* ------------------------------------------------------------------ a move */

static riffle_status send(riffle_mpi_plan *plan, char *got, const char *packed) {
    peers_way *const way = plan->way;
    riffle_status status = RIFFLE_OK;
    if (way->room != NULL) status = place_gpu.copy(plan, way->room, packed, plan->src_count * plan->elem_bytes);
    if (status == RIFFLE_OK) status = plan->gpu.memory->record(plan->gpu.ready, plan->gpu.stream);
    if (status != RIFFLE_OK) return status;
    way->got = got;
    way->phase = 0;
    return RIFFLE_OK;
}

static riffle_status ask_stream(riffle_mpi_plan *plan, bool *is_there) {
    return plan->gpu.memory->query(plan->gpu.ready, is_there);
}

static riffle_status ask(const riffle_mpi_plan *plan, MPI_Request *requests, bool *is_there) {
    int all = 0;
    const int count = (int)(plan->sends.count + plan->receives.count);
    const riffle_status status =
        mpi_result(MPI_Testall(count, requests, &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    *is_there = all != 0;
    return status;
}

static riffle_status ask_ready(riffle_mpi_plan *plan, bool *is_there) {
    return ask(plan, ((peers_way *)plan->way)->ready, is_there);
}

static riffle_status ask_taken(riffle_mpi_plan *plan, bool *is_there) {
    return ask(plan, ((peers_way *)plan->way)->taken, is_there);
}

static riffle_status tell_ready(riffle_mpi_plan *plan) {
    peers_way *const way = plan->way;
    const riffle_status status =
        signals_hear(&plan->receives, SIGNAL_READY, plan->all.comm, NULL, 0, way->ready);
    if (status != RIFFLE_OK) return status;
    return signals_tell(&plan->sends, SIGNAL_READY, plan->all.comm, NULL, 0, way->ready + plan->receives.count);
}

static riffle_status take(riffle_mpi_plan *plan) {
    const peers_way *const way = plan->way;
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < plan->receives.count && status == RIFFLE_OK; k++)
        status = place_gpu.copy(plan, way->got + plan->receives.of[k].first,
                                (const char *)way->opened[k] + way->from[k].first, plan->receives.of[k].bytes);
    return status == RIFFLE_OK ? plan->gpu.memory->record(plan->gpu.ready, plan->gpu.stream) : status;
}

static riffle_status tell_taken(riffle_mpi_plan *plan) {
    peers_way *const way = plan->way;
    const riffle_status status = signals_hear(&plan->sends, SIGNAL_TAKEN, plan->all.comm, NULL, 0, way->taken);
    if (status != RIFFLE_OK) return status;
    return signals_tell(&plan->receives, SIGNAL_TAKEN, plan->all.comm, NULL, 0, way->taken + plan->sends.count);
}

static riffle_status go_on(riffle_mpi_plan *plan) {
    (void)plan;
    return RIFFLE_OK;
}

/* A phase ends when what it waits for is there; the rank does its next step then. */
static const struct {
    riffle_status (*ask)(riffle_mpi_plan *plan, bool *is_there);
    riffle_status (*then)(riffle_mpi_plan *plan);
} phases[DONE] = {{ask_stream, tell_ready}, {ask_ready, take}, {ask_stream, tell_taken}, {ask_taken, go_on}};

static riffle_status test(riffle_mpi_plan *plan, bool *done) {
    peers_way *const way = plan->way;
    bool is_there = true;
    riffle_status status = RIFFLE_OK;
    while (way->phase < DONE && is_there && status == RIFFLE_OK) {
        status = phases[way->phase].ask(plan, &is_there);
        if (status == RIFFLE_OK && is_there) status = phases[way->phase++].then(plan);
    }
    *done = way->phase == DONE;
    return status;
}

static riffle_status wait_for(riffle_mpi_plan *plan) {
    bool done = false;
    riffle_status status = RIFFLE_OK;
    while (!done && status == RIFFLE_OK) status = test(plan, &done);
    return status;
}

const transport transport_peers = {.name = "peers",
                                   .words = "copies from the memory of other ranks' GPUs, on one host",
                                   .open = open_peers,
                                   .close = close_peers,
                                   .send = send,
                                   .test = test,
                                   .wait = wait_for};

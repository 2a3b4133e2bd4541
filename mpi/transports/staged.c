/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages by way of pinned memory of hosts, for any MPI. What a rank keeps is not among them:
 *
 *     packed   [ to lower ranks | own | to higher ranks ]
 *     pinned   [ to lower ranks | to higher ranks ]          and the same of what comes
 */
#include <stdlib.h>

#include "later.h"

typedef struct stage {
    void *sent, *came; /* pinned */
    char *got;
} stage;

/* From now on messages lie as in pinned memory. */
static void leave_out_own(message_list *m) {
    for (size_t k = 0; k < m->count; k++)
        if (m->of[k].first > m->own.first) m->of[k].first -= m->own.bytes;
}

static riffle_status open_own(riffle_mpi_plan *plan) {
    stage *const s = plan->way = calloc(1, sizeof *s);
    if (s == NULL) return mpi_fail_memory("a transport", sizeof *s);
    const riffle_cuda_memory *const memory = plan->gpu.memory;
    const riffle_status status =
        memory->allocate_pinned("messages that a rank sends", plan->sends.bytes, &s->sent);
    if (status != RIFFLE_OK) return status;
    return memory->allocate_pinned("messages that a rank gets", plan->receives.bytes, &s->came);
}

static riffle_status open_stage(riffle_mpi_plan *plan) {
    const riffle_status status = riffle_mpi_agree(plan->all.comm, open_own(plan));
    if (status != RIFFLE_OK) return status;
    leave_out_own(&plan->sends);
    leave_out_own(&plan->receives);
    return RIFFLE_OK;
}

static void close_stage(riffle_mpi_plan *plan) {
    stage *const s = plan->way;
    if (s != NULL) {
        plan->gpu.memory->release_pinned(s->sent);
        plan->gpu.memory->release_pinned(s->came);
    }
    free(s);
    plan->way = NULL;
}

static riffle_status send(riffle_mpi_plan *plan, char *got, const char *packed) {
    stage *const s = plan->way;
    const message_list *const m = &plan->sends;
    s->got = got;
    riffle_status status = place_gpu.copy(plan, s->sent, packed, m->own.first);
    if (status == RIFFLE_OK)
        status = place_gpu.copy(plan, (char *)s->sent + m->own.first, packed + m->own.first + m->own.bytes,
                                m->bytes - m->own.first);
    return status == RIFFLE_OK ? later_send(plan, s->came, s->sent) : status;
}

static riffle_status bring(riffle_mpi_plan *plan) {
    const stage *const s = plan->way;
    const message_list *const m = &plan->receives;
    const riffle_status status = place_gpu.copy(plan, s->got, s->came, m->own.first);
    if (status != RIFFLE_OK) return status;
    return place_gpu.copy(plan, s->got + m->own.first + m->own.bytes, (const char *)s->came + m->own.first,
                          m->bytes - m->own.first);
}

static riffle_status test(riffle_mpi_plan *plan, bool *done) {
    const riffle_status status = later_test(plan, done);
    return status == RIFFLE_OK && *done ? bring(plan) : status;
}

static riffle_status wait_for(riffle_mpi_plan *plan) {
    const riffle_status status = later_wait(plan);
    return status == RIFFLE_OK ? bring(plan) : status;
}

const transport transport_staged = {.name = "staging",
                                    .words = "by MPI, through pinned memory of hosts",
                                    .open = open_stage,
                                    .close = close_stage,
                                    .send = send,
                                    .test = test,
                                    .wait = wait_for};

/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/execute.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "move/cpu/passes/loops.h"

struct cpu_plan {
    size_t bytes[BUFFERS];
    void *buffer[BUFFERS]; /* WORKSPACE and SPARE; the others are the caller's */
    size_t staging_bytes;
    void *staging;
};

riffle_status cpu_plan_create(const riffle_plan *plan, cpu_plan **out) {
    *out = NULL;
    if (plan->workspace_bytes + plan->spare_bytes + plan->staging_bytes == 0) return RIFFLE_OK;
    cpu_plan *own = calloc(1, sizeof *own);
    if (own == NULL) return fail_memory("a plan's buffers", sizeof *own);
    own->bytes[BUFFER_WORKSPACE] = plan->workspace_bytes;
    own->bytes[BUFFER_SPARE] = plan->spare_bytes;
    own->staging_bytes = plan->staging_bytes;
    riffle_status status = buffer_create("the plan's staging", own->staging_bytes, &own->staging);
    for (unsigned k = BUFFER_WORKSPACE; status == RIFFLE_OK && k < BUFFERS; k++) {
        if (own->bytes[k] > 0) status = buffer_create("the plan's workspace", own->bytes[k], &own->buffer[k]);
    }
    if (status == RIFFLE_OK) {
        *out = own;
    } else {
        cpu_plan_free(own);
    }
    return status;
}

void cpu_plan_free(cpu_plan *own) {
    if (own == NULL) return;
    for (unsigned k = BUFFER_WORKSPACE; k < BUFFERS; k++) riffle_buffer_free(own->buffer[k], own->bytes[k]);
    riffle_buffer_free(own->staging, own->staging_bytes);
    free(own);
}

static void run_share(const void *context, team_member me) {
    const cpu_move *const move = context;
    move->p->kind->run(move, me);
}

void cpu_run_pass(const pass *p, unsigned threads, void *staging, void *dst, const void *src,
                  check_sums *compared) {
    uint64_t taken = 0;
    team_run(threads, run_share, &(cpu_move){p, dst, src, staging, &taken, compared});
}

static unsigned threads_of(const riffle_plan *plan, unsigned planned) {
    return planned > 1 && plan->request.follows_openmp ? threads_given(planned) : planned;
}

/* One array of the batch. */
static void execute_one(const cpu_plan *own, const riffle_plan *plan, void *dst, const void *src,
                        check_sums *compared) {
    void *written[BUFFERS] = {[BUFFER_DST] = dst};
    void *staging = NULL;
    if (own != NULL) {
        written[BUFFER_WORKSPACE] = own->buffer[BUFFER_WORKSPACE];
        written[BUFFER_SPARE] = own->buffer[BUFFER_SPARE];
        staging = own->staging;
    }
    const unsigned threads = threads_of(plan, plan->choice.threads);
    for (unsigned k = 0; k < plan->choice.passes; k++) {
        const pass *p = &plan->passes[k];
        const void *from = p->from == BUFFER_SRC ? src : written[p->from];
        cpu_run_pass(p, threads, staging, written[p->to], from, compared);
    }
}

typedef struct batch_job {
    const cpu_plan *own;
    const riffle_plan *plan;
    char *dst;
    const char *src;
    check_sums *compared;
} batch_job;

static void execute_share(const void *context, team_member me) {
    const batch_job *j = context;
    const size_t step = (size_t)j->plan->request.stride * j->plan->request.elem_bytes;
    const team_share mine = team_share_of(j->plan->rounds, me);
    for (uint64_t k = mine.first; k < mine.end; k++)
        execute_one(j->own, j->plan, j->dst + k * step, j->src + k * step, j->compared);
}

/* Either the team is of one thread here or the teams of the passes are: no region stands within another. */
void cpu_plan_execute(const cpu_plan *own, const riffle_plan *plan, void *dst, const void *src,
                      check_sums *compared) {
    if (plan->rounds == 1) { /* without a share of one, which takes as long as a few lines */
        execute_one(own, plan, dst, src, compared);
        return;
    }
    const batch_job j = {own, plan, dst, src, compared};
    team_run(threads_of(plan, plan->choice.batch_threads), execute_share, &j);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cpu/execute.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "engines/cpu/affine_lines.h"
#include "engines/cpu/axes_tile.h"
#include "engines/cpu/bucket.h"
#include "engines/cpu/copy.h"
#include "engines/cpu/indexed.h"
#include "engines/cpu/row_wise.h"
#include "engines/cpu/team.h"
#include "engines/cpu/transpose.h"

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

/* What a loop needs beside its pass. */
typedef struct cpu_means {
    unsigned threads;
    void *staging;
} cpu_means;

typedef void run_pass(const cpu_means *means, const pass *p, void *to, const void *from);

static void run_copy(const cpu_means *means, const pass *p, void *to, const void *from) {
    cpu_copy(&p->copy, to, from, means->threads);
}

static void run_scatter(const cpu_means *means, const pass *p, void *to, const void *from) {
    cpu_scatter(&p->indexed, to, from, means->threads);
}

static void run_gather(const cpu_means *means, const pass *p, void *to, const void *from) {
    cpu_gather(&p->indexed, to, from, means->threads);
}

static void run_affine_lines(const cpu_means *means, const pass *p, void *to, const void *from) {
    cpu_affine_lines(&p->affine_lines, to, from, means->threads);
}

static void run_axes_tile(const cpu_means *means, const pass *p, void *to, const void *from) {
    cpu_axes_tile(&p->axes_tile, to, from, means->threads);
}

static void run_bucket(const cpu_means *means, const pass *p, void *to, const void *from) {
    cpu_bucket(&p->bucket, to, from, means->staging, means->threads);
}

static void run_transpose(const cpu_means *means, const pass *p, void *to, const void *from) {
    const transpose_schedule *schedule = &p->transpose;
    cpu_transpose(schedule->rows, schedule->cols, schedule->elem_bytes, to, from, means->threads);
}

static void run_row_wise(const cpu_means *means, const pass *p, void *to, const void *from) {
    cpu_row_wise(&p->row_wise, to, from, means->threads);
}

/* One array of the batch. */
static void execute_one(const cpu_plan *own, const riffle_plan *plan, unsigned threads, void *dst,
                        const void *src) {
    static run_pass *const run[PASS_KINDS] = {
        [PASS_COPY] = run_copy,           [PASS_SCATTER] = run_scatter,
        [PASS_GATHER] = run_gather,       [PASS_AFFINE_LINES] = run_affine_lines,
        [PASS_AXES_TILE] = run_axes_tile, [PASS_BUCKET] = run_bucket,
        [PASS_TRANSPOSE] = run_transpose, [PASS_ROW_WISE] = run_row_wise,
    };
    void *written[BUFFERS] = {[BUFFER_DST] = dst};
    cpu_means means = {.threads = threads};
    if (own != NULL) {
        means.staging = own->staging;
        written[BUFFER_WORKSPACE] = own->buffer[BUFFER_WORKSPACE];
        written[BUFFER_SPARE] = own->buffer[BUFFER_SPARE];
    }
    for (unsigned k = 0; k < plan->summary.choice.passes; k++) {
        const pass *p = &plan->passes[k];
        const void *from = p->from == BUFFER_SRC ? src : written[p->from];
        run[p->kind](&means, p, written[p->to], from);
    }
}

typedef struct batch_job {
    const cpu_plan *own;
    const riffle_plan *plan;
    unsigned threads; /* for one array */
    char *dst;
    const char *src;
} batch_job;

static void execute_share(const void *context, team_member me) {
    const batch_job *j = context;
    const size_t step = (size_t)j->plan->summary.stride * j->plan->summary.elem_bytes;
    const team_share mine = team_share_of(j->plan->rounds, me);
    for (uint64_t k = mine.first; k < mine.end; k++)
        execute_one(j->own, j->plan, j->threads, j->dst + k * step, j->src + k * step);
}

/* Arrays that are too short for several threads go to a thread each, unless they would share the plan's buffers.
 * Either the team is of one thread here or the teams of the passes are: no region stands within another. */
void cpu_plan_execute(const cpu_plan *own, const riffle_plan *plan, void *dst, const void *src) {
    const unsigned threads = plan->summary.threads;
    const batch_job j = {own, plan, threads, dst, src};
    team_run(own == NULL && threads == 1 ? plan->summary.batch_threads : 1, execute_share, &j);
}

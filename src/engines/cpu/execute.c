/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cpu/execute.h"

#include "engines/cpu/affine_tile.h"
#include "engines/cpu/axes_tile.h"
#include "engines/cpu/bucket.h"
#include "engines/cpu/copy.h"
#include "engines/cpu/indexed.h"

typedef void run_pass(const riffle_plan *plan, const pass *p, void *to, const void *from);

static void run_copy(const riffle_plan *plan, const pass *p, void *to, const void *from) {
    cpu_copy(&p->copy, to, from, plan->summary.threads);
}

static void run_scatter(const riffle_plan *plan, const pass *p, void *to, const void *from) {
    cpu_scatter(&p->indexed, to, from, plan->summary.threads);
}

static void run_gather(const riffle_plan *plan, const pass *p, void *to, const void *from) {
    cpu_gather(&p->indexed, to, from, plan->summary.threads);
}

static void run_affine_tile(const riffle_plan *plan, const pass *p, void *to, const void *from) {
    cpu_affine_tile(&p->affine_tile, to, from, plan->summary.threads);
}

static void run_axes_tile(const riffle_plan *plan, const pass *p, void *to, const void *from) {
    cpu_axes_tile(&p->axes_tile, to, from, plan->summary.threads);
}

static void run_bucket(const riffle_plan *plan, const pass *p, void *to, const void *from) {
    cpu_bucket(&p->bucket, to, from, plan->staging, plan->summary.threads);
}

void cpu_execute(const riffle_plan *plan, void *dst, const void *src) {
    static run_pass *const run[PASS_KINDS] = {
        [PASS_COPY] = run_copy,           [PASS_SCATTER] = run_scatter,
        [PASS_GATHER] = run_gather,       [PASS_AFFINE_TILE] = run_affine_tile,
        [PASS_AXES_TILE] = run_axes_tile, [PASS_BUCKET] = run_bucket,
    };
    void *const written[] = {[BUFFER_DST] = dst, [BUFFER_WORKSPACE] = plan->workspace};
    for (unsigned k = 0; k < plan->summary.choice.passes; k++) {
        const pass *p = &plan->passes[k];
        run[p->kind](plan, p, written[p->to], p->from == BUFFER_SRC ? src : written[p->from]);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/algorithms/transpose_in_place.h"

#include "plan/matrix/in_place.h"
#include "plan/matrix/matrix.h"
#include "plan/plan.h"

static const char *obstacle_on_device(const plan_request *r, const in_place_passes *passes) {
    const size_t bytes = r->elem_bytes, room = r->target.shared_bytes;
    if ((bytes & (bytes - 1)) != 0 || bytes > 16) return "its elements must be of 1, 2, 4, 8 or 16 bytes";
    if (in_rows_bytes(&passes->rows) > room || passes->rows.cols > UINT32_MAX)
        return "a line of the matrix is longer than shared memory";
    return NULL;
}

const char *transpose_in_place(const plan_request *r, plan_choice *c) {
    static const char *const reasons[] = {[2] = "a transpose: each row is permuted by itself, and each column",
                                          [3] = "a transpose: columns are rotated, rows permuted, and columns"};
    if (!matrix_transposed(r, &c->matrix)) return "it transposes no matrix";
    const in_place_passes passes = transpose_passes(c->matrix, r->elem_bytes, &r->target);
    const char *const why_not = plan_target_is_device(&r->target) ? obstacle_on_device(r, &passes) : NULL;
    if (why_not != NULL) return why_not;
    c->passes = passes.count;
    c->reason = reasons[passes.count];
    return NULL;
}

static void add_passes(riffle_plan *plan, const in_place_passes *passes) {
    for (unsigned k = 0; k < passes->count; k++) {
        const bool of_rows = k == passes->rows_at;
        pass *const p = plan_add_pass(plan, of_rows ? &PASS_IN_ROWS : &PASS_IN_COLUMNS);
        p->from = BUFFER_DST;
        if (of_rows)
            p->in_rows = passes->rows;
        else
            p->in_columns = passes->columns[k];
    }
}

/* Staging, which threads keep near, is a quarter of the array at most, or one thread's. */
static void add_staging(riffle_plan *plan, const in_place_passes *passes) {
    const size_t rows = in_rows_bytes(&passes->rows),
                 columns = in_columns_bytes(&passes->columns[passes->rows_at == 0]);
    const size_t each = rows > columns ? rows : columns;
    unsigned *const threads = &plan->choice.threads;
    while (*threads > 1 && *threads * each > plan->request.array_bytes / 4) --*threads;
    plan->staging_bytes = *threads * each;
    plan->bytes += plan->staging_bytes;
}

riffle_status transpose_build_in_place(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    const in_place_passes passes = transpose_passes(plan->choice.matrix, r->elem_bytes, &r->target);
    add_passes(plan, &passes);
    if (!plan_target_is_device(&r->target)) add_staging(plan, &passes);
    return RIFFLE_OK;
}

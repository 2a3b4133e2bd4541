/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/matrix/in_place.h"

#include "plan/matrix/matrix.h"
#include "plan/plan.h"

enum { HOST_STRIP_BYTES = 256, DEVICE_STRIP_BYTES = 128, SECTOR_BYTES = 32 };

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* On devices as wide as shared memory allows, two blocks at a time if strips have a sector then. */
static uint64_t strip_for(uint64_t rows, uint64_t cols, size_t elem_bytes, const plan_target *target) {
    if (!plan_target_is_device(target))
        return elem_bytes < HOST_STRIP_BYTES ? smaller(HOST_STRIP_BYTES / elem_bytes, cols) : 1;
    uint64_t strip = DEVICE_STRIP_BYTES / elem_bytes;
    for (; strip > 1; strip /= 2) {
        if (strip > target->block_threads) continue;
        const size_t bytes = strip * elem_bytes,
                     room = bytes > SECTOR_BYTES ? target->shared_bytes / 2 : target->shared_bytes;
        if (rows * bytes <= room) break;
    }
    return strip;
}

/* In order as they are, or from the last one on, backwards. */
in_place_passes transpose_passes(matrix_shape shape, size_t elem_bytes, const plan_target *target) {
    const bool back = shape.rows > shape.cols;
    const uint64_t m = back ? shape.cols : shape.rows, n = back ? shape.rows : shape.cols;
    const uint64_t c = common_divisor(m, n), strip = strip_for(m, n, elem_bytes, target);
    const in_columns_schedule rotated = {m, n, 1, m, n / c, strip, elem_bytes, back};
    const in_columns_schedule shuffled = {m, n, n % m, m / c, 1, strip, elem_bytes, back};
    in_place_passes out = {.count = c > 1 ? 3 : 2, .rows = {m, n, n / c, elem_bytes, back}};
    out.rows_at = c > 1 || back ? 1 : 0;
    out.columns[back ? 0 : out.count - 1] = shuffled;
    if (c > 1) out.columns[back ? 2 : 0] = rotated;
    return out;
}

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

/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/matrix_passes.h"

#include "base/memory.h"
#include "base/status.h"

static void add_transpose(riffle_plan *plan, pass_buffer from, pass_buffer to, matrix_shape shape) {
    plan->passes[plan->built++] = (pass){.kind = PASS_TRANSPOSE,
                                         .from = from,
                                         .to = to,
                                         .transpose = {shape.rows, shape.cols, plan->summary.elem_bytes}};
}

/* A row-wise pass over a whole matrix; which elements of it exist at its ends is for the caller to narrow. */
static riffle_status add_row_wise(riffle_plan *plan, pass_buffer from, pass_buffer to, matrix_shape shape,
                                  const uint16_t *columns) {
    pass *p = &plan->passes[plan->built];
    *p = (pass){.kind = PASS_ROW_WISE, .from = from, .to = to};
    const riffle_status status = row_wise_plan(shape.rows, shape.cols, columns, plan->summary.target.width,
                                               plan->summary.threads, &p->row_wise);
    if (status != RIFFLE_OK) return status;
    p->row_wise.elem_bytes = plan->summary.elem_bytes;
    p->row_wise.readable = p->row_wise.writable = shape.rows * shape.cols;
    plan->bytes += row_wise_bytes(&p->row_wise);
    plan->built++;
    return RIFFLE_OK;
}

riffle_status build_transpose(riffle_plan *plan, const riffle_perm *perm) {
    (void)perm;
    add_transpose(plan, BUFFER_SRC, BUFFER_DST, plan->summary.choice.matrix);
    return RIFFLE_OK;
}

/* Within a matrix whose lines (rows, or columns) are permuted by themselves. */
typedef struct line_moves {
    matrix_shape shape;
    bool columns;
    uint16_t *to; /* for each line, where its elements go in it */
} line_moves;

/* Notes where element i goes; false if it leaves its line. */
static bool note_move(const line_moves *moves, uint64_t i, uint64_t to) {
    const uint64_t cols = moves->shape.cols, rows = moves->shape.rows;
    const uint64_t row = i / cols, col = i % cols, to_row = to / cols, to_col = to % cols;
    if (moves->columns) {
        moves->to[col * rows + row] = (uint16_t)to_row;
        return col == to_col;
    }
    moves->to[i] = (uint16_t)to_col;
    return row == to_row;
}

static riffle_status fail_leaving(const line_moves *moves, uint64_t i, uint64_t to) {
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "algorithm '%s' cannot do this: index %llu goes to %llu, in another %s of the %llu x %llu matrix",
        moves->columns ? "column-wise" : "row-wise", (unsigned long long)i, (unsigned long long)to,
        moves->columns ? "column" : "row", (unsigned long long)moves->shape.rows,
        (unsigned long long)moves->shape.cols);
}

/* What is beyond n, in a row that is longer than the array, stays where it is. */
static riffle_status note_moves(const riffle_perm *perm, const line_moves *moves) {
    enum { CHUNK = 4096 };
    uint64_t values[CHUNK];
    for (uint64_t first = 0; first < perm->n; first += CHUNK) {
        const size_t count = perm->n - first < CHUNK ? (size_t)(perm->n - first) : CHUNK;
        const riffle_status status = riffle_perm_map(perm, first, count, values);
        if (status != RIFFLE_OK) return status;
        for (size_t k = 0; k < count; k++) {
            if (!note_move(moves, first + k, values[k])) return fail_leaving(moves, first + k, values[k]);
        }
    }
    for (uint64_t i = perm->n; i < moves->shape.rows * moves->shape.cols; i++) note_move(moves, i, i);
    return RIFFLE_OK;
}

static size_t moves_bytes(matrix_shape shape) { return (size_t)(shape.rows * shape.cols) * sizeof(uint16_t); }

static riffle_status find_moves(const riffle_perm *perm, matrix_shape shape, bool columns, line_moves *out) {
    *out = (line_moves){.shape = shape, .columns = columns};
    void *to;
    riffle_status status = buffer_create("the moves within rows", moves_bytes(shape), &to);
    if (status != RIFFLE_OK) return status;
    out->to = to;
    status = note_moves(perm, out);
    if (status != RIFFLE_OK) riffle_buffer_free(to, moves_bytes(shape));
    return status;
}

riffle_status build_row_wise(riffle_plan *plan, const riffle_perm *perm) {
    const matrix_shape shape = plan->summary.choice.matrix;
    line_moves moves;
    riffle_status status = find_moves(perm, shape, false, &moves);
    if (status != RIFFLE_OK) return status;
    status = add_row_wise(plan, BUFFER_SRC, BUFFER_DST, shape, moves.to);
    riffle_buffer_free(moves.to, moves_bytes(shape));
    if (status != RIFFLE_OK) return status;
    row_wise_schedule *schedule = &plan->passes[0].row_wise;
    schedule->readable = schedule->writable = perm->n;
    return RIFFLE_OK;
}

riffle_status build_column_wise(riffle_plan *plan, const riffle_perm *perm) {
    const matrix_shape shape = plan->summary.choice.matrix, turned = {shape.cols, shape.rows};
    line_moves moves;
    riffle_status status = find_moves(perm, shape, true, &moves);
    if (status != RIFFLE_OK) return status;
    add_transpose(plan, BUFFER_SRC, BUFFER_DST, shape);
    status = add_row_wise(plan, BUFFER_DST, BUFFER_WORKSPACE, turned, moves.to);
    riffle_buffer_free(moves.to, moves_bytes(shape));
    if (status != RIFFLE_OK) return status;
    add_transpose(plan, BUFFER_WORKSPACE, BUFFER_DST, turned);
    plan->workspace_bytes = plan->summary.array_bytes;
    return RIFFLE_OK;
}

static riffle_status add_steps(riffle_plan *plan, const scheduled_steps *steps, pass_buffer between) {
    const matrix_shape shape = steps->shape, turned = {shape.cols, shape.rows};
    riffle_status status = add_row_wise(plan, BUFFER_SRC, between, shape, steps->before);
    if (status != RIFFLE_OK) return status;
    add_transpose(plan, between, BUFFER_WORKSPACE, shape);
    status = add_row_wise(plan, BUFFER_WORKSPACE, between, turned, steps->between);
    if (status != RIFFLE_OK) return status;
    add_transpose(plan, between, BUFFER_WORKSPACE, turned);
    return add_row_wise(plan, BUFFER_WORKSPACE, BUFFER_DST, shape, steps->after);
}

riffle_status build_scheduled(riffle_plan *plan, const riffle_perm *perm) {
    const matrix_shape shape = plan->summary.choice.matrix;
    const size_t matrix_bytes = (size_t)(shape.rows * shape.cols) * plan->summary.elem_bytes;
    const bool padded = shape.rows * shape.cols > perm->n;
    scheduled_steps steps;
    riffle_status status = scheduled_factor(perm, shape, plan->summary.threads, &steps);
    if (status != RIFFLE_OK) return status;
    status = add_steps(plan, &steps, padded ? BUFFER_SPARE : BUFFER_DST);
    scheduled_free(&steps);
    if (status != RIFFLE_OK) return status;
    plan->passes[0].row_wise.readable = plan->passes[plan->built - 1].row_wise.writable = perm->n;
    plan->workspace_bytes = matrix_bytes;
    plan->spare_bytes = padded ? matrix_bytes : 0;
    return RIFFLE_OK;
}

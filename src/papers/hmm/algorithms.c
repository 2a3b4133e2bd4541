/* SPDX-License-Identifier: Apache-2.0
 *
 * The HMM paper's algorithms (Kasagi, Nakano, Ito 2013, sections V to VII), on the matrix that the choice
 * holds.
 *
 *     transpose      src -T-> dst
 *     row-wise       src -R-> dst
 *     column-wise    src -T-> dst -R-> workspace -T-> dst
 *     scheduled      src -R-> dst -T-> workspace -R-> dst -T-> workspace -R-> dst
 *
 * (A transpose in place is another's: matrix/in_place.h.)
 * Where the matrix is larger than the array, a spare buffer stands in for dst before the last pass.
 */
#include "base/memory.h"
#include "base/status.h"
#include "models/traffic.h"
#include "plan/algorithm.h"
#include "plan/algorithms/transpose_in_place.h"
#include "plan/matrix/matrix.h"

static riffle_status shape(const plan_request *r, plan_choice *c) {
    return r->n == 0 ? RIFFLE_OK : matrix_for(r, c->algorithm->id, &c->matrix);
}

static pass *add_pass(riffle_plan *plan, const pass_kind *kind, pass_buffer from, pass_buffer to) {
    pass *p = plan_add_pass(plan, kind);
    p->from = from;
    p->to = to;
    return p;
}

static void add_transpose(riffle_plan *plan, pass_buffer from, pass_buffer to, matrix_shape shape) {
    add_pass(plan, &PASS_TRANSPOSE, from, to)->transpose =
        (transpose_schedule){shape.rows, shape.cols, plan->request.elem_bytes};
}

/* A row-wise pass over a whole matrix; which elements of it exist at its ends is for the caller to narrow. An outline has no
 * order of moves, for any is free of conflicts. */
static riffle_status add_row_wise(riffle_plan *plan, pass_buffer from, pass_buffer to, matrix_shape shape,
                                  const uint16_t *columns) {
    const plan_request *const r = &plan->request;
    row_wise_schedule schedule = {.rows = shape.rows, .cols = shape.cols};
    const riffle_status status =
        plan->is_outline
            ? RIFFLE_OK
            : row_wise_plan(shape.rows, shape.cols, columns, r->target.width, plan->choice.threads, &schedule);
    if (status != RIFFLE_OK) return status;
    schedule.elem_bytes = r->elem_bytes;
    schedule.readable = schedule.writable = shape.rows * shape.cols;
    plan->bytes += row_wise_bytes(&schedule);
    add_pass(plan, &PASS_ROW_WISE, from, to)->row_wise = schedule;
    return RIFFLE_OK;
}

static riffle_status build_transpose(riffle_plan *plan) {
    if (plan->request.in_place) return transpose_build_in_place(plan);
    add_transpose(plan, BUFFER_SRC, BUFFER_DST, plan->choice.matrix);
    return RIFFLE_OK;
}

enum { OUTLINED = 1 << 16 }; /* elements that an outline looks at, which is to take no time */

/* Within a matrix whose lines (rows, or columns) are permuted by themselves. */
typedef struct line_moves {
    matrix_shape shape;
    bool columns;
    uint16_t *to; /* for each line, where its elements go in it; NULL: is not wanted */
} line_moves;

/* Notes where element i goes; false if it leaves its line. */
static bool note_move(const line_moves *moves, uint64_t i, uint64_t to) {
    const uint64_t cols = moves->shape.cols, rows = moves->shape.rows;
    const uint64_t row = i / cols, col = i % cols, to_row = to / cols, to_col = to % cols;
    if (moves->to != NULL)
        moves->to[moves->columns ? col * rows + row : i] = (uint16_t)(moves->columns ? to_row : to_col);
    return moves->columns ? col == to_col : row == to_row;
}

static riffle_status fail_leaving(const line_moves *moves, uint64_t i, uint64_t to) {
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "algorithm '%s' cannot do this: index %llu goes to %llu, in another %s of the %llu x %llu matrix",
        moves->columns ? "column-wise" : "row-wise", (unsigned long long)i, (unsigned long long)to,
        moves->columns ? "column" : "row", (unsigned long long)moves->shape.rows,
        (unsigned long long)moves->shape.cols);
}

/* Notes where the first n elements go. */
static riffle_status note_first(const riffle_perm *perm, uint64_t n, const line_moves *moves) {
    enum { CHUNK = 4096 };
    uint64_t values[CHUNK];
    for (uint64_t first = 0; first < n; first += CHUNK) {
        const size_t count = n - first < CHUNK ? (size_t)(n - first) : CHUNK;
        const riffle_status status = riffle_perm_map(perm, first, count, values);
        if (status != RIFFLE_OK) return status;
        for (size_t k = 0; k < count; k++) {
            if (!note_move(moves, first + k, values[k])) return fail_leaving(moves, first + k, values[k]);
        }
    }
    return RIFFLE_OK;
}

/* Elements beyond n, in a row that is longer than the array, stay where they are. */
static riffle_status note_moves(const riffle_perm *perm, const line_moves *moves) {
    const riffle_status status = note_first(perm, perm->n, moves);
    for (uint64_t i = perm->n; status == RIFFLE_OK && i < moves->shape.rows * moves->shape.cols; i++)
        note_move(moves, i, i);
    return status;
}

static size_t moves_bytes(matrix_shape shape) { return (size_t)(shape.rows * shape.cols) * sizeof(uint16_t); }

static riffle_status find_moves(const riffle_plan *plan, bool columns, line_moves *out) {
    const riffle_perm *const perm = plan->request.perm;
    const matrix_shape shape = plan->choice.matrix;
    *out = (line_moves){.shape = shape, .columns = columns};
    void *to;
    if (plan->is_outline) return note_first(perm, perm->n < OUTLINED ? perm->n : OUTLINED, out);
    riffle_status status = buffer_create("the moves within rows", moves_bytes(shape), &to);
    if (status != RIFFLE_OK) return status;
    out->to = to;
    status = note_moves(perm, out);
    if (status != RIFFLE_OK) riffle_buffer_free(to, moves_bytes(shape));
    return status;
}

static riffle_status build_row_wise(riffle_plan *plan) {
    const matrix_shape shape = plan->choice.matrix;
    line_moves moves;
    riffle_status status = find_moves(plan, false, &moves);
    if (status != RIFFLE_OK) return status;
    status = add_row_wise(plan, BUFFER_SRC, BUFFER_DST, shape, moves.to);
    riffle_buffer_free(moves.to, moves_bytes(shape));
    if (status != RIFFLE_OK) return status;
    row_wise_schedule *schedule = &plan->passes[0].row_wise;
    schedule->readable = schedule->writable = plan->request.n;
    return RIFFLE_OK;
}

static riffle_status build_column_wise(riffle_plan *plan) {
    const matrix_shape shape = plan->choice.matrix, turned = {shape.cols, shape.rows};
    line_moves moves;
    riffle_status status = find_moves(plan, true, &moves);
    if (status != RIFFLE_OK) return status;
    add_transpose(plan, BUFFER_SRC, BUFFER_DST, shape);
    status = add_row_wise(plan, BUFFER_DST, BUFFER_WORKSPACE, turned, moves.to);
    riffle_buffer_free(moves.to, moves_bytes(shape));
    if (status != RIFFLE_OK) return status;
    add_transpose(plan, BUFFER_WORKSPACE, BUFFER_DST, turned);
    plan->workspace_bytes = plan->request.array_bytes;
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

static riffle_status build_scheduled(riffle_plan *plan) {
    const riffle_perm *const perm = plan->request.perm;
    const matrix_shape shape = plan->choice.matrix;
    const size_t matrix_bytes = (size_t)(shape.rows * shape.cols) * plan->request.elem_bytes;
    const bool padded = shape.rows * shape.cols > perm->n;
    scheduled_steps steps = {.shape = shape};
    riffle_status status =
        plan->is_outline ? RIFFLE_OK : scheduled_factor(perm, shape, plan->choice.threads, &steps);
    if (status != RIFFLE_OK) return status;
    status = add_steps(plan, &steps, padded ? BUFFER_SPARE : BUFFER_DST);
    scheduled_free(&steps);
    if (status != RIFFLE_OK) return status;
    plan->passes[0].row_wise.readable = plan->passes[plan->built - 1].row_wise.writable = perm->n;
    plan->workspace_bytes = matrix_bytes;
    plan->spare_bytes = padded ? matrix_bytes : 0;
    return RIFFLE_OK;
}

static double line_traffic(const plan_request *r, const plan_choice *c) {
    (void)c;
    return traffic_row_wise(r->elem_bytes);
}

static double column_traffic(const plan_request *r, const plan_choice *c) {
    (void)c;
    return traffic_row_wise(r->elem_bytes) + 2 * traffic_copy(r->elem_bytes);
}

static double scheduled_traffic(const plan_request *r, const plan_choice *c) {
    (void)c;
    return 3 * traffic_row_wise(r->elem_bytes) + 2 * traffic_copy(r->elem_bytes);
}

/* s and d of a row-wise pass. */
static double line_kept(const plan_request *r, const plan_choice *c) {
    (void)r, (void)c;
    return 2 * sizeof(uint16_t);
}

static double scheduled_kept(const plan_request *r, const plan_choice *c) { return 3 * line_kept(r, c); }

/* One matrix, and one more where it is larger than the array. */
static size_t scheduled_workspace(const plan_request *r, const plan_choice *c) {
    const size_t bytes = (size_t)(c->matrix.rows * c->matrix.cols) * r->elem_bytes;
    return bytes > r->array_bytes ? 2 * bytes : bytes;
}

/* --------------------------------------------------------------------- the records */

static riffle_status column_shape(const plan_request *r, plan_choice *c) {
    c->passes = 3;
    return shape(r, c);
}

static riffle_status scheduled_passes_shape(const plan_request *r, plan_choice *c) {
    c->passes = 5;
    return shape(r, c);
}

/* In place, places are counted up from element to element. */
static double transpose_slowdown(const plan_request *r) { return r->in_place ? 3 : 1; }

const plan_algorithm algorithm_transpose = {.id = RIFFLE_ALGORITHM_TRANSPOSE,
                                            .name = "transpose",
                                            .obstacle = algorithm_words_obstacle,
                                            .shape = shape,
                                            .in_place = transpose_in_place,
                                            .slowdown = transpose_slowdown,
                                            .build = build_transpose};

const plan_algorithm algorithm_row_wise = {.id = RIFFLE_ALGORITHM_ROW_WISE,
                                           .name = "row-wise",
                                           .obstacle = algorithm_words_obstacle,
                                           .shape = shape,
                                           .traffic = line_traffic,
                                           .kept = line_kept,
                                           .build = build_row_wise};

const plan_algorithm algorithm_column_wise = {.id = RIFFLE_ALGORITHM_COLUMN_WISE,
                                              .name = "column-wise",
                                              .obstacle = algorithm_words_obstacle,
                                              .shape = column_shape,
                                              .traffic = column_traffic,
                                              .kept = line_kept,
                                              .build = build_column_wise};

const plan_algorithm algorithm_scheduled = {.id = RIFFLE_ALGORITHM_SCHEDULED,
                                            .name = "scheduled",
                                            .obstacle = algorithm_words_obstacle,
                                            .shape = scheduled_passes_shape,
                                            .traffic = scheduled_traffic,
                                            .kept = scheduled_kept,
                                            .workspace = scheduled_workspace,
                                            .build = build_scheduled};

/* One row. */
const plan_algorithm algorithm_conflict_free = {.id = RIFFLE_ALGORITHM_CONFLICT_FREE,
                                                .name = "conflict-free",
                                                .obstacle = algorithm_words_obstacle,
                                                .shape = shape,
                                                .traffic = line_traffic,
                                                .kept = line_kept,
                                                .build = build_row_wise};

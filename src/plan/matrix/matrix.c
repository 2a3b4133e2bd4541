/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/matrix/matrix.h"

#include "base/status.h"
#include "papers/schedules/row_wise.h"

/* Over 2^m elements a transpose of powers of two rotates the index bits; index 1 tells how far. */
static bool rotates_bits(const perm_affine *p, unsigned by) {
    for (unsigned k = 0; k < p->a.m; k++)
        if (p->a.column[k] != (uint64_t)1 << (k + by) % p->a.m) return false;
    return p->c == 0;
}

bool matrix_transposed(const plan_request *r, matrix_shape *out) {
    const riffle_perm *const perm = r->perm;
    if (r->n < 4 || (perm->kind != PERM_AXES && perm->kind != PERM_AFFINE)) return false;
    const uint64_t rows = riffle_perm_at(perm, 1);
    if (rows < 2 || r->n % rows != 0 || rows == r->n) return false;
    const matrix_shape shape = {rows, r->n / rows};
    const perm_digit *digit = perm->axes.digit;
    const bool is_transpose =
        perm->kind == PERM_AXES
            ? perm->axes.digits == 2 && digit[0].extent == shape.cols && digit[1].stride == 1
            : rotates_bits(&r->affine, (unsigned)__builtin_ctzll(rows));
    if (is_transpose) *out = shape;
    return is_transpose;
}

static uint64_t longest_row(size_t elem_bytes, const plan_target *target) {
    const uint64_t fitting = target->shared_bytes / (2 * elem_bytes) / target->width * target->width;
    return fitting < ROW_WISE_MAX_COLS ? fitting : ROW_WISE_MAX_COLS;
}

static riffle_status fail_too_long(const char *what, uint64_t length, uint64_t longest, size_t elem_bytes) {
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "%s of %llu elements of %zu bytes does not fit: shared memory holds two of at most %llu", what,
                (unsigned long long)length, elem_bytes, (unsigned long long)longest);
}

static riffle_status one_row(uint64_t n, size_t elem_bytes, unsigned width, uint64_t longest,
                             matrix_shape *out) {
    const uint64_t cols = (n + width - 1) / width * width;
    if (cols > longest) return fail_too_long("an array", n, longest, elem_bytes);
    *out = (matrix_shape){1, cols};
    return RIFFLE_OK;
}

/* Rows that are permuted by themselves may be as many as you like, and columns too. */
static riffle_status whole_rows(uint64_t n, uint64_t row_length, unsigned width, riffle_algorithm algorithm,
                                size_t elem_bytes, uint64_t longest, matrix_shape *out) {
    matrix_shape shape = {row_length > 0 ? n / row_length : 0, row_length};
    if (row_length == 0) {
        const riffle_status status = scheduled_shape(n, 0, width, longest, &shape);
        if (status != RIFFLE_OK) return status;
    }
    if (shape.rows * shape.cols != n || shape.cols % width != 0 || shape.rows % width != 0) {
        return fail(
            RIFFLE_ERROR_UNSUPPORTED,
            "algorithm '%s': %llu elements are no matrix of whole rows whose dimensions are multiples of %u; "
            "choose the row length so that it and the number of rows are",
            riffle_algorithm_string(algorithm), (unsigned long long)n, width);
    }
    const bool columns = algorithm == RIFFLE_ALGORITHM_COLUMN_WISE;
    const uint64_t line = columns ? shape.rows : shape.cols;
    if (line > longest) return fail_too_long(columns ? "a column" : "a row", line, longest, elem_bytes);
    *out = shape;
    return RIFFLE_OK;
}

riffle_status matrix_for(const plan_request *r, riffle_algorithm algorithm, matrix_shape *out) {
    const uint64_t longest = longest_row(r->elem_bytes, &r->target);
    const unsigned width = r->target.width;
    switch (algorithm) {
    case RIFFLE_ALGORITHM_TRANSPOSE:
        if (matrix_transposed(r, out)) return RIFFLE_OK;
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "algorithm 'transpose' moves only transposes of matrices; leave the choice to 'auto'");
    case RIFFLE_ALGORITHM_CONFLICT_FREE: return one_row(r->n, r->elem_bytes, width, longest, out);
    case RIFFLE_ALGORITHM_SCHEDULED: return scheduled_shape(r->n, r->row_length, width, longest, out);
    default: return whole_rows(r->n, r->row_length, width, algorithm, r->elem_bytes, longest, out);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems of equations over F2: the right sides are columns behind the matrix while it is eliminated.
 */
#include "base/status.h"
#include "base/threads/threads.h"
#include "f2/echelon.h"

/* Below the rank the right sides are 0 if the equations do not contradict each other. */
static riffle_status check_sides(const f2_echelon *e) {
    const riffle_f2_matrix sides = f2_behind(e);
    for (uint64_t i = e->rank; i < sides.rows; i++)
        for (size_t w = 0; w < f2_words(sides.columns); w++)
            if (f2_row(&sides, i)[w] != 0)
                return fail(
                    RIFFLE_ERROR_SINGULAR,
                    "a x = b has no solution: row %llu of a is a sum of rows above it, and row %llu of b is "
                    "not the sum of the "
                    "same ones, as in column %llu",
                    (unsigned long long)e->order[i], (unsigned long long)e->order[i],
                    (unsigned long long)(w * F2_WORD + (unsigned)__builtin_ctzll(f2_row(&sides, i)[w])));
    return RIFFLE_OK;
}

riffle_status riffle_f2_solve(const riffle_f2_matrix *to, const riffle_f2_matrix *a, const riffle_f2_matrix *b,
                              const riffle_call_options *options) {
    f2_echelon e;
    riffle_status status = f2_check_pair("to", to, "a", a);
    if (status == RIFFLE_OK) status = f2_check_pair("to", to, "b", b);
    if (status == RIFFLE_OK) status = f2_check_size("b", b, a->rows, b->columns, "as a has rows");
    if (status == RIFFLE_OK) status = f2_check_size("to", to, a->columns, b->columns, "for a to = b");
    if (status == RIFFLE_OK)
        status = f2_echelon_create(a->rows, a->columns, b->columns, threads_most_of_call(options), &e);
    if (status != RIFFLE_OK) return status;
    const riffle_f2_matrix left = f2_part(&e.whole, 0, 0, a->rows, a->columns);
    const riffle_f2_matrix sides = f2_behind(&e);
    f2_copy(&left, a);
    if (b->columns > 0) f2_copy(&sides, b);
    f2_eliminate(&e);
    status = b->columns > 0 ? check_sides(&e) : RIFFLE_OK;
    if (status == RIFFLE_OK) {
        f2_clear(to);
        f2_back_substitute(&e, to);
    }
    f2_echelon_free(&e);
    return status;
}

riffle_status riffle_f2_inverse(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                const riffle_call_options *options) {
    f2_echelon e;
    riffle_status status = f2_check_pair("to", to, "a", a);
    if (status == RIFFLE_OK)
        status = f2_check_size("a", a, a->rows, a->rows, "for a matrix with an inverse is square");
    if (status == RIFFLE_OK) status = f2_check_size("to", to, a->rows, a->rows, "as a is");
    if (status == RIFFLE_OK)
        status = f2_echelon_create(a->rows, a->rows, a->rows, threads_most_of_call(options), &e);
    if (status != RIFFLE_OK) return status;
    const riffle_f2_matrix left = f2_part(&e.whole, 0, 0, a->rows, a->rows), one = f2_behind(&e);
    f2_copy(&left, a);
    for (uint64_t i = 0; i < a->rows; i++) f2_row(&one, i)[i / F2_WORD] = (uint64_t)1 << i % F2_WORD;
    f2_eliminate(&e);
    if (e.rank < a->rows)
        status = fail(RIFFLE_ERROR_SINGULAR, "a: has no inverse, its %llu rows have rank %llu",
                      (unsigned long long)a->rows, (unsigned long long)e.rank);
    else
        f2_back_substitute(&e, to);
    f2_echelon_free(&e);
    return status;
}

/* ------------------------------------------------------------------ kernels */

/* Each column without a pivot is 1 in a vector of its own, and what the pivots' columns are then follows. */
static void set_free_columns(const f2_echelon *e, const riffle_f2_matrix *x) {
    uint64_t k = 0, vector = 0;
    for (uint64_t j = 0; j < e->columns; j++) {
        if (k < e->rank && e->pivots[k] == j)
            k++;
        else {
            f2_row(x, j)[vector / F2_WORD] |= (uint64_t)1 << vector % F2_WORD;
            vector++;
        }
    }
}

/* Behind the echelon form now stand `vectors` columns of 0. */
static riffle_status write_kernel(const riffle_f2_matrix *to, f2_echelon *e, uint64_t vectors,
                                  const riffle_call_options *options) {
    riffle_f2_matrix x;
    riffle_status status = f2_create("a kernel over F2", e->columns, vectors, &x);
    if (status != RIFFLE_OK) return status;
    set_free_columns(e, &x);
    e->whole.columns = f2_words(e->columns) * F2_WORD + vectors;
    f2_back_substitute(e, &x);
    const riffle_f2_matrix rows = {vectors, to->columns, to->stride, to->words};
    status = riffle_f2_transpose(&rows, &x, options);
    f2_free(&x);
    return status;
}

riffle_status riffle_f2_kernel(const riffle_f2_matrix *to, uint64_t *count, const riffle_f2_matrix *a,
                               const riffle_call_options *options) {
    f2_echelon e;
    riffle_status status = f2_check_pair("to", to, "a", a);
    if (status == RIFFLE_OK) status = f2_check_size("to", to, to->rows, a->columns, "as a has columns");
    if (status != RIFFLE_OK) return status;
    RETURN_IF_NULL(count);
    status = f2_echelon_create(a->rows, a->columns, a->columns, threads_most_of_call(options), &e);
    if (status != RIFFLE_OK) return status;
    const riffle_f2_matrix left = f2_part(&e.whole, 0, 0, a->rows, a->columns);
    f2_copy(&left, a);
    e.whole.columns = a->columns; /* further ones are 0 and stay so */
    f2_eliminate(&e);
    const uint64_t vectors = a->columns - e.rank;
    if (vectors > to->rows)
        status = fail(RIFFLE_ERROR_LENGTH, "to: %llu rows; the kernel's basis has %llu vectors",
                      (unsigned long long)to->rows, (unsigned long long)vectors);
    else if (vectors > 0)
        status = write_kernel(to, &e, vectors, options);
    if (status == RIFFLE_OK) *count = vectors;
    f2_echelon_free(&e);
    return status;
}

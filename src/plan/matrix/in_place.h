/* SPDX-License-Identifier: Apache-2.0
 *
 * Transposes in place, of matrices of any shape, by passes that permute each row and each column by itself (Catanzaro, Keller,
 * Garland 2014, "A decomposition for in-place matrix transposition").
 *
 * Let m and n be the rows and columns, c their greatest common divisor, a = m / c and b = n / c. Element (i, j) of the result,
 * read as an m x n matrix still, stood in row l mod m and column l / m, l = i n + j. Three passes bring it there:
 *
 *      columns    (i, j) from row (i + j / b) mod m                  so that elements of a row go to different columns;
 *      rows       (i, j) to column ((i + j / b) mod m + j m) mod n   to its column;
 *      columns    (i, j) from row (i n - i / a + j) mod m            to its row.
 *
 * With c = 1 the first moves nothing, and there are two. Backwards, they transpose an n x m matrix; so m is the
 * lesser of the two dimensions, and it is the columns, which are permuted in strips, that are short.
 *
 *      row      in[j] goes to out[d(j)], or out[j] comes from in[d(j)] on the way back
 *      strip    some columns side by side, whole, in memory that is near
 */
#ifndef RIFFLE_PLAN_MATRIX_IN_PLACE_H
#define RIFFLE_PLAN_MATRIX_IN_PLACE_H

#include "papers/schedules/scheduled.h"
#include "plan/request/target.h"

/** The m x n matrix, and b. */
typedef struct in_rows_schedule {
    uint64_t rows, cols, block;
    size_t elem_bytes;
    bool back;
} in_rows_schedule;

/** (i, j) from row (i * step - i / group + j / block) mod rows, or to it on the way back. step < rows. */
typedef struct in_columns_schedule {
    uint64_t rows, cols;
    uint64_t step, group, block;
    uint64_t strip; /**< columns side by side; on devices a power of two */
    size_t elem_bytes;
    bool back;
} in_columns_schedule;

/** Bytes that a thread of the host needs near for a row, and for a strip. */
static inline size_t in_rows_bytes(const in_rows_schedule *s) { return s->cols * s->elem_bytes; }
static inline size_t in_columns_bytes(const in_columns_schedule *s) {
    return s->rows * s->strip * s->elem_bytes;
}

/** The passes of a transpose, in order. */
typedef struct in_place_passes {
    unsigned count;
    unsigned rows_at; /**< which of the passes permutes rows */
    in_rows_schedule rows;
    in_columns_schedule columns[3]; /**< for the others */
} in_place_passes;

/** The passes for a matrix of at least two rows and columns. */
in_place_passes transpose_passes(matrix_shape shape, size_t elem_bytes, const plan_target *target);

#endif

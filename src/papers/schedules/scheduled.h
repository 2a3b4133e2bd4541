/* SPDX-License-Identifier: Apache-2.0
 *
 * The scheduled permutation: any permutation as row-wise, column-wise, row-wise (Kasagi, Nakano, Ito 2013,
 * section VII). Elements are edges from their row to the row they go to; an edge's colour is the column in
 * which its element changes rows.
 *
 *     (row, col) --row-wise--> (row, colour) --column-wise--> (row', colour) --row-wise--> (row', col')
 */
#ifndef RIFFLE_PAPERS_SCHEDULES_SCHEDULED_H
#define RIFFLE_PAPERS_SCHEDULES_SCHEDULED_H

#include "perm/perm.h"

/** The matrix in which n elements are laid out, row after row: rows * cols >= n, both multiples of the width.
 *  */
typedef struct matrix_shape {
    uint64_t rows, cols;
} matrix_shape;

/** About square, powers of two where n is one and no dimension smaller than the width; cols = row_length where
 *  that is not 0 (rounded up to a multiple of width). RIFFLE_ERROR_UNSUPPORTED if a row or a column would have
 *  more than longest elements. */
riffle_status scheduled_shape(uint64_t n, uint64_t row_length, unsigned width, uint64_t longest,
                              matrix_shape *out);

/** Where the elements go in each of the three steps, padding included: before[i * cols + j] is the column of
 *  (i, j) after the first step, between[c * rows + i] the row that column c's element i goes to, after[i *
 *  cols + c] the last column. */
typedef struct scheduled_steps {
    matrix_shape shape;
    uint16_t *before, *between, *after;
} scheduled_steps;

/** Factors `perm`, extended to the whole matrix by the identity. O(n log n) on `threads` threads. */
riffle_status scheduled_factor(const riffle_perm *perm, matrix_shape shape, unsigned threads,
                               scheduled_steps *out);

void scheduled_free(scheduled_steps *steps);

#endif
